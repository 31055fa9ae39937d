"""What forms hand in: a name and a seed to sit down with, and a computer for a seat."""

from typing import Any

from django import forms

from accounts.models import NAME_LENGTH, Player
from accounts.names import NameRefused, fit_name
from games.commands.lobby import ComputerWanted
from games.computers.characters import CHARACTERS
from games.computers.registry import LEVELS
from games.engine.dice import SEED_LIMIT, SeedRefused, check_seed

NAME_HINT = "Others at the table see it. Left empty, you are Guest and four letters."
SEED_HINT = (
    "It goes into every roll of this match, beside the site’s own secret, so that neither side alone decides "
    "the dice. Your browser proposes it; anything else will do, or nothing."
)
SEED_ATTRIBUTES = {"data-seed": True, "autocomplete": "off", "spellcheck": "false", "maxlength": SEED_LIMIT}


CHARACTER_CHOICES = [
    ("", "any of them"),
    *((key, f"{who.name}, {who.manner}") for key, who in CHARACTERS.items()),
]
"""Every character with its manner, to be chosen by it."""


class SeedField(forms.CharField):
    """A client seed, used exactly as it was sent."""

    def __init__(self) -> None:
        super().__init__(
            required=False,
            strip=False,
            label="Your part in the dice",
            help_text=SEED_HINT,
            widget=forms.TextInput(attrs=SEED_ATTRIBUTES),
        )

    def clean(self, value: Any) -> str:
        try:
            return check_seed(super().clean(value))
        except SeedRefused as error:
            raise forms.ValidationError(str(error)) from error


class OwnNameField(forms.CharField):
    """What somebody who is nobody yet wants to be called."""

    def __init__(self) -> None:
        super().__init__(
            required=False,
            label="Your name at this table",
            help_text=NAME_HINT,
            widget=forms.TextInput(attrs={"autocomplete": "nickname", "maxlength": NAME_LENGTH}),
        )

    def clean(self, value: Any) -> str | None:
        given = super().clean(value)
        try:
            return fit_name(given) if given else None
        except NameRefused as error:
            raise forms.ValidationError(str(error)) from error


class SitForm(forms.Form):
    """Sitting down; only who is nobody yet is asked for a name."""

    client_seed = SeedField()
    seat = forms.IntegerField(required=False, min_value=0, max_value=5)
    invite = forms.CharField(required=False, max_length=200)

    def __init__(self, *args: Any, player: Player | None, **named: Any) -> None:
        super().__init__(*args, **named)
        if player is None:
            self.fields["own_name"] = OwnNameField()


class ComputerForm(forms.Form):
    """A computer for a free seat."""

    level = forms.ChoiceField(choices=[(level, level) for level in LEVELS], initial="normal")
    character = forms.ChoiceField(choices=CHARACTER_CHOICES, required=False, label="Who it is")
    seat = forms.IntegerField(required=False, min_value=0, max_value=5)

    @property
    def wanted(self) -> ComputerWanted:
        """The computer asked for."""
        return ComputerWanted(
            level=self.cleaned_data["level"], character=self.cleaned_data["character"] or None
        )
