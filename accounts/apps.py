from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Who plays: accounts and guests."""

    name = "accounts"
