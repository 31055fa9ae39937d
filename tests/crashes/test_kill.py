"""The serving process killed in full flight: every acknowledged move is there, once; none came twice."""

import random
import threading
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from tests.serving import a_home, serving

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("crashes")]

TABLES = 4
KILLS = 3


@dataclass
class Told:
    """What one pair of players was told of their table."""

    table_id: str
    tokens: list[str]
    acknowledged: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    newest: int = 0


def ask(client: httpx.Client, told: Told, seat: int, method: str, path: str, body: Any = None) -> Any:
    headers = {"Authorization": f"Bearer {told.tokens[seat]}"}
    return client.request(method, f"/api/v1/tables/{told.table_id}{path}", json=body, headers=headers)


def open_table(client: httpx.Client) -> Told:
    tokens = [client.post("/api/v1/guests").json()["token"] for _ in range(2)]
    made = client.post(
        "/api/v1/tables",
        json={"rules": {"seats": 2, "exact": "regain"}},
        headers={"Authorization": f"Bearer {tokens[0]}"},
    ).json()
    told = Told(made["id"], tokens)
    assert ask(client, told, 1, "POST", "/seats", {}).status_code == 200
    return told


def play_until(stop: threading.Event, address: str, told: Told, rng: random.Random) -> None:
    """Move as fast as may be and note what is acknowledged, until told to stop or the line is cut."""
    with httpx.Client(base_url=address, timeout=20) as client:
        try:
            while not stop.is_set():
                if not one_move(client, told, rng):
                    return
        except httpx.TransportError:
            return  # the server is dead: what was asked last may have happened or not


def one_move(client: httpx.Client, told: Told, rng: random.Random) -> bool:
    view = ask(client, told, 0, "GET", "").json()
    assert view["version"] >= told.newest, "a version went back"
    told.newest = view["version"]
    if view["status"] == "finished":
        return False
    seat = view["round"]["turn"] if view["round"] else view["reveal"]["next_opener"]
    action = a_move(view, rng)
    answer = ask(client, told, seat, "POST", "/actions", {**action, "version": view["version"]})
    if answer.status_code == 200:
        told.newest = answer.json()["version"]
        told.acknowledged.append((told.newest, action))
    else:
        told.refused.append(answer.text)
    return True


def a_move(view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    if view["round"] is None:
        return {"type": "next_round"}
    if not view["round"]["bids"]:
        return {"type": "bid", "quantity": 1, "face": 2}
    last, dice = view["round"]["bids"][-1], view["round"]["dice_in_play"]
    if last["quantity"] >= dice or (len(view["round"]["bids"]) > 4 and rng.random() < 0.2):
        return {"type": "liar"}
    return {"type": "bid", "quantity": last["quantity"] + 1, "face": last["face"]}


def check(client: httpx.Client, told: Told) -> None:
    """Is everything that was acknowledged in the table's history, once and in order, and at most one more?"""
    reveals: list[dict[str, Any]] = []
    page: str | None = f"/api/v1/tables/{told.table_id}/rounds"
    while page:
        answer = client.get(page).json()
        reveals += answer["results"]
        page = answer["next"]
    view = ask(client, told, 0, "GET", "").json()
    history: list[dict[str, Any]] = []
    for reveal in reveals:
        if history:
            history.append({"type": "next_round"})
        history += [bid_of(bid) for bid in reveal["bids"]] + [{"type": reveal["call"]["type"]}]
    if view["round"]:
        if history:
            history.append({"type": "next_round"})
        history += [bid_of(bid) for bid in view["round"]["bids"]]
    begun = view["version"] - len(history)
    assert begun == 4, "made, sat, sat, started; every other version is a move"
    for version, action in told.acknowledged:
        assert history[version - begun - 1] == action
    assert view["version"] >= told.newest


def bid_of(bid: dict[str, Any]) -> dict[str, Any]:
    return {"type": "bid", "quantity": bid["quantity"], "face": bid["face"]}


def test_no_acknowledged_move_is_lost_and_none_doubled_when_the_server_is_killed() -> None:
    rng = random.Random(9)
    tables: list[Told] = []
    with a_home() as home:
        for _ in range(KILLS):
            with serving(home, THROTTLE_LOOPBACK="off") as served:
                with httpx.Client(base_url=served.address, timeout=20) as client:
                    for told in tables:
                        check(client, told)
                    tables += [open_table(client) for _ in range(TABLES)]
                stop = threading.Event()
                players = [
                    threading.Thread(target=play_until, args=(stop, served.address, told, random.Random(n)))
                    for n, told in enumerate(tables)
                ]
                for player in players:
                    player.start()
                stop.wait(1.5 + rng.random())
                served.kill()
                stop.set()
                for player in players:
                    player.join(30)
        with (
            serving(home, THROTTLE_LOOPBACK="off") as served,
            httpx.Client(base_url=served.address) as client,
        ):
            for told in tables:
                check(client, told)
                one_move(client, told, rng)
                check(client, told)

    assert sum(len(told.acknowledged) for told in tables) > 50
    assert [told.refused for told in tables if told.refused] == []
