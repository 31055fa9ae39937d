"""What makes the site installable."""

import json

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from tests.people import a_guest
from tests.web.visiting import a_browser

pytestmark = pytest.mark.django_db


def test_the_manifest_names_icons_that_are_there() -> None:
    answer = Client().get("/manifest.webmanifest")

    assert answer["Content-Type"] == "application/manifest+json"
    manifest = json.loads(answer.content)
    assert manifest["start_url"] == "/"
    assert {icon["sizes"] for icon in manifest["icons"]} == {"192x192", "512x512", "any"}
    for icon in manifest["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/")), icon


def test_the_offline_page_is_the_same_for_everybody() -> None:
    pages = [client.get("/offline").content for client in (Client(), a_browser(a_guest("Alice")))]

    assert pages[0] == pages[1]
    assert b"No connection" in pages[0]


def test_the_worker_keeps_the_offline_page_and_nothing_of_anybody() -> None:
    answer = Client().get("/service-worker.js")

    assert answer["Content-Type"].startswith("text/javascript")
    assert '"/offline"' in answer.content.decode()
    assert "/tables/" not in answer.content.decode()
