"""What is asked of who signs up, beside e-mail and password: a name, and whether their guest comes along."""

from typing import Any

from allauth.core import context
from django import forms
from django.http import HttpRequest

from accounts import sessions
from accounts.models import NAME_LENGTH, User
from accounts.names import NameRefused, fit_name


class SignUp(forms.Form):
    """The part of both forms of signing up, by password and by passkey, that is ours."""

    name = forms.CharField(max_length=NAME_LENGTH, strip=True)
    keep = forms.BooleanField(required=False, initial=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.guest = sessions.guest_of_session(context.request) if context.request else None
        if self.guest is not None:
            self.fields["name"].initial = self.guest.name
        else:
            del self.fields["keep"]

    def clean_name(self) -> str:
        try:
            return fit_name(self.cleaned_data["name"])
        except NameRefused as refusal:
            raise forms.ValidationError(str(refusal), code=refusal.code) from refusal

    def signup(self, request: HttpRequest, user: User) -> None:
        """Note what was asked for until somebody is in for the first time."""
        user.first_name = self.cleaned_data["name"]
        user.save(update_fields=["first_name"])
        sessions.note_sign_up(request, user, keep=self.cleaned_data.get("keep", False))
