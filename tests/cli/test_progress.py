"""How far a search is, as a terminal shows it: real ones, of any width."""

import os
import pty
import re
import select
import signal
import subprocess
import time
from fcntl import ioctl
from itertools import pairwise
from pathlib import Path
from struct import pack
from termios import TIOCSWINSZ

import pytest
from tests.cli.test_runs import MAIN

CODES = re.compile(r"\x1b\[(\?25[lh]|[0-9;]*[A-Za-z])|\r|\n|[^\x1b\r\n]")
ROWS = 30
TEXTS = 6  # of the line: enough to judge it by


class Screen:
    """As much of a terminal as a line of progress needs; anything else is an error."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.lines: dict[int, str] = {}
        self.row = self.column = self.deepest = 0

    def feed(self, text: str) -> None:
        assert CODES.sub("", text) == ""
        for found in CODES.finditer(text):
            self._take(found[0])

    def _take(self, code: str) -> None:
        if code == "\r":
            self.column = 0
        elif code == "\n":
            self.row += 1
        elif code.startswith("\x1b"):
            count, letter = code[2:-1], code[-1]
            if letter == "A":
                self.row -= int(count or 1)
            elif letter == "K":
                self.lines[self.row] = ""
            else:
                assert letter in "mlh", code
        else:
            if self.column == self.columns:
                self.row, self.column = self.row + 1, 0
            line = self.lines.get(self.row, "").ljust(self.column)
            self.lines[self.row] = line[: self.column] + code + line[self.column + 1 :]
            self.column += 1
        assert self.row >= 0
        self.deepest = max(self.deepest, self.row)

    @property
    def text(self) -> str:
        return "\n".join(line for _, line in sorted(self.lines.items()) if line.strip())


def watch(
    folder: Path, columns: int, words: list[str], seconds: float, **more: str
) -> tuple[Screen, list[str], str, int]:
    """Run a command on a terminal; press Ctrl-C when it has shown enough, or after some seconds.

    The screen in the end, what it showed now and then, what was printed, and the exit status.
    """
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, pack("HHHH", ROWS, columns, 0, 0))
    kept = {
        k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR", "TERM", "LINES")
    }
    environment = {**kept, "TERM": "xterm-256color", **more}
    screen = Screen(columns)
    seen: list[str] = []
    with subprocess.Popen(
        [*MAIN, *words], stdout=subprocess.PIPE, stderr=theirs, cwd=folder, env=environment
    ) as process:
        os.close(theirs)
        end = time.monotonic() + seconds
        pressed = False
        while True:
            enough = sum(text != before for before, text in pairwise(seen)) >= TEXTS
            if not pressed and (enough or time.monotonic() > end):
                process.send_signal(signal.SIGINT)
                pressed = True
            if select.select([ours], [], [], 0.05)[0]:
                try:
                    data = os.read(ours, 65536)
                except OSError:  # the other side is closed
                    break
                screen.feed(data.decode())
                seen.append(screen.text)
        assert process.stdout
        printed = process.stdout.read().decode()
    os.close(ours)
    return screen, seen, printed, process.returncode


@pytest.mark.parametrize("columns", [40, 120])
def test_the_line_is_right_at_any_width(tmp_path: Path, columns: int) -> None:
    """At 40 columns it once began a new line of the screen five times a second."""
    words = ["solve", "iq-puzzler-pro", "--threads", "1"]
    screen, seen, printed, status = watch(tmp_path, columns, words, 120)
    shown = [text for text in seen if " assemblies, " in text.replace("\n", " ")]
    assert len(shown) >= 3
    for text in shown:
        whole = " ".join(text.split())
        assert re.fullmatch(
            r"[\d,]+ assemblies, [\d.]+ M nodes/s, [\d.]+ % done, .* left", whole
        ), whole
    assert screen.deepest <= (2 if columns == 40 else 1)
    assert screen.text == ""  # it is gone in the end
    assert status == 130
    counted = int(shown[-1].split()[0].replace(",", ""))
    found = re.search(r"^([\d,]+) assemblies so far", printed, re.MULTILINE)
    assert found
    assert counted <= int(found[1].replace(",", ""))


def test_without_colours_the_line_has_none(tmp_path: Path) -> None:
    words = ["solve", "iq-puzzler-pro", "--threads", "1"]
    screen, seen, _, _ = watch(tmp_path, 80, words, 120, NO_COLOR="1")
    assert any("nodes/s" in text for text in seen)
    assert screen.text == ""


def test_a_dumb_terminal_gets_no_line(tmp_path: Path) -> None:
    words = ["solve", "iq-puzzler-pro", "--threads", "1"]
    screen, seen, _, status = watch(tmp_path, 80, words, 3, TERM="dumb")
    assert (screen.text, seen, status) == ("", [], 130)


@pytest.mark.parametrize(
    "words",
    [
        ["first", "bedlam", "--engine", "local"],
        ["search", "soma", "--cut", "5"],
        ["solve", "bedlam", "--rotations", "--output", "run.kumitate"],
    ],
    ids=lambda words: words[0],
)
def test_every_long_command_shows_the_line(tmp_path: Path, words: list[str]) -> None:
    screen, seen, _, status = watch(tmp_path, 60, words, 120)
    assert any(re.search(r"\d", text) for text in seen)
    assert screen.text == ""
    assert screen.deepest <= 2
    assert status == 130


def test_visiting_burrs_says_how_much_time_is_left(tmp_path: Path) -> None:
    _, seen, _, status = watch(tmp_path, 80, ["burr6", "--part", "1/100"], 120)
    line = r"^\d+\.\d%, [\d,]+ assemblies, \d+ .*, \d+ .* left$"
    assert any(re.search(line, text) for text in seen)
    assert status == 130
