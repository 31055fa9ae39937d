"""One step of a past round as a page draws it: the hands, what counts for the bid, what was said so far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from games.engine.moves import bid_from
from games.engine.rules import rules_of
from games.engine.words import quantity_words, sentence
from games.web.counting import Counting, Die, counted_in, needed_words, seats_from
from games.web.words import (
    Names,
    bid_sentence,
    bid_words,
    call_sentence,
    call_words,
    reveal_sentence,
    substitutes_of,
    tell_sentence,
)

Document: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A hand of the ledger, with what its seat said last; `count` is None under a closed cup."""

    seat: int
    name: str
    kind: str
    said: str
    now: bool
    dice: Sequence[Die]
    count: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A bid, or the call, of the round in words."""

    move: int
    words: str
    bid: Document | None
    at: str
    tell: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A round as it stood after so many moves, through one chair or through all."""

    number: int
    move: int
    moves: int
    palifico: bool
    chair: int | None
    words: str
    bid: Document
    counted: str
    lines: Sequence[Line]
    total: int
    total_words: str
    needed: str
    stamp: str | None
    said: Sequence[Said]

    @property
    def is_call(self) -> bool:
        return self.move == self.moves

    @property
    def tell(self) -> str:
        """What showed at the bid of this step, in words."""
        return self.said[self.move - 1].tell


def moves_of(reveal: Document) -> int:
    """How many steps a round has: its bids, and the call."""
    return len(reveal["bids"]) + 1


def step_of(
    table: Document, reveal: Document, names: Names, you: int | None, *, move: int, chair: int | None
) -> Step:
    """The round after its first `move` moves, as this chair saw it (None: with every cup lifted)."""
    bids, moves = reveal["bids"], moves_of(reveal)
    bid = bids[min(move, len(bids)) - 1]
    said = _said(table, reveal, names, you)
    counting = Counting(rules_of(table), bid_from(bid), palifico=reveal["palifico"])
    lines = _lines(table, reveal, names, you, counting=counting, bid=bid, move=move, chair=chair)
    total = sum(line.count or 0 for line in lines)
    words = said[move - 1].words
    if move == moves and chair is not None:
        words = call_sentence(reveal, names, you)
    return Step(
        number=reveal["number"],
        move=move,
        moves=moves,
        palifico=reveal["palifico"],
        chair=chair,
        words=words,
        bid=bid,
        counted=counted_in(bid_from(bid)),
        lines=lines,
        total=total,
        total_words=_total_words(counting, chair, names, you),
        needed=needed_words(bid_from(bid), reveal["call"]) if move == moves else f"bid: {bid_words(bid)}",
        stamp=reveal["call"]["type"] if move == moves and chair is None else None,
        said=said,
    )


def _said(table: Document, reveal: Document, names: Names, you: int | None) -> list[Said]:
    bids = reveal["bids"]
    told = [
        Said(
            move=at,
            words=bid_sentence(bid, before, names, you),
            bid=bid,
            at=bid["at"],
            tell=tell_sentence(bid, names),
        )
        for at, (before, bid) in enumerate(zip([None, *bids], bids, strict=False), 1)
    ]
    words = reveal_sentence(reveal, names, you, rules=table["rules"], substitutes=substitutes_of(table))
    return [*told, Said(move=len(bids) + 1, words=words, bid=None, at=reveal["call"]["at"])]


def _lines(
    table: Document,
    reveal: Document,
    names: Names,
    you: int | None,
    *,
    counting: Counting,
    bid: Document,
    move: int,
    chair: int | None,
) -> list[Line]:
    """The hands from the opener clockwise, the dice that count numbered through."""
    kinds = {seat["seat"]: seat["player"]["kind"] for seat in table["seats"]}
    lines = []
    for seat in seats_from(reveal, reveal["opener"]):
        hand = reveal["hands"][str(seat)]
        open_to_see = chair in (None, seat)
        lines.append(
            Line(
                seat=seat,
                name="You" if seat == you else names[seat],
                kind="computer" if kinds[seat] == "computer" else "person",
                said=_said_last(reveal, seat, move, bot=kinds[seat] == "bot"),
                now=seat == (reveal["call"]["seat"] if move == moves_of(reveal) else bid["seat"]),
                dice=counting.dice(hand) if open_to_see else [Die(face=None)] * len(hand),
                count=counting.worth(hand) if open_to_see else None,
            )
        )
    return lines


def _said_last(reveal: Document, seat: int, move: int, *, bot: bool) -> str:
    """What a seat said last up to this move: `bid five fives`, `called liar`; and that it is a bot."""
    said = _last_words(reveal, seat, move)
    return " · ".join(filter(None, ["bot" if bot else "", said]))


def _last_words(reveal: Document, seat: int, move: int) -> str:
    if move == moves_of(reveal) and reveal["call"]["seat"] == seat:
        return call_words(reveal["call"])
    mine = [at for at, bid in enumerate(reveal["bids"][:move]) if bid["seat"] == seat]
    return f"bid {_short(reveal['bids'][mine[-1]])}" if mine else ""


def _short(bid: Document) -> str:
    return str(bid["total"]) if "total" in bid else quantity_words(bid["quantity"], bid["face"])


def _total_words(counting: Counting, chair: int | None, names: Names, you: int | None) -> str:
    """What the total under the line is a total of."""
    what = sentence(counting.words)
    if chair is None:
        return what
    return f"{what}, as {'you' if chair == you else names[chair]} could see"
