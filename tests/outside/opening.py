"""Open tables: what everybody sees of one, and what is refused about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.model.rulebook import OptionsRefused, options
from tests.outside.client import Answer, Person
from tests.outside.compare import ANYTHING, SEAT_KEYS, SECRET, TEXT, TIME, VIEW_KEYS, differences, one_of
from tests.outside.summary import Difference
from tests.outside.watch import headers_are_right

if TYPE_CHECKING:
    from tests.outside.lobby import Lobby

UNSENSIBLE: list[dict[str, Any]] = [
    {"seats": 7}, {"seats": 1}, {"seats": "4"}, {"seats": 4.0}, {"seats": True}, {"starting_dice": 0},
    {"starting_dice": 6}, {"starting_dice": None}, {"bidding": "Sum"}, {"ones": "high"}, {"palifico": 1},
    {"open_on_ones": "true"}, {"exact": None}, {"first_opener": []}, {"wild": True}, {"seats": 10**30},
    {"bidding": "sum", "ones": "wild"}, {"bidding": "sum", "palifico": True}, {"exact": {"a": 1}},
    {"ones": "low", "open_on_ones": True}, {"bidding": "sum", "open_on_ones": True}, {"": 1},
]  # fmt: skip
MALFORMED: list[dict[str, Any]] = [
    {"name": 5}, {"preset": 3}, {"mode": False}, {"clock": "slow"}, {"visibility": []}, {"computers": {}},
    {"computers": ["easy"]}, {"computers": [{}]}, {"client_seed": 1}, {"sit": "yes"}, {"clock": {}},
    {"clock": {"kind": "slow"}}, {"clock": {"kind": "slow", "turn_seconds": "3600"}},
    {"clock": {"kind": "slow", "turn_seconds": True}},
]  # fmt: skip
IMPOSSIBLE: list[dict[str, Any]] = [
    {"preset": "chess"}, {"mode": "serious"}, {"visibility": "secret"}, {"clock": {"kind": "sundial"}},
    {"clock": {"kind": "live", "pace": "frantic"}}, {"computers": [{"level": "divine"}]},
    {"clock": {"kind": "slow", "turn_seconds": 3599}}, {"clock": {"kind": "slow", "turn_seconds": 1209601}},
    {"clock": {"kind": "slow", "turn_seconds": 3600, "bank_seconds": -1}},
    {"clock": {"kind": "slow", "turn_seconds": 3600, "bank_seconds": 2592001}},
    {"computers": [{"level": "easy"}] * 5}, {"mode": "practice", "sit": False},
]  # fmt: skip
RANKED: list[dict[str, Any]] = [
    {"mode": "ranked"}, {"mode": "ranked", "rules": {"exact": "off"}},
    {"mode": "ranked", "computers": [{"level": "easy"}]}, {"mode": "ranked", "clock": {"kind": "none"}},
]  # fmt: skip
SEEDS_REFUSED = ["a|b", "\x00", "x" * 65, "\ud800"]


def compare(lobby: Lobby, who: Person | None, got: dict[str, Any]) -> None:
    """Hold a view of the open table against what is known of it."""
    lobby.door.summary.comparisons += 1
    viewer = who.name if who else "nobody"
    missing = [key for key in VIEW_KEYS if key not in got]
    missing += [f"seats.{key}" for seat in got.get("seats", []) for key in SEAT_KEYS if key not in seat]
    expected = lobby.fixed_parts() | _open_parts(lobby, who)
    lobby.must(missing or differences(expected, got), expected, got, viewer)
    lobby.version_is(got["version"])
    if not lobby.view:
        lobby.view = got


def _open_parts(lobby: Lobby, who: Person | None) -> dict[str, Any]:
    own = [seat for seat, chair in lobby.chairs.items() if chair and chair.person and chair.person == who]
    viewer: dict[str, Any] = {"role": "spectator", "seat": None}
    if own:
        viewer = {"role": "player", "seat": own[0]}
    nothing = dict.fromkeys(["deadline", "round", "legal", "reveal", "result"])
    seats = [_seat(lobby, seat, seat in own) for seat in lobby.chairs]
    known = {"commitment": SECRET, "created_at": TIME, "name": ANYTHING} if not lobby.view else {}
    return nothing | known | {"status": "open", "viewer": viewer, "seats": seats}


def _seat(lobby: Lobby, seat: int, own: bool) -> dict[str, Any]:
    chair, bank = lobby.chairs[seat], lobby.plan.clock.get("bank_seconds")
    shown: dict[str, Any] = {"seat": seat, "dice": lobby.plan.rules["starting_dice"], "place": None}
    shown |= {"substitute": False, "ready": False, "player": None, "client_seed": None}
    if chair and chair.person:
        shown["player"] = {"id": chair.person.id, "name": chair.person.name, "kind": "guest"}
        shown["bank_seconds"] = bank or one_of(None, 0)
        if own:
            shown["client_seed"] = chair.seed or one_of("", None)
    elif chair:
        shown["player"] = {"id": ANYTHING, "name": TEXT, "kind": "computer", "level": chair.level}
    return shown


def everyone(lobby: Lobby) -> None:
    """Look at the open table with everybody's eyes."""
    hidden = lobby.plan.visibility == "private"
    insiders = {lobby.host, *lobby.sitting()}
    people = [*lobby.cast.players, lobby.cast.host, lobby.cast.watcher, None]
    for who in lobby.rng.sample(people, 4):
        if hidden and who not in insiders:
            lobby.door.ask(who, "GET", lobby.path, expect=404, quiet=True)
            continue
        answer = lobby.door.ask(who, "GET", lobby.path, quiet=True)
        headers_are_right(answer)
        compare(lobby, who, answer.json)
        tag = {"If-None-Match": answer.headers["etag"]}
        if lobby.rng.random() < 0.3:
            lobby.door.ask(who, "GET", lobby.path, expect=304, headers=tag, quiet=True)
    public = lobby.door.ask(None, "GET", "tables?status=open", quiet=True).json["results"]
    if (lobby.id in [entry["id"] for entry in public]) != (lobby.plan.visibility == "public"):
        raise Difference(f"an open table that is {lobby.plan.visibility} in the public list", got=public)


