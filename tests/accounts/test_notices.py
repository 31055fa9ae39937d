"""Mail that says whose move it is: once a turn, to who wants it, and nothing of what lies under cups."""

import random
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend

from accounts.models import Player, Preferences, User
from games.clocks import instant, whole_milliseconds
from games.commands import noticing, visiting
from games.models import Notice, Table
from tests.people import Person, a_guest
from tests.tables import a_match, a_move, whose_turn

pytestmark = pytest.mark.django_db

SLOW = {"kind": "slow", "turn_seconds": 86400}


def a_person(name: str, *, notices: str = "mail", verified: bool = True) -> Person:
    """Somebody with an account and an e-mail, who plays with a token."""
    person = a_guest(name)
    user = User.objects.create_user(f"account-{name}", email=f"{name.lower()}@example.org")
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=verified)
    Player.objects.filter(pk=person.id).update(user=user)
    Preferences.objects.create(player_id=person.id, notices=notices, time_zone="Europe/Berlin")
    return person


def a_table(*people: Person, **wanted: Any) -> tuple[Person, dict[str, Any]]:
    """A match that has begun, and who is to move."""
    table = a_match(*people, **{"clock": SLOW, "name": "Tuesday four", **wanted})
    return whose_turn(people, table), table


def time_passes(table_id: str, minutes: int = 10) -> Any:
    """The time a while after the present turn began; nobody was seen since long before it."""
    began = Table.objects.get(pk=table_id).began_at
    assert began is not None
    Player.objects.update(seen_at=began - timedelta(hours=1))
    return whole_milliseconds(began + timedelta(minutes=minutes))


def sweep(now: Any) -> list[str]:
    """What is sent in one sweep, by whom it goes to."""
    before = len(mail.outbox)
    noticing.notice_turns(now=now, most=100)
    noticing.send_due(now=now, most=100)
    return [message.to[0] for message in mail.outbox[before:]]


def test_who_is_to_move_hears_of_it_once() -> None:
    mover, table = a_table(a_person("Alice"), a_person("Bob"))
    now = time_passes(table["id"])

    assert sweep(now) == [f"{mover.name.lower()}@example.org"]
    assert sweep(now) == sweep(now + timedelta(hours=20)) == []

    (letter,) = mail.outbox
    assert letter.subject == "Your move: Tuesday four"
    assert f"/tables/{table['id']}" in letter.body
    assert "(Europe/Berlin)" in letter.body
    assert "/me/preferences" in letter.body


def test_every_turn_has_a_mail_of_its_own() -> None:
    people = [a_person("Alice"), a_person("Bob")]
    mover, table = a_table(*people)
    sweep(time_passes(table["id"]))
    view = mover.sees(table["id"])
    mover.acts(
        table["id"],
        view["version"],
        **a_move({**view, "legal": {**view["legal"], "liar": False}}, random.Random(1)),
    )
    other = next(person for person in people if person is not mover)

    assert sweep(time_passes(table["id"])) == [f"{other.name.lower()}@example.org"]


@pytest.mark.parametrize(
    "why", ["off", "no address", "a guest", "live", "practice", "seen", "too soon", "looked"]
)
def test_nobody_is_told_who_did_not_ask_or_knows_already(why: str) -> None:
    notices = "off" if why == "off" else "mail"
    people = [a_person(name, notices=notices, verified=why != "no address") for name in ("Alice", "Bob")]
    if why == "a guest":
        Player.objects.update(user=None)
    if why == "practice":
        table = people[0].opens(mode="practice", rules={"seats": 2})
    else:
        clock = {"kind": "live", "pace": "normal"} if why == "live" else SLOW
        _, table = a_table(*people, clock=clock)
    now = time_passes(table["id"], minutes=0 if why == "too soon" else 10)
    if why == "seen":
        Player.objects.update(seen_at=now - timedelta(minutes=2))
    if why == "looked":
        for person in people:
            visiting.look(table_id=table["id"], player_id=person.id, version=table["version"], before=None)

    assert sweep(now) == []
    assert not Notice.objects.exists()


