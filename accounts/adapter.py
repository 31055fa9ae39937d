"""How allauth does here what it leaves to a site: who signs up keeps what they played, and our words."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts import sessions
from accounts.addresses import address_of
from accounts.models import User, new_player_id

NOWHERE = "0.0.0.0"
"""An address that nobody has, for a request that came without one."""


class AccountAdapter(DefaultAccountAdapter):
    """Accounts that sign in by e-mail or passkey, and play under a name that is neither."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "account_inactive": "This account was closed.",
        "duplicate_email": "That is your address already.",
        "email_password_mismatch": "No account has this e-mail with this password.",
        "email_taken": "There is an account with this e-mail already: sign in instead.",
        "enter_current_password": "This is not your present password.",
        "incorrect_code": "This is not the code. It stands in the last mail that we sent.",
        "incorrect_password": "This is not your password.",
        "invalid_login": "No account has this e-mail.",
        "invalid_or_expired_key": "This link was used already, or is too old.",
        "too_many_login_attempts": "Too many attempts. Try again in five minutes.",
        "unknown_email": "No account has this e-mail.",
        "same_as_current": "That is what it is already.",
        "rate_limited": "That was often. Wait a little, then try again.",
        "select_only_one": "Choose one only.",
    }

    def populate_username(self, request: HttpRequest, user: User) -> None:
        """Give the account a username, which people never see: it must tell nothing of their e-mail."""
        user.username = f"account-{new_player_id()}"

    def get_client_ip(self, request: HttpRequest) -> str:
        """Where a request comes from, as the rest of the site counts it."""
        return address_of(request) or NOWHERE

    def format_email_subject(self, subject: str) -> str:
        """A subject says by itself whom it is from."""
        return str(subject)

    def get_login_stages(self) -> list[str]:
        """The steps of signing in: a passkey is another way in, never a second thing to show."""
        return [
            stage for stage in super().get_login_stages() if stage != "allauth.mfa.stages.AuthenticateStage"
        ]

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """The ways to show once more who one is, in our words."""
        words = {
            "reauthenticate": "Use your password",
            "reauthenticate_by_code": "Have a code sent to you",
            "mfa_reauthenticate:webauthn": "Use a passkey",
        }
        methods = super().get_reauthentication_methods(user)
        return [{**method, "description": words[method["id"]]} for method in methods if method["id"] in words]

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return "/me"

    def post_login(self, request: HttpRequest, user: User, **given: Any) -> HttpResponse:
        """Once somebody is in: who just signed up becomes the player that they were as a guest."""
        sessions.finish_sign_up(request, user, now=timezone.now())
        answer: HttpResponse = super().post_login(request, user, **given)
        return answer

    def logout(self, request: HttpRequest) -> None:
        """Sign out; the guest that this browser was before is there again."""
        guest = sessions.guest_of_session(request)
        super().logout(request)
        if guest is not None:
            sessions.remember_guest(request, guest)


class PasskeyAdapter(DefaultMFAAdapter):
    """Passkeys under this site's name."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": "This passkey is not known here.",
        "unverified_email": "Confirm your e-mail first; then a passkey can be added.",
    }

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return {**super().get_public_key_credential_rp_entity(), "name": "Longbluff"}

    def generate_authenticator_name(self, user: Any, type: Any) -> str:  # noqa: A002 - so allauth names it
        """A first name for a passkey, which its owner may change."""
        return "My passkey"


def shown(user: User) -> str:
    """What a device calls the account beside a passkey."""
    return user.email or user.username
