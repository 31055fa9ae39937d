import json
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import httpx
import pytest

from tests.serving import ROOT, Served, a_home, environment, serving

# One club serves all of these, if they run in one process.
pytestmark = pytest.mark.xdist_group("club")


@pytest.fixture
def home() -> Iterator[dict[str, str]]:
    with a_home() as home:
        yield home


@pytest.fixture(scope="module")
def club() -> Iterator[Served]:
    with a_home() as home, serving(home) as served:
        yield served


def refused(home: dict[str, str], **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", "serve"],
        cwd=ROOT,
        env=environment(home, **variables),
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr


def test_a_club_needs_no_variables_to_be_served(club: Served):
    answer = httpx.get(f"{club.address}/api/v1/nowhere")

    assert answer.status_code == 404
    assert answer.json()["code"] == "not_found"


def test_static_files_of_the_admin_and_the_reference_are_served(club: Served):
    page = httpx.get(f"{club.address}/admin/login/").text
    style = page.split('rel="stylesheet" href="')[1].split('"')[0]
    reference = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui.css"

    assert httpx.get(club.address + style).headers["content-type"].startswith("text/css")
    assert httpx.get(club.address + reference).status_code == 200


def quickest(attempt: Callable[[], float], enough: float) -> float:
    """Return the best of three attempts, since other work on this machine must not count."""
    best = attempt()
    for _ in range(2):
        if best >= enough:
            best = min(best, attempt())
    return best


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_cleanly_within_three_seconds_even_with_an_open_connection(
    home: dict[str, str], number: signal.Signals
):
    def seconds_to_end() -> float:
        with serving(home) as served, httpx.Client() as client:
            client.get(f"{served.address}/api/v1/nowhere")
            began = time.monotonic()
            served.process.send_signal(number)
            assert served.process.wait(15) == 0
            return time.monotonic() - began

    assert quickest(seconds_to_end, 3) < 3


def test_an_open_stream_is_ended_properly_and_not_as_a_fault(home: dict[str, str]):
    with tempfile.TemporaryFile("w+") as log, serving(home, log=log) as served:
        api = httpx.Client(base_url=f"{served.address}/api/v1/")
        api.headers["Authorization"] = f"Bearer {api.post('guests', json={}).json()['token']}"
        table = api.post("tables", json={"rules": {"seats": 2}}).json()["id"]
        with api.stream("GET", f"tables/{table}/events") as stream:
            lines = stream.iter_lines()
            assert any(line.startswith("data:") for line in lines)
            served.process.terminate()
            rest = list(lines)
        code = served.process.wait(15)
        log.seek(0)
        logged = log.read()

    assert code == 0
    assert not any(line.startswith("data:") for line in rest)
    assert logged == ""


def test_a_second_start_is_ready_within_four_seconds(home: dict[str, str]):
    with serving(home):
        pass

    def seconds_to_start() -> float:
        with serving(home) as again:
            return again.ready_after

    assert quickest(seconds_to_start, 4) < 4


def test_a_port_in_use_is_said_plainly(home: dict[str, str]):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        message = refused(home, PORT=str(port))

    assert f"Cannot listen at 127.0.0.1, port {port}" in message
    assert "make serve PORT=" in message


def test_a_database_that_is_not_there_is_said_plainly_without_the_password(home: dict[str, str]):
    message = refused(home, DATABASE_URL="postgresql://alice:wonderland@127.0.0.1:1/dice")

    assert "The database cannot be used" in message
    assert "wonderland" not in message


def test_a_wrong_variable_stops_the_start_with_its_name(home: dict[str, str]):
    message = refused(home, PORT="eighty")

    assert message == "PORT is 'eighty'; it should be a whole number from 0 to 65535.\n"


def raw(served: Served, request: bytes) -> bytes:
    host, port = served.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as line:
        line.sendall(request)
        answer = b""
        while more := line.recv(65536):
            answer += more
        return answer


HEAD = b"Host: localhost\r\nConnection: close\r\n"


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET /api/v1/nowhere?cursor=\xff\xfe HTTP/1.1\r\n" + HEAD + b"\r\n",
        b"GET /api/v1/\xc3\x28 HTTP/1.1\r\n" + HEAD + b"\r\n",
        b"GET /api/v1/%ff%00?a=%ff HTTP/1.1\r\n" + HEAD + b"\r\n",
        b"POST /api/v1/nowhere HTTP/1.1\r\n" + HEAD + b"Content-Length: -1\r\n\r\n",
        b"POST /api/v1/nowhere HTTP/1.1\r\n" + HEAD + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        b"GET /api/v1/nowhere HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n",
        b"GET /api/v1/nowhere HTTP/1.1\r\nHost: \xff\r\nConnection: close\r\n\r\n",
        b"GET /api/v1/nowhere HTTP/1.1\r\n" + HEAD + b"X-Long: " + b"x" * 100_000 + b"\r\n\r\n",
        b"BREW /api/v1/nowhere HTTP/1.1\r\n" + HEAD + b"\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    ],
)
def test_strange_bytes_are_the_clients_fault(club: Served, request_bytes: bytes):
    status_line = raw(club, request_bytes).split(b"\r\n", 1)[0]

    assert status_line.split(b" ")[1].startswith(b"4")


