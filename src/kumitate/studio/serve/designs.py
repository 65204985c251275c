"""Designs and searches of new puzzles: the collections they fill, and the processes that do it.

A collection is a file in the user's folder, as `kumitate design --output` makes it, so the command
line can go on with what the studio began, and the other way round. As with runs, everything is in
the file; the process (design_worker.py) only reports its progress.
"""

import asyncio
import re
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
from msgspec import structs
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from kumitate.decoding import converted, from_json
from kumitate.designer.recipes import recipe_for
from kumitate.jobs.asked import asked_of
from kumitate.model.errors import PuzzleError
from kumitate.model.puzzle import Puzzle
from kumitate.model.wish import Wish
from kumitate.store import DesignQuestion, Sampling, text_of
from kumitate.studio.ask.codec import puzzle_of
from kumitate.studio.messages import (
    DesignActRequest,
    DesignData,
    DesignRequest,
    DesignsData,
    Message,
    WishValue,
)
from kumitate.studio.refusal import Refusal
from kumitate.studio.serve.collections import is_collection_file, name_of, opened
from kumitate.studio.serve.design_worker import DesignNews, DesignWorkerRequest
from kumitate.studio.serve.folder import DATABASE, Folder, is_database
from kumitate.studio.serve.http import endpoint_of, read_message
from kumitate.studio.serve.processes import Start, Work, failure_of, start_worker

MOST_LISTED = 50
LONGEST_NAME = 60  # characters of a file's name, without its end
START_SECONDS = 10.0  # for a process to begin, which may first look for an assembly
SILENT = 60.0  # seconds without a checkpoint, after which another process is taken for dead

Listener = Callable[[DesignData], None]


class Designs:
    """The collections of a folder; `listener` hears of every change of those filled here."""

    def __init__(
        self,
        folder: Folder,
        listener: Listener = lambda design: None,
        start_worker: Start = start_worker,
    ) -> None:
        self.folder = folder
        self.listener = listener
        self._start = start_worker
        self._works: dict[str, Work[DesignData]] = {}  # by the name of the file
        self._failed: dict[str, str] = {}  # why those failed that did
        self._left: set[str] = set()  # those on which a process of ours has worked
        self._turn = asyncio.Lock()

    # ---- requests of the page ----

    async def start(self, request: DesignRequest) -> DesignData:
        """Begin a new collection, named after what it is to hold."""
        asked, title = await asyncio.to_thread(_asked, request)
        async with self._turn:
            name = self._free_name(title)
            data = DesignData(f"folder/{name}", title, "starting")
            work = await self._spawn(name, data, request.threads, request.seconds, asked)
        return await self._begun(name, work)

    async def act(self, request: DesignActRequest) -> DesignData:
        """Pause or resume."""
        name = name_of(request.place)
        async with self._turn:
            work = self._works.get(name)
            if request.act == "pause" and work is not None:
                await work.process.stop()
            data = await self._status(name)
            if request.act == "pause" or name in self._works:
                return data
            if data.state == "elsewhere":
                raise PuzzleError(f"{name}: another process works on it; stop that one first")
            work = await self._spawn(name, data, request.threads)
        return await self._begun(name, work)

    async def all(self) -> DesignsData:
        """The collections of the folder; what cannot be read is listed with the reason."""
        found = await asyncio.to_thread(self._names)
        names = [*(name for name in self._works if name not in found), *found]
        return DesignsData([await self._status(name) for name in names])

    async def close(self) -> None:
        """Stop all processes at a checkpoint."""
        await asyncio.gather(*(work.process.stop() for work in self._works.values()))

    # ---- processes ----

    async def _spawn(
        self,
        name: str,
        data: DesignData,
        threads: int,
        seconds: float | None = None,
        asked: DesignWorkerRequest | None = None,
    ) -> Work[DesignData]:
        """Start a process."""
        words = [str(self.folder.collection(name)), "--threads", str(threads)]
        words += ["--seconds", str(seconds)] if seconds is not None else []
        words += ["--new"] if asked is not None else []
        work = Work[DesignData](structs.replace(data, state="starting", message=""))
        on_line, on_end = partial(self._on_line, work), partial(self._end, name, work)
        work.process = await self._start("design_worker", words, asked, on_line, on_end)
        self._works[name] = work
        self._failed.pop(name, None)
        return work

    async def _begun(self, name: str, work: Work[DesignData]) -> DesignData:
        """The progress of a process once it has begun, or after a while."""
        with suppress(TimeoutError):
            await asyncio.wait_for(work.begun.wait(), START_SECONDS)
        work.awaited = False
        if work.error and not self.folder.collection(name).exists():
            raise PuzzleError(work.error)
        if work.begun.is_set():  # so there is a file, which says what it is to hold
            described = await asyncio.to_thread(self._described, name)
            work.data = structs.replace(work.data, what=described.what, designed=described.designed)
        return work.data

    def _on_line(self, work: Work[DesignData], line: bytes) -> None:
        try:
            news = from_json(line, DesignNews)
        except msgspec.DecodeError:
            return  # printed by some library
        if news.error:
            work.error = news.error
        elif news.summary is not None:
            work.data = _standing(structs.replace(work.data, state="running"), news.summary)
            work.begun.set()
            self.listener(work.data)

    async def _end(self, name: str, work: Work[DesignData], code: int) -> None:
        work.error = work.error or failure_of(code, work.process.stopping)
        del self._works[name]
        self._left.add(name)
        if self.folder.collection(name).exists():
            if work.error:
                self._failed[name] = work.error
            work.data = await self._status(name)
            self.listener(work.data)
        else:
            work.error = work.error or "it was stopped before it began; start it again"
            if not work.awaited:  # else the answer to the request says it
                self.listener(structs.replace(work.data, state="failed", message=work.error))
        work.begun.set()

    # ---- files ----

    def _names(self) -> list[str]:
        files, _ = self.folder.files()
        files.sort(key=lambda file: file.modified, reverse=True)
        found = []
        for file in files:
            if is_database(file.name) and is_collection_file(self.folder, file.name):
                found.append(file.name)
                if len(found) == MOST_LISTED:
                    break
        return found

    async def _status(self, name: str) -> DesignData:
        """How far a collection is."""
        if name in self._works:
            return self._works[name].data
        data = await asyncio.to_thread(self._described, name)
        error = self._failed.get(name)
        return structs.replace(data, state="failed", message=error) if error else data

    def _described(self, name: str) -> DesignData:
        place = f"folder/{name}"
        try:
            with opened(self.folder, name) as collection:
                summary, what = collection.summary(), asked_of(collection)
                designed = isinstance(collection.asked, DesignQuestion)
        except Refusal:
            raise
        except PuzzleError as error:
            return DesignData(place, name, "failed", message=str(error))
        data = DesignData(place, what, "paused", designed)
        if summary.state == "running" and self._is_alive(name, summary):
            data.state = "elsewhere"
        elif summary.state == "limit" or summary.state == "done":
            data.state = summary.state
        return _standing(data, summary)

    def _is_alive(self, name: str, summary: Sampling) -> bool:
        """Whether another process seems to work on a collection."""
        return name not in self._left and time.time() - summary.saved < SILENT

    def _free_name(self, title: str) -> str:
        """A name for a new file."""
        plain = re.sub(r"[^\w .,()+=-]+", " ", title).strip(" .")[:LONGEST_NAME].strip(" .")
        stem, number = plain or "Design", 1
        while True:
            name = f"{stem}{f' {number}' if number > 1 else ''}{DATABASE}"
            if name not in self._works and not self._taken(self.folder.collection(name)):
                return name
            number += 1

    @staticmethod
    def _taken(path: Path) -> bool:
        return path.exists() or path.is_symlink()


