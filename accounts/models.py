"""Who plays: a person with an account, a guest with a token, or a program that somebody lets play."""

import base64
import secrets

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q

NAME_LENGTH = 40


class User(AbstractUser):
    """An account that signs in to the site."""


def new_player_id() -> str:
    """Return 16 random letters and digits, which tell nothing about order or number."""
    return base64.b32encode(secrets.token_bytes(10)).decode().lower()


class Player(models.Model):
    """Somebody who may sit at a table, under a name that others see."""

    id = models.CharField(primary_key=True, max_length=16, default=new_player_id, editable=False)
    name = models.CharField(max_length=NAME_LENGTH)
    user = models.OneToOneField(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="player", editable=False
    )
    created_at = models.DateTimeField(editable=False)
    # The last request or open stream, to within a few seconds: who is gone from a live table has left it.
    seen_at = models.DateTimeField(null=True, editable=False)
    # A program that plays by itself, and the account that answers for it.
    bot_since = models.DateTimeField(null=True, editable=False)
    owner = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="bots", editable=False
    )

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(name=""), name="player_has_a_name")]

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<Player {self.id}>"

    @property
    def kind(self) -> str:
        """Whether this is an account's player, a guest or a bot."""
        if self.bot_since is not None:
            return "bot"
        return "guest" if self.user_id is None else "account"


class Token(models.Model):
    """What a guest or a bot shows instead of a password; only its digest is kept."""

    digest = models.CharField(unique=True, max_length=64, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="tokens", editable=False)
    created_at = models.DateTimeField(editable=False)

    def __str__(self) -> str:
        return f"a token of {self.player_id}"

    def __repr__(self) -> str:
        return f"<Token of {self.player_id}>"


class Preferences(models.Model):
    """How somebody likes the site; who never said anything likes the defaults."""

    CONFIRM = {"slow": "on slow tables", "always": "always", "never": "never"}
    TALK = {"chatty": "chatty", "some": "some", "off": "off"}
    THEME = {"": "as the system", "light": "light", "dark": "dark"}
    NOTICES = {"mail": "by e-mail", "off": "none"}

    player = models.OneToOneField(
        Player, on_delete=models.CASCADE, primary_key=True, related_name="preferences", editable=False
    )
    odds_helper = models.BooleanField(default=False)
    confirm = models.CharField(max_length=8, choices=CONFIRM, default="slow")
    tells = models.BooleanField(default=True)
    talk = models.CharField(max_length=8, choices=TALK, default="some")
    hide_dice = models.BooleanField(default=False)
    theme = models.CharField(max_length=8, choices=THEME, default="", blank=True)
    notices = models.CharField(max_length=8, choices=NOTICES, default="off")
    time_zone = models.CharField(max_length=64, default="", blank=True)  # "": as the browser says
    share_mirror = models.BooleanField(default=False)
    # What the form of a new table was sent with last.
    last_table = models.JSONField(default=dict, editable=False)

    def __str__(self) -> str:
        return f"preferences of {self.player_id}"
