"""Every worked example of the guide, run through the engine from the dice and the words on its page."""

import re
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from games.engine.moves import IllegalMove
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.transition import Fact
from games.web.examples import EXAMPLES
from games.web.words import reveal_sentence
from games.web.worked import NAMES, Raises, Round, Weighing
from tests.engine.scripted import facts_of, position, step
from tests.web import reading

pytestmark = pytest.mark.django_db

SEATS = {name: seat for seat, name in enumerate(NAMES)}
_MOVE = re.compile(r"(\w+) (opened with|raised to|went over to) (a total of \d+|\w+ \w+)")
_CALL = re.compile(r"(\w+) (called liar on|said spot on to) ")


def of_kind(kind: type) -> Any:
    return pytest.mark.parametrize(
        "example",
        [example for example in EXAMPLES.values() if isinstance(example, kind)],
        ids=lambda example: example.key,
    )


@pytest.fixture(scope="module")
def sheets(django_db_setup: None, django_db_blocker: Any) -> dict[str, str]:
    with django_db_blocker.unblock():
        return reading.sheets()


def test_every_example_is_shown_somewhere(sheets: dict[str, str]) -> None:
    assert set(sheets) == {example.key for example in EXAMPLES.values()}


def played(example: Round, sheet: str) -> tuple[State, tuple[Fact, ...]]:
    """The match after the round on this sheet: its hands, bids and call are those that are read there."""
    hands = {str(SEATS[name]): [die.face for die in dice] for name, dice, _ in reading.rows(sheet)}
    moves = _MOVE.findall(reading.part(sheet, "story"))
    dice = {str(seat): len(hands.get(str(seat), [])) for seat in range(len(example.hands))}
    state = position(
        {
            "options": dict(example.options),
            "dice": dice,
            "hands": hands,
            "bids": [],
            "opener": SEATS[moves[0][0]],
            "palifico": "palifico round" in reading.part(sheet, "story"),
        }
    )
    for name, _, words in moves:
        state, _ = step(state, {"type": "bid", "seat": SEATS[name], **reading.bid(words)})
    [(caller, said)] = _CALL.findall(reading.part(sheet, "verdict"))
    kind = "liar" if said == "called liar on" else "exact"
    return step(state, {"type": kind, "seat": SEATS[caller]})


@of_kind(Round)
def test_a_worked_round_ends_as_its_page_says(example: Round, sheets: dict[str, str]) -> None:
    sheet = sheets[example.key]
    state, _ = played(example, sheet)
    verdict = reading.part(sheet, "verdict")
    said = reveal_sentence(state.reveal or {}, dict(enumerate(NAMES)), None, rules=example.rules.document())

    assert verdict.startswith(said)
    left = int_of(re.search(r"That leaves (\w+) dice in play\.", verdict)[1])  # type: ignore[index]
    assert left == state.dice_in_play


@of_kind(Round)
def test_a_worked_round_is_written_down_as_it_ends(example: Round, sheets: dict[str, str]) -> None:
    state, _ = played(example, sheets[example.key])
    facts, reveal, outcome = facts_of(state), state.reveal or {}, example.outcome

    assert (outcome.count, outcome.right) == (reveal["count"], reveal["right"])
    assert {str(seat): change for seat, change in outcome.changes.items()} == reveal["changes"]
    assert sorted(outcome.places) == reveal["out"]
    assert all(facts["places"][str(seat)] == place for seat, place in outcome.places.items())
    assert (outcome.opens, outcome.palifico) == (reveal["next_opener"], reveal["next_palifico"])
    assert outcome.waiting == state.claims
    assert outcome.left == state.dice_in_play


