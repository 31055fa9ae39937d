"""`manage.py bot`: a bot for an account, or another token for one it has."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.commands import BotRefused, NameRefused, create_bot, new_token
from accounts.models import User


class Command(BaseCommand):
    """Make bots from the command line."""

    help = "Make a bot that an account answers for, and print its token; or give one another token."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("owner", help="the user name of the account")
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--name", help="the name of a new bot")
        what.add_argument("--token-for", metavar="ID", help="the id of a bot that gets another token")

    def handle(self, *, owner: str, name: str | None, token_for: str | None, **_: Any) -> None:
        user = User.objects.filter(username=owner).first()
        if user is None:
            raise CommandError(f"There is no account {owner}.")
        try:
            if name is not None:
                bot, token = create_bot(owner=user, name=name, now=timezone.now())
            else:
                bot, token = new_token(owner=user, bot_id=token_for or "", now=timezone.now())
        except (NameRefused, BotRefused) as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"{bot.name}  id {bot.id}  token {token}")
