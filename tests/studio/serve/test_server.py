"""The studio as a page sees it: a real server on a loopback port, real HTTP."""

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from tests.studio.bench import TOKEN, Bench, running

import kumitate
from kumitate import Document, Puzzle, PuzzleError, Shape, library
from kumitate.cli import cli
from kumitate.grids import GRIDS
from kumitate.studio.ask.codec import puzzle_data, puzzle_of
from kumitate.studio.messages import (
    ChangeRequest,
    CheckData,
    FactsData,
    HomeData,
    NewRequest,
    Opened,
    PlacementsData,
    PlacementsRequest,
    ProblemRequest,
    Saved,
    SaveRequest,
    ShapeData,
    ShapeRequest,
    ShapesData,
    TextRequest,
)
from kumitate.studio.serve import questions
from kumitate.studio.serve import server as server_module
from kumitate.studio.serve.events import MOST_WAITING
from kumitate.studio.serve.http import Studio
from kumitate.studio.serve.server import app, listen

SOMA = library["soma"]
BAR = ShapeData(3, "bar", [(0, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)])


# ---- puzzles ----


def test_home_lists_the_library_the_folder_and_the_grids(bench: Bench) -> None:
    kumitate.save(SOMA, bench.folder / "mine.kumitate.json")
    home = bench.get("home").told(HomeData)
    assert [card.place for card in home.library] == [f"library/{name}" for name in library]
    assert [card.place for card in home.folder] == ["folder/mine.kumitate.json"]
    assert [grid.key for grid in home.grids] == list(GRIDS)
    assert home.folder_name == "bench"


def test_home_is_quick_once_it_is_warm(bench: Bench) -> None:
    for number in range(100):
        kumitate.save(SOMA, bench.folder / f"{number}.kumitate.json")
    bench.get("home")
    start = time.process_time()
    bench.get("home").told(HomeData)
    assert time.process_time() - start < 0.3


def test_every_card_has_a_picture_that_may_be_kept(bench: Bench) -> None:
    kumitate.save(SOMA, bench.folder / "mine, and #1.kumitate.json")
    home = bench.get("home").told(HomeData)
    for card in home.library[:3] + home.folder:
        answer = bench.ask("GET", f"/api/{card.picture}")
        assert answer.status == 200
        assert answer.headers["content-type"] == "image/svg+xml"
        assert "immutable" in answer.headers["cache-control"]
        assert answer.body.startswith(b"<svg ")
    stale = bench.get("picture", place="library/soma", version="before")
    assert stale.headers["cache-control"] == "no-store"


def test_a_puzzle_is_opened_changed_and_saved(bench: Bench) -> None:
    found = bench.get("puzzle", place="library/soma").told(Opened)
    assert puzzle_of(found.puzzle) == SOMA
    assert (found.writable, found.grid.key) == (False, "cubes")
    found.puzzle.title = "Mine"
    new = SaveRequest("folder/mine.kumitate.json", "", found.puzzle)
    saved = bench.ask("PUT", "/api/puzzle", new).told(Saved)
    assert kumitate.load(bench.folder / "mine.kumitate.json") == replace(SOMA, title="Mine")
    again = bench.get("puzzle", place=saved.place).told(Opened)
    assert (again.version, again.writable) == (saved.version, True)
    assert again.puzzle == found.puzzle


def test_one_problem_of_a_library_puzzle_can_be_opened(bench: Bench) -> None:
    found = bench.get("puzzle", place="library/pentominoes/6x10").told(Opened)
    assert [problem.name for problem in found.puzzle.problems] == ["6x10"]


def test_what_a_format_cannot_keep_is_told(bench: Bench) -> None:
    saved = bench.ask("PUT", "/api/puzzle", SaveRequest("folder/a.xmpuzzle", "", puzzle_data(SOMA)))
    assert "title 'Soma cube' is dropped" in saved.told(Saved).warnings


