"""`manage.py site` with a real PostgreSQL and a real Redis."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import httpx
import pytest
from django.conf import settings

from tests.outside.run import run
from tests.serving import ROOT, Served, environment, serving
from tests.site.running import a_site_at_home, eventually, is_there, part, processes_of

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("site")]


@pytest.fixture(scope="module")
def home() -> Iterator[dict[str, str]]:
    with a_site_at_home() as home:
        yield home


@pytest.fixture(scope="module")
def site(home: dict[str, str]) -> Iterator[Served]:
    with serving(
        home, command="site", THROTTLE_LOOPBACK="off", COMPUTER_THINK_SECONDS="0.02", LOG_LEVEL="INFO"
    ) as served:
        yield served


def ready(site: Served) -> bool:
    try:
        return httpx.get(f"{site.address}/readyz").json().get("status") == "ready"
    except httpx.HTTPError:
        return False


def a_match(site: Served) -> tuple[httpx.Client, dict[str, str], dict]:
    """Two guests in a match: the API, who may move, and what they see."""
    api = httpx.Client(base_url=f"{site.address}/api/v1/", timeout=20)
    people = [{"Authorization": f"Bearer {api.post('guests').json()['token']}"} for _ in range(2)]
    table = api.post("tables", json={"rules": {"seats": 2}}, headers=people[0]).json()
    view = api.post(f"tables/{table['id']}/seats", json={}, headers=people[1]).json()
    return api, people[view["round"]["turn"]], view


def test_one_address_answers_for_pages_and_files_and_is_ready(site: Served):
    page = httpx.get(f"{site.address}/admin/login/")
    style = page.text.split('rel="stylesheet" href="')[1].split('"')[0]

    assert httpx.get(site.address + style).headers["content-type"].startswith("text/css")
    whole = {"status": "ready", "database": "ok", "redis": "ok", "sweep": "ok"}
    # Without its first sweep a site is degraded, and a busy machine takes its time for that.
    assert eventually(lambda: ready(site) and httpx.get(f"{site.address}/readyz").json() == whole)


def test_a_move_comes_to_an_open_stream_at_the_same_address(site: Served):
    api, mover, view = a_match(site)
    bid = {"type": "bid", "quantity": 1, "face": 2, "version": view["version"]}

    with httpx.stream("GET", f"{api.base_url}tables/{view['id']}/events", timeout=20) as stream:
        told = (line for line in stream.iter_lines() if line.startswith("id:"))
        first = next(told)
        api.post(f"tables/{view['id']}/actions", json=bid, headers=mover)
        second = next(told)

    assert (first, second) == (f"id: {view['version']}", f"id: {view['version'] + 1}")


def test_random_matches_through_the_one_address_agree_with_the_model(site: Served):
    summary = run(site.address, matches=4, seed=random.randrange(10**6))

    assert summary.reports == []
    assert summary.matches == 4


def test_every_move_is_a_line_under_the_name_of_its_process(site: Served):
    api, mover, view = a_match(site)
    bid = {"type": "bid", "quantity": 1, "face": 2, "version": view["version"]}

    api.post(f"tables/{view['id']}/actions", json=bid, headers={**mover, "X-Request-ID": "the-bid"})

    line = re.compile(rf"web +\| \S+ \[info +\] move .*request=the-bid .*table={view['id']}")
    assert eventually(lambda: any(line.match(words) for words in site.printed), 5)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("words", ["granian", "config.asgi", "--queues time", "beat"])
def test_a_process_that_is_killed_comes_back(site: Served, words: str):
    victim = part(site.process.pid, words)
    its_own = processes_of(victim)

    os.kill(victim, signal.SIGKILL)

    assert eventually(lambda: "ended (SIGKILL)" in "".join(site.printed[-40:]), 10)
    assert not any(is_there(number) for number in its_own)
    assert eventually(lambda: any(words in command for command in processes_of(site.process.pid).values()))
    assert eventually(lambda: ready(site))


def test_while_a_part_is_away_its_clients_are_asked_to_come_again(site: Served):
    os.kill(part(site.process.pid, "granian"), signal.SIGKILL)
    time.sleep(0.3)

    answer = httpx.get(f"{site.address}/api/v1/presets")

    assert answer.status_code == 503
    assert answer.json()["code"] == "unavailable"
    assert answer.headers["Retry-After"] == "1"
    assert eventually(lambda: ready(site))


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_however_it_ends_it_ends_soon_and_leaves_nobody_behind(home: dict[str, str], number: signal.Signals):
    with serving(home, command="site") as served:
        below = processes_of(served.process.pid)
        began = time.monotonic()
        served.process.send_signal(number)
        code = served.process.wait(15)
        took = time.monotonic() - began

        assert len(below) >= 8
        assert code == (-number if number == signal.SIGKILL else 0)
        assert took < 5
        assert eventually(lambda: not any(is_there(process) for process in below), 10 if code else 0.5)


def refused(**variables: str) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", "site"],
        cwd=ROOT,
        env=environment({}, **variables),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr


def test_what_is_missing_is_said_with_an_example(tmp_path):
    message = refused(DATA_DIR=str(tmp_path))

    assert "DATABASE_URL and REDIS_URL is not set" in message
    assert "make site DATABASE_URL=postgresql://" in message
    assert "`make serve` needs neither" in message


def test_services_that_are_not_there_are_named_without_their_passwords(home: dict[str, str]):
    without_redis = refused(**home | {"REDIS_URL": "redis://:wonderland@127.0.0.1:1/0"})
    without_database = refused(**home | {"DATABASE_URL": "postgresql://alice:wonderland@127.0.0.1:1/dice"})

    assert "Redis cannot be used" in without_redis
    assert "The database cannot be used" in without_database
    assert "wonderland" not in without_redis + without_database


def test_every_queue_has_a_worker_of_its_own():
    queues = re.findall(r"--queues (\S+)", (ROOT / "config/Procfile").read_text())

    assert sorted(queues) == sorted(queue.name for queue in settings.CELERY_TASK_QUEUES)
