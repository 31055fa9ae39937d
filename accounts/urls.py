"""The addresses of signing in and of an account: allauth's views under our pages and words."""

from allauth.account import views as account
from allauth.usersessions import views as places
from django.contrib.auth.decorators import login_required
from django.urls import URLPattern, path
from django.views.generic import RedirectView

from accounts.signing_in import View, counted, passkeys, with_mail


def _page(address: str, view: View, name: str) -> URLPattern:
    return path(address, counted(view), name=name)


urlpatterns = [
    _page("sign-in", account.login, "account_login"),
    path("sign-in", counted(account.login), name="sign-in"),
    _page("sign-in/passkey", passkeys("login_webauthn"), "mfa_login_webauthn"),
    _page("sign-in/code", account.confirm_login_code, "account_confirm_login_code"),
    _page("sign-up", account.signup, "account_signup"),
    path("sign-up", counted(account.signup), name="sign-up"),
    _page("sign-up/confirm", account.email_verification_sent, "account_email_verification_sent"),
    _page("sign-out", account.logout, "account_logout"),
    _page("account/closed", account.account_inactive, "account_inactive"),
    _page("account/password", account.password_change, "account_change_password"),
    _page("account/password/first", account.password_set, "account_set_password"),
    _page("account/who", account.reauthenticate, "account_reauthenticate"),
    _page("account/who/passkey", passkeys("reauthenticate_webauthn"), "mfa_reauthenticate_webauthn"),
    _page("account/who/code", account.request_reauthentication_code, "account_request_reauthentication_code"),
    _page(
        "account/who/code/confirm",
        account.confirm_reauthentication_code,
        "account_confirm_reauthentication_code",
    ),
    _page("account/passkeys", passkeys("list_webauthn"), "mfa_list_webauthn"),
    _page("account/passkeys/add", passkeys("add_webauthn"), "mfa_add_webauthn"),
    _page("account/passkeys/<int:pk>/name", passkeys("edit_webauthn"), "mfa_edit_webauthn"),
    _page("account/passkeys/<int:pk>/remove", passkeys("remove_webauthn"), "mfa_remove_webauthn"),
    # Where allauth goes back to when a passkey was added.
    path("account/passkeys/added", RedirectView.as_view(pattern_name="mfa_list_webauthn"), name="mfa_index"),
    _page("account/places", places.list_usersessions, "usersessions_list"),
    _page("account/email", with_mail(login_required(account.email)), "account_email"),
    _page("password/reset", with_mail(account.password_reset), "account_reset_password"),
    _page(
        "password/reset/code",
        with_mail(account.confirm_password_reset_code),
        "account_confirm_password_reset_code",
    ),
    _page(
        "password/reset/new", with_mail(account.complete_password_reset), "account_complete_password_reset"
    ),
    _page(
        "password/reset/done",
        with_mail(account.password_reset_from_key_done),
        "account_password_reset_completed",
    ),
    _page("sign-in/code/send", with_mail(account.request_login_code), "account_request_login_code"),
    _page("sign-up/passkey", with_mail(account.signup_by_passkey), "account_signup_by_passkey"),
    _page("sign-up/passkey/make", with_mail(passkeys("signup_webauthn")), "mfa_signup_webauthn"),
]
