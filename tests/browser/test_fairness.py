"""The check of dice in the browser says what `verify` says: of true matches, of every kind of tampering."""

import inspect
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.engine.verify import verify
from tests.browser.person import Person
from tests.verify import changes
from tests.verify.samples import a_club_match, a_document, a_draw, documents

Document = dict[str, Any]

CHECK = """async ([source, document]) => {
  const { check, verdict, Unfair } = await import(source);
  try {
    const count = await check(document.table, document.rounds);
    return { round: 0, words: verdict(count, Boolean(document.table.given)) };
  } catch (error) {
    if (!(error instanceof Unfair)) return { broke: String(error.stack) };
    return { round: error.round, words: error.message };
  }
}"""

DICE = {"chain", "hands", "opener"}
"""The checks of `verify` that are about dice; what else is written the browser need not see."""

CHANGES = {
    name: change
    for name, change in inspect.getmembers(changes, inspect.isfunction)
    if change.__module__ == changes.__name__ and name not in ("other_die", "roll")
}

ELSEWHERE = {
    # Of these `verify` tells by the places, the events or what was legal to bid; no die depends on them.
    *("a_place", "a_place_left_out", "the_place_that_a_seat_shows", "the_winner", "that_it_was_drawn"),
    *("that_there_was_no_result", "the_dice_at_the_end", "that_a_computer_took_a_seat"),
    *("that_a_seat_is_ready", "the_latest_reveal", "the_version", "an_event_left_out"),
    *("two_events_swapped", "the_version_of_an_event", "who_pressed", "the_round_of_an_event"),
    *("the_status_of_an_event", "who_opens_as_an_event_says", "who_sat_down", "that_somebody_sat_down"),
    *("that_somebody_sat_twice", "that_two_sat_on_one_seat", "who_is_shown_on_a_seat"),
    *("the_seats_of_the_start", "when_it_was_called", "the_last_round_left_out", "the_exact_call"),
    *("a_bid_that_is_too_high",),
}


@pytest.fixture
def page(a_person: Callable[..., Person], tmp_path: Path) -> Iterator[Page]:
    """The page of a match that was brought, with the module of the check."""
    person = a_person()
    brings(person, a_club_match(), tmp_path)
    yield person.page
    assert person.complaints == []


def brings(person: Person, document: Document, folder: Path) -> None:
    file = folder / "match.json"
    file.write_text(json.dumps(document))
    person.goes("/review").set_input_files("#file", file)
    person.page.click("text=Check it and step through")
    person.page.wait_for_selector("[data-review]")
    person.page.wait_for_load_state()  # before that its script is deaf to keys


def checked(page: Page, document: Document) -> dict[str, Any]:
    source = page.eval_on_selector("script[src*=fairness]", "script => script.src")
    found: dict[str, Any] = page.evaluate(CHECK, [source, document])
    assert "broke" not in found, found
    return found


def test_what_verify_finds_true_the_browser_finds_fair(page: Page) -> None:
    for document in [*documents(), a_club_match(), a_club_match("slow"), a_draw()]:
        assert verify(document).good
        found = checked(page, document)
        assert found["round"] == 0, found
        rounds = len(document["rounds"])
        said = (
            f"All {rounds} rounds are fair" if rounds > 1 else "The round is fair" if rounds else "No round"
        )
        assert found["words"].startswith(said)


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_every_kind_of_tampering_that_concerns_dice_is_found(page: Page, name: str) -> None:
    document = a_club_match()
    CHANGES[name](document)
    outcomes = {check.name: check.outcome for check in verify(document).checks}
    assert "differs" in outcomes.values()

    found = checked(page, document)

    assert (found["round"] == 0) == (name in ELSEWHERE), found
    if any(outcomes[dice] == "differs" for dice in DICE):
        assert found["round"] != 0


def test_any_die_any_secret_and_any_loss_that_is_changed_is_found_in_its_round(page: Page) -> None:
    for document in list(documents())[:40]:
        for index, reveal in enumerate(document["rounds"]):
            if index % 3:
                continue
            text = json.dumps(document)
            for change in (a_die_of, a_secret_of, a_loss_of, an_opener_of, a_count_of):
                tampered = json.loads(text)
                change(tampered["rounds"][index])
                found = checked(page, tampered)
                assert found["round"] == reveal["number"], (change.__name__, found)


def a_die_of(reveal: Document) -> None:
    hand = next(iter(reveal["hands"].values()))
    hand[-1] = hand[-1] % 6 + 1


def a_secret_of(reveal: Document) -> None:
    reveal["secret"] = "00" * 32


def a_loss_of(reveal: Document) -> None:
    seat = next(iter(reveal["hands"]))
    reveal["changes"][seat] = 1 if reveal["changes"].get(seat) == -1 else -1


def an_opener_of(reveal: Document) -> None:
    seats = sorted(map(int, reveal["hands"]))
    reveal["opener"] = seats[(seats.index(reveal["opener"]) + 1) % len(seats)]


def a_count_of(reveal: Document) -> None:
    reveal["count"] += 1


@pytest.mark.parametrize("value", [None, "", "zz" * 32, "AB" * 32, 7, [], {}])
def test_a_secret_that_is_none_is_named(page: Page, value: object) -> None:
    document = a_club_match()
    document["rounds"][2]["secret"] = value
    assert checked(page, document)["round"] == 3


def test_one_click_checks_a_match_and_sends_nothing(a_person: Callable[..., Person], tmp_path: Path) -> None:
    person = a_person(width=360)
    brings(person, a_club_match(), tmp_path)
    asked: list[tuple[str, str, object]] = []
    person.page.on("request", lambda request: asked.append((request.method, request.url, request.post_data)))

    person.page.click("[data-check]")
    expect(person.page.locator("[data-finding]")).to_contain_text("fair")

    count = len(a_club_match()["rounds"])
    assert person.page.text_content("[data-finding]") == (
        f"All {count} rounds are fair: every die follows from the commitment that was public before anyone "
        "sat down."
    )
    assert [(method, url.rpartition("/")[2], data) for method, url, data in asked] == [
        ("GET", "archive.json", None)
    ]
    assert person.complaints == []


def test_a_die_that_was_changed_is_said_on_the_page(a_person: Callable[..., Person], tmp_path: Path) -> None:
    person = a_person()
    document = a_document(
        lambda document: any(reveal["call"]["type"] == "liar" for reveal in document["rounds"])
    )
    document["table"]["commitment"] = "ab" * 32
    brings(person, document, tmp_path)
    assert "not true as it stands" in person.page.inner_text(".report")

    person.page.click("[data-check]")
    person.page.wait_for_selector(".finding.wrong")

    assert person.page.text_content("[data-finding]") == (
        "Round 1 is not fair: its secret does not hash to the commitment."
    )


def test_where_a_browser_cannot_check_it_says_so(a_person: Callable[..., Person], tmp_path: Path) -> None:
    person = a_person()
    person.page.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', {get: () => undefined})")
    brings(person, a_club_match(), tmp_path)

    expect(person.page.locator("[data-finding]")).to_contain_text("only on a page that came over HTTPS")
    assert not person.page.is_visible("[data-check]")
