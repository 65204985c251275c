"""Where solutions go: they are drawn, or printed as JSON, in one object or line by line.

A solution in JSON is as it is in a .kumitate.json file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

import click

from kumitate.cli.progress import Line
from kumitate.model.text import wrap_pairs

if TYPE_CHECKING:
    from tempfile import SpooledTemporaryFile

    from kumitate.model.puzzle import Problem
    from kumitate.model.solution import Assembly, Solution
    from kumitate.model.table import PackedRows
    from kumitate.search.assemble import PreparedProblem

SHOWN = 3  # assemblies drawn by default
IN_MEMORY = 16_000_000  # bytes of JSON; more goes to a temporary file
WAITING = 64_000  # bytes of lines before they are written

Row = dict[str, Any]


class Sink(Protocol):
    """Where a search puts what it finds, problem by problem."""

    quiet: bool  # no line about the progress
    most: int | None  # solutions that it makes use of; None for all

    def begin(self, title: str, line: Line) -> None: ...

    def take(self, solution: Solution) -> None: ...

    def take_all(self, prepared: PreparedProblem, packed: PackedRows, first: int) -> None:
        """Assemblies that are not taken apart, the first of them with this number."""

    def tick(self) -> None:
        """Some twenty times a second, whether anything was found or not."""

    def end(self, row: Row, sentence: str) -> None: ...

    def close(self) -> None: ...


class Drawn:
    """The first few drawn, and a sentence about all."""

    quiet = False

    def __init__(self, most: int | None, moves: bool) -> None:
        self.most, self.moves = most, moves
        self.count = 0

    def begin(self, title: str, line: Line) -> None:
        self.count, self.line = 0, line
        if title:
            click.echo(title)

    def take(self, solution: Solution) -> None:
        self.count += 1
        if self.most is None or self.count <= self.most:
            self.line.clear()
            draw(solution, self.moves)
            click.echo()

    def take_all(self, prepared: PreparedProblem, packed: PackedRows, first: int) -> None:
        from kumitate.model.solution import Solution

        shown = packed.rows if self.most is None else min(self.most - self.count, packed.rows)
        for row in range(shown):
            self.take(Solution(prepared.assembly_in(packed, row), assembly_number=first + row))

    def tick(self) -> None:
        pass

    def end(self, row: Row, sentence: str) -> None:
        self.line.clear()
        click.echo(sentence)

    def close(self) -> None:
        pass


class OneObject:
    """All problems in one object, with what was found in each."""

    quiet = True
    most: int | None = None

    def __init__(self) -> None:
        self.rows: list[tuple[Row, SpooledTemporaryFile[bytes]]] = []

    def begin(self, title: str, line: Line) -> None:
        from tempfile import SpooledTemporaryFile

        self.file: SpooledTemporaryFile[bytes] = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115

    def take(self, solution: Solution) -> None:
        self._write((b", " if self.file.tell() else b"") + _encoder()(solution))

    def take_all(self, prepared: PreparedProblem, packed: PackedRows, first: int) -> None:
        before, between, after = _frame()
        text = prepared.lines(packed, first, (b", " + before, between, after))
        self._write(text if self.file.tell() else text[2:])

    def _write(self, text: bytes) -> None:
        try:
            self.file.write(text)
        except OSError as error:
            from tempfile import gettempdir

            raise OSError(error.errno, error.strerror, gettempdir()) from None

    def tick(self) -> None:
        pass

    def end(self, row: Row, sentence: str) -> None:
        self.rows.append((row, self.file))

    def close(self) -> None:
        _print(b'{"problems": [')
        for number, (row, file) in enumerate(self.rows):
            _print((b", " if number else b"") + _json(row)[:-1] + b', "found": [')
            file.seek(0)
            while some := file.read(1 << 20):
                _print(some)
            _print(b"]}")
            file.close()
        _print(b"]}\n")


class Lines:
    """An object on a line of its own for each that is found, at once, and one for each problem."""

    quiet = True
    most: int | None = None

    def __init__(self) -> None:
        self.waiting: list[bytes] = []
        self.size = 0

    def begin(self, title: str, line: Line) -> None:
        pass

    def take(self, solution: Solution) -> None:
        self._write(self._head(solution.assembly.problem) + _encoder()(solution)[1:] + b"\n")

    def take_all(self, prepared: PreparedProblem, packed: PackedRows, first: int) -> None:
        before, between, after = _frame()
        frame = (self._head(prepared.problem) + before[1:], between, after + b"\n")
        self._write(prepared.lines(packed, first, frame))

    def _head(self, problem: Problem) -> bytes:
        return b'{"problem": %b, ' % _json(problem.name)

    def _write(self, lines: bytes) -> None:
        self.waiting.append(lines)
        self.size += len(lines)
        if self.size > WAITING:
            self.tick()

    def tick(self) -> None:
        if self.waiting:
            _print(b"".join(self.waiting))
            self.waiting, self.size = [], 0

    def end(self, row: Row, sentence: str) -> None:
        self.waiting.append(_json(row) + b"\n")
        self.tick()

    def close(self) -> None:
        pass


def _encoder() -> Callable[[Solution], bytes]:
    from kumitate.files.json import encode_solution

    return encode_solution


def _print(text: bytes) -> None:
    """Print all of it: if output is not buffered, a signal may cut a write short."""
    left = memoryview(text)
    while left:
        left = left[sys.stdout.buffer.write(left) :]
    sys.stdout.buffer.flush()


def _frame() -> tuple[bytes, bytes, bytes]:
    from kumitate.files.json import solution_frame

    return solution_frame()


def _json(value: Any) -> bytes:
    import json

    return json.dumps(value).encode()


# ---- drawing ----


def draw(solution: Solution, moves: bool) -> None:
    """An assembly in layers, in colour if a terminal shows it, and how it comes apart."""
    assembly = solution.assembly
    if solution.levels:
        turns = solution.levels.total_turns
        click.echo(
            f"level {solution.levels}, total moves: {solution.levels.total}"
            + (f", turns: {turns}" if turns else "")
        )
    _draw_page(assembly)
    kinds = {placement.piece for placement in assembly.placements}
    if assembly.legend and (moves or len(kinds) > 1):
        click.echo("\n".join(wrap_pairs(assembly.legend)))
    if moves and solution.disassembly:
        click.echo(f"\n{solution.disassembly.describe(assembly)}")


def _draw_page(assembly: Assembly) -> None:
    if not sys.stdout.isatty() and "FORCE_COLOR" not in os.environ:
        click.echo(str(assembly))
        return
    from rich.console import Console
    from rich.text import Text

    colours = {who.letter: who.colour for who in assembly.identities}
    parts = ((character, colours.get(character, "")) for character in str(assembly))
    Console(highlight=False).print(Text.assemble(*parts), soft_wrap=True)
