"""Analyses are worked out by workers: in slices, twice, late, or found again; and anew by a newer version."""

from typing import Any

import pytest

from games import tasks
from games.analysis.match import analysed
from games.commands import analysing, archiving
from games.models import AnalysedRound, Analysis, Archive, Mirrored
from games.store import analyses
from games.store.analyses import Progress
from games.store.archives import unpacked
from tests.archives.matches import a_played_match
from tests.people import a_guest
from tests.races.together import together
from tests.verify.samples import a_club_match
from tests.web.pasts import take_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def hints(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tables that workers were asked to analyse, instead of a broker."""
    sent: list[str] = []
    monkeypatch.setattr(
        "celery.current_app.send_task",
        lambda task, args, **_: sent.append(args[0]) if task == "games.analyse_table" else None,
    )
    return sent


def work_out(table_id: str, most: int = 100) -> int:
    """Work a match out, and return in how many slices."""
    slices = 0
    while analysing.analyse_table(table_id=table_id, most=most):
        slices += 1
    return slices


def kept(table_id: str) -> dict[str, Any]:
    """What is kept of a match, as `analysed` gives it."""
    found = Analysis.objects.get(pk=table_id, whole=True)
    rounds = AnalysedRound.objects.filter(analysis_id=table_id).order_by("number")
    return {
        **unpacked(found.summary),
        "rounds": [{"number": each.number, "decisions": unpacked(each.content)} for each in rounds],
    }


def test_slices_come_to_what_is_worked_out_at_once(hints: list[str]) -> None:
    document = a_club_match()
    table_id = take_in(document)

    slices = work_out(table_id, most=10)

    assert slices > 5
    assert hints == [table_id] * (slices - 1)
    assert kept(table_id) == analysed(document)
    assert not analysing.analyse_table(table_id=table_id)


def test_a_match_that_ends_is_asked_for_once_its_archive_is_there(hints: list[str]) -> None:
    _, table_id = a_played_match("people", 4)
    assert hints == []

    tasks.archive_tables([table_id])

    assert hints == [table_id]
    tasks.analyse_table(table_id)
    assert kept(table_id)["chances"]


def test_a_hint_that_was_lost_is_found_again_from_the_rows(hints: list[str]) -> None:
    done, waiting = take_in(a_club_match()), a_played_match("people", 4)[1]
    work_out(done)
    archiving.archive_table(table_id=waiting)
    hints.clear()

    tasks.analyse_matches()

    assert hints == [waiting]


def test_what_an_older_version_worked_out_is_worked_out_anew(hints: list[str]) -> None:
    document = a_club_match()
    table_id = take_in(document)
    work_out(table_id)
    Analysis.objects.filter(pk=table_id).update(version=0, summary=b"", rounds=999)
    AnalysedRound.objects.filter(analysis_id=table_id, number__gt=3).delete()

    tasks.analyse_matches()
    assert hints[-1:] == [table_id]
    work_out(table_id)

    assert kept(table_id) == analysed(document)


def test_two_workers_at_once_do_no_harm() -> None:
    document = a_club_match()
    table_id = take_in(document)
    while not Analysis.objects.filter(pk=table_id, whole=True).exists():
        together(*[lambda: analysing.analyse_table(table_id=table_id, most=30)] * 3)

    assert kept(table_id) == analysed(document)


def test_a_slice_that_was_overtaken_changes_nothing() -> None:
    table_id = take_in(a_club_match())
    analysing.analyse_table(table_id=table_id, most=10)
    before = analyses.progress(table_id)
    work_out(table_id)
    whole = kept(table_id)

    assert not analyses.keep(table_id, before, Progress(rounds=1, summary={}), [])
    assert not analyses.keep(table_id, Progress(), Progress(rounds=1, summary={}), [])
    assert kept(table_id) == whole


def test_what_is_not_there_or_goes_on_is_left_alone() -> None:
    Archive.objects.create(id="goeson", format=1, version=1, visibility="public")

    assert not analysing.analyse_table(table_id="goeson")
    assert not analysing.analyse_table(table_id="nowhere")
    assert not Analysis.objects.exists()


def test_a_match_without_a_round_is_done_at_once() -> None:
    alice, bob = a_guest("Alice"), a_guest("Bob")
    table_id = alice.opens(rules={"seats": 2})["id"]
    bob.sits(table_id)
    alice.delete(f"tables/{table_id}/seats/me")
    archiving.archive_table(table_id=table_id)

    assert work_out(table_id) == 1
    assert kept(table_id)["rounds"] == []


def test_mirrors_are_kept_for_people_who_are_known_here() -> None:
    people, table_id = a_played_match("computers", 6)
    archiving.archive_table(table_id=table_id)
    work_out(table_id)

    assert set(Mirrored.objects.values_list("player_id", flat=True)) <= {person.id for person in people}
    assert Mirrored.objects.filter(player_id=people[0].id).count() == 1
    Analysis.objects.update(version=0)
    work_out(table_id)
    assert Mirrored.objects.filter(player_id=people[0].id).count() == 1
