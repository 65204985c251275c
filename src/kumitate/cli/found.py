"""What becomes of what a search finds: it is drawn, or printed as JSON, whole or line by line.

A solution in JSON is as it is in a .kumitate.json file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from tempfile import SpooledTemporaryFile, gettempdir
from typing import TYPE_CHECKING, Any, Protocol

import click

from kumitate.cli.progress import Line
from kumitate.model.text import wrap_pairs

if TYPE_CHECKING:
    from kumitate.model.solution import Assembly, Solution

SHOWN = 3  # assemblies drawn when nobody says how many
IN_MEMORY = 16_000_000  # bytes of JSON; what is more goes to the disk for a while
WAITING = 64_000  # bytes of lines before they are written

Row = dict[str, Any]


class Sink(Protocol):
    """Where a search puts what it finds, problem by problem."""

    quiet: bool  # no line about the progress
    most: int | None  # solutions that it makes use of; None for all

    def begin(self, title: str, line: Line) -> None: ...

    def take(self, solution: Solution) -> None: ...

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
        self.file: SpooledTemporaryFile[bytes] = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115

    def take(self, solution: Solution) -> None:
        try:
            self.file.write((b", " if self.file.tell() else b"") + _encoder()(solution))
        except OSError as error:
            raise OSError(error.errno, error.strerror, gettempdir()) from None

    def tick(self) -> None:
        pass

    def end(self, row: Row, sentence: str) -> None:
        self.rows.append((row, self.file))

    def close(self) -> None:
        out = sys.stdout.buffer
        out.write(b'{"problems": [')
        for number, (row, file) in enumerate(self.rows):
            out.write((b", " if number else b"") + _json(row)[:-1] + b', "found": [')
            file.seek(0)
            out.writelines(iter(lambda: file.read(1 << 20), b""))  # noqa: B023
            out.write(b"]}")
            file.close()
        out.write(b"]}\n")
        out.flush()


class Lines:
    """An object on a line of its own for each that is found, at once, and one for each problem."""

    quiet = True
    most: int | None = None

    def __init__(self) -> None:
        self.waiting: list[bytes] = []
        self.size = 0

    def begin(self, title: str, line: Line) -> None:
        self.encode, self.head = _encoder(), b""

    def take(self, solution: Solution) -> None:
        self.head = self.head or b'{"problem": %b, ' % _json(solution.assembly.problem.name)
        line = self.head + self.encode(solution)[1:] + b"\n"
        self.waiting.append(line)
        self.size += len(line)
        if self.size > WAITING:
            self.tick()

    def tick(self) -> None:
        if self.waiting:
            sys.stdout.buffer.write(b"".join(self.waiting))
            sys.stdout.buffer.flush()
            self.waiting, self.size = [], 0

    def end(self, row: Row, sentence: str) -> None:
        self.waiting.append(_json(row) + b"\n")
        self.tick()

    def close(self) -> None:
        pass


def _encoder() -> Callable[[Solution], bytes]:
    from kumitate.files.json import encode_solution

    return encode_solution


def _json(value: Any) -> bytes:
    import json

    return json.dumps(value).encode()


# ---- drawing ----


def draw(solution: Solution, moves: bool) -> None:
    """An assembly in layers, in colour if a terminal shows it, and how it comes apart."""
    assembly = solution.assembly
    if solution.levels:
        click.echo(f"level {solution.levels}, moves in all: {solution.levels.total}")
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

    from kumitate.output.scene import colours_of

    colours = {assembly.letter(n): colour for n, colour in enumerate(colours_of(assembly))}
    parts = ((character, colours.get(character, "")) for character in str(assembly))
    Console(highlight=False).print(Text.assemble(*parts), soft_wrap=True)
