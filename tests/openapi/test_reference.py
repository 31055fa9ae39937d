"""The reference at /api/v1/docs is made of this site's own files and asks nobody else."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from tests.people import API

pytestmark = pytest.mark.django_db


class Addresses(HTMLParser):
    """Collects whatever a page would load or lead to."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the addresses of one element."""
        self.found += [value or "" for name, value in attrs if name in ("href", "src", "action", "srcset")]


def loaded() -> list[str]:
    page = Client().get(f"{API}/docs").content.decode()
    assert "://" not in page
    return Addresses(page).found


def test_the_page_loads_local_files_only_and_all_are_there() -> None:
    addresses = loaded()

    assert len(addresses) == 5
    for address in addresses:
        assert re.match(r"/(?!/)", address), address
        if address.startswith("/static/"):
            assert finders.find(address.removeprefix("/static/")), address


def test_its_script_reads_the_document_of_this_site_and_has_nobody_validate_it() -> None:
    (own,) = [address for address in loaded() if not address.startswith("/static/")]

    script = Client().get(own)

    assert script["Content-Type"].startswith("application/javascript")
    text = script.content.decode()
    assert f'url: "{API}/schema"' in text
    assert '"validatorUrl": null' in text
    assert "://" not in text


def test_its_styles_load_nothing_from_elsewhere() -> None:
    (style,) = [address for address in loaded() if address.endswith(".css")]
    path = finders.find(style.removeprefix("/static/"))
    assert isinstance(path, str)

    found = re.findall(r"""url\(\s*["']?([^)]{1,40})|@import""", Path(path).read_text("utf-8"))

    assert found
    assert all(address.startswith("data:") for address in found)
