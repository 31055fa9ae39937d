"""The small proxy of a site under development, before a part that dies."""

import asyncio
import socket

import pytest

from games.management.front import Front

REQUEST = b"GET /api/v1/presets HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def answered_by_a_part_that_says(begun: bytes) -> bytes:
    """What a client gets where the part behind says so much and is gone."""

    async def part(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(begun)
        await writer.drain()
        writer.close()

    async def asked() -> bytes:
        behind = await asyncio.start_server(part, "127.0.0.1", 0)
        port = behind.sockets[0].getsockname()[1]
        listener = socket.create_server(("127.0.0.1", 0))
        front = await Front(lambda path: port, behind_a_proxy=False).start(listener)
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        async with asyncio.timeout(10):
            writer.write(REQUEST)
            answer = await reader.read()
        writer.close()
        front.close()
        behind.close()
        return answer

    return asyncio.run(asked())


def test_an_answer_that_ends_as_it_should_is_passed_on():
    whole = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"

    assert answered_by_a_part_that_says(whole).endswith(b"\r\n\r\n{}")


@pytest.mark.parametrize("begun", [b"", b"HTTP/1.1 2", b"HTTP/1.1 200 OK\r\nContent-"])
def test_a_part_that_dies_before_its_answer_is_no_fault_of_the_client(begun: bytes):
    assert answered_by_a_part_that_says(begun) == b""


def test_an_answer_that_breaks_off_is_not_ended_as_if_it_were_whole():
    begun = b"HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n{"

    answer = answered_by_a_part_that_says(begun)

    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.count(b"HTTP/1.1") == 1
    assert answer.endswith(b"\r\n\r\n{")
