"""The example of a bot plays whole matches against a served site, and takes up a line that dropped."""

import importlib.util
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import ModuleType
from typing import Any

import httpx
import pytest

from tests.serving import ROOT, a_home, environment, serving

BOT = ROOT / "examples" / "bot.py"


@pytest.fixture(scope="module")
def bot() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bot", BOT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, dict[str, str]]]:
    with a_home() as home, serving(home, COMPUTER_THINK_SECONDS="0.05", THROTTLE_LOOPBACK="false") as site:
        yield site.address, home


def manage(home: dict[str, str], *words: str, **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=environment(home, **variables),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def a_bot(home: dict[str, str], owner: str) -> str:
    """The token of a bot of a new account."""
    account = {"DJANGO_SUPERUSER_USERNAME": owner, "DJANGO_SUPERUSER_PASSWORD": "correct horse"}
    manage(home, "createsuperuser", "--noinput", "--email", f"{owner}@example.org", **account)
    return manage(home, "bot", owner, "--name", "Alice’s bot").split()[-1]


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["standard", "sum"])
def test_the_example_plays_a_match_to_its_end(served: tuple[str, dict[str, str]], preset: str) -> None:
    address, home = served
    token = a_bot(home, f"alice-{preset}")
    with httpx.Client(base_url=f"{address}/api/v1") as api:
        host = api.post("/guests", json={"name": "Bob"}).json()["token"]
        api.headers["Authorization"] = f"Bearer {host}"
        wanted: dict[str, Any] = {"preset": preset, "rules": {"seats": 3, "starting_dice": 2}, "sit": False}
        table = api.post(
            "/tables", json={**wanted, "computers": [{"level": "easy"}, {"level": "normal"}]}
        ).json()

        done = subprocess.run(
            [sys.executable, str(BOT), address, token, table["id"]],
            capture_output=True,
            text=True,
            timeout=120,
        )

        view = api.get(f"/tables/{table['id']}").json()
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{table['id']}: ")
    assert view["status"] == "finished"
    assert [seat["player"]["kind"] for seat in view["seats"]].count("bot") == 1
    assert not any(seat["substitute"] for seat in view["seats"])


def test_a_ranked_table_has_no_bots(served: tuple[str, dict[str, str]]) -> None:
    address, home = served
    token = a_bot(home, "carol")
    answer = httpx.post(
        f"{address}/api/v1/tables",
        json={"mode": "ranked", "rules": {"seats": 2}},
        headers={"Authorization": f"Bearer {token}"},
    )

    assert answer.status_code == 422
    assert answer.json()["code"] == "no_bots"
    assert "Bots do not sit at ranked tables" in answer.text


class Dropping(BaseHTTPRequestHandler):
    """A stream that ends after each event."""

    version = 0

    def do_GET(self) -> None:
        Dropping.version += 1
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'event: table\ndata: {"id": "x", "version": %d}\n\n' % Dropping.version)

    def log_message(self, *words: Any) -> None:
        pass


def test_a_line_that_drops_is_taken_up_again(bot: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot.time, "sleep", lambda seconds: None)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Dropping)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        site = bot.Site(f"http://127.0.0.1:{server.server_port}", "token")
        changes = site.changes("x")
        assert [next(changes) for _ in range(3)] == [1, 2, 3]
    finally:
        server.shutdown()
        server.server_close()


def test_the_example_needs_nothing_but_python() -> None:
    imports = re.findall(r"^(?:import|from) (\w+)", BOT.read_text(), re.MULTILINE)

    assert imports
    assert set(imports) <= sys.stdlib_module_names


def test_the_example_calls_what_is_likely_false(bot: ModuleType) -> None:
    round_ = {
        "hand": [2],
        "dice_in_play": 2,
        "palifico": False,
        "bids": [{"seat": 0, "quantity": 2, "face": 4}],
    }
    view = {
        "rules": {"ones": "aces"},
        "round": round_,
        "legal": {"bids": {"6": [2, 2]}, "liar": True, "exact": True, "next_round": False},
    }

    assert bot.choose(view) == {"type": "liar"}
    assert bot.chance(view, {"quantity": 1, "face": 4}) == pytest.approx(1 / 3)
    assert bot.chance_of_total(2, 12) == pytest.approx(1 / 36)
