"""The addresses of the pages."""

from django.urls import path

from games.web import guide, lobby, manifest, people

urlpatterns = [
    path("", lobby.home, name="home"),
    path("tables/<str:table_id>", lobby.table, name="table"),
    path("guide", guide.guide, name="guide"),
    path("me", people.me, name="me"),
    path("manifest.webmanifest", manifest.manifest, name="manifest"),
    path("offline", manifest.offline, name="offline"),
]
