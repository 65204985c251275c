"""Exports, one process for each: python -m kumitate.studio.serve.exporting FOLDER

A film or a plate of solids takes seconds of computing, so it is made in a process of its own, with
the functions of the commands `export` and `convert`. Like a solving worker, the process reads its
request from the first line of standard input and ends when that is closed.
"""

import argparse
import asyncio
import os
import re
import sys
import tempfile
import zipfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
from starlette.responses import Response

from kumitate import child
from kumitate.decoding import from_json
from kumitate.files import SUFFIXES, decode
from kumitate.files import write as write_document
from kumitate.files.document import Document
from kumitate.model.errors import PuzzleError
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.solution import Solution
from kumitate.output.effects import require_effects
from kumitate.output.export import export, order_for
from kumitate.output.making import MAKE_OPTIONS, export_keywords
from kumitate.output.views import OF_ASSEMBLIES, VIEWS, View, view_for
from kumitate.search.shown import Shown, to_show
from kumitate.store import Run, open_run
from kumitate.studio.ask.codec import puzzle_of
from kumitate.studio.messages import ExportRequest, LaidData, PreviewData, SolidData
from kumitate.studio.serve.processes import Answerers, while_wanted

MOST_SECONDS = 600
LATE = (
    f"the export takes longer than {MOST_SECONDS // 60} minutes;"
    " use the command 'kumitate export', which has no time limit"
)
MOST_BYTES = 200_000_000
MOST_TRIANGLES = 1_000_000  # of a preview
MOST_LETTERS = 50  # of a file name


class Made(msgspec.Struct):
    """The name of the file that was made in the folder, or why there is none."""

    name: str = ""
    lost: list[str] = []  # what its format cannot keep
    error: str = ""


# ---- the server's side ----


# What makes an export, or with True its preview, in a folder; the path is that of the run.
Make = Callable[[ExportRequest, Path | None, Path, bool], Awaitable[Made]]


class Exports:
    """The exports in progress."""

    def __init__(self, make: Make | None = None) -> None:
        self.answerers = Answerers("exporting", MOST_SECONDS, LATE)
        self.close = self.answerers.close
        self._make = make or self._make_apart

    async def make(self, request: ExportRequest, run: Path | None) -> Response:
        """A file to download; the header `Kumitate-Lost` has what its format cannot keep."""
        made, data = await self._file(request, run)
        headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(made.name)}"}
        if made.lost:
            headers["Kumitate-Lost"] = quote("; ".join(made.lost))
        return Response(data, media_type="application/octet-stream", headers=headers)

    async def preview(
        self, request: ExportRequest, run: Path | None, left: Callable[[], Awaitable[bool]]
    ) -> Response:
        """A `PreviewData`; given up as soon as nobody waits for it."""
        made = await while_wanted(self._file(request, run, preview=True), left)
        if made is None:
            return Response(status_code=204)
        return Response(made[1], media_type="application/json")

    async def _file(
        self, request: ExportRequest, run: Path | None, preview: bool = False
    ) -> tuple[Made, bytes]:
        """What was made, and the content of the file."""
        with tempfile.TemporaryDirectory(prefix="kumitate-") as folder:
            made = await self._make(request, run, Path(folder), preview)
            if made.error:
                raise PuzzleError(made.error)
            path = Path(folder) / made.name
            if path.stat().st_size > MOST_BYTES:
                raise PuzzleError(
                    f"the file would be {path.stat().st_size // 1_000_000} MB;"
                    " use the command 'kumitate export'"
                )
            return made, await asyncio.to_thread(path.read_bytes)

    async def _make_apart(
        self, request: ExportRequest, run: Path | None, folder: Path, preview: bool
    ) -> Made:
        """Make it in a process of its own."""
        words = [str(folder), *(["--preview"] if preview else [])]
        words += ["--run", str(run)] if run else []
        line = await self.answerers.ask(request, *words)
        return from_json(line or b'{"error": "the export was stopped"}', Made)


# ---- the process ----


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m kumitate.studio.serve.exporting")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--run", type=Path)
    parser.add_argument("--preview", action="store_true")
    given = parser.parse_args()
    try:
        request = child.read_request(ExportRequest)
        child.stop_on_request()
        child.say(made_here(request, given.run, given.folder, given.preview))
    except KeyboardInterrupt:
        sys.exit(130)


def made_here(request: ExportRequest, run: Path | None, folder: Path, preview: bool) -> Made:
    """What was made in a folder, or why there is none."""
    try:
        return (look if preview else make)(request, run, folder)
    except PuzzleError as error:
        return Made(error=str(error).replace(f"{folder}{os.sep}", ""))
    except MemoryError:
        return Made(error="memory ran out; export less at a time")


def make(request: ExportRequest, run_file: Path | None, folder: Path) -> Made:
    """Write the export into a folder: one file, or a zip of several."""
    puzzle = _checked(request)
    stem = file_name(puzzle.title)
    if request.to in SUFFIXES and not request.show:
        document = Document(puzzle)
        if run_file is not None:
            with open_run(run_file) as run:
                document = _with_answers(document, request.problem, run)
        path = folder / f"{stem}{request.to}"
        lost = write_document(document, path)
        return Made(path.name, [*document.warnings, *lost])
    ordered, lost = _ordered(puzzle, request, run_file)
    if request.number and isinstance(ordered["what"], Solution):
        stem += f"-{request.number}"
    written = export(**ordered, path=folder / f"{stem}{request.to}", warn=lost.append)
    if len(written) == 1:
        return Made(written[0].name, lost)
    packed = folder / f"{stem}.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as pack:
        for file in written:
            pack.write(file, file.name)
    return Made(packed.name, lost)


