"""Connections: answers leave at once, and idle clients are disconnected."""

import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from tests.studio.bench import Bench, running

from kumitate.studio.serve import server

PATIENCE = 1.0  # seconds for a request's head


@pytest.fixture
def hasty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    """A studio with a short timeout for the head of a request."""
    monkeypatch.setattr(server, "HEAD_SECONDS", PATIENCE)
    with running(tmp_path) as bench:
        yield bench


def test_an_answer_on_an_open_connection_does_not_wait_for_an_acknowledgement(
    bench: Bench,
) -> None:
    """Nagle's algorithm would delay the body of an answer by 40 ms, all but the first few."""
    connection = bench.connection()
    took = []
    for _ in range(30):
        start = time.perf_counter()
        connection.request("GET", "/api/nothing", headers=bench.key)
        connection.getresponse().read()
        took.append(time.perf_counter() - start)
    connection.close()
    assert sorted(took)[7] < 0.03  # on a busy machine others wait for a processor


@pytest.mark.parametrize("pace", [10.0, 0.05], ids=["falls silent", "letter by letter"])
@pytest.mark.parametrize("before", [0, 1], ids=["first request", "second request"])
def test_half_a_head_is_not_waited_for(hasty: Bench, pace: float, before: int) -> None:
    connection = hasty.connection()
    connection.connect()
    for _ in range(before):
        connection.request("GET", "/nothing")
        connection.getresponse().read()
    start = time.monotonic()
    connection.sock.sendall(b"GET / HTTP/1.1\r\nHost: ")
    connection.sock.settimeout(pace)
    while not _is_closed(connection.sock):
        assert time.monotonic() - start < 60
        with suppress(ConnectionError):  # it was closed between the two
            connection.sock.sendall(b"x")
    assert time.monotonic() - start > PATIENCE * 0.9
    connection.close()


def _is_closed(line: socket.socket) -> bool:
    """Whether the server has closed the connection silently, or does so while we wait."""
    try:
        return line.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionError:  # what we sent last came too late for it to read
        return True


def test_a_connection_that_says_nothing_is_closed(hasty: Bench) -> None:
    with socket.create_connection(("127.0.0.1", hasty.port), timeout=60) as line:
        assert line.recv(1) == b""


def test_whoever_has_asked_is_not_hurried(hasty: Bench) -> None:
    """Neither a slow body, nor a page that listens for events, nor a series of requests."""
    connection = hasty.connection()
    connection.request("GET", "/api/events", headers=hasty.key)
    events = connection.getresponse()
    assert events.readline() == b"event: hello\n"
    assert events.readline().startswith(b"data: ")
    other = hasty.connection()
    for _ in range(3):
        other.request("GET", "/api/home", headers=hasty.key)
        assert other.getresponse().read()
        time.sleep(PATIENCE * 0.5)

    def slowly() -> Iterator[bytes]:
        for part in (b'{"grid"', b': "cubes"}'):
            time.sleep(PATIENCE * 1.2)
            yield part

    other.request("POST", "/api/new", slowly(), hasty.key, encode_chunked=True)
    assert other.getresponse().status == 200
    hasty.studio.events.close()
    assert events.read() == b"\n"
    other.close()
    connection.close()