def refuse(
    lobby: Lobby, who: Person | None, method: str, path: str, body: Any, status: int | tuple[int, ...],
    *, code: str | None = None, headers: dict[str, str] | None = None,
) -> Answer:  # fmt: skip
    """Ask for something that must be refused."""
    answer = lobby.door.ask(who, method, path, body, expect=status, headers=headers)
    if code is not None and answer.json["code"] != code:
        raise Difference(f"the code of the refusal of {answer.request}", expected=code, got=answer.json)
    return answer


def attempts(lobby: Lobby) -> None:
    """Try what must be refused at an open table; the next comparison shows that nothing changed."""
    for attempt in lobby.rng.sample([_sitting, _seats_and_seeds, _hosting, _starting, _acting, _creating], 3):
        attempt(lobby)


def _others(lobby: Lobby) -> tuple[Person, int]:
    """Somebody who neither hosts nor sits, and the status that a hidden table has for them."""
    return lobby.cast.watcher, 404 if lobby.plan.visibility == "private" else 0


def _sitting(lobby: Lobby) -> None:
    path, (stranger, hidden) = f"{lobby.path}/seats", _others(lobby)
    refuse(lobby, None, "POST", path, {}, 401)
    refuse(lobby, stranger, "POST", "tables/nosuchtable/seats", {}, 404)
    if lobby.sitting():
        refuse(lobby, lobby.rng.choice(lobby.sitting()), "POST", path, {}, 409, code="taken")
    if hidden:
        refuse(lobby, stranger, "POST", path, {}, 404)
        refuse(lobby, stranger, "POST", path, {"invite": "no such invitation"}, 404)
    taken = [seat for seat in lobby.chairs if lobby.chairs[seat]]
    if taken and not hidden:
        refuse(lobby, stranger, "POST", path, {"seat": lobby.rng.choice(taken)}, 409, code="taken")
    refuse(lobby, stranger, "DELETE", f"{lobby.path}/seats/me", None, hidden or 403)