# ---- what is asked ----


def _asked(request: DesignRequest) -> tuple[DesignWorkerRequest, str]:
    """The request for a process, and what to call its file; what cannot be is refused."""
    wish = wish_of(request.wish)
    puzzle = None if request.puzzle is None else puzzle_of(request.puzzle)
    if puzzle is not None and request.problem >= len(puzzle.problems):
        raise PuzzleError("the puzzle has no such problem; add one, with a goal")
    text = "" if puzzle is None else text_of(puzzle).decode()
    asked = DesignWorkerRequest(request.way, request.goal, text, request.problem, wish)
    return asked, _title(asked, puzzle)


def _title(asked: DesignWorkerRequest, puzzle: Puzzle | None) -> str:
    if asked.way == "burrs":
        return "Six-piece burrs"
    if asked.goal:
        return recipe_for(asked.goal, asked.wish).title
    if puzzle is None:
        raise PuzzleError("there is no goal; enter one such as 4x4x4, or open a puzzle")
    problem = puzzle.problems[asked.problem]
    if not problem.goal.cells:
        raise PuzzleError("the problem has no goal; choose or draw one first")
    if asked.way in ("improve", "pieces"):
        if not problem.pieces:
            raise PuzzleError("the problem has no pieces; add some, or cut its goal into new ones")
        return puzzle.title or problem.goal.name or "Design"
    return recipe_for(problem.goal, asked.wish, colours=puzzle.colours).title


def wish_of(given: dict[str, WishValue]) -> Wish:
    """The wish that the page sends, by the names and types of its fields.

    >>> wish_of({"pieces": 4, "holes": [0, 8], "unique": True}).given
    {'pieces': 4, 'holes': (0, 8), 'unique': True}
    """
    kinds = get_type_hints(Wish)
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in kinds:
            raise PuzzleError(f"the page sent a wish that is unknown: {name[:40]!r}; reload it")
        try:
            values[name] = converted(value, kinds[name])
        except msgspec.ValidationError:
            raise PuzzleError(f"{name}: {str(value)[:40]!r} is not a value for it") from None
    return Wish(**values)


def _standing(data: DesignData, summary: Sampling) -> DesignData:
    return structs.replace(
        data,
        samples=summary.samples,
        found=summary.found,
        best=summary.best or "",
        seconds=summary.seconds,
        saved=summary.saved,
    )


# ---- routes ----


def routes(designs: Designs) -> list[BaseRoute]:
    async def everything(request: Request) -> Message | Response | None:
        return await designs.all()

    async def start(request: Request) -> Message | Response | None:
        return await designs.start(await read_message(request, DesignRequest))

    async def act(request: Request) -> Message | Response | None:
        return await designs.act(await read_message(request, DesignActRequest))

    return [
        Route("/api/designs", endpoint_of(everything), methods=["GET"]),
        Route("/api/designs", endpoint_of(start), methods=["POST"]),
        Route("/api/designs/act", endpoint_of(act), methods=["POST"]),
    ]