def test_two_tabs_do_not_lose_each_others_edits(bench: Bench) -> None:
    kumitate.save(SOMA, bench.folder / "soma.kumitate.json")
    tabs = [bench.get("puzzle", place="folder/soma.kumitate.json").told(Opened) for _ in range(2)]
    answers = []
    for number, tab in enumerate(tabs):
        tab.puzzle.title = f"tab {number}"
        answers.append(
            bench.ask("PUT", "/api/puzzle", SaveRequest(tab.place, tab.version, tab.puzzle))
        )
    assert [answer.status for answer in answers] == [200, 409]
    assert answers[1].error == {
        "message": "soma.kumitate.json was changed elsewhere since you opened it;"
        " save it under another name, or reload it",
        "reason": "conflict",
    }
    assert kumitate.load(bench.folder / "soma.kumitate.json").title == "tab 0"


def test_many_who_save_at_once_take_turns(bench: Bench) -> None:
    """Of ten saves over the same version just one succeeds; the others get an error."""
    kumitate.save(SOMA, bench.folder / "soma.kumitate.json")
    opened = bench.get("puzzle", place="folder/soma.kumitate.json").told(Opened)
    statuses: list[int] = []

    def save(number: int) -> None:
        data = puzzle_data(replace(SOMA, title=f"tab {number}"))
        request = SaveRequest(opened.place, opened.version, data)
        statuses.append(bench.ask("PUT", "/api/puzzle", request).status)

    threads = [threading.Thread(target=save, args=(n,)) for n in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200] + 9 * [409]


def test_a_new_puzzle_lies_nowhere_yet(bench: Bench) -> None:
    for grid in GRIDS:
        found = bench.post("new", NewRequest(grid)).told(Opened)
        assert (found.place, found.version, found.writable) == ("", "", False)
        assert (found.grid.key, len(found.puzzle.shapes)) == (grid, 1)
        puzzle_of(found.puzzle)


def test_a_dropped_file_is_read_whatever_it_is_called(bench: Bench) -> None:
    data, _ = kumitate.files.encode(Document(SOMA), "a.xmpuzzle")
    answer = bench.ask("POST", "/api/import?name=anything.bin", data)
    found = answer.told(Opened)
    assert [shape.name for shape in found.puzzle.shapes] == [shape.name for shape in SOMA.shapes]
    assert (found.place, found.writable) == ("", False)
    bad = bench.ask("POST", "/api/import?name=bad%0Afile.xmpuzzle", b"<puzzle>")
    assert bad.status == 400
    assert bad.error["message"].startswith("bad file.xmpuzzle: ")


def test_a_grid_of_ones_own_is_known_to_a_server_that_never_saw_its_file(bench: Bench) -> None:
    """A page that stays open while the studio restarts can continue with its puzzle."""
    mine = replace(GRIDS["rhombic"], name="mine")
    shape = Shape(mine, {(0, 0, 0, 0)}, name="A")
    kumitate.save(Puzzle(mine, [shape]), bench.folder / "own.kumitate.json")
    found = bench.get("puzzle", place="folder/own.kumitate.json").told(Opened)
    [card] = bench.get("home").told(HomeData).folder
    assert (card.grid, found.grid.name) == ("mine", "mine")
    (bench.folder / "own.kumitate.json").unlink()
    with command("--no-browser", "--port", "0", cwd=bench.folder) as process:
        address = urlsplit(first_line(process))
        assert address.port
        other = replace(bench, port=address.port, token=address.query.removeprefix("token="))
        request = ChangeRequest(found.grid.key, found.puzzle.shapes[0], "scale")
        assert len(other.post("shape/change", request).told(ShapeData).cells) == 8
        again = SaveRequest("folder/again.kumitate.json", "", found.puzzle)
        other.ask("PUT", "/api/puzzle", again).told(Saved)
        assert kumitate.load(bench.folder / "again.kumitate.json").grid == mine
        new = other.post("new", NewRequest(found.grid.key)).told(Opened)
        assert new.grid == found.grid
        process.send_signal(signal.SIGINT)


@pytest.mark.parametrize("place", ["folder/none.xmpuzzle", "library/none", "elsewhere/a", "", "x"])
def test_what_is_not_there_is_missing(bench: Bench, place: str) -> None:
    answer = bench.get("puzzle", place=place)
    assert answer.status == 404
    assert answer.error["reason"] == "missing"


# ---- questions ----


