"""What a client may do to the connection itself: none of it breaks the service or holds up anybody else."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.openapi.contract import operations
from tests.openapi.stage import Stage

pytestmark = pytest.mark.xdist_group("openapi")

NEWLINE = b"\r\n"
CHUNKED = b'8\r\n{"name":\r\n9\r\n "Chunks"\r\n1\r\n}\r\n0\r\n'


def connected(stage: Stage) -> socket.socket:
    place = urlsplit(stage.address)
    return socket.create_connection((place.hostname, place.port), timeout=10)


def lines(stage: Stage, start: str | bytes, *headers: str | bytes, last: bool = True) -> bytes:
    """The head of a request by Alice, which may be the last one on its connection."""
    own = [f"Host: {urlsplit(stage.address).netloc}", f"Authorization: Bearer {stage.tokens[0]}"]
    closing = ["Connection: close"] if last else []
    said = [start, *own, *headers, *closing]
    return b"".join((line if isinstance(line, bytes) else line.encode()) + NEWLINE for line in said) + NEWLINE


def answered(stage: Stage, *parts: bytes) -> bytes:
    """Everything that comes back until the server closes the connection."""
    with connected(stage) as connection:
        for part in parts:
            connection.sendall(part)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def body_of(answer: bytes) -> Any:
    return json.loads(answer.partition(NEWLINE * 2)[2])


@pytest.fixture
def others(stage: Stage) -> Iterator[None]:
    """Somebody else who must be served as ever while the test goes on."""
    yield
    with httpx.Client(base_url=stage.address, timeout=5) as client:
        assert client.get("/api/v1/presets").status_code == 200


@pytest.mark.parametrize("trailer", [b"", b"X-Sum: 17\r\n"])
def test_a_body_in_chunks_is_understood(stage: Stage, trailer: bytes) -> None:
    head = lines(stage, "POST /api/v1/tables HTTP/1.1", "Transfer-Encoding: chunked")

    answer = answered(stage, head, CHUNKED, trailer, NEWLINE)

    assert status_of(answer) == 201
    assert body_of(answer)["name"] == "Chunks"


@pytest.mark.parametrize("size", [65_537, 2_000_000, 20_000_000])
@pytest.mark.parametrize("in_chunks", [False, True])
def test_a_body_that_is_too_large_is_refused_and_its_sender_told(
    stage: Stage, size: int, in_chunks: bool, others: None
) -> None:
    how = "Transfer-Encoding: chunked" if in_chunks else f"Content-Length: {size}"
    body = b" " * size
    sent = [b"%x\r\n" % size, body, b"\r\n0\r\n\r\n"] if in_chunks else [body]

    answer = answered(stage, lines(stage, "POST /api/v1/tables HTTP/1.1", how), *sent)

    assert status_of(answer) == 400
    assert body_of(answer)["code"] == "malformed"


@pytest.mark.parametrize(
    "headers",
    [
        ["Content-Length: -5"],
        ["Content-Length: five"],
        ["Content-Length: 99999999999999999999999"],
        ["Content-Length: 2", "Content-Length: 3"],
        ["Transfer-Encoding: gzip"],
        [b"X-Nul: a\x00b"],
        ["X-Long: " + "x" * 1_000_000],
    ],
)
def test_a_head_that_makes_no_sense_is_refused(
    stage: Stage, headers: list[str | bytes], others: None
) -> None:
    try:
        answer = answered(stage, lines(stage, "POST /api/v1/tables HTTP/1.1", *headers))
    except ConnectionError:
        return  # it did not even read all of it

    assert status_of(answer) == 400


@pytest.mark.parametrize(
    "header",
    [
        b"Idempotency-Key: \xff\xfe",
        b"If-None-Match: \xff\xfe",
        b"Prefer: \xff\xfe",
        b"Cookie: sessionid=\xff\xfe; csrftoken=%00",
        b"Accept: \xff\xfe; q=\xff",
        b"Content-Type: \xff\xfe; charset=\xff",
        b"X-Forwarded-For: \xff\xfe",
        b"Accept-Language: " + b"x" * 600,
    ],
)
def test_strange_bytes_in_a_header_break_nothing(stage: Stage, header: bytes) -> None:
    made = answered(stage, lines(stage, "POST /api/v1/tables HTTP/1.1", header, "Content-Length: 2"), b"{}")
    seen = answered(stage, lines(stage, f"GET /api/v1/tables/{body_of(made)['id']} HTTP/1.1", header))

    assert (status_of(made), status_of(seen)) == (201, 200)


@pytest.mark.parametrize(
    "path", ["%00", "%ff%fe", "%zz", "x" * 7000, "a%2fb", "%0d%0aX-A:%20b", "..%2f..%2fme"]
)
@pytest.mark.parametrize("rest", ["", "/events", "/rounds?cursor=%00%ff"])
def test_strange_bytes_in_a_path_lead_nowhere(stage: Stage, path: str, rest: str) -> None:
    answer = answered(stage, lines(stage, f"GET /api/v1/tables/{path}{rest} HTTP/1.1"))

    assert status_of(answer) in (400, 404)
    assert body_of(answer)["code"] in ("bad_cursor", "not_found")


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "TRACE", "QUERY", "FROB", "PATCH", "PUT"])
def test_other_methods_break_nothing(stage: Stage, method: str) -> None:
    paths = {path.replace("{table_id}", "nowhere").replace("{number}", "1") for _, path, _ in operations()}

    for path in (*sorted(paths), "/api/v1/schema", "/api/v1/docs"):
        answer = answered(stage, lines(stage, f"{method} {path} HTTP/1.1", "Content-Length: 2"), b"{}")
        answers = (200, 401, 404) if method == "HEAD" else (200, 405)
        assert status_of(answer) in answers or status_of(answer) == 405, (path, answer)


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_a_body_where_none_is_looked_for_is_left_alone(stage: Stage, method: str) -> None:
    head = lines(stage, f"{method} /api/v1/tables/nowhere HTTP/1.1", "Content-Length: 4", last=False)

    answer = answered(stage, head + b"\xff\x00{[", lines(stage, "GET /api/v1/presets HTTP/1.1"))

    assert answer.count(b"HTTP/1.1 404") == 1
    assert answer.count(b"HTTP/1.1 200") == 1


def test_two_hundred_requests_at_once_on_one_connection_are_all_answered(stage: Stage, others: None) -> None:
    one = lines(stage, "GET /api/v1/me HTTP/1.1", last=False)
    head = lines(stage, "POST /api/v1/tables HTTP/1.1", "Transfer-Encoding: chunked", last=False)

    answer = answered(stage, one * 199, head + CHUNKED + NEWLINE, lines(stage, "GET /api/v1/me HTTP/1.1"))

    assert answer.count(b"HTTP/1.1 200") == 200
    assert answer.count(b"HTTP/1.1 201") == 1


@pytest.mark.parametrize("sent", [0, 20, None])
def test_a_hundred_clients_who_never_finish_hold_up_nobody(
    stage: Stage, sent: int | None, others: None
) -> None:
    head = lines(stage, "POST /api/v1/tables HTTP/1.1", "Content-Length: 10")

    with ExitStack() as stack:
        for _ in range(100):
            stack.enter_context(connected(stage)).sendall(head[:sent] + (b"{" if sent is None else b""))
        with httpx.Client(base_url=stage.address, timeout=5) as client:
            for _ in range(5):
                assert client.get("/api/v1/presets").status_code == 200