def look(request: ExportRequest, run_file: Path | None, folder: Path) -> Made:
    """Write a `PreviewData` of the export into a folder."""
    from kumitate.output.preview import preview  # which needs NumPy

    puzzle = _checked(request)
    ordered, lost = _ordered(puzzle, request, run_file)
    path = Path(file_name(puzzle.title) + request.to)
    seen = preview(order_for(**ordered, path=path, warn=lost.append))
    meshes = list(dict.fromkeys(mesh for plate in seen.plates for mesh, _ in plate))
    if sum(len(mesh.triangles) for mesh in meshes) > MOST_TRIANGLES:
        raise PuzzleError(
            f"more than {MOST_TRIANGLES:,} triangles, too many to show here; you can still"
            " download the file"
        )
    number = {mesh: n for n, mesh in enumerate(meshes)}
    sides = seen.unit if isinstance(seen.unit, tuple) else (seen.unit,)
    data = PreviewData(
        unit=[side for side in sides if side is not None],
        bed=seen.bed,
        plates=[[LaidData(number[mesh], at) for mesh, at in plate] for plate in seen.plates],
        solids=[
            SolidData(
                mesh.name,
                mesh.colour,
                mesh.points.round(3).ravel().tolist(),
                mesh.triangles.ravel().tolist(),
                mesh.volume,
            )
            for mesh in meshes
        ],
        drawings=list(seen.drawings),
        text=seen.text,
        cut=seen.cut,
        engraved=seen.engraved,
        stock=seen.stock,
        warnings=lost,
    )
    (folder / "preview.json").write_bytes(msgspec.json.encode(data))
    return Made("preview.json")


def _checked(request: ExportRequest) -> Puzzle:
    """The puzzle to export; a kind of file or a problem that does not exist is rejected."""
    if request.to not in (*VIEWS, *SUFFIXES):
        known = ", ".join(dict.fromkeys((*VIEWS, *SUFFIXES)))
        raise PuzzleError(f"{request.to!r} cannot be exported; use one of {known}")
    puzzle = puzzle_of(request.puzzle)
    if request.problem >= max(1, len(puzzle.problems)):
        raise PuzzleError(
            f"there is no problem {request.problem + 1}; the puzzle has {len(puzzle.problems)}"
        )
    return puzzle


def _ordered(
    puzzle: Puzzle, request: ExportRequest, run_file: Path | None
) -> tuple[dict[str, Any], list[str]]:
    """The keywords of `export`, and remarks on what will be shown."""
    path = Path(f"puzzle{request.to}")
    view = view_for(path, request.show or None)
    values = {n: tuple(v) if isinstance(v, list) else v for n, v in request.make.items()}
    if unknown := values.keys() - {one.name for one in MAKE_OPTIONS}:
        raise PuzzleError(f"there is no option {min(unknown)[:40]!r} of how things are made")
    require_effects(path, view, values, puzzle.grid)
    if isinstance(width := values.get("width"), float):
        values["width"] = int(width)
    shown = _shown(view, request, run_file) if view in OF_ASSEMBLIES else None
    what: Puzzle | Problem | Solution = puzzle
    if shown is not None:
        what = shown.solution
        for now in puzzle.problems[request.problem : request.problem + 1]:
            if now.question == what.assembly.problem.question:
                what = what.painted([piece.shape.colour for piece in now.pieces])
    elif puzzle.problems and not (view == "pieces" and request.to in (".svg", ".png")):
        what = puzzle.problems[request.problem]
    lost = [shown.remark] if shown and shown.remark else []
    return {"what": what, "show": view, "puzzle": puzzle, **export_keywords(values)}, lost


def _shown(view: View, request: ExportRequest, run_file: Path | None) -> Shown:
    """The solution with this number; for 0 the best, or the first that comes apart."""
    number = request.number
    if run_file is None:
        kept = decode(request.kept.encode()).answers if request.kept else []
        for solution in (solution for answers in kept if answers for solution in answers.solutions):
            return Shown(solution)
        raise PuzzleError(f"to show {view}, solve the problem first, then choose a solution")
    with open_run(run_file) as run:
        if number:
            shown = next((Shown(solution) for solution in run.page(number, 1)), None)
        else:
            shown = to_show(run.page(1, 1, "level") if run.options.disassemble else run)
        if shown is None:
            raise PuzzleError(
                f"there is no solution {number or 1}; the run has {len(run):,} so far"
            )
        return shown


def _with_answers(document: Document, problem: int, run: Run) -> Document:
    """The puzzle with the run's answers; the run's own puzzle if the problem has changed."""
    then = run.document()
    puzzle = document.puzzle
    if puzzle.problems[problem].question != run.problem.question:
        return then
    answers = [None] * problem + [then.answers[run.number - 1]]
    return Document(puzzle, answers, then.warnings)


def file_name(title: str) -> str:
    """A title as part of a file name.

    >>> file_name("Ten Yen: a burr / 2nd")
    'ten-yen-a-burr-2nd'
    """
    plain = re.sub(r"[^\w]+", "-", title.lower()).strip("-_")
    return plain[:MOST_LETTERS] or "puzzle"


if __name__ == "__main__":
    main()