def test_questions_about_shapes_and_problems_are_answered(bench: Bench) -> None:
    turned = bench.post("shape/change", ChangeRequest("cubes", BAR, "turn")).told(ShapeData)
    assert (turned.id, turned.name, len(turned.cells)) == (3, "bar", 2)
    read = bench.post("shape/read", TextRequest("cubes", "1024 52")).told(ShapesData)
    assert [shape.name for shape in read.shapes] == ["1024", "52"]
    facts = bench.post("shape/facts", ShapeRequest("cubes", BAR)).told(FactsData)
    assert facts.sentences[0] == "2 cells, connected, looks the same in 8 orientations."
    drawn = bench.post("shape/picture", ShapeRequest("cubes", BAR, "#ff0000"))
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert drawn.body.startswith(b"<svg ")
    asked = puzzle_data(SOMA)
    check = bench.post("problem/check", ProblemRequest(asked)).told(CheckData)
    assert check.line == "7 pieces fill all 27 cells."
    request = PlacementsRequest(asked, 0, 0, (0, 0, 0, 0))
    assert bench.post("problem/placements", request).told(PlacementsData).placements


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "invalid request: it is not JSON; reload the page"),
        (b"{", "invalid request"),
        (b"[]", "it should be an object, not a list"),
        (b'{"grid": "cubes", "shape": {"id": -1}}', "shape.id should be 0 or more"),
        (
            b'{"grid": "cubes", "shape": {"id": 0, "cells": [[0, 0, 0]]}}',
            "shape.cells[0] should have 6 entries",
        ),
        (b'{"grid": "cubes", "shape": {"id": 0}, "evil": 1}', "unknown field evil"),
        (b'{"grid": "\xff"}', "invalid request"),
        (b'{"grid": "what", "shape": {"id": 0}}', "grid 'what' is unknown; kumitate has cubes"),
        (b'{"grid": "cubes", "shape": ' + b"[" * 100_000, "invalid request"),
    ],
)
def test_a_body_that_makes_no_sense_is_one_clear_sentence(
    bench: Bench, body: bytes, words: str
) -> None:
    answer = bench.ask("POST", "/api/shape/facts", body)
    assert answer.status == 400
    assert answer.error["reason"] == "question"
    assert words in answer.error["message"]
    assert "\n" not in answer.error["message"]


def test_addresses_that_lead_nowhere(bench: Bench) -> None:
    for method, path in (("GET", "/api/nothing"), ("POST", "/api/home"), ("DELETE", "/api/puzzle")):
        answer = bench.ask(method, path)
        assert answer.status == 404
        assert answer.error["reason"] == "missing"
    assert bench.get("puzzle").error["message"] == "the address needs ?place="


def test_our_own_slips_do_not_show_the_user_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Part:
        @staticmethod
        def routes(studio: Studio) -> list[Route]:
            def slip(request: Request) -> Response:
                raise ZeroDivisionError("secret detail")

            return [Route("/api/slip", slip)]

    monkeypatch.setattr(questions, "PARTS", (Part,))
    with running(tmp_path) as bench:
        answer = bench.get("slip")
    assert answer.status == 500
    assert answer.error == {
        "message": "internal error (ZeroDivisionError); please report what you did",
        "reason": "ours",
    }
    assert "secret detail" in caplog.text


# ---- nothing blocks ----


