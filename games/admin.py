"""What staff see: tables and what happened at them, to read only, and never a die or the secret of one."""

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from games.models import Event, Round, Seat, Table


class ReadOnly(admin.ModelAdmin):
    """Rows of a match are written by moves alone."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Only what the page offers: a filter on a seed or a sealed value would spell it out."""
        return lookup.partition("__")[0] in self.list_filter

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Table)
class TableAdmin(ReadOnly):
    """Tables; the sealed chain is left out."""

    list_display = ("id", "name", "status", "mode", "visibility", "number", "version", "updated_at", "due_at")
    list_filter = ("status", "mode", "visibility")
    search_fields = ("id", "name")
    list_select_related = False
    fields = (
        *("id", "name", "mode", "visibility", "status", "rules", "clock", "commitment", "host"),
        *("created_at", "updated_at", "version", "number", "turn", "result"),
        *("began_at", "due_at", "computer_due_at"),
    )


@admin.register(Seat)
class SeatAdmin(ReadOnly):
    """Who sits where."""

    list_display = ("table_id", "number", "player", "level", "dice", "strikes", "left")
    search_fields = ("table__id", "player__id")
    fields = ("table", "number", "player", "level", "character", "dice", "strikes", "out", "left", "bank")
    list_select_related = ("player",)


@admin.register(Round)
class RoundAdmin(ReadOnly):
    """Rounds begun; their hands are nowhere here."""

    list_display = ("table_id", "number", "palifico", "opener", "started_at")
    search_fields = ("table__id",)


@admin.register(Event)
class EventAdmin(ReadOnly):
    """What happened, version by version; all of it is public."""

    list_display = ("table_id", "version", "kind", "seat", "number", "at")
    list_filter = ("kind",)
    search_fields = ("table__id",)
