"""The addresses of the pages."""

from django.urls import path

from games.web import lobby

urlpatterns = [
    path("", lobby.home, name="home"),
    path("tables/<str:table_id>", lobby.table, name="table"),
]
