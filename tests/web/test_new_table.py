"""The form of a new table: what is chosen is what is played, and what is impossible says why beside it."""

import itertools
import json
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.throttling import SimpleRateThrottle

from accounts.models import Player, Preferences, User
from games.commands import opening
from games.engine.rules import DEFAULTS, PRESETS
from games.models import Seat, Table
from games.web import terms
from games.web.new_table import NewTable, needs_of
from tests.people import a_guest
from tests.web.visiting import a_browser

pytestmark = pytest.mark.django_db

# What a browser sends that nobody touched.
USUAL = {
    "mode": "casual",
    "preset": "standard",
    "seats": "4",
    "starting_dice": "5",
    "pace": "slow",
    "turn": "2",
    "turn_unit": "days",
    "bank": "0",
    "bank_unit": "days",
    "visibility": "public",
}
NAMED = ("bidding", "ones", "open_on_ones", "exact", "palifico", "first_opener")


def sent(client: Client | None = None, **chosen: str) -> Any:
    """The answer to the form, filled in as usual but for this."""
    return (client or Client()).post("/tables/new", {**USUAL, **chosen})


def opened(client: Client | None = None, **chosen: str) -> Table:
    """The table that the form makes."""
    answer = sent(client, **chosen)
    assert answer.status_code == 302, errors(answer)
    return Table.objects.get(pk=answer["Location"].removeprefix("/tables/"))


def errors(answer: Any) -> dict[str, list[str]]:
    return {name: list(said) for name, said in answer.context["form"].errors.items()}


def an_account(name: str) -> Client:
    client = Client()
    client.force_login(User.objects.create_user(name))
    return client


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_played_as_it_is(preset: str) -> None:
    assert opened(preset=preset).rules == {**DEFAULTS, **PRESETS[preset]}


@pytest.mark.parametrize(
    ("preset", "option", "value", "played"),
    [
        ("standard", "ones", "low", "low"),
        ("classic", "exact", "regain", "regain"),
        ("wild", "palifico", "yes", True),
        ("calza", "open_on_ones", "no", False),
        ("standard", "open_on_ones", "yes", True),
        ("standard", "first_opener", "host", "host"),
        ("standard", "bidding", "sum", "sum"),
        ("sum", "bidding", "faces", "faces"),
    ],
)
def test_a_single_rule_goes_before_the_preset(preset: str, option: str, value: str, played: object) -> None:
    assert opened(preset=preset, **{option: value}).rules[option] == played


@pytest.mark.parametrize(
    ("chosen", "field", "sentence"),
    [
        ({"preset": "sum", "ones": "wild"}, "ones", "Where the total is bid, nothing is wild."),
        ({"bidding": "sum", "ones": "aces"}, "ones", "Where the total is bid, nothing is wild."),
        (
            {"preset": "sum", "palifico": "yes"},
            "palifico",
            "Where the total is bid, there is no palifico round.",
        ),
        (
            {"preset": "wild", "open_on_ones": "yes"},
            "open_on_ones",
            "Only where ones are aces is this a choice.",
        ),
        (
            {"ones": "low", "open_on_ones": "yes"},
            "open_on_ones",
            "Only where ones are aces is this a choice.",
        ),
        ({"turn": "0"}, "turn", "A move has at least one hour, and at most 14 days."),
        ({"turn": "soon"}, "turn", "A move has at least one hour, and at most 14 days."),
        ({"turn": ""}, "turn", "A move has at least one hour, and at most 14 days."),
        ({"turn": "15"}, "turn", "A move has at least one hour, and at most 14 days."),
        ({"bank": "31"}, "bank", "A bank holds at most 30 days."),
        ({"bank": "-1"}, "bank", "A bank holds at most 30 days."),
        (
            {"seats": "2", "level_1": "easy", "level_2": "hard"},
            "level_2",
            "There are two seats, and one of them is yours.",
        ),
        (
            {"level_1": "easy", "character_1": "wick", "level_2": "easy", "character_2": "wick"},
            "level_2",
            "Wick sits there already.",
        ),
        ({"mode": "ranked"}, "mode", "Ranked tables are for people with an account. Sign in first."),
        ({"client_seed": "a|b"}, "client_seed", "A client seed holds no |, no NUL and no lone surrogates."),
        ({"name": "\u202e"}, "name", "A name has no control characters and no broken letters."),
        ({"name": "x" * 61}, "name", "A name has at most 60 characters, not 61."),
        ({"own_name": "\u3164"}, "own_name", "A name has at least one letter, digit or sign."),
    ],
)
def test_what_is_impossible_says_why_beside_it_and_nothing_is_lost(
    chosen: dict[str, str], field: str, sentence: str
) -> None:
    answer = sent(**{"name": "Kept", "visibility": "private", **chosen})

    assert answer.status_code == 422
    assert errors(answer) == {field: [sentence]}
    page = unescape(answer.content.decode())
    assert sentence in page
    assert 'role="alert"' in page
    assert f'value="{chosen.get("name", "Kept")}"' in page
    assert 'value="private" data-label="Private" checked' in page
    assert not Table.objects.exists()
    assert not Player.objects.exists()


