"""What the page of a running or finished match shows, from the view of whoever looks.

Everything here comes from the document that the API gives the same viewer; nothing else is looked up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from games.clocks import PACES, instant
from games.engine.rules import rules_of
from games.engine.words import face_words
from games.web import ledger, picker, times, words
from games.web.computers import computers_at

Document: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Looking:
    """How somebody looks at a table: the round whose cups they lifted last, and what they asked to see."""

    now: datetime
    lifted: int
    confirm: str = "slow"  # when a move is confirmed: "slow", "always" or "never"
    hide_dice: bool = False
    reveal_asked: bool = False  # the latest reveal, though the next round goes on
    fresh: bool = False  # the cups were lifted just now
    sure: Mapping[str, Any] | None = None  # a move to be confirmed
    refused: str = ""
    away: Mapping[int, int] | None = None  # seats whose line dropped, and for how many seconds
    happened: Sequence[Document] = ()  # in this round, beside its bids
    tells: bool = True  # does the visitor wish to see what shows in a computer's face?


def scene_of(doc: Document, looking: Looking) -> dict[str, Any]:
    """Everything that the templates of a table's page show."""
    names = words.names_of(doc)
    you = doc["viewer"]["seat"]
    stage = stage_of(doc, looking)
    scene = {
        "doc": doc,
        "names": names,
        "you": you,
        "owner": doc["viewer"]["role"] == "owner",
        "stage": stage,
        "live": doc["clock"]["kind"] == "live",
        "refused": looking.refused,
        "hide_dice": looking.hide_dice,
        "tells": looking.tells,
        "computers": list(computers_at(doc).values()),
        "turn": _turn_line(doc, names, you, stage, looking.now),
        "seats": seats_of(doc, names, looking, stage),
        "wild": _ones_are_wild(doc),
        "history": history_of(doc, looking, names, you) if stage == "bidding" else [],
        "previous": _previous(doc, looking),
        "all_seats": _dice_left(doc, words.marked_names_of(doc), you),
    }
    if stage == "bidding":
        scene |= _bidding(doc, names, you, looking)
    if stage in ("reveal", "ended"):
        scene |= _over(doc, names, you, looking)
    return {**scene, "said": _said(scene)}


def stage_of(doc: Document, looking: Looking) -> str:
    """What stands on the table: unlifted "cups", a "reveal", the "bidding", or a match that has "ended"."""
    reveal = doc["reveal"]
    if reveal is not None and reveal["number"] > looking.lifted:
        return "cups"
    if doc["status"] == "bidding":
        return "reveal" if reveal is not None and looking.reveal_asked else "bidding"
    if reveal is None or _dropped(doc):
        return "ended"
    return "reveal"


def _dropped(doc: Document) -> bool:
    """Did the match end otherwise than by a call, after the latest reveal?"""
    return doc["status"] == "finished" and doc["reveal"]["next_opener"] is not None


def seats_of(doc: Document, names: Mapping[int, str], looking: Looking, stage: str) -> list[dict[str, Any]]:
    """The seats on the arc, in the order of play from the one after mine; who holds none sees all."""
    you = doc["viewer"]["seat"]
    seats = list(doc["seats"])
    if you is not None:
        at = next(index for index, seat in enumerate(seats) if seat["seat"] == you)
        seats = seats[at + 1 :] + seats[:at]
    return [_seat(doc, seat, names, looking, hidden=stage == "cups") for seat in seats]


def _seat(
    doc: Document, seat: Document, names: Mapping[int, str], looking: Looking, *, hidden: bool
) -> dict[str, Any]:
    number, round = seat["seat"], doc["round"]
    bids = round["bids"] if round and not hidden else []
    last = next((bid for bid in reversed(bids) if bid["seat"] == number), None)
    player = seat["player"]
    out = seat["dice"] == 0 and not hidden
    return {
        "number": number,
        "name": names[number],
        "kind": "computer" if seat["substitute"] or (player and player["kind"] == "computer") else "person",
        "bot": bool(player) and player["kind"] == "bot",
        "dice": None if hidden else seat["dice"],
        "last": last,
        "standing": bool(bids) and last is bids[-1],
        "to_move": bool(round) and not hidden and round["turn"] == number,
        "out": out,
        "away": (looking.away or {}).get(number),
        "substitute": seat["substitute"],
        "ready": seat["ready"] and not hidden,
        "note": _note(seat, out=out, opened=bool(round) and not hidden),
    }


def _note(seat: Document, *, out: bool, opened: bool) -> str:
    if out:
        return f"out, {_ordinal(seat['place'])}" if seat["place"] else "out"
    if seat["substitute"]:
        return "substitute"
    return "no bid yet" if opened else ""