@of_kind(Round)
def test_the_dice_that_are_marked_are_those_that_count(example: Round, sheets: dict[str, str]) -> None:
    sheet = sheets[example.key]
    state, _ = played(example, sheet)
    reveal = state.reveal or {}
    hands = reading.rows(sheet)
    total = int(reading.part(sheet, "total"))

    assert total == sum(count for _, _, count in hands) == reveal["count"]
    if "total" not in reveal["bid"]:
        marked = [die for _, dice, _ in hands for die in dice if die.counted]
        assert len(marked) == total
        assert {die.face for die in marked} <= {1, reveal["bid"]["face"]}
    ones = [die for _, dice, _ in hands for die in dice if die.face == 1]
    assert all(die.wild == (example.rules.ones_are_wild and not example.palifico) for die in ones)


@of_kind(Raises)
def test_what_may_follow_a_bid_is_what_the_engine_takes(example: Raises, sheets: dict[str, str]) -> None:
    sheet = sheets[example.key]
    answers = re.findall(r'<li class="(allowed|refused)">(.*?)</li>', sheet, re.S)
    state = stands(example, sheet)
    seat = state.turn

    assert len(answers) == len(example.allowed) + len(example.refused)
    for kind, row in answers:
        move = {"type": "bid", "seat": seat, **reading.bid(reading.part(row, "words"))}
        answer = reading.part(row, "answer")
        if kind == "allowed":
            step(state, move)
            assert answer.startswith("Yes. ")
            assert_lowest_is_said(state, move, answer)
        else:
            with pytest.raises(IllegalMove) as refused:
                step(state, move)
            assert answer == f"No. {refused.value.message}"
    assert ("No raise is left: only a call." in reading.text(sheet)) == (facts_of(state)["bids"] == {})


