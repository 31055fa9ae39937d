"""Was anything received that should not have been? Hands and secrets, looked for in every answer."""

import re
from typing import Any

from tests.browser.person import Person

_HAND = re.compile(r"data-hand>(.*?)</ul>", re.DOTALL)
_FACE = re.compile(r'data-face="(\d)"')
_LEDGER = re.compile(r"All hands of round (\d+)</caption>")
_JSON_HAND = re.compile(r'"hand":\s*\[([\d,\s]*)\]')


def hands_shown(person: Person) -> list[tuple[int, ...]]:
    """Every hand that was under the person's own cup, in the order in which they received it."""
    shown = []
    for _, body in person.received:
        shown += [tuple(map(int, _FACE.findall(found))) for found in _HAND.findall(body)]
        shown += [tuple(map(int, re.findall(r"\d", found))) for found in _JSON_HAND.findall(body)]
    return shown


def rounds_shown(person: Person) -> set[int]:
    """The rounds whose hands the person saw laid open."""
    return {int(number) for _, body in person.received for number in _LEDGER.findall(body)}


def foreign_hands(person: Person, archive: dict[str, Any], seat: int | None) -> list[str]:
    """Hands under a cup that were not this seat's, and hands laid open of rounds never revealed."""
    own = {tuple(each["hands"].get(str(seat), ())) for each in archive["rounds"]}
    wrong = [f"a hand {hand}" for hand in hands_shown(person) if hand and hand not in own]
    revealed = {each["number"] for each in archive["rounds"]}
    return wrong + [f"round {number}" for number in rounds_shown(person) - revealed]


def early_secrets(person: Person, archive: dict[str, Any]) -> list[str]:
    """Secrets of rounds that were received by somebody who had not seen that round laid open."""
    laid_open = rounds_shown(person)
    return [
        f"the secret of round {each['number']} from {url}"
        for each in archive["rounds"]
        if each["number"] not in laid_open
        for url, body in person.received
        if each["secret"] in body
    ]