def _ordinal(place: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(place, f"{place}th")


def _ones_are_wild(doc: Document) -> bool:
    """Do ones count for other faces in the round on the table?"""
    shown = doc["round"] or doc["reveal"]
    return rules_of(doc).ones_are_wild and not (shown and shown["palifico"])


def history_of(
    doc: Document, looking: Looking, names: Mapping[int, str], you: int | None
) -> list[dict[str, Any]]:
    """This round in words, oldest first: each bid with what was bid and showed, and what else happened."""
    bids = doc["round"]["bids"]
    # Whose time ran out stands before the bid that the computer made for them in the same instant.
    lines = [
        {"said": said, "at": event["at"], "bid": None, "tell": ""}
        for event in looking.happened
        if (said := words.event_sentence(event, names, you))
    ]
    lines += [
        {
            "said": words.bid_sentence(bid, before, names, you),
            "at": bid["at"],
            "bid": bid,
            "tell": words.tell_sentence(bid, names) if looking.tells else "",
        }
        for before, bid in zip([None, *bids], bids, strict=False)
    ]
    return sorted(lines, key=lambda line: str(line["at"]))


def _bidding(doc: Document, names: Mapping[int, str], you: int | None, looking: Looking) -> dict[str, Any]:
    round, legal = doc["round"], doc["legal"]
    bids = round["bids"]
    standing = bids[-1] if bids else None
    before = bids[-2] if len(bids) > 1 else None
    mine = you is not None and round["turn"] == you and legal is not None
    confirm = looking.confirm == "always" or (looking.confirm == "slow" and doc["clock"]["kind"] == "slow")
    shown: dict[str, Any] = {
        "standing": standing,
        "raised": words.standing_words(standing, before, names, you)
        if standing
        else _opens(round["opener"], names, you),
        "standing_words": words.bid_words(standing) if standing else "",
        "of": _of(doc),
        "mine": mine,
        "hand": round["hand"],
        "lost_dice": range(_dice_lost(doc, you)),
        "confirm": confirm,
    }
    if mine:
        shown["picker"] = picker.picker_of(doc)
        shown["calls"] = picker.calls_of(doc)
        shown["sure"] = picker.question_of(doc, looking.sure, names, you) if looking.sure else None
    return shown


def _opens(opener: int, names: Mapping[int, str], you: int | None) -> str:
    return "You open" if opener == you else f"{names[opener]} opens"


def _of(doc: Document) -> str:
    """Of how many dice the bid speaks, and what else counts."""
    rules, round = doc["rules"], doc["round"]
    dice = f"of {round['dice_in_play']} dice in play"
    if rules["bidding"] == "sum":
        return f"the pips {dice}"
    if round["palifico"]:
        only = f"only {face_words(round['bids'][-1]['face'])} count" if round["bids"] else "palifico"
        return f"{dice} · {only}; ones are not wild"
    standing = round["bids"][-1] if round["bids"] else None
    if rules["ones"] == "straight":
        return f"{dice} · ones are not wild"
    if standing and standing.get("face") == 1:
        return f"{dice} · only ones count"
    return f"{dice} · ones are wild"


def _dice_lost(doc: Document, you: int | None) -> int:
    if you is None:
        return 0
    mine = next(seat for seat in doc["seats"] if seat["seat"] == you)
    return max(0, doc["rules"]["starting_dice"] - mine["dice"])


def _over(doc: Document, names: Mapping[int, str], you: int | None, looking: Looking) -> dict[str, Any]:
    """A reveal, or an end without one; and what one can do now."""
    finished = doc["status"] == "finished"
    shown: dict[str, Any] = {
        "finished": finished,
        "fresh": looking.fresh,
        "next_round": bool(doc["legal"] and doc["legal"]["next_round"]),
        "next_number": doc["reveal"]["number"] + 1 if doc["reveal"] else 1,
        "going_on": doc["status"] == "bidding",
        "awaited": _awaited(doc, names, you),
    }
    substitutes = words.substitutes_of(doc)
    if finished:
        shown["result"] = words.result_sentence(doc["result"], names, you, substitutes=substitutes)
        shown["places"] = _places(doc, words.marked_names_of(doc), you)
    if doc["reveal"] and stage_of(doc, looking) == "reveal":
        shown["ledger"] = ledger.ledger_of(doc, names, you, tells=looking.tells)
        shown["outcome"] = words.reveal_sentence(
            doc["reveal"], names, you, rules=doc["rules"], finished=finished, substitutes=substitutes
        )
    return shown


def _awaited(doc: Document, names: Mapping[int, str], you: int | None) -> str:
    """Who has to press before the next round begins, in words; nobody where I may press."""
    if doc["status"] != "revealed" or (doc["legal"] and doc["legal"]["next_round"]):
        return ""
    opener = doc["reveal"]["next_opener"]
    seat = next((each for each in doc["seats"] if each["seat"] == opener), None)
    person = seat and seat["player"] and seat["player"]["kind"] != "computer" and not seat["substitute"]
    if doc["clock"]["kind"] == "live" or not person:
        return "The next round begins when everybody has pressed Next round, or the time is over."
    if opener == you:
        return ""
    return f"{names[opener]} starts round {doc['reveal']['number'] + 1}."


def _places(doc: Document, names: Mapping[int, str], you: int | None) -> list[tuple[str, str]]:
    placed = [seat for seat in doc["seats"] if seat["place"] and seat["player"]]
    placed.sort(key=lambda seat: seat["place"])
    return [
        (
            _ordinal(seat["place"]),
            ("You" if seat["seat"] == you else names[seat["seat"]])
            + (", who left" if seat["substitute"] else ""),
        )
        for seat in placed
    ]


def _turn_line(
    doc: Document, names: Mapping[int, str], you: int | None, stage: str, now: datetime
) -> dict[str, Any]:
    heading, mine = _heading(doc, names, you, stage)
    line: dict[str, Any] = {"heading": heading, "mine": mine, "deadline": None}
    if doc["deadline"] is None or doc["status"] not in ("bidding", "revealed"):
        no_hurry = doc["status"] in ("bidding", "revealed") and doc["clock"]["kind"] == "none"
        return {**line, "no_hurry": no_hurry}
    bank = _bank(doc)
    until = instant(doc["deadline"]) - timedelta(seconds=bank)
    on_bank = bank > 0 and until <= now
    if on_bank:
        until = instant(doc["deadline"])
    whole = bank if on_bank else _whole_seconds(doc)
    remaining = until - now
    return {
        **line,
        "deadline": until.isoformat().replace("+00:00", "Z"),
        "left": times.left(remaining),
        "seconds": max(0, int(remaining.total_seconds())),
        "whole": whole,
        "share": remaining.total_seconds() / whole if whole else 0.0,
        "pressing": times.is_pressing(remaining, timedelta(seconds=whole)),
        "bank": _bank_words(bank, mine=mine, on_bank=on_bank),
    }


def _heading(doc: Document, names: Mapping[int, str], you: int | None, stage: str) -> tuple[str, bool]:
    """The heading, and whether it is for me to act."""
    if stage == "cups":
        return words.CUPS_WAIT.rstrip("."), True
    if doc["status"] == "finished":
        said = words.result_sentence(doc["result"], names, you, substitutes=words.substitutes_of(doc))
        return said.rstrip("."), False
    if doc["status"] == "revealed":
        return _heading_after(doc, names, you)
    turn = doc["round"]["turn"]
    if turn == you and doc["legal"] is not None:
        return "Your move", True
    return f"{names[turn]} to move", False


def _heading_after(doc: Document, names: Mapping[int, str], you: int | None) -> tuple[str, bool]:
    reveal = doc["reveal"]
    may_press = bool(doc["legal"] and doc["legal"]["next_round"])
    return f"{_opens(reveal['next_opener'], names, you)} round {reveal['number'] + 1}", may_press


def _bank(doc: Document) -> int:
    """The seconds of the bank that stand behind the present turn."""
    if doc["status"] != "bidding":
        return 0
    seat = next(seat for seat in doc["seats"] if seat["seat"] == doc["round"]["turn"])
    return int(seat["bank_seconds"] or 0)


def _bank_words(bank: int, *, mine: bool, on_bank: bool) -> str:
    if not bank:
        return ""
    if on_bank:
        return "on your bank" if mine else "on the bank"
    left = times.left(timedelta(seconds=bank)).removesuffix(" left")
    return f"then {left} of {'your' if mine else 'the'} bank"


def _whole_seconds(doc: Document) -> int:
    clock = doc["clock"]
    if clock["kind"] == "live":
        turn, look = PACES[clock["pace"]]
        return (turn if doc["status"] == "bidding" else look) // 1000
    return int(clock["turn_seconds"])


def _previous(doc: Document, looking: Looking) -> int | None:
    """The number of the reveal that can be looked at again."""
    reveal = doc["reveal"]
    return reveal["number"] if reveal and reveal["number"] <= looking.lifted else None


def _dice_left(doc: Document, names: Mapping[int, str], you: int | None) -> list[dict[str, Any]]:
    """Every seat with a box for each die of its beginning, filled where it is left."""
    most = doc["rules"]["starting_dice"]
    return [
        {
            "name": "You" if seat["seat"] == you else names[seat["seat"]],
            "dice": seat["dice"],
            "boxes": [number < seat["dice"] for number in range(most)],
        }
        for seat in doc["seats"]
        if seat["player"]
    ]


def _said(scene: Mapping[str, Any]) -> str:
    """What a screen reader hears when the page changed: one sentence, and whose move it is."""
    stage = scene["stage"]
    turn = scene["turn"]
    if stage == "cups":
        return words.CUPS_WAIT
    if stage in ("reveal", "ended"):
        return str(scene.get("outcome") or scene.get("result") or "")
    last = scene["history"][-1] if scene["history"] else {"said": f"{scene['raised']}.", "tell": ""}
    happened = " ".join(filter(None, (last["said"], last["tell"])))
    until = f", {turn['left']}" if turn.get("left") else ""
    return f"{happened} {turn['heading']}{until}."