def stands(example: Raises, sheet: str) -> State:
    """A match in which the bid of this sheet stands, among as many dice as it says."""
    found = reading.part(sheet, "stands")
    in_play = int_of(re.search(r"(\w+) dice in play", found)[1])  # type: ignore[index]
    words = reading.part(sheet, "words")
    seats = max(2, -(-in_play // 5))
    share, rest = divmod(in_play, seats)
    dice = {str(seat): share + (seat < rest) for seat in range(seats)}
    bids = [] if words == "Nobody has bid" else [{"seat": 0, **reading.bid(words)}]
    return position(
        {"options": dict(example.options), "dice": dice, "bids": bids, "palifico": example.palifico}
    )


def assert_lowest_is_said(state: State, move: dict[str, Any], answer: str) -> None:
    """Is a bid called the lowest of its face where, and only where, one fewer is refused?"""
    if state.round is None or state.round.standing is None:
        return
    amount = "total" if "total" in move else "quantity"
    fewer = {**move, amount: move[amount] - 1}
    if "The lowest raise" in answer:
        with pytest.raises(IllegalMove):
            step(state, fewer)
    else:
        step(state, fewer)


@of_kind(Weighing)
def test_a_chance_is_what_counting_every_die_gives(example: Weighing, sheets: dict[str, str]) -> None:
    sheet = sheets[example.key]
    hand = [die.face for die in reading.dice(sheet.split("</div>")[0])]
    in_play = int_of(re.search(r"of (\w+) in play", reading.part(sheet, "held"))[1])  # type: ignore[index]
    rows = re.findall(r"<li>(.*?)</li>", sheet, re.S)

    assert len(rows) == len(example.bids)
    for row in rows:
        wanted = reading.bid(reading.part(row, "words"))
        chance = chance_of(example.rules, example.palifico, wanted, hand, in_play)
        assert reading.part(row, "percent") == f"{written(chance)} %"


def chance_of(rules: Rules, palifico: bool, bid: dict[str, int], hand: list[int], in_play: int) -> Fraction:
    """The chance of a bid, by adding die after die to all that can lie there."""

    def worth(die: int) -> int:
        if "total" in bid:
            return die
        wild = rules.ones in ("aces", "wild", "low") and not palifico and bid["face"] != 1
        return int(die == bid["face"] or (wild and die == 1))

    ways = {sum(map(worth, hand)): Fraction(1)}
    for _ in range(in_play - len(hand)):
        more: dict[int, Fraction] = {}
        for so_far, chance in ways.items():
            for die in range(1, 7):
                more[so_far + worth(die)] = more.get(so_far + worth(die), Fraction(0)) + chance / 6
        ways = more
    return sum(
        (each for so_far, each in ways.items() if so_far >= max(bid.get("total", 0), bid.get("quantity", 0))),
        Fraction(0),
    )


def written(chance: Fraction) -> str:
    percent = float(100 * chance)
    if 0 < percent < 0.5:
        return "<1"
    if 99.5 <= percent < 100:
        return ">99"
    return f"{percent:.0f}"


@cache
def int_of(word: str) -> int:
    words = (*reading.NUMBERS, "eleven", "twelve")
    return words.index(word.lower()) if word.lower() in words else int(word)


@pytest.mark.parametrize(
    ("key", "said"),
    {
        "seven-twos": "Four twos and two wild ones 6 Carol called liar on Bob’s seven twos. There were six. "
        "Bob loses a die and opens the next round. That leaves 14 dice in play.",
        "six-twos": "There were exactly six, which is enough: Carol loses a die",
        "four-fours": "There were three. Bob loses a die",
        "last-die": "Bob loses the last die and is out. Carol opens the next round.",
        "regain": "Carol wins back a die and opens the next round.",
        "sum": "The dice showed 30. Bob loses a die and opens the next round.",
        "two-ones": "No raise is left: only a call.",
        "spot-on": "Bob and Dave are both third.",
        "palifico-queue": "Alice is down to one die and opens a palifico round: nothing is wild. "
        "That leaves five dice in play. Bob opens a palifico round after that.",
    }.items(),
)
def test_what_people_are_told_of_the_well_known_examples(key: str, said: str, sheets: dict[str, str]) -> None:
    assert said in reading.text(sheets[key])


def test_the_first_example_has_the_dice_that_everybody_knows(sheets: dict[str, str]) -> None:
    for key in ("seven-twos", "six-twos"):
        hands = [
            (name, "".join(str(die.face) for die in dice)) for name, dice, _ in reading.rows(sheets[key])
        ]
        assert hands == [("Alice", "12346"), ("Bob", "12256"), ("Carol", "23456")]


@pytest.mark.parametrize(
    ("key", "stands", "yes", "no"),
    [
        ("after-four-fives", "four fives", {"four sixes", "five twos"}, {"four fours", "three sixes"}),
        ("halving-seven", "seven fours", {"four ones"}, {"three ones"}),
        ("halving-five", "five fours", {"three ones"}, {"two ones"}),
        ("doubling", "three ones", {"seven fours"}, {"six fours"}),
        ("two-sixes", "two sixes", {"one one"}, set()),
        ("one-one", "one one", {"two ones"}, set()),
        ("palifico-raises", "two fours", {"three fours"}, {"three fives", "one one"}),
        ("low", "three ones", {"three twos"}, set()),
        ("wild", "three sixes", {"four twos"}, {"nine ones"}),
    ],
)
def test_what_people_are_told_of_the_well_known_raises(
    key: str, stands: str, yes: set[str], no: set[str], sheets: dict[str, str]
) -> None:
    answers = re.findall(r'<li class="(allowed|refused)">(.*?)</li>', sheets[key], re.S)
    told = {
        kind: {reading.part(row, "words") for each, row in answers if each == kind} for kind, _ in answers
    }

    assert reading.part(sheets[key], "words") == stands
    assert yes <= told["allowed"]
    assert no <= told.get("refused", set())


def test_what_the_strategy_says_of_its_figures() -> None:
    """A bid of what one expects is more likely than not, one two above it one in five."""
    [expected, one_above, two_above] = [
        float(chance_of(Rules(), False, {"quantity": quantity, "face": 4}, [1, 4, 4, 6, 6], 20))
        for quantity in (8, 9, 10)
    ]

    assert expected > 0.5
    assert expected - one_above == pytest.approx(0.2, abs=0.03)
    assert one_above - two_above == pytest.approx(0.2, abs=0.03)
    assert two_above == pytest.approx(0.2, abs=0.01)
