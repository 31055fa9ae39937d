"""The addresses of the API, version 1."""

from csp.decorators import csp_update
from django.urls import path
from drf_spectacular.views import SpectacularSwaggerSplitView

from games.api import events, lobby, people, play
from games.api.schema.published import published

# A page has nothing to say of itself to OPTIONS.
# Its template has one style of its own in the page, which is all that the policy lets through here alone.
reference = csp_update({"style-src": ["'self'", "'unsafe-inline'"]})(
    SpectacularSwaggerSplitView.as_view(url_name="api-schema", metadata_class=None)
)

urlpatterns = [
    path("guests", people.guests, name="api-guests"),
    path("me", people.me, name="api-me"),
    path("presets", lobby.presets, name="api-presets"),
    path("tables", lobby.tables, name="api-tables"),
    path("tables/<str:table_id>", play.table, name="api-table"),
    path("tables/<str:table_id>/seats", lobby.seats, name="api-seats"),
    path("tables/<str:table_id>/seats/me", lobby.own_seat, name="api-own-seat"),
    path("tables/<str:table_id>/seats/<str:number>", lobby.seat, name="api-seat"),
    path("tables/<str:table_id>/computers", lobby.computers, name="api-computers"),
    path("tables/<str:table_id>/start", lobby.start, name="api-start"),
    path("tables/<str:table_id>/invites", lobby.invites, name="api-invites"),
    path("tables/<str:table_id>/actions", play.actions, name="api-actions"),
    path("tables/<str:table_id>/rounds", play.rounds, name="api-rounds"),
    path("tables/<str:table_id>/rounds/<str:number>", play.round_, name="api-round"),
    path("tables/<str:table_id>/archive", play.archive, name="api-archive"),
    path("tables/<str:table_id>/events", events.events, name="api-events"),
    path("schema", published, name="api-schema"),
    path("docs", reference, name="api-docs"),
]
