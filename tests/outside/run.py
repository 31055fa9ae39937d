"""A run of many matches, spread over a few workers."""

from __future__ import annotations

import json
import threading
import time
import traceback
from collections.abc import Callable
from random import Random

from tests.model.rulebook import DEFAULTS, PRESETS, VALUES
from tests.outside import lobby, opening, play
from tests.outside.cast import Cast, a_cast
from tests.outside.client import within
from tests.outside.door import Door
from tests.outside.plan import a_plan
from tests.outside.summary import Difference, Summary

LOG_SHOWN = 60  # lines of a match's log in a report


def run(
    base_url: str,
    matches: int,
    seed: int,
    *,
    practice: bool = False,
    ranked: bool = True,
    bots: bool = True,
    workers: int = 2,
    differences: int = 1,
    say: Callable[[str], None] = lambda line: None,
) -> Summary:
    """Play `matches` random matches at a running service and compare all of it with the model.

    With `practice` all tables are practice tables; without `ranked` no ranked table is tried (which a guest
    must be refused); without `bots` no computers play. The run stops after so many `differences`.
    """
    began = time.monotonic()
    summaries = [Summary() for _ in range(workers)]
    numbers, lock = iter(range(matches)), threading.Lock()

    def next_number() -> int | None:
        with lock:
            enough = sum(each.differences for each in summaries) >= differences
            return None if enough else next(numbers, None)

    def work(worker: int) -> None:
        door = Door(base_url, summaries[worker])
        try:
            cast = _prepare(door, Random(f"{seed}/worker {worker}"), ranked=ranked)
            while (number := next_number()) is not None:
                _one(door, cast, number, seed, practice, bots)
                if (number + 1) % 10 == 0:
                    say(f"{number + 1} of {matches} matches, {time.monotonic() - began:.0f} s")
        except Difference as difference:
            door.summary.reports.append(_report(door, difference, "the run as a whole"))

    _in_threads(work, workers)
    total = Summary()
    for summary in summaries:
        total.add(summary)
    total.seconds = time.monotonic() - began
    return total


def _in_threads(work: Callable[[int], None], workers: int) -> None:
    threads = [threading.Thread(target=work, args=(worker,)) for worker in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _prepare(door: Door, rng: Random, *, ranked: bool) -> Cast:
    lobby.check_presets(door, PRESETS, VALUES, DEFAULTS)
    cast = a_cast(door)
    practice = lobby.Lobby(door, rng, a_plan(rng, practice=True, bots=False), cast)
    for _ in range(10):
        opening.creations_refused(practice, ranked=ranked)
    door.ask(practice.host, "DELETE", f"{practice.path}/seats/me")
    _made_and_closed(door, cast)
    _pages(door)
    return cast


def _pages(door: Door) -> None:
    """The public list comes in pages of at most 50, each with the address of the next."""
    address, told = "tables", ""
    for _ in range(3):
        page = door.ask(None, "GET", address, quiet=True).json
        times = [entry["updated_at"] for entry in page["results"]]
        if len(times) > 50 or times != sorted(times, reverse=True) or (told and times and times[0] > told):
            raise Difference("a page of tables: 50 at most, latest activity first", got=times)
        if page["next"] is None:
            return
        address, told = within(page["next"]), times[-1]


def _made_and_closed(door: Door, cast: Cast) -> None:
    """A table that has not started can be closed, and is gone then."""
    made = door.ask(cast.host, "POST", "tables", {}, expect=201).json
    door.ask(cast.host, "DELETE", f"tables/{made['id']}", expect=204)
    door.ask(cast.host, "GET", f"tables/{made['id']}", expect=404)
    door.ask(cast.players[0], "POST", f"tables/{made['id']}/seats", {}, expect=404)


def _one(door: Door, cast: Cast, number: int, seed: int, practice: bool, bots: bool) -> None:
    rng = Random(f"{seed}/{number}")
    door.begin()
    try:
        own = practice or rng.random() < 0.12
        play.a_match(door, rng, cast, practice=own, bots=bots)
        door.summary.matches += 1
    except Difference as difference:
        door.summary.reports.append(_report(door, difference, f"match {number} of seed {seed}"))
    except OSError as fault:
        raise Difference(f"the service cannot be reached any more: {fault}") from fault
    except Exception:
        # An answer of a form that nobody thought of; the place where it hurt tells more than words.
        broken = Difference("the answers broke the program", got=traceback.format_exc())
        door.summary.reports.append(_report(door, broken, f"match {number} of seed {seed}"))


def _report(door: Door, difference: Difference, where: str) -> str:
    def shown(value: object) -> str:
        return value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=True)

    return "\n".join(
        [
            f"DIFFERENCE in {where}: {difference.what}",
            f"viewer:   {difference.viewer or '-'}",
            f"expected: {shown(difference.expected)}",
            f"got:      {shown(difference.got)}",
            "log of the match:",
            *(f"  {line}" for line in door.log[:1] + door.log[1:][-LOG_SHOWN:]),
        ]
    )