def test_a_huge_body_is_answered_and_its_sender_reads_the_answer(club: Served):
    answer = httpx.post(f"{club.address}/api/v1/nowhere", content=b" " * 20_000_000)

    assert answer.status_code == 404


def test_senders_who_fall_silent_or_vanish_hold_up_nobody(club: Served):
    host, port = club.address.removeprefix("http://").split(":")
    start = b"POST /api/v1/nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"
    silent = [socket.create_connection((host, int(port))) for _ in range(40)]
    for line in silent:
        line.sendall(start)
    for line in silent[20:]:
        line.close()

    began = time.monotonic()
    answer = httpx.get(f"{club.address}/api/v1/nowhere")

    assert answer.status_code == 404
    assert time.monotonic() - began < 10  # and not the half minute that the silent may take
    for line in silent[:20]:
        line.close()


def test_whoever_says_nothing_or_a_byte_now_and_then_is_left(home: dict[str, str]):
    with serving(home, SERVE_HEAD_SECONDS="1") as served:
        host, port = served.address.removeprefix("http://").split(":")
        place = (host, int(port))
        with (
            httpx.Client(base_url=served.address) as kept,
            socket.create_connection(place) as silent,
            socket.create_connection(place) as trickling,
        ):
            kept.get("/healthz").raise_for_status()
            until = time.monotonic() + 10
            while time.monotonic() < until and not is_closed(trickling):
                with suppress(OSError):
                    trickling.send(b"G")
                time.sleep(0.2)

            assert is_closed(silent)
            assert is_closed(trickling)
            # Nothing new is said on this one either, but its request was whole.
            kept.get("/healthz").raise_for_status()


def is_closed(connection: socket.socket) -> bool:
    """Has the server closed this connection, on which it says nothing?"""
    connection.settimeout(0.05)
    try:
        return connection.recv(1000) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


def test_a_reader_who_does_not_read_holds_up_nobody(club: Served):
    host, port = club.address.removeprefix("http://").split(":")
    big = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"
    deaf = [socket.create_connection((host, int(port))) for _ in range(20)]
    for line in deaf:
        line.sendall(f"GET {big} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    time.sleep(0.5)

    answer = httpx.get(f"{club.address}/api/v1/nowhere")

    assert answer.status_code == 404
    for line in deaf:
        line.close()


def test_the_printed_example_makes_two_guests_play(club: Served):
    example = "".join(club.printed).split("another terminal:\n")[1]

    done = subprocess.run(["sh", "-e"], input=example, capture_output=True, text=True, timeout=60, check=True)
    status, bids = done.stdout.splitlines()
    bid = json.loads(bids.replace("'", '"'))[0]

    assert done.stderr == ""
    assert status == "bidding"
    assert (bid["quantity"], bid["face"]) == (1, 2)