@pytest.mark.parametrize(
    ("chosen", "field"),
    [
        ({"preset": "wild"}, "preset"),
        ({"exact": "off"}, "exact"),
        ({"starting_dice": "3"}, "starting_dice"),
        ({"pace": "live-quick"}, "pace"),
        ({"pace": "none"}, "pace"),
        ({"turn": "4"}, "turn"),
        ({"turn": "36", "turn_unit": "hours"}, "turn"),
        ({"bank": "1"}, "bank"),
        ({"level_1": "easy"}, "level_1"),
    ],
)
def test_a_ranked_table_has_standard_rules_and_no_computer(chosen: dict[str, str], field: str) -> None:
    assert list(errors(sent(an_account("alice"), mode="ranked", **chosen))) == [field]


def test_an_account_opens_a_ranked_table() -> None:
    table = opened(an_account("alice"), mode="ranked", exact="others_lose", turn="3")

    assert (table.mode, table.rules, table.clock["turn_seconds"]) == ("ranked", DEFAULTS, 3 * 86400)


def test_a_practice_has_no_clock_whatever_was_chosen() -> None:
    table = opened(mode="practice", seats="3", level_1="hard")

    assert (table.mode, table.status, table.clock) == ("practice", "bidding", {"kind": "none"})
    assert [seat.level for seat in table.seats.order_by("number")] == ["", "hard", ""]


@pytest.mark.parametrize(
    ("chosen", "clock"),
    [
        ({"pace": "live-relaxed"}, {"kind": "live", "pace": "relaxed"}),
        ({"pace": "none"}, {"kind": "none"}),
        (
            {"turn": "5", "turn_unit": "hours", "bank": "2"},
            {"kind": "slow", "turn_seconds": 18000, "bank_seconds": 172800},
        ),
    ],
)
def test_the_pace_is_the_one_that_was_chosen(chosen: dict[str, str], clock: dict[str, Any]) -> None:
    assert opened(**chosen).clock == clock


def test_who_is_nobody_yet_opens_under_the_name_they_give_or_as_a_guest() -> None:
    named = opened(own_name="  Alice ")
    unnamed = opened()

    assert (named.host.name, named.name) == ("Alice", "Alice’s table")
    assert unnamed.host.name.startswith("Guest ")
    assert unnamed.name == f"{unnamed.host.name}’s table"


def test_whoever_is_known_keeps_their_name() -> None:
    alice = a_guest("Alice")

    table = opened(a_browser(alice), own_name="Mallory", name="Harbour")

    assert (table.host_id, table.host.name, table.name) == (alice.id, "Alice", "Harbour")


def test_a_seed_is_used_exactly_as_it_was_sent() -> None:
    table = opened(client_seed="  two blanks before ")

    assert Seat.objects.get(table=table, number=0).client_seed == "  two blanks before "


def test_computers_sit_down_after_the_host_and_a_full_table_begins() -> None:
    chosen = {"level_1": "hard", "character_1": "tansy", "level_3": "easy"}
    table = opened(seats="3", **chosen)

    seats = list(table.seats.order_by("number").values_list("level", "character"))
    assert seats == [("", ""), ("hard", "tansy"), ("easy", "quill")]
    assert table.status == "bidding"


def test_the_last_choice_is_the_next_one_but_for_names_and_seed() -> None:
    browser = Client()
    chosen = {"preset": "calza", "palifico": "yes", "seats": "6", "pace": "live-quick", "level_1": "hard"}
    chosen["visibility"] = "private"
    opened(browser, name="Once", own_name="Alice", client_seed="abc", **chosen)

    form = browser.get("/tables/new").context["form"]

    assert {name: form[name].value() for name in chosen} == chosen
    assert not form["name"].value()
    assert not form["client_seed"].value()
    assert Client().get("/tables/new").context["form"]["preset"].value() == "standard"


def test_a_last_choice_that_is_not_known_any_more_is_forgotten() -> None:
    alice = a_guest("Alice")
    stale = {"preset": "gone", "seats": "9", "pace": "none", "colour": "red", "turn": [1]}
    Preferences.objects.create(player_id=alice.id, last_table=stale)

    form = a_browser(alice).get("/tables/new").context["form"]

    assert [form[name].value() for name in ("preset", "seats", "pace")] == ["standard", "4", "none"]


