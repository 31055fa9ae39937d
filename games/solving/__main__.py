"""Learn endgames of two players and write their tables, or measure the tables that are there."""

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path

from games.computers.endgame import folder_of
from games.computers.endgame_tables import FOLDER, read_table
from games.engine.rules import Rules, rules_from
from games.solving.chain import Dice, Worths, effort, learn, pairs, settle
from games.solving.measuring import BestMatch, best_responses, trained_responses
from games.solving.shipping import shipped

WALKED = 4
"""With so many dice in play the whole tree can be walked; with more, an opponent is trained."""

TRAINED = 40
"""How often it learns."""


def main() -> None:
    """`python -m games.solving learn aces-off`, or `measure`."""
    arguments = _arguments()
    for dice in pairs(arguments.dice, 5):
        for rules in map(rules_of, arguments.kinds):
            folder = arguments.tables / folder_of(rules)
            if arguments.what == "measure":
                _measure(rules, dice, folder)
            elif arguments.again or not _file(folder, dice).exists():
                _learn(rules, dice, folder)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m games.solving", description=__doc__)
    parser.add_argument("what", choices=("learn", "measure"))
    parser.add_argument("kinds", nargs="+", help="ones and exact calls: aces-off, aces-open-others_lose, ...")
    parser.add_argument("--dice", type=int, default=10, help="how many dice may be in play at most")
    parser.add_argument("--tables", type=Path, default=FOLDER, help="the folder of the tables")
    parser.add_argument("--again", action="store_true", help="learn anew what is there already")
    return parser.parse_args()


def rules_of(kind: str) -> Rules:
    """The options that a folder of tables is named after."""
    ones, exact = kind.rsplit("-", 1)
    named: dict[str, object] = {"seats": 2, "exact": exact, "ones": ones.removesuffix("-open")}
    if ones == "sum":
        named |= {"bidding": "sum", "ones": "straight"}
    if ones.endswith("-open"):
        named["open_on_ones"] = True
    return rules_from("standard", named)


def _learn(rules: Rules, dice: Dice, folder: Path) -> None:
    """Learn a round, and write its table and what it is worth at once."""
    began = time.process_time()
    folder.mkdir(parents=True, exist_ok=True)
    worths = Worths(rules, dict(_values(folder)))
    if rules.exact == "regain" and not worths.known:
        settle(worths)
    learned = learn(rules, dice, worths, effort(rules, dice))
    size = _file(folder, dice).write_bytes(shipped(learned))
    values = {_name(pair): round(worth, 6) for pair, worth in sorted(worths.known.items())}
    (folder / "values.json").write_text(json.dumps(values, indent=1) + "\n")
    seconds = time.process_time() - began
    print(
        f"{folder.name} {_name(dice)}: {values[_name(dice)]:.4f}, {size} bytes, {seconds:.0f} s", flush=True
    )


def _measure(rules: Rules, dice: Dice, folder: Path) -> None:
    """Tell what the best opponents win of ±1, opening and not, and their chances to win the match."""
    if not _file(folder, dice).exists():
        return
    table = read_table(_file(folder, dice).read_bytes())
    if sum(dice) <= WALKED:
        first, second = best_responses(rules, dice, table)
        more = f"; in the match {_best_match(rules, dice, folder)}"
    else:
        first, second = trained_responses(rules, dice, table, memory=table.memory + 1, turns=TRAINED)
        more = " at least"
    off = f"exploitable by {(first + second) / 2:.5f}{more}"
    print(f"{folder.name} {_name(dice)}: {first:+.5f} {second:+.5f}, {off}", flush=True)


def _best_match(rules: Rules, dice: Dice, folder: Path) -> str:
    if rules.exact == "regain":
        return "unknown, as dice are won back"
    match = BestMatch(rules, lambda other: read_table(_file(folder, other).read_bytes()))
    opening = match.chance(*dice, i_open=True)
    answering = match.chance(*dice[::-1], i_open=False)
    return f"{opening:.4f} and {answering:.4f}"


def _values(folder: Path) -> Iterator[tuple[Dice, float]]:
    file = folder / "values.json"
    for name, worth in (json.loads(file.read_text()) if file.exists() else {}).items():
        mine, theirs = map(int, name.split("v"))
        yield (mine, theirs), worth


def _name(dice: Dice) -> str:
    return f"{dice[0]}v{dice[1]}"


def _file(folder: Path, dice: Dice) -> Path:
    return folder / f"{_name(dice)}.table"


if __name__ == "__main__":
    main()
