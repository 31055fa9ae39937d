"""What people fill in about themselves: how they like the site, and which past matches they look for."""

from datetime import date
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator

from accounts.models import NAME_LENGTH, Preferences
from accounts.names import NameRefused, fit_name
from games.queries.people import OWN
from games.web.terms import PRESET_WORDS

CONFIRM_EFFECTS = {
    "slow": "Where days lie between moves, you are asked once more before a move is sent.",
    "always": "Every bid and every call is asked about once more.",
    "never": "What you press is sent at once.",
}
TALK_EFFECTS = {
    "chatty": "Computers say what goes through their heads, and often.",
    "some": "They say something now and then.",
    "off": "They play in silence.",
}
THEME_EFFECTS = {
    "": "Light by day and dark by night, as your device has it.",
    "light": "Paper and ink.",
    "dark": "Midnight, and a lamp.",
}
NOTICES_EFFECTS = {
    "off": "You look for yourself whose move it is.",
    "mail": "One mail a turn, not at live tables, unless you saw it already. It spoils no reveal.",
}
RESULT_LABELS = (("won", "won"), ("lost", "lost"), ("drawn", "drawn"), ("left", "left before the end"))
RULES_LABELS = (*((name, words[0]) for name, words in PRESET_WORDS.items()), (OWN, "Other rules"))


# No day is so near to the ends of the calendar that another zone would be beyond them.
DAYS = [MinValueValidator(date(1000, 1, 1)), MaxValueValidator(date(9000, 1, 1))]
REGIONS = frozenset(
    ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
)


@cache
def zones() -> tuple[str, ...]:
    """The time zones to choose from: places, and UTC."""
    return ("UTC", *sorted(name for name in available_timezones() if name.split("/")[0] in REGIONS))


class PreferencesForm(forms.Form):
    """How somebody likes the site, and what they are called."""

    name = forms.CharField(max_length=NAME_LENGTH, required=False)
    odds_helper = forms.BooleanField(required=False)
    confirm = forms.ChoiceField(choices=Preferences.CONFIRM)
    tells = forms.BooleanField(required=False)
    talk = forms.ChoiceField(choices=Preferences.TALK)
    hide_dice = forms.BooleanField(required=False)
    theme = forms.ChoiceField(choices=Preferences.THEME, required=False)
    notices = forms.ChoiceField(choices=Preferences.NOTICES)
    time_zone = forms.CharField(required=False)
    share_mirror = forms.BooleanField(required=False)

    def __init__(self, *args: Any, mail_to: str = "", **named: Any) -> None:
        super().__init__(*args, **named)
        self._mail_to = mail_to

    def clean_name(self) -> str:
        given = str(self.cleaned_data["name"])
        try:
            return fit_name(given) if given else ""
        except NameRefused as refusal:
            raise forms.ValidationError(str(refusal)) from refusal

    def clean_time_zone(self) -> str:
        zone = str(self.cleaned_data["time_zone"])
        if zone and zone not in zones():
            raise forms.ValidationError("There is no such time zone.")
        return zone

    def clean_notices(self) -> str:
        wanted = str(self.cleaned_data["notices"])
        return wanted if self._mail_to else "off"


class MatchesForm(forms.Form):
    """Which past matches somebody looks for; whatever is empty does not matter."""

    opponent = forms.CharField(max_length=NAME_LENGTH, required=False)
    rules = forms.ChoiceField(choices=[("", "all"), *RULES_LABELS], required=False)
    result = forms.ChoiceField(choices=[("", "all"), *RESULT_LABELS], required=False)
    since = forms.DateField(required=False, input_formats=["%Y-%m-%d"], validators=DAYS)
    until = forms.DateField(required=False, input_formats=["%Y-%m-%d"], validators=DAYS)


# Named like the word of the address, which is one of Python's own.
MatchesForm.base_fields["with"] = forms.RegexField(r"^[a-zA-Z0-9]{1,16}$", required=False)