def test_an_address_can_choose_beforehand() -> None:
    form = Client().get("/tables/new?mode=practice&preset=sum&seats=99&nonsense=1").context["form"]

    assert [form[name].value() for name in ("mode", "preset", "seats")] == ["practice", "sum", "4"]


def test_every_choice_says_what_it_does() -> None:
    page = unescape(Client().get("/tables/new").content.decode())

    words = [*terms.PRESET_WORDS.values(), *terms.MODE_WORDS.values(), *terms.VISIBILITY_WORDS.values()]
    words += [each for _, choices in terms.OPTION_WORDS.values() for each in choices.values()]
    for label, effect in words:
        assert f">{label}</span>" in page
        assert effect in page
    assert set(terms.PRESET_WORDS) == set(PRESETS)
    assert set(terms.OPTION_WORDS) == set(DEFAULTS) - {"seats", "starting_dice"}


def test_the_page_tells_the_script_the_same_reasons_as_the_server_gives() -> None:
    page = unescape(Client().get("/tables/new").content.decode())

    for name, (_, choices) in terms.OPTION_WORDS.items():
        for value in choices:
            needs = [[need.name, need.allowed, need.why] for need in needs_of(name, value)]
            if needs:
                assert f'data-needs="{json.dumps(needs)}"' in page


def test_whatever_the_form_lets_pass_can_be_opened_and_is_played_as_chosen() -> None:
    """Every preset with every choice of the options that bear on one another."""
    options = ("bidding", "ones", "open_on_ones", "palifico")
    values = [("", *terms.OPTION_WORDS[name][1]) for name in options]
    alice = Player(name="Alice")
    passed = 0
    for preset, *chosen in itertools.product(PRESETS, *values):
        named = dict(zip(options, chosen, strict=True))
        form = NewTable({**USUAL, "preset": preset, **named}, player=None)
        if not form.is_valid():
            assert set(form.errors) <= set(options)
            continue
        passed += 1
        played = opening.plan(alice, form.wanted).rules.document()
        for name, value in named.items():
            assert value in ("", terms.written(played[name])), (preset, named, played)
        if not any(named.values()):
            assert played == {**DEFAULTS, **PRESETS[preset]}
    assert passed > 100


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"mode": "none", "seats": "x" * 1000, "turn": "9" * 400, "bank": "-1"},
        {**USUAL, "name": "\x00", "client_seed": "\x00", "own_name": "\x00"},
        {**USUAL, "turn": "1e999", "level_1": "\ufffe", "character_1": "nobody"},
        {**USUAL, "seats": ["2", "3"], "bidding": "dice"},
    ],
)
def test_nonsense_is_refused_in_words(form: dict[str, Any]) -> None:
    answer = Client().post("/tables/new", form)

    assert answer.status_code == 422
    assert errors(answer)
    assert not Player.objects.exists()


def test_bytes_that_are_no_text_are_refused_or_read_as_text() -> None:
    body = b"mode=casual&name=%ff%fe%ed%a0%80&seats=4&preset=standard"
    answer = Client().post("/tables/new", body, content_type="application/x-www-form-urlencoded")

    assert answer.status_code == 422


def test_only_this_site_s_own_form_opens_a_table() -> None:
    browser = a_browser(csrf=True)

    assert browser.post("/tables/new", USUAL).status_code == 403
    assert not Table.objects.exists()


def test_pages_and_programs_share_one_count_of_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SimpleRateThrottle.THROTTLE_RATES, "tables", "3/min")
    alice = a_guest("Alice")
    browser = a_browser(alice)
    alice.opens()
    opened(browser)
    browser.post("/play")

    answer = sent(browser, name="Kept")

    assert answer.status_code == 429
    assert int(answer["Retry-After"]) >= 1
    assert 'value="Kept"' in answer.content.decode()
    assert alice.post("tables", {}).status_code == 429
    assert browser.post("/play").status_code == 429
    assert Table.objects.count() == 3


def test_a_refused_form_counts_as_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SimpleRateThrottle.THROTTLE_RATES, "tables", "1/min")
    browser = a_browser(a_guest("Alice"))

    for _ in range(3):
        assert sent(browser, turn="0").status_code == 422

    opened(browser)


def test_the_form_takes_few_statements() -> None:
    browser = a_browser(a_guest("Alice"))
    opened(browser)
    browser.get("/tables/new")
    with CaptureQueriesContext(connection) as captured:
        browser.get("/tables/new")

    assert len(captured) <= 5
