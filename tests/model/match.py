"""One match, kept in plain dictionaries and changed in place, one paragraph of the rules after another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.model import bidding

Rules = dict[str, Any]
ROUND_LIMIT = 999


class Refused(Exception):
    """The rules do not allow it."""


def host_opener(rules: Rules, hosts_seats: Iterable[int]) -> int | None:
    """The seat that opens round 1 without a draw, or None where the opener is drawn."""
    if rules["first_opener"] == "host":
        return min(hosts_seats, default=None)
    return None


class Match:
    """A match from its first round on; hands are known to it only as far as somebody told it."""

    def __init__(
        self,
        rules: Rules,
        seats: Iterable[int],
        *,
        opener: int,
        computers: Iterable[int] = (),
        clock: str = "none",
        practice: bool = False,
        round_limit: int = ROUND_LIMIT,
    ) -> None:
        self.rules = rules
        self.seats = sorted(seats)
        self.computers = set(computers)
        self.clock = clock
        self.practice = practice
        self.round_limit = round_limit
        self.dice: dict[int, int] = {seat: int(rules["starting_dice"]) for seat in self.seats}
        self.left: list[int] = []  # who left, in that order
        self.forfeited: set[int] = set()
        self.strikes: dict[int, int] = {}
        self.went_out: list[list[int]] = []  # groups put out by one call, earliest first
        self.claims: list[int] = []  # waiting for their palifico round
        self.has_claimed: set[int] = set()
        self.ready: set[int] = set()
        self.reveals: list[dict[str, Any]] = []
        self.result: dict[str, Any] | None = None
        self.abandoned = False
        self.status = "bidding"
        self.round = 0
        self.opener = self.turn = opener
        self.palifico = False
        self.bids: list[dict[str, int]] = []
        self.hands: dict[int, list[int]] = {}
        self._start_round(opener, palifico=False)

    # who is there

    def still_in(self) -> list[int]:
        """The seats with dice that have not forfeited, in order."""
        return [seat for seat in self.seats if self.dice[seat] > 0 and seat not in self.forfeited]

    def by_computer(self, seat: int) -> bool:
        """Does a computer move here, first-hand or as a substitute?"""
        return seat in self.computers or seat in self.left

    def is_substituted(self, seat: int) -> bool:
        """Has a computer taken the seat of a person who left?"""
        return seat in self.left and seat not in self.forfeited

    def persons_in(self) -> list[int]:
        """The seats still in where a person plays."""
        return [seat for seat in self.still_in() if not self.by_computer(seat)]

    def clockwise_after(self, seat: int) -> list[int]:
        """All seats, beginning with the one after this and ending with this one."""
        return [s for s in self.seats if s > seat] + [s for s in self.seats if s <= seat]

    def dice_in_play(self) -> int:
        """The dice of all seats still in, together."""
        return sum(self.dice[seat] for seat in self.still_in())

    # what may be done

    def standing(self) -> dict[str, int] | None:
        """The bid to beat, or None at the opening."""
        return self.bids[-1] if self.bids else None

    def ranges(self) -> dict[str, list[int]]:
        """The legal bids of the seat to move."""
        if self.status != "bidding":
            return {}
        return bidding.ranges(self.rules, self.standing(), self.dice_in_play(), self.palifico)

    def suggested(self, seat: int) -> dict[str, int] | None:
        """The suggested bid for a seat whose hand is known."""
        return bidding.suggested(self.ranges(), self.hands[seat])

    def may_call(self, kind: str) -> bool:
        """May the seat to move make this call?"""
        if self.status != "bidding" or not self.bids:
            return False
        return kind == "liar" or self.rules["exact"] != "off"

    def pressers(self, clock: str | None = None) -> list[int]:
        """The seats whose person's press the next round waits for, pressed already or not."""
        if self.status != "revealed":
            return []
        starter = self.reveals[-1]["next_opener"]
        if (clock or self.clock) == "live" or self.practice or self.by_computer(starter):
            return self.persons_in()
        return [starter]

    # what is done

    def bid(self, seat: int, bid: dict[str, int], *, auto: bool = False) -> None:
        """Bid, if it is the seat's turn and the bid is legal; `auto`: a computer did it for the person."""
        self._only_at_its_turn(seat)
        opening = not self.bids
        legal = bidding.is_legal_raise(
            self.rules, self.standing(), bid, self.dice_in_play(), self.palifico, opening
        )
        if not legal:
            raise Refused(f"{bid} is no legal bid after {self.standing()}; legal: {self.ranges()}")
        self._moved(seat, auto)
        self.bids.append({"seat": seat} | {key: bid[key] for key in bid if key != "seat"})
        self.turn = next(s for s in self.clockwise_after(seat) if s in self.still_in())

    def call(
        self, seat: int, kind: str, hands: dict[int, list[int]] | None = None, *, auto: bool = False
    ) -> dict[str, Any]:
        """Call, reveal, take and give dice; returns the reveal."""
        self._only_at_its_turn(seat)
        if not self.may_call(kind):
            raise Refused(f"{kind} cannot be called now")
        self._moved(seat, auto)
        self.hands.update(hands or {})
        self._every_hand_is_as_long_as_it_should_be()

        reveal = self._judge(seat, kind)
        self.reveals.append(reveal)
        self._finish_or_go_on(reveal)
        return reveal

    def next_round(self, seat: int | None = None) -> bool:
        """Press Next round for one seat, or for everybody; says whether anything changed."""
        if self.status == "finished":
            raise Refused("the match is over")
        if self.status == "bidding":
            return False
        if seat is None:
            self.ready.update(self.pressers())
        elif seat not in self.pressers():
            raise Refused("it is not for this seat to start the round")
        elif seat in self.ready:
            return False
        else:
            self.ready.add(seat)
        self._start_if_all_are_ready()
        return True

    def reveal_over(self) -> None:
        """The time for looking at the reveal has run out: the round starts, and that is no strike."""
        if self.status != "revealed":
            raise Refused("nothing is being looked at")
        self._start_next_round()

    def timeout(self) -> None:
        """The turn's time has run out; the move itself follows as the computer's."""
        if self.status != "bidding" or self.by_computer(self.turn):
            raise Refused("no person's time is running")
        self.strikes[self.turn] = self.strikes.get(self.turn, 0) + 1
        if self.strikes[self.turn] == 2:
            self.leave(self.turn)

    def leave(self, seat: int) -> bool:
        """A person goes; says whether that changed anything."""
        if self.status == "finished" or seat not in self.persons_in():
            return False
        if self.practice:
            self.abandoned = True
            self._end(None)
            return True
        self.left.append(seat)
        if len(self.still_in()) == 2:
            self.forfeited.add(seat)
            self._end({"winner": self.still_in()[0], "drawn": False})
            return True
        self.ready.discard(seat)
        if self.status == "revealed":
            self._start_if_all_are_ready()
        return True

    # places

    def places(self) -> dict[int, int | None]:
        """What every seat shows as its place now."""
        if self.abandoned:
            return dict.fromkeys(self.seats)
        if self.result is not None:
            return dict(self.result["places"])
        shown: dict[int, int | None] = dict.fromkeys(self.seats)
        remaining = len(self.seats)
        for group in self.went_out:
            remaining -= len(group)
            shown.update(dict.fromkeys(group, remaining + 1))
        return shown

    def _final_places(self) -> dict[int, int]:
        best_first = [self.still_in(), *reversed(self.went_out)]
        stayers_better = 0
        places: dict[int, int] = {}
        for group in best_first:
            stayers = [seat for seat in group if seat not in self.left]
            places.update(dict.fromkeys(stayers, stayers_better + 1))
            stayers_better += len(stayers)
        for seat in reversed(self.left):
            places[seat] = len(places) + 1
        return dict(sorted(places.items()))

    # what follows from it

    def _only_at_its_turn(self, seat: int) -> None:
        if self.status != "bidding":
            raise Refused("no round is being bid")
        if seat != self.turn:
            raise Refused(f"it is the turn of seat {self.turn}")

    def _moved(self, seat: int, auto: bool) -> None:
        if not auto and not self.by_computer(seat):
            self.strikes[seat] = 0

    def _every_hand_is_as_long_as_it_should_be(self) -> None:
        lengths = {seat: len(hand) for seat, hand in self.hands.items()}
        if lengths != {seat: self.dice[seat] for seat in self.still_in()}:
            raise ValueError(f"hands {self.hands} do not fit the dice {self.dice}")

    def _judge(self, caller: int, kind: str) -> dict[str, Any]:
        bid = self.bids[-1]
        claimed = bid["total"] if "total" in bid else bid["quantity"]
        matching = bidding.count(self.rules, bid, self.hands, self.palifico)
        was_in = self.still_in()
        before = dict(self.dice)

        right = matching < claimed if kind == "liar" else matching == claimed
        self._settle_dice(caller, bid["seat"], kind, right)

        return {
            "number": self.round,
            "palifico": self.palifico,
            "opener": self.opener,
            "bids": [dict(each) for each in self.bids],
            "call": {"seat": caller, "type": kind},
            "bid": dict(bid),
            "count": matching,
            "right": right,
            "hands": {seat: list(hand) for seat, hand in sorted(self.hands.items())},
            "changes": {s: self.dice[s] - before[s] for s in self.seats if self.dice[s] != before[s]},
            "out": [seat for seat in was_in if self.dice[seat] == 0],
        }

    def _settle_dice(self, caller: int, bidder: int, kind: str, right: bool) -> None:
        losers: list[int] = []
        if not right:
            losers = [caller]
        elif kind == "liar":
            losers = [bidder]
        elif self.rules["exact"] == "others_lose":
            losers = [seat for seat in self.still_in() if seat != caller]
        elif self.rules["exact"] == "regain":
            self.dice[caller] = min(self.dice[caller] + 1, self.rules["starting_dice"])
        for seat in losers:
            self.dice[seat] -= 1

    def _finish_or_go_on(self, reveal: dict[str, Any]) -> None:
        if reveal["out"]:
            self.went_out.append(reveal["out"])
        reveal["next_opener"], reveal["next_palifico"] = None, False
        staying = self.still_in()
        if len(staying) == 1:
            self._end({"winner": staying[0], "drawn": False})
        elif self.round == self.round_limit:
            self._end({"winner": None, "drawn": True})
        else:
            reveal["next_opener"], reveal["next_palifico"] = self._who_opens_next(reveal)
            self.status, self.ready = "revealed", set()
            self._start_if_all_are_ready()

    def _who_opens_next(self, reveal: dict[str, Any]) -> tuple[int, bool]:
        caller = reveal["call"]["seat"]
        self._note_claims(reveal, caller)
        if len(self.still_in()) == 2:
            self.claims = []
        self.claims = [seat for seat in self.claims if seat in self.still_in()]
        if self.claims:
            return self.claims.pop(0), True

        due = caller
        if reveal["call"]["type"] == "liar":
            due = reveal["bid"]["seat"] if reveal["right"] else caller
        if due in self.still_in():
            return due, False
        return next(seat for seat in self.clockwise_after(due) if seat in self.still_in()), False

    def _note_claims(self, reveal: dict[str, Any], caller: int) -> None:
        for seat in self.clockwise_after(caller):
            dropped_to_one = self.dice[seat] == 1 and reveal["changes"].get(seat) == -1
            if self.rules["palifico"] and dropped_to_one and seat not in self.has_claimed:
                self.has_claimed.add(seat)
                self.claims.append(seat)

    def _start_if_all_are_ready(self) -> None:
        pressers = self.pressers()
        one_is_enough = self.practice and self.ready
        if one_is_enough or all(seat in self.ready for seat in pressers):
            self._start_next_round()

    def _start_next_round(self) -> None:
        self._start_round(self.reveals[-1]["next_opener"], self.reveals[-1]["next_palifico"])

    def _start_round(self, opener: int, palifico: bool) -> None:
        self.status, self.ready = "bidding", set()
        self.round += 1
        self.opener = self.turn = opener
        self.palifico = palifico
        self.bids, self.hands = [], {}

    def _end(self, result: dict[str, Any] | None) -> None:
        self.status = "finished"
        self.ready = set()
        if result is not None:
            self.result = result | {"places": self._final_places()}
