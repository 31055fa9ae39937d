"""The archive document of a finished match, read without trust (`games/archive.schema.json` says the same).

Whatever was put into the document, reading it gives an `Archive`, or a `Malformed` that says what is wrong
where. Fields that the format does not name are passed over.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from games.engine.dice import ROUND_LIMIT, SeedRefused, check_seed
from games.engine.facts import Reveal
from games.engine.rules import DEFAULTS, Rules, RulesRefused
from games.engine.state import Position

FORMAT = 1
SEATS = range(6)
HEX = re.compile("[0-9a-f]{64}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z", re.ASCII)
LONGEST = 60
"""How much of a value a message repeats."""

T = TypeVar("T")
Result: TypeAlias = Mapping[str, Any]


class Malformed(Exception):
    """The document is not an archive: `where` is the part that is not what the format says."""

    def __init__(self, where: str, message: str) -> None:
        super().__init__(f"{where} {message}")
        self.where = where
        self.message = message


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a document, and where in it this part stands."""

    value: object
    where: str

    def refused(self, expected: str) -> Malformed:
        return Malformed(self.where, f"is {shown(self.value)} and should be {expected}")

    def field(self, name: str) -> "Part":
        if not isinstance(self.value, dict):
            raise self.refused("an object")
        where = f"{self.where}.{name}" if self.where else name
        if name not in self.value:
            raise Malformed(where, "is missing")
        return Part(self.value[name], where)

    def named(self, name: str) -> "Part | None":
        """A field that the format knows and that need not be there."""
        return self.field(name) if isinstance(self.value, dict) and name in self.value else None

    def optional(self, read: Callable[["Part"], T]) -> T | None:
        return None if self.value is None else read(self)

    def whole(self, lowest: int, highest: int | None = None) -> int:
        value = self.value
        if type(value) is not int or value < lowest or (highest is not None and value > highest):
            upper = "up" if highest is None else f"to {highest}"
            raise self.refused(f"a whole number from {lowest} {upper}")
        return value

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.refused("true or false")
        return self.value

    def text(self, longest: int = 1000) -> str:
        if not isinstance(self.value, str) or len(self.value) > longest:
            raise self.refused("a text")
        return self.value

    def word(self, *allowed: str) -> str:
        if not isinstance(self.value, str) or self.value not in allowed:
            raise self.refused(f"one of {', '.join(allowed)}" if len(allowed) > 1 else allowed[0])
        return self.value

    def hex(self) -> str:
        if not isinstance(self.value, str) or not HEX.fullmatch(self.value):
            raise self.refused("64 lower-case hex digits")
        return self.value

    def time(self) -> str:
        if not isinstance(self.value, str) or not TIME.fullmatch(self.value):
            raise self.refused("a time in UTC, as in 2026-01-31T08:15:00.250Z")
        return self.value

    def nothing(self) -> None:
        if self.value is not None:
            raise self.refused("null")

    def parts(self, longest: int | None = None, *, least: int = 0) -> list["Part"]:
        if not isinstance(self.value, list) or len(self.value) < least:
            raise self.refused(f"a list of at least {least}" if least else "a list")
        if longest is not None and len(self.value) > longest:
            raise self.refused(f"a list of at most {longest}")
        return [Part(value, f"{self.where}[{index}]") for index, value in enumerate(self.value)]

    def by_seat(self) -> dict[str, "Part"]:
        """The entries of an object whose keys are seat numbers, in their order."""
        if not isinstance(self.value, dict):
            raise self.refused("an object")
        if any(key not in map(str, SEATS) for key in self.value):
            raise self.refused("an object with seat numbers as keys")
        return {key: self.field(key) for key in sorted(self.value)}

    def seat(self) -> int:
        return self.whole(SEATS[0], SEATS[-1])

    def seats(self) -> list[int]:
        return [part.seat() for part in self.parts(len(SEATS))]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRecord:
    """One seat as the document shows it at the end."""

    where: str
    number: int
    player_id: str
    computer: tuple[str, str] | None  # level and character of a computer that sat there first-hand
    shown: Mapping[str, object]  # what the match made of it: dice, place, substitute, ready
    client_seed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenRecord:
    """What a practice table began from: the hands of a round of another match, which were not rolled here."""

    table: str
    round: int
    position: Position


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRecord:
    """The table as the document shows it at the end."""

    id: str
    version: int
    mode: str
    rules: Rules
    clock: str
    commitment: str
    host: str
    seats: tuple[SeatRecord, ...]
    reveal: Reveal | None
    result: Result | None
    given: GivenRecord | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRecord:
    """Something that happened, but for bids and calls."""

    where: str
    version: int
    kind: str
    seat: int | None
    round: int
    status: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """A whole document, every named part of the right kind; whether it is true is another question."""

    table: TableRecord
    rounds: tuple[Reveal, ...]
    events: tuple[EventRecord, ...]


