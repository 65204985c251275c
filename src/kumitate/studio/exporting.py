"""Files to take along: python -m kumitate.studio.exporting FOLDER, a process for each.

A film or a bed of solids takes seconds of pure work, so it is made beside the server, by the same
functions as the commands `export` and `convert`. As a worker does, the process reads what is wanted
from its first line of standard input and ends when that is closed.
"""

import argparse
import asyncio
import re
import sys
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import msgspec
from starlette.responses import Response

from kumitate.files import write as write_document
from kumitate.files.document import Document
from kumitate.model.errors import PuzzleError
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.solution import Solution
from kumitate.output.export import OF_ASSEMBLIES, VIEWS, View, export, view_for
from kumitate.output.print_options import PrintOptions
from kumitate.search.shown import Shown, to_show
from kumitate.store import Run, open_run
from kumitate.studio.codec import puzzle_of
from kumitate.studio.messages import ExportRequest
from kumitate.studio.worker import read_line, stop_when_told

DOCUMENTS = (".kumitate.json", ".kumitate.json.gz", ".xmpuzzle", ".scad")
AT_ONCE = 2
MOST_SECONDS = 600
MOST_BYTES = 200_000_000
MOST_LETTERS = 50  # of a file's name


class Made(msgspec.Struct):
    """The file that was made, by its name in the folder, or why there is none."""

    name: str = ""
    lost: list[str] = []  # what its format cannot hold
    error: str = ""


# ---- the server's side ----


class Exports:
    """The files that are being made."""

    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._processes: set[asyncio.subprocess.Process] = set()

    async def make(self, request: ExportRequest, run: Path | None) -> Response:
        """A file to be saved under its name; `Kumitate-Lost` has what its format cannot hold."""
        async with self._turns:
            with tempfile.TemporaryDirectory(prefix="kumitate-") as folder:
                made = await self._made(request, run, folder)
                path = Path(folder) / made.name
                if path.stat().st_size > MOST_BYTES:
                    raise PuzzleError(
                        f"the file would be {path.stat().st_size // 1_000_000} MB;"
                        " use the command 'kumitate export'"
                    )
                data = await asyncio.to_thread(path.read_bytes)
        headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(made.name)}"}
        if made.lost:
            headers["Kumitate-Lost"] = quote("; ".join(made.lost))
        return Response(data, media_type="application/octet-stream", headers=headers)

    async def _made(self, request: ExportRequest, run: Path | None, folder: str) -> Made:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "kumitate.studio.exporting", folder),
            *(["--run", str(run)] if run else []),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        self._processes.add(process)
        try:
            async with asyncio.timeout(MOST_SECONDS):
                process.stdin.write(msgspec.json.encode(request) + b"\n")
                with suppress(ConnectionError):
                    await process.stdin.drain()
                line = await process.stdout.readline()
        except TimeoutError:
            raise PuzzleError(
                f"it takes longer than {MOST_SECONDS // 60} minutes;"
                " the command 'kumitate export' waits as long as you like"
            ) from None
        finally:
            await _end(process)
            self._processes.discard(process)
        made = msgspec.json.decode(line or b'{"error": "the export was ended"}', type=Made)
        if made.error:
            raise PuzzleError(made.error)
        return made

    async def close(self) -> None:
        """End all that is being made."""
        await asyncio.gather(*map(_end, self._processes))


async def _end(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()


# ---- the process ----


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m kumitate.studio.exporting")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--run", type=Path)
    given = parser.parse_args()
    try:
        request = msgspec.json.decode(read_line(), type=ExportRequest)
        stop_when_told()
        made = make(request, given.run, given.folder)
    except KeyboardInterrupt:
        sys.exit(130)
    except PuzzleError as error:
        made = Made(error=str(error).replace(f"{given.folder}/", ""))
    except MemoryError:
        made = Made(error="it takes more memory than there is")
    sys.stdout.buffer.write(msgspec.json.encode(made) + b"\n")
    sys.stdout.buffer.flush()


def make(request: ExportRequest, run_file: Path | None, folder: Path) -> Made:
    """Write what is wanted into a folder: one file, or one that holds several."""
    if request.to not in (*VIEWS, *DOCUMENTS):
        known = ", ".join(dict.fromkeys((*VIEWS, *DOCUMENTS)))
        raise PuzzleError(f"{request.to!r} is no kind of file that is exported; there are {known}")
    puzzle = puzzle_of(request.puzzle)
    if request.problem >= max(1, len(puzzle.problems)):
        raise PuzzleError(f"problem {request.problem + 1}: there are {len(puzzle.problems)}")
    stem = file_name(puzzle.title)
    if request.to in DOCUMENTS and not request.show:
        document = Document(puzzle)
        if run_file is not None:
            with open_run(run_file) as run:
                document = _with_answers(document, request.problem, run)
        path = folder / f"{stem}{request.to}"
        lost = write_document(document, path)
        return Made(path.name, [*document.warnings, *lost])
    view = view_for(Path(stem + request.to), request.show or None)
    shown = _shown(view, request.number, run_file) if view in OF_ASSEMBLIES else None
    if shown is not None and request.number:
        stem += f"-{request.number}"
    solution = shown.solution if shown else None
    lost = [shown.remark] if shown and shown.remark else []
    path = folder / f"{stem}{request.to}"
    written = _export(puzzle, request, view, solution, path, lost.append)
    if len(written) == 1:
        return Made(written[0].name, lost)
    packed = folder / f"{stem}.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as pack:
        for file in written:
            pack.write(file, file.name)
    return Made(packed.name, lost)


def _export(
    puzzle: Puzzle,
    request: ExportRequest,
    view: View,
    solution: Solution | None,
    path: Path,
    warn: Callable[[str], None],
) -> list[Path]:
    usual = PrintOptions()
    options = PrintOptions(
        unit=request.unit,
        inset=usual.inset if request.inset is None else request.inset,
        bevel=usual.bevel if request.bevel is None else request.bevel,
    )
    what: Puzzle | Problem | Solution = puzzle
    if solution is not None:
        what = solution
    elif puzzle.problems and not (view == "pieces" and request.to in (".svg", ".png")):
        what = puzzle.problems[request.problem]
    return export(what, path, show=view, options=options, puzzle=puzzle, warn=warn)


def _shown(view: View, number: int, run_file: Path | None) -> Shown:
    """The solution of a number; for 0 the best, or the first that comes apart."""
    if run_file is None:
        raise PuzzleError(f"to show {view}, solve the problem first, then choose a solution")
    with open_run(run_file) as run:
        if number:
            shown = next((Shown(solution) for solution in run.page(number, 1)), None)
        else:
            shown = to_show(run.page(1, 1, "level") if run.options.disassemble else run)
        if shown is None:
            raise PuzzleError(f"solution {number or 1}: the run keeps {len(run):,} so far")
        return shown


def _with_answers(document: Document, problem: int, run: Run) -> Document:
    """The puzzle as it is now, with the run's answers; if it asks for another thing, the run's."""
    then = run.document()
    puzzle = document.puzzle
    if replace(puzzle.problems[problem], name="") != replace(run.problem, name=""):
        return then
    answers = [None] * problem + [then.answers[run.number - 1]]
    return Document(puzzle, answers, then.warnings)


def file_name(title: str) -> str:
    """A title as part of a file's name.

    >>> file_name("Ten Yen: a burr / 2nd")
    'ten-yen-a-burr-2nd'
    """
    plain = re.sub(r"[^\w]+", "-", title.lower()).strip("-_")
    return plain[:MOST_LETTERS] or "puzzle"


if __name__ == "__main__":
    main()