def test_who_goes_away_without_moving_is_told_then() -> None:
    mover, table = a_table(a_person("Alice"), a_person("Bob"))
    now = time_passes(table["id"])
    Player.objects.update(seen_at=now - timedelta(minutes=1))

    assert sweep(now) == []
    assert sweep(now + timedelta(minutes=5)) == [f"{mover.name.lower()}@example.org"]


def test_a_mail_server_that_is_away_gets_it_later_and_nobody_gets_it_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mover, table = a_table(a_person("Alice"), a_person("Bob"))
    now = time_passes(table["id"])

    def away(self: Any, messages: Any) -> int:
        raise ConnectionRefusedError

    with monkeypatch.context() as broken:
        broken.setattr(EmailBackend, "send_messages", away)
        assert sweep(now) == []
    assert sweep(now) == []  # not at once
    assert sweep(now + timedelta(minutes=2)) == [f"{mover.name.lower()}@example.org"]
    assert sweep(now + timedelta(minutes=9)) == []


def test_it_is_given_up_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    _, table = a_table(a_person("Alice"), a_person("Bob"))
    now = time_passes(table["id"])
    tries: list[Any] = []

    def away(self: Any, messages: Any) -> int:
        tries.append(messages)
        raise ConnectionRefusedError

    monkeypatch.setattr(EmailBackend, "send_messages", away)
    for hours in range(20):
        sweep(now + timedelta(hours=hours))

    assert len(tries) == noticing.MOST_ATTEMPTS


def test_a_notice_that_waited_too_long_is_not_sent() -> None:
    mover, table = a_table(a_person("Alice"), a_person("Bob"))
    now = time_passes(table["id"])
    noticing.notice_turns(now=now, most=100)
    view = mover.sees(table["id"])
    mover.acts(table["id"], view["version"], type="bid", quantity=1, face=2)

    assert noticing.send_due(now=now, most=100) == 0
    assert mail.outbox == []


def test_a_mail_tells_nothing_of_what_a_reveal_brought() -> None:
    people = [a_person("Alice"), a_person("Bob")]
    mover, table = a_table(*people, rules={"starting_dice": 2})
    view = mover.sees(table["id"])
    mover.acts(table["id"], view["version"], type="bid", quantity=2, face=2)
    other = next(person for person in people if person is not mover)
    shown = other.acts(table["id"], other.sees(table["id"])["version"], type="liar").json()
    assert shown["status"] == "revealed"

    sweep(time_passes(table["id"]))

    (letter,) = mail.outbox
    assert letter.subject == "The cups are waiting: Tuesday four"
    told = letter.subject + letter.body
    for word in ("Alice", "Bob", "liar", "two", "lose", "open"):
        assert word not in told.replace("Tuesday four", ""), word
    assert instant(shown["deadline"])


def test_two_workers_at_once_send_one_mail(monkeypatch: pytest.MonkeyPatch) -> None:
    _, table = a_table(a_person("Alice"), a_person("Bob"))
    now = time_passes(table["id"])
    noticing.notice_turns(now=now, most=100)
    noticing.notice_turns(now=now, most=100)
    assert Notice.objects.count() == 1
    send = EmailBackend.send_messages

    def while_another_sweeps(self: Any, messages: Any) -> int:
        monkeypatch.setattr(EmailBackend, "send_messages", send)
        noticing.send_due(now=now, most=100)
        return send(self, messages)

    monkeypatch.setattr(EmailBackend, "send_messages", while_another_sweeps)
    noticing.send_due(now=now, most=100)

    assert len(mail.outbox) == 1


def test_a_table_that_was_closed_untouched_is_told_of() -> None:
    alice = a_person("Alice")
    Notice.objects.create(
        player_id=alice.id,
        kind="expired",
        table_id="gone",
        table_name="Old hopes",
        at=Player.objects.get().created_at,
    )

    assert sweep(Player.objects.get().created_at + timedelta(hours=1)) == ["alice@example.org"]
    assert mail.outbox[0].subject == "Old hopes was closed"


def test_a_name_of_a_table_breaks_no_header() -> None:
    alice = a_person("Alice")
    now = Player.objects.get().created_at
    Notice.objects.create(
        player_id=alice.id, kind="expired", table_id="x", table_name="A\r\nBcc: dave", at=now
    )

    assert sweep(now) == ["alice@example.org"]
    assert mail.outbox[0].subject == "A Bcc: dave was closed"