def test_slow_work_holds_up_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While some answers are not ready yet, others arrive."""
    ready = threading.Event()

    class Part:
        @staticmethod
        def routes(studio: Studio) -> list[Route]:
            def slow(request: Request) -> Response:
                assert ready.wait(30)
                return Response()

            return [Route("/api/slow", slow)]

    monkeypatch.setattr(questions, "PARTS", (*questions.PARTS, Part))
    with running(tmp_path) as bench:
        bench.get("home")
        threads = [threading.Thread(target=bench.get, args=("slow",)) for _ in range(5)]
        for thread in threads:
            thread.start()
        bench.post("shape/facts", ShapeRequest("cubes", BAR)).told(FactsData)
        assert all(thread.is_alive() for thread in threads)
        ready.set()
        for thread in threads:
            thread.join()


# ---- events ----


class Listener:
    """A page that listens for events."""

    def __init__(self, bench: Bench) -> None:
        self.connection = bench.connection(timeout=60)
        self.connection.request("GET", "/api/events", headers=bench.key)
        self.response = self.connection.getresponse()
        assert self.response.status == 200
        assert self.response.getheader("content-type", "").startswith("text/event-stream")
        assert self.next().startswith('event: hello\ndata: {"protocol":')

    def next(self) -> str:
        """One event, up to the blank line."""
        lines = []
        while line := self.response.readline().decode().rstrip("\n"):
            lines.append(line)
        return "\n".join(lines)


def test_every_page_hears_that_a_puzzle_was_saved(bench: Bench) -> None:
    pages = [Listener(bench) for _ in range(3)]
    request = SaveRequest("folder/größe.kumitate.json", "", puzzle_data(SOMA))
    saved = bench.ask("PUT", "/api/puzzle", request).told(Saved)
    for page in pages:
        event, data = page.next().split("\n")
        assert event == "event: saved"
        told = json.loads(data.removeprefix("data: "))
        assert (told["place"], told["version"]) == (saved.place, saved.version)
        page.connection.close()


def test_the_line_is_kept_open_by_a_heartbeat(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kumitate.studio.serve.events.HEARTBEAT", 0.05)
    page = Listener(bench)
    assert page.next().startswith(": ")
    page.connection.close()


def test_pages_that_have_left_are_forgotten(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kumitate.studio.serve.events.HEARTBEAT", 0.05)
    page = Listener(bench)
    assert len(bench.studio.events._listeners) == 1
    page.response.close()
    page.connection.close()
    until = time.monotonic() + 60
    while bench.studio.events._listeners and time.monotonic() < until:
        time.sleep(0.02)
    assert not bench.studio.events._listeners


def test_a_page_that_does_not_listen_costs_no_more_than_its_share(bench: Bench) -> None:
    """The oldest events are dropped first; the server neither waits nor grows."""
    page = Listener(bench)
    [listener] = bench.studio.events._listeners
    blob = "x" * 10_000
    for number in range(3 * MOST_WAITING):
        bench.studio.events.post("saved", Saved(str(number), blob))
    until = time.monotonic() + 60
    while not listener.waiting and time.monotonic() < until:
        time.sleep(0.01)
    assert len(listener.waiting) <= MOST_WAITING
    last = ""
    while not last.endswith(f'"{3 * MOST_WAITING - 1}"'):
        last = page.next().split('"version"')[0].rstrip(",")
    page.connection.close()


def test_a_server_with_listening_pages_ends_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "GRACE", 60)
    with running(tmp_path) as bench:
        page = Listener(bench)
        start = time.monotonic()
        bench.server.should_exit = True
        assert page.response.read() == b""
        page.connection.close()
    assert time.monotonic() - start < 20


# ---- the page ----


def test_without_a_built_page_a_friendly_one_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path, None, monkeypatch) as bench:
        answer = bench.ask("GET", f"/?token={TOKEN}", key=False)
        assert answer.status == 503
        assert b"The studio's page was not built" in answer.body
        assert bench.ask("GET", "/assets/app.js").status == 404
        assert bench.get("home").status == 200


@contextmanager
def served(
    tmp_path: Path, built: dict[str, str] | None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Bench]:
    static = tmp_path / "static"
    for name, text in (built or {}).items():
        (static / name).parent.mkdir(parents=True, exist_ok=True)
        (static / name).write_text(text, "utf-8")
    (tmp_path / "bench").mkdir()
    monkeypatch.setattr(
        server_module, "app", lambda studio, token, host: app(studio, token, host, static)
    )
    with running(tmp_path / "bench") as bench:
        yield bench


def test_the_built_page_is_served_and_its_parts_may_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = {
        "index.html": "<!doctype html>the page",
        "assets/app-1a2b.js": "let x = 1",
        "icon.svg": "<svg/>",
    }
    with served(tmp_path, built, monkeypatch) as bench:
        page = bench.ask("GET", f"/?token={TOKEN}", key=False)
        assert (page.status, page.body) == (200, b"<!doctype html>the page")
        assert page.headers["cache-control"] == "no-store"
        script = bench.ask("GET", "/assets/app-1a2b.js", key=False)
        assert script.body == b"let x = 1"
        assert "javascript" in script.headers["content-type"]
        assert "immutable" in script.headers["cache-control"]
        assert bench.ask("GET", "/icon.svg", key=False).headers["cache-control"] == "no-cache"
        for path in ("/../server.py", "/assets/../../server.py", "/%2e%2e/server.py", "/nothing"):
            assert bench.ask("GET", path, key=False).status == 404


def test_the_built_page_brings_the_licences_of_what_it_is_made_of() -> None:
    if not (server_module.STATIC / "index.html").exists():
        pytest.skip("the studio's page is not built")
    text = (server_module.STATIC / "licenses.md").read_text("utf-8")
    for name in ("three", "svelte"):
        assert re.search(rf"^## {name} - [0-9.]+ \(MIT\)$", text, re.MULTILINE)
    assert text.count("Permission is hereby granted, free of charge") >= 2
    assert "Copyright © 2010-" in text  # three.js


# ---- the command ----


@contextmanager
def command(*arguments: str, cwd: Path) -> Iterator["subprocess.Popen[str]"]:
    program = [sys.executable, "-c", "from kumitate.cli import main; main()", "studio", *arguments]
    with subprocess.Popen(
        program, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def first_line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_the_command_prints_its_address_serves_and_ends_cleanly(tmp_path: Path) -> None:
    kumitate.save(SOMA, tmp_path / "my soma.kumitate.json")
    with command("my soma.kumitate.json", "--no-browser", "--port", "0", cwd=tmp_path) as process:
        address = urlsplit(first_line(process))
        assert (address.scheme, address.hostname) == ("http", "127.0.0.1")
        assert address.fragment == "/folder/my%20soma.kumitate.json"
        assert address.query.startswith("token=")
        assert len(address.query.removeprefix("token=")) == 32  # 24 random bytes
        assert address.port
        connection = http.client.HTTPConnection("127.0.0.1", address.port, timeout=30)
        key = {"authorization": f"Bearer {address.query.removeprefix('token=')}"}
        connection.request("GET", "/api/home", headers=key)
        response = connection.getresponse()
        home = json.loads(response.read())
        assert [card["title"] for card in home["folder"]] == ["Soma cube"]
        connection.close()
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=30)
        assert process.returncode == 0
        assert out == ""
        assert "Traceback" not in error
        assert error.splitlines()[-1] == "the studio has ended"


def test_the_printed_address_names_the_one_server_that_was_started(tmp_path: Path) -> None:
    """localhost may mean 127.0.0.1 or ::1, where another server can have the same port."""
    with command("--host", "localhost", "--no-browser", "--port", "0", cwd=tmp_path) as process:
        assert urlsplit(first_line(process)).hostname in ("127.0.0.1", "::1")


def test_two_studios_have_two_ports_and_two_tokens(tmp_path: Path) -> None:
    with (
        command("--no-browser", cwd=tmp_path) as one,
        command("soma", "--no-browser", cwd=tmp_path) as two,
    ):
        first, second = first_line(one), first_line(two)
        assert second.endswith("#/library/soma")
        assert first.split("/")[2] != second.split("/")[2]
        assert first.split("token=")[1] != second.split("token=")[1].split("#")[0]


def test_a_port_that_is_taken_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with command("--no-browser", "--port", port, cwd=tmp_path) as process:
            out, error = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")
    assert error == (
        f"kumitate: port {port} on 127.0.0.1 is not available: address already in use;"
        " omit --port to use a free one\n"
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--folder", "nowhere"], "there is no folder nowhere"),
        (["somma"], "did you mean soma?"),
        (["pentominoes/7x7"], "pentominoes/7x7: there is no problem '7x7'; the puzzle has"),
        (["soma.kumitate.json", "--folder", "sub"], "not in the folder sub"),
        ([".hidden.kumitate.json"], "is not a valid name for a puzzle"),
        (["--host", "no.such.host.invalid"], "--host no.such.host.invalid: no such address"),
    ],
)
def test_a_question_that_is_wrong_is_said(
    arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sub").mkdir()
    kumitate.save(SOMA, tmp_path / "soma.kumitate.json")
    kumitate.save(SOMA, tmp_path / ".hidden.kumitate.json")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PuzzleError) as caught:
        cli.main(["studio", "--no-browser", *arguments], standalone_mode=False)
    assert words in str(caught.value)


def test_when_no_port_is_free_that_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PuzzleError, match=f"no free port from {port} to {port}; give one"):
            listen("127.0.0.1", None, near=port, tries=1)