def _seats_and_seeds(lobby: Lobby) -> None:
    path, (stranger, hidden) = f"{lobby.path}/seats", _others(lobby)
    invite = {"invite": lobby.get_invite()} if hidden else {}
    wrong_seat = {"seat": lobby.rng.choice(["0", True, 0.5, [0], {}])}
    refuse(lobby, stranger, "POST", path, wrong_seat | invite, 400)
    refuse(lobby, stranger, "POST", path, {"seat": lobby.rng.choice([9, -1, 10**30])} | invite, (404, 422))
    seed = lobby.rng.choice(SEEDS_REFUSED)
    refuse(lobby, stranger, "POST", path, {"client_seed": seed} | invite, (400, 422))
    refuse(lobby, stranger, "POST", path, {"client_seed": 5} | invite, 400)


def _hosting(lobby: Lobby) -> None:
    stranger, hidden = _others(lobby)
    sitters = [who for who in lobby.sitting() if who != lobby.host]
    who, status = (lobby.rng.choice(sitters), 403) if sitters else (stranger, hidden or 403)
    refuse(lobby, who, "POST", f"{lobby.path}/computers", {"level": "easy"}, status)
    refuse(lobby, who, "POST", f"{lobby.path}/start", {}, status)
    refuse(lobby, who, "DELETE", f"{lobby.path}/seats/0", None, status)
    refuse(lobby, who, "DELETE", lobby.path, None, status)
    if hidden:
        refuse(lobby, who, "POST", f"{lobby.path}/invites", {}, status)
    path = f"{lobby.path}/computers"
    refuse(lobby, lobby.host, "POST", path, {"level": "divine"}, 422)
    refuse(lobby, lobby.host, "POST", path, lobby.rng.choice([{}, {"level": 3}, {"level": None}]), 400)
    taken = [seat for seat in lobby.chairs if lobby.chairs[seat]]
    if taken:
        refuse(lobby, lobby.host, "POST", path, {"level": "easy", "seat": taken[0]}, 409, code="taken")


def _starting(lobby: Lobby) -> None:
    if len(lobby.chairs) - len(lobby.free()) < 2:
        refuse(lobby, lobby.host, "POST", f"{lobby.path}/start", {}, 422)
    refuse(lobby, lobby.host, "GET", f"{lobby.path}/rounds/1", None, 404)
    refuse(lobby, lobby.host, "GET", f"{lobby.path}/archive", None, 404)


def _acting(lobby: Lobby) -> None:
    if lobby.changed or not lobby.sitting():
        return
    who, path = lobby.rng.choice(lobby.sitting()), f"{lobby.path}/actions"
    for kind in ("liar", "next_round"):
        refuse(lobby, who, "POST", path, {"type": kind, "version": lobby.version}, 422)
    answer = refuse(
        lobby, who, "POST", path, {"type": "liar", "version": lobby.version + 1}, 409, code="stale"
    )
    if answer.json.get("version") != lobby.version:
        raise Difference("the version that `stale` names", expected=lobby.version, got=answer.json)


def _creating(lobby: Lobby) -> None:
    creations_refused(lobby, ranked=True)


def creations_refused(lobby: Lobby, *, ranked: bool) -> None:
    """Try to make tables that cannot be."""
    rng, who = lobby.rng, lobby.cast.watcher
    refuse(lobby, None, "POST", "tables", {}, 401)
    refuse(lobby, who, "POST", "tables", rng.choice(MALFORMED), 400)
    refuse(lobby, who, "POST", "tables", rng.choice(IMPOSSIBLE + (RANKED if ranked else [])), 422)
    refuse(lobby, who, "POST", "tables", {"client_seed": rng.choice(SEEDS_REFUSED)}, (400, 422))
    named, preset = rng.choice(UNSENSIBLE), rng.choice(["standard", "calza", "sum", "wild"])
    try:
        options(preset, named)
    except OptionsRefused as refusal:
        answer = refuse(lobby, who, "POST", "tables", {"preset": preset, "rules": named}, 422)
        said = answer.body.decode("utf-8", "replace")
        if not any(name in said for name in refusal.names):
            raise Difference("the refusal names the option", expected=refusal.names, got=said) from refusal
