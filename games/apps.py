from django.apps import AppConfig


class GamesConfig(AppConfig):
    """The game: tables, seats, dice, and the doors to them."""

    name = "games"
