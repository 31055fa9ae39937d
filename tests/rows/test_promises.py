"""What the database itself refuses, whoever asks: each promise by its name."""

import random
from copy import deepcopy
from typing import Any

import pytest
from django.contrib import admin
from django.db import IntegrityError, connection, transaction
from django.test import Client

from accounts.models import Player, User
from games.models import Event, Hand, Round, Seat, Table
from tests.people import a_guest
from tests.tables import a_match, play_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Table:
    """A table in its third round."""
    people = [a_guest("Alice"), a_guest("Bob")]
    table_id = a_match(*people)["id"]
    rng = random.Random(2)
    view = people[0].sees(table_id)
    while view["round"] is None or view["round"]["number"] < 3 or not view["round"]["bids"]:
        view = play_on(people, table_id, rng, most=1)
    return Table.objects.get(pk=table_id)


def refuses(promise: str, statement: str, *parameters: Any) -> None:
    """The database must refuse this, and where it tells a name, tell this one."""
    with pytest.raises(IntegrityError) as refusal, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, parameters)
    if connection.vendor == "postgresql" or "UNIQUE" not in str(refusal.value):
        assert promise in str(refusal.value)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("rules", '{"seats": 2}'),
        ("clock", '{"kind": "none"}'),
        ("mode", "practice"),
        ("commitment", "0" * 64),
        ("created_at", "2001-01-01 00:00:00"),
    ],
)
def test_options_never_change_after_a_table_is_made(table: Table, column: str, value: str) -> None:
    refuses(
        "table_options_never_change", f"UPDATE games_table SET {column} = %s WHERE id = %s", value, table.pk
    )


def test_options_do_not_change_through_the_orm_either(table: Table) -> None:
    table.rules = {**table.rules, "exact": "off"}

    with pytest.raises(IntegrityError, match="table_options_never_change"), transaction.atomic():
        table.save()
    with pytest.raises(IntegrityError, match="table_options_never_change"), transaction.atomic():
        Table.objects.filter(pk=table.pk).update(rules={"seats": 3})
    with pytest.raises(IntegrityError, match="table_options_never_change"), transaction.atomic():
        Table.objects.bulk_update([table], ["rules"])


def test_staff_can_change_nothing_of_a_table(table: Table) -> None:
    User.objects.create_superuser("staff", password="only for this test")
    staff = Client()
    staff.login(username="staff", password="only for this test")
    before = Table.objects.values().get(pk=table.pk)

    answer = staff.post(f"/admin/games/table/{table.pk}/change/", {"name": "x", "rules": "{}"})

    assert answer.status_code == 403
    assert Table.objects.values().get(pk=table.pk) == before
    for model in (Table, Seat, Round, Event):
        assert not admin.site.get_model_admin(model).has_change_permission(answer.wsgi_request)
    assert Hand not in admin.site._registry


def test_versions_have_no_gaps_and_come_once(table: Table) -> None:
    last = Event.objects.filter(table=table).order_by("version").last()
    assert last is not None
    columns = "(table_id, version, kind, at, status, number)"
    insert = f"INSERT INTO games_event {columns} VALUES (%s, %s, %s, %s, %s, %s)"
    rest = ("ready", last.at, "revealed", 1)
    if connection.vendor == "sqlite":
        rest = ("ready", "2026-01-01 00:00:00", "revealed", 1)

    refuses("event_versions_have_no_gaps", insert, table.pk, last.version + 2, *rest)
    refuses("one_event_per_version", insert, table.pk, last.version, *rest)
    refuses("event_versions_begin_at_one", insert, table.pk, 0, *rest)
    with connection.cursor() as cursor:
        cursor.execute(insert, (table.pk, last.version + 1, *rest))


def test_what_happened_never_changes(table: Table) -> None:
    refuses("events_never_change", "UPDATE games_event SET seat = 1 WHERE table_id = %s", table.pk)


def copy(row: Any, **changes: Any) -> None:
    """Write the same row once more, but for these columns."""
    row = deepcopy(row)
    row.pk, row._state.adding = None, True
    for name, value in changes.items():
        setattr(row, name, value)
    with transaction.atomic():
        row.save(force_insert=True)


def test_numbers_come_once(table: Table) -> None:
    bid = Event.objects.filter(table=table, kind="bid").first()
    call = Event.objects.filter(table=table, kind__in=("liar", "exact")).first()
    seat, hand, round = Seat.objects.first(), Hand.objects.first(), Round.objects.first()

    for row, changes in (
        (bid, {"version": table.version + 1}),
        (call, {"version": table.version + 1, "kind": "exact"}),
        (seat, {"player": None}),
        (seat, {"number": 5}),
        (hand, {}),
        (round, {}),
    ):
        with pytest.raises(IntegrityError, match=r"(?i)unique|duplicate"):
            copy(row, **changes)


def test_numbers_stay_within_bounds(table: Table) -> None:
    where = "WHERE table_id = %s"
    refuses("seat_dice_within_bounds", f"UPDATE games_seat SET dice = 6 {where}", table.pk)
    refuses("seat_number_within_bounds", f"UPDATE games_seat SET number = number + 5 {where}", table.pk)
    refuses("seat_is_a_persons_or_a_computers", f"UPDATE games_seat SET level = 'easy' {where}", table.pk)
    refuses(
        "round_number_within_bounds", f"UPDATE games_round SET number = 1000 {where} AND number = 1", table.pk
    )
    refuses("round_opener_within_bounds", f"UPDATE games_round SET opener = 6 {where}", table.pk)
    refuses("hand_seat_within_bounds", f"UPDATE games_hand SET seat = seat + 6 {where}", table.pk)
    refuses("table_has_at_most_999_rounds", "UPDATE games_table SET number = 1000 WHERE id = %s", table.pk)
    refuses("table_has_a_turn_while_bidding", "UPDATE games_table SET turn = NULL WHERE id = %s", table.pk)
    refuses(
        "table_status_is_known", "UPDATE games_table SET status = 'lost', turn = NULL WHERE id = %s", table.pk
    )
    refuses("table_visibility_is_known", "UPDATE games_table SET visibility = 'x' WHERE id = %s", table.pk)


def test_a_table_of_no_known_mode_cannot_be_made() -> None:
    a_guest("Alice")
    host = Player.objects.get()
    with pytest.raises(IntegrityError, match="table_mode_is_known"), transaction.atomic():
        Table.objects.create(
            mode="blitz",
            visibility="public",
            rules={},
            clock={},
            host=host,
            created_at=host.created_at,
            updated_at=host.created_at,
        )


def test_a_bid_has_its_numbers_and_nothing_else_has_them(table: Table) -> None:
    bid = Event.objects.filter(table=table, kind="bid").first()

    for changes in (
        {"quantity": None},
        {"face": 7},
        {"face": 0},
        {"total": 9},
        {"ordinal": None},
        {"kind": "ready"},
    ):
        with pytest.raises(IntegrityError, match="event_has_a_bid_where_it_is_one"):
            copy(bid, **{"version": table.version + 1, "ordinal": 99, **changes})
