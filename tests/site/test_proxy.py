"""The proxy of a site: the real Caddy with the site's own file, before two small servers."""

import json
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from tests.serving import ROOT
from tests.site.running import eventually

pytestmark = pytest.mark.xdist_group("proxy")

STREAM = "/api/v1/tables/abc/events"


class Part(BaseHTTPRequestHandler):
    """Tells how a request came to it; a stream says one thing at once and another when it may."""

    protocol_version = "HTTP/1.1"
    may_go_on = threading.Event()
    name = ""

    def do_GET(self) -> None:
        if self.path == STREAM and self.name == "events":
            self._stream()
            return
        told = {name.lower(): value for name, value in self.headers.items()}
        body = json.dumps({"part": self.name, "path": self.path, **told}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(b"id: 1\n\n")
        self.may_go_on.wait(10)
        self.wfile.write(b"id: 2\n\n")

    def log_message(self, *args: object) -> None:
        pass


def a_part(name: str) -> ThreadingHTTPServer:
    server = ThreadingHTTPServer(("127.0.0.1", 0), type(name, (Part,), {"name": name}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def caddy() -> str:
    beside = Path(sys.executable).parent / "caddy"
    return str(beside) if beside.exists() else shutil.which("caddy") or "caddy"


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    web, events = a_part("web"), a_part("events")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    home = str(tmp_path_factory.mktemp("caddy"))
    process = subprocess.Popen(
        [caddy(), "run", "--config", ROOT / "config/docker/Caddyfile", "--adapter", "caddyfile"],
        env={
            "SITE_ADDRESS": f":{port}",
            "WEB": f"127.0.0.1:{web.server_port}",
            "EVENTS": f"127.0.0.1:{events.server_port}",
            "HOME": home,
        },
        stderr=subprocess.DEVNULL,
    )
    try:
        assert eventually(lambda: answers(port), 20)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)
        web.shutdown()
        events.shutdown()


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("/", "web"),
        ("/api/v1/tables/abc", "web"),
        ("/api/v1/tables/abc/events/more", "web"),
        ("/tables/abc/events", "web"),
        ("/readyz", "web"),
        ("/api/v1/tables/xyz/events", "events"),
        ("/api/v1/tables/xyz/events/", "events"),
        ("/api/v1/tables/xyz/events?a=b", "events"),
    ],
)
def test_streams_go_to_one_part_and_all_else_to_the_other(proxy: str, path: str, part: str):
    told = httpx.get(proxy + path).json()

    assert (told["part"], told["path"]) == (part, path)


@pytest.mark.parametrize("path", ["/", "/api/v1/tables/xyz/events"])
def test_who_asks_is_what_the_proxy_sees_and_not_what_a_client_claims(proxy: str, path: str):
    claims = {"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https", "X-Request-ID": "mine"}

    told = httpx.get(proxy + path, headers=claims).json()

    assert told["x-forwarded-for"] == "127.0.0.1"
    assert told["x-forwarded-proto"] == "http"
    assert told["x-request-id"] == "mine"
    assert told["host"] == proxy.removeprefix("http://")


def test_what_a_stream_says_comes_at_once(proxy: str):
    Part.may_go_on.clear()
    began = time.monotonic()

    with httpx.stream("GET", proxy + STREAM, timeout=20) as answer:
        lines = answer.iter_lines()
        first = next(line for line in lines if line)
        took = time.monotonic() - began
        Part.may_go_on.set()
        second = next(line for line in lines if line)

    assert (first, second) == ("id: 1", "id: 2")
    assert took < 5
