"""A form that is sent twice at the same instant makes one table, on either database."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.test import Client

from accounts.models import Player
from games.models import Table
from tests.races.together import together
from tests.web.test_pressing import FORMS, Form

pytestmark = pytest.mark.django_db(transaction=True)

PRESSES = 4


def browsers_like(client: Client) -> list[Client]:
    """The same browser, as often as it sends its form."""
    browsers = [Client() for _ in range(PRESSES)]
    for browser in browsers:
        for name, cookie in client.cookies.items():
            browser.cookies[name] = cookie.value
    return browsers


@pytest.mark.parametrize("attempt", range(3))
@pytest.mark.parametrize("form", FORMS)
def test_a_form_sent_at_once_makes_one_table_of_one_guest(form: Callable[[], Form], attempt: int) -> None:
    client, path, fields = form()
    tables, players = Table.objects.count(), set(Player.objects.values_list("pk", flat=True))

    presses: list[Callable[[], Any]] = [partial(one.post, path, fields) for one in browsers_like(client)]
    answers = together(*presses)

    assert [answer.status_code for answer in answers] == [302] * PRESSES
    assert len({answer["Location"] for answer in answers}) == 1
    assert Table.objects.count() == tables + 1
    assert Player.objects.exclude(pk__in=players).count() <= 1
