import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest
import redis

from tests import services
from tests.serving import ROOT


@pytest.fixture(autouse=True)
def _nothing_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.delenv("REDIS_URL", raising=False)


def test_an_address_that_is_given_is_used(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DATABASE_URL", "postgresql://db/dice")
    monkeypatch.setenv("REDIS_URL", "redis://cache/0")

    with services.postgresql() as database, services.redis() as cache:
        assert (database, cache) == ("postgresql://db/dice", "redis://cache/0")


def test_postgresql_is_started_by_somebody_unprivileged_and_gone_afterwards():
    with services.postgresql() as url, psycopg.connect(url) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
        folder = Path(connection.execute("SHOW data_directory").fetchone()[0])
        process = int((folder / "postmaster.pid").read_text().split()[0])
        assert folder.stat().st_uid != 0

    assert not folder.exists()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_redis_is_started_and_gone_afterwards():
    with services.redis() as url:
        client = redis.from_url(url)
        assert client.ping()

    with pytest.raises(redis.ConnectionError):
        client.ping()


@pytest.mark.parametrize("readable", [True, False])
def test_without_an_installation_the_wheels_are_used(monkeypatch: pytest.MonkeyPatch, readable: bool):
    monkeypatch.setattr(services, "_installed_postgresql", list)
    monkeypatch.setattr(services, "_installed_redis", lambda: None)
    if not readable:
        monkeypatch.setattr(services, "_open_to_all", lambda path: "site-packages" not in str(path))
    modes = {step: step.stat().st_mode for step in (Path.home(), ROOT, *ROOT.parents)}

    with services.postgresql() as database, services.redis() as cache:
        with psycopg.connect(database) as connection:
            version = connection.execute("SHOW server_version").fetchone()[0]
        assert redis.from_url(cache).ping()

    assert version.startswith("18")
    assert {step: step.stat().st_mode for step in modes} == modes


def test_where_nothing_can_be_had_a_loud_last_line_says_what_was_not_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(services, "_installed_postgresql", list)
    monkeypatch.setattr(services, "_package", lambda name: None)

    monkeypatch.delenv("CI", raising=False)
    assert services.main(["postgresql", "--", "pytest"]) == 0
    monkeypatch.setenv("CI", "1")
    assert services.main(["postgresql", "--", "pytest"]) == 1

    assert capsys.readouterr().err.splitlines()[-1].startswith("NOT RUN, for want of postgresql: no initdb")


def test_the_commands_own_code_is_the_end_code():
    command = [
        sys.executable,
        "-m",
        "tests.services",
        "redis",
        "--",
        "sh",
        "-c",
        'test -n "$REDIS_URL" && exit 7',
    ]

    assert subprocess.run(command, cwd=ROOT).returncode == 7


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_the_servers_end_however_the_run_ends(number: signal.Signals):
    show = "import os, time; print(os.environ['REDIS_URL'], flush=True); time.sleep(60)"
    run = subprocess.Popen(
        [sys.executable, "-m", "tests.services", "redis", "--", sys.executable, "-c", show],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A shell's background job ignores Ctrl-C and hands that on; this one has to heed it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    client = redis.from_url(run.stdout.readline().strip())
    folder = client.config_get("dir")["dir"]

    # Ctrl-C reaches the whole group, a kill only the one.
    (os.killpg if number == signal.SIGINT else os.kill)(run.pid, number)
    run.wait(10)

    time.sleep(0.3)
    with pytest.raises(redis.ConnectionError):
        client.ping()
    if number == signal.SIGKILL:
        # Nobody was left to clear away.
        os.killpg(run.pid, signal.SIGKILL)
        shutil.rmtree(folder)
    assert not Path(folder).exists()
    run.stdout.close()
