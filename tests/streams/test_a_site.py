"""Streams of a site: moves are made in one process and watched in another, whatever becomes of Redis."""

import signal
import tempfile
import time
from collections.abc import Iterator

import psycopg
import pytest

from tests.streams.site import Site, a_site, bearer, threads_of

SOON = 2.0
"""Far less than the 15 seconds after which a table is looked at without being announced."""


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with a_site() as running:
        yield running
        running.redis.kill()


@pytest.fixture(autouse=True)
def _redis_is_there(site: Site) -> None:
    if site.redis.process is None:
        site.redis.start()


def heard_at_once(site: Site) -> None:
    """Wait until announcements come through, and show that they do."""
    match = site.match()
    stream = site.follows(match.id)
    assert stream.version(within=10) == match.version
    stream.version_from(match.bid(), within=20)
    for _ in range(2):
        began = time.monotonic()
        assert stream.version_from(match.bid(), within=20) == match.version
        last = time.monotonic() - began
    assert last < 0.9, last  # sooner than any look that nobody announced


def test_a_move_in_one_process_is_told_in_the_other_at_once_and_in_order(site: Site) -> None:
    match = site.match()
    streams = [site.follows(match.id) for _ in range(5)]
    first = match.version
    assert [stream.version(within=10) for stream in streams] == [first] * 5
    time.sleep(1.5)  # announcements come in by now

    made = [match.bid() for _ in range(10)]

    assert [stream.version_from(made[-1], within=SOON) for stream in streams] == [made[-1]] * 5
    for stream in streams:
        assert stream.versions == sorted(set(stream.versions))
        assert set(stream.versions) <= {first, *made}
        said = {line.split(":")[0] for line in stream.raw if line}
        assert said <= {"id", "event", "data", ""}


def test_moves_go_on_and_streams_catch_up_while_redis_is_dead_and_after_it_came_back(site: Site) -> None:
    heard_at_once(site)
    match = site.match()
    stream = site.follows(match.id)
    stream.version(within=10)

    site.redis.kill()
    slowest = 0.0
    for _ in range(4):
        began = time.monotonic()
        made = match.bid()
        slowest = max(slowest, time.monotonic() - began)
        assert stream.version_from(made, within=5) == made
    site.redis.start()

    assert slowest < 1.0, slowest
    heard_at_once(site)
    assert stream.version_from(match.bid(), within=SOON) == match.version
    assert stream.versions == sorted(set(stream.versions))


def test_a_redis_that_hangs_holds_up_no_move_and_streams_find_out(site: Site) -> None:
    heard_at_once(site)
    match = site.match()
    stream = site.follows(match.id)
    stream.version(within=10)

    site.redis.pause(True)
    try:
        made = match.bid()
        assert stream.version_from(made, within=16) == made
    finally:
        site.redis.pause(False)

    heard_at_once(site)


def test_a_seat_that_is_freed_loses_the_stream_of_a_private_table_and_strangers_have_none(site: Site) -> None:
    alice, bob = site.guest(), site.guest()
    table = site.web.post("tables", json={"visibility": "private"}, headers=bearer(alice)).json()["id"]
    invite = site.web.post(f"tables/{table}/invites", headers=bearer(alice)).json()["invite"]
    view = site.web.post(f"tables/{table}/seats", json={"invite": invite}, headers=bearer(bob)).json()
    stranger, hers, his = site.follows(table), site.follows(table, alice), site.follows(table, bob)
    assert hers.version(within=10) == his.version(within=10) == view["version"]

    freed = site.web.delete(f"tables/{table}/seats/1", headers=bearer(alice)).json()

    assert hers.version_from(freed["version"], within=5) == freed["version"]
    his.ends(within=5)
    assert his.versions == [view["version"]]
    stranger.ends(within=5)
    assert [line for line in stranger.raw if "not_found" in line] != []


def test_many_streams_share_few_threads_and_connections(site: Site) -> None:
    match = site.match()
    streams = [site.follows(match.id, match.tokens[number % 2]) for number in range(60)]

    for stream in streams:
        stream.version(within=20)

    assert threads_of(site.events_process) < 20
    if url := site.home.get("DATABASE_URL"):
        with psycopg.connect(url) as connection:
            count = connection.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            )
            assert count.fetchone()[0] < 4 + 8 + 4  # streams, web, and what watches
    made = match.bid()
    assert [stream.version_from(made, within=5) for stream in streams] == [made] * 60


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_streams_end_as_they_should_when_their_process_is_told_to_stop(number: signal.Signals) -> None:
    with tempfile.TemporaryFile("w+") as log, a_site(log=log) as site:
        match = site.match()
        streams = [site.follows(match.id) for _ in range(10)]
        for stream in streams:
            stream.version(within=20)

        began = time.monotonic()
        site.events_process.send_signal(number)
        site.events_process.wait(10)
        took = time.monotonic() - began
        for stream in streams:
            stream.ends(within=5)
        log.seek(0)
        logged = [
            line for line in log.read().splitlines() if "static" not in line and "mw_instance" not in line
        ]

    assert took < 5, took
    assert not [line for line in logged if "rror" in line], logged
