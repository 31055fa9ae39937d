from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from accounts.models import Player, Token, User

admin.site.register(User, UserAdmin)


@admin.register(Player)
class PlayerAdmin(admin.ModelAdmin):
    """Players, to look up. A name is part of what tables show, so it does not change behind their back."""

    list_display = ("id", "name", "kind", "created_at")
    search_fields = ("id", "name")
    fields = ("id", "name", "user", "created_at", "bot_since", "owner")
    readonly_fields = fields

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        return False


@admin.register(Token)
class TokenAdmin(admin.ModelAdmin):
    """Tokens, to be taken away; the digest is not shown, since nobody needs it."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        return False

    list_display = ("player", "created_at")
    fields = ("player", "created_at")
    readonly_fields = ("player", "created_at")
    search_fields = ("player__id", "player__name")
    list_select_related = ("player",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Token | None = None) -> bool:
        return False
