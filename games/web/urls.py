"""The addresses of the pages."""

from django.urls import path

from games.web import guide, home, leaving, lobby, manifest, opening, people, play, preferences, review, uploads

urlpatterns = [
    path("", home.home, name="home"),
    path("play", opening.play_now, name="play-now"),
    path("tables/new", opening.new, name="new-table"),
    path("tables/<str:table_id>", play.table, name="table"),
    path("tables/<str:table_id>/act", play.act, name="act"),
    path("tables/<str:table_id>/lift", play.lift, name="lift"),
    path("tables/<str:table_id>/leave", leaving.leave, name="leave"),
    path("tables/<str:table_id>/again", leaving.again, name="again"),
    path("review", uploads.bring, name="bring"),
    path("review/<str:key>", uploads.brought, name="brought"),
    path("review/<str:key>/archive.json", uploads.archive, name="brought-archive"),
    path("review/<str:key>/<int:number>", uploads.brought, name="brought-round"),
    path("review/<str:key>/<int:number>/<int:move>", uploads.brought, name="brought-step"),
    path("tables/<str:table_id>/review", review.review, name="review"),
    path("tables/<str:table_id>/review/<int:number>", review.review, name="review-round"),
    path("tables/<str:table_id>/review/<int:number>/<int:move>", review.review, name="review-step"),
    path("tables/<str:table_id>/sit", lobby.sit, name="sit"),
    path("tables/<str:table_id>/stand-up", lobby.stand_up, name="stand-up"),
    path("tables/<str:table_id>/computers", lobby.add_computer, name="add-computer"),
    path("tables/<str:table_id>/free", lobby.free_seat, name="free-seat"),
    path("tables/<str:table_id>/start", lobby.start, name="start"),
    path("tables/<str:table_id>/close", lobby.close, name="close"),
    path("guide", guide.guide, name="guide"),
    path("guide/<slug:slug>", guide.guide, name="guide-page"),
    path("me", people.me, name="me"),
    path("me/matches", people.matches, name="matches"),
    path("me/preferences", preferences.preferences, name="preferences"),
    path("me/forget", people.forget, name="forget"),
    path("players/<str:player_id>", people.player, name="player"),
    path("manifest.webmanifest", manifest.manifest, name="manifest"),
    path("offline", manifest.offline, name="offline"),
]