def read(document: object) -> Archive:
    """Read a document; raise `Malformed` at the first part that is not what the format says."""
    whole = Part(document, "")
    if not isinstance(document, dict):
        raise Malformed("the document", f"is {shown(document)} and should be an object")
    whole.field("format").whole(FORMAT, FORMAT)
    table = _table(whole.field("table"))
    rounds = [_reveal(part, sums=table.rules.sums) for part in whole.field("rounds").parts(ROUND_LIMIT)]
    events = [_event(part) for part in whole.field("events").parts(least=1)]
    return Archive(table=table, rounds=tuple(rounds), events=tuple(events))


def shown(value: object) -> str:
    """A value as a message names it, short and printable whatever it is."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value) if abs(value) < 10**15 else "a huge number"
    if isinstance(value, str):
        return ascii(value) if len(value) <= LONGEST else f"{value[:LONGEST]!a}..."
    if isinstance(value, list) and len(value) <= 30 and all(type(item) is int for item in value):
        return f"[{', '.join(shown(item) for item in value)}]"
    return {list: "a list", dict: "an object", float: "a fraction"}.get(type(value), "something else")


def _table(part: Part) -> TableRecord:
    part.field("status").word("finished")
    part.field("name").text()
    part.field("visibility").word("public", "unlisted", "private")
    part.field("created_at").time()
    part.field("deadline").nothing()
    part.field("round").nothing()
    part.field("legal").nothing()
    part.field("viewer").field("role").word("spectator")
    part.field("viewer").field("seat").nothing()
    rules = _rules(part.field("rules"))
    seats = tuple(_seats(part.field("seats"), rules))
    return TableRecord(
        id=_id(part.field("id")),
        version=part.field("version").whole(1),
        mode=part.field("mode").word("casual", "ranked", "practice"),
        rules=rules,
        clock=_clock(part.field("clock")),
        commitment=part.field("commitment").hex(),
        host=part.field("host").text(),
        seats=seats,
        reveal=part.field("reveal").optional(lambda reveal: _reveal(reveal, sums=rules.sums)),
        result=part.field("result").optional(_result),
        given=_given(part, [str(seat.number) for seat in seats]),
    )


def _given(table: Part, seats: list[str]) -> GivenRecord | None:
    """Only practice begins with hands that nobody can check: elsewhere it would be a way round the check."""
    part = table.named("given")
    if part is None or part.value is None:
        return None
    if table.field("mode").value != "practice":
        raise Malformed(part.where, "is for practice tables only")
    dice = part.field("dice").by_seat()
    if list(dice) != seats:
        raise part.field("dice").refused("a number of dice for every seat of the table")
    return GivenRecord(
        table=_id(part.field("table")),
        round=part.field("round").whole(1, ROUND_LIMIT),
        position=Position(
            dice={int(seat): count.whole(1, 5) for seat, count in dice.items()},
            palifico=part.field("palifico").flag(),
        ),
    )


def _id(part: Part) -> str:
    name = part.text()
    if not name or "|" in name or not name.isprintable():
        raise part.refused("an id")
    return name


def _rules(part: Part) -> Rules:
    named = {name: part.field(name).value for name in DEFAULTS}
    try:
        return Rules(**named)  # type: ignore[arg-type]  # it checks every value itself
    except RulesRefused as refusal:
        raise Malformed(f"{part.where}.{refusal.option}", f"is refused: {refusal.message}") from refusal


def _clock(part: Part) -> str:
    kind = part.field("kind").word("live", "slow", "none")
    if kind == "live":
        part.field("pace").word("normal", "relaxed", "quick")
    if kind == "slow":
        part.field("turn_seconds").whole(1)
    return kind


def _seats(part: Part, rules: Rules) -> list[SeatRecord]:
    seats = [_seat(seat) for seat in part.parts(rules.seats, least=2)]
    numbers = [seat.number for seat in seats]
    if numbers != sorted(set(numbers)) or numbers[-1] >= rules.seats:
        raise Malformed(part.where, "should be seats of the table, in their order")
    return seats


def _seat(part: Part) -> SeatRecord:
    player = part.field("player")
    kind = player.field("kind").word("account", "guest", "bot", "computer")
    player.field("name").text()
    part.field("bank_seconds").optional(lambda bank: bank.whole(0))
    return SeatRecord(
        where=part.where,
        number=part.field("seat").seat(),
        player_id=player.field("id").text(),
        computer=_computer(player) if kind == "computer" else None,
        shown={
            "dice": part.field("dice").whole(0, 5),
            "place": part.field("place").optional(lambda place: place.whole(1, len(SEATS))),
            "substitute": part.field("substitute").flag(),
            "ready": part.field("ready").flag(),
        },
        client_seed=_client_seed(part.field("client_seed")),
    )


def _computer(part: Part) -> tuple[str, str]:
    return part.field("level").text(), part.field("character").text()


def _client_seed(part: Part) -> str:
    try:
        return check_seed(part.text())
    except SeedRefused as refusal:
        raise Malformed(part.where, f"is refused: {refusal}") from refusal


def _result(part: Part) -> Result:
    return {
        "winner": part.field("winner").optional(Part.seat),
        "places": {
            seat: place.whole(1, len(SEATS)) for seat, place in part.field("places").by_seat().items()
        },
        "drawn": part.field("drawn").flag(),
    }


def _reveal(part: Part, *, sums: bool) -> Reveal:
    """A reveal with the fields that the engine gives it, and no others."""
    call = part.field("call")
    return {
        "number": part.field("number").whole(1, ROUND_LIMIT),
        "palifico": part.field("palifico").flag(),
        "opener": part.field("opener").seat(),
        "bids": [
            {**_bid(bid, sums=sums), "at": bid.field("at").time()}
            for bid in part.field("bids").parts(least=1)
        ],
        "call": {
            "seat": call.field("seat").seat(),
            "type": call.field("type").word("liar", "exact"),
            "at": call.field("at").time(),
        },
        "bid": _bid(part.field("bid"), sums=sums),
        "count": part.field("count").whole(0),
        "right": part.field("right").flag(),
        "hands": {seat: _hand(hand) for seat, hand in part.field("hands").by_seat().items()},
        "changes": {seat: _change(change) for seat, change in part.field("changes").by_seat().items()},
        "out": part.field("out").seats(),
        "next_opener": part.field("next_opener").optional(Part.seat),
        "next_palifico": part.field("next_palifico").flag(),
        "secret": part.field("secret").hex(),
        "at": part.field("at").time(),
    }


def _bid(part: Part, *, sums: bool) -> dict[str, int]:
    seat = {"seat": part.field("seat").seat()}
    if sums:
        return {**seat, "total": part.field("total").whole(1, 180)}
    return {
        **seat,
        "quantity": part.field("quantity").whole(1, 30),
        "face": part.field("face").whole(1, 6),
    }


def _change(part: Part) -> int:
    change = part.whole(-1, 1)
    if change == 0:
        raise part.refused("-1 or 1")
    return change


def _hand(part: Part) -> list[int]:
    return [die.whole(1, 6) for die in part.parts(5, least=1)]


def _event(part: Part) -> EventRecord:
    kind = part.field("kind").word(*_FACTS)
    return EventRecord(
        where=part.where,
        version=part.field("version").whole(1),
        kind=kind,
        seat=part.field("seat").optional(Part.seat),
        round=part.field("round").whole(0, ROUND_LIMIT),
        status=part.field("status").word("open", "bidding", "revealed"),
        facts={name: read(part.field(name)) for name, read in _FACTS[kind].items()}
        | {"at": part.field("at").time()},
    )


def _player_id(part: Part) -> str:
    part.field("name").text()
    part.field("kind").word("account", "guest", "bot")
    return part.field("id").text()


_FACTS: Mapping[str, Mapping[str, Callable[[Part], object]]] = {
    "created": {},
    "sat": {"player": _player_id},
    "stood": {"player": Part.text},
    "freed": {"player": lambda part: part.optional(Part.text)},
    "computer": {"level": Part.text, "character": Part.text},
    "started": {"opener": Part.seat, "seats": Part.seats},
    "ready": {},
    "round": {"number": lambda part: part.whole(1, ROUND_LIMIT), "opener": Part.seat, "palifico": Part.flag},
    "strike": {"strikes": lambda part: part.whole(1, 2)},
    "left": {"why": lambda part: part.word("leave", "strikes"), "forfeit": Part.flag},
    "abandoned": {},
}
"""The kinds of events, with the facts that each has."""
