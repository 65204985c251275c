"""One assembly of a large problem, or the most that fits: python -m kumitate.studio.serve.one

`first` and `pack` take as long as they are given, so they work in a process of their own, which
answers with the puzzle and what was found as its solution. The page shows an assembly as a run;
what is packed does not fill the goal, so it is a puzzle of its own, which asks for nothing.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import msgspec
from msgspec import structs
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from kumitate import child
from kumitate.decoding import from_json
from kumitate.files import decode, encode
from kumitate.files.document import Document
from kumitate.model.errors import PuzzleError
from kumitate.model.puzzle import Puzzle
from kumitate.model.solution import Answers, Assembly, Solution
from kumitate.search.one.first import first
from kumitate.search.one.pack import pack
from kumitate.studio.ask.codec import problem_of, puzzle_of
from kumitate.studio.messages import Message, OneData, OneRequest
from kumitate.studio.serve.http import endpoint_of, read_message
from kumitate.studio.serve.kept import keep_answers
from kumitate.studio.serve.processes import Answerers, while_wanted
from kumitate.studio.serve.puzzles import opened
from kumitate.studio.serve.runs import Runs, described

MOST_SECONDS = 660  # the time that was given, and some to prepare and to write
LATE = "preparing the search takes longer than a minute; use the command 'kumitate first'"


class Found(msgspec.Struct):
    """What was found: in words, and as a puzzle in the text of a file; or why nothing could be."""

    words: str = ""
    document: str = ""
    error: str = ""


# ---- the server's side ----


Find = Callable[[OneRequest], Awaitable[Found]]


class Ones:
    """The searches for one in progress."""

    def __init__(self, runs: Runs, look: Find | None = None) -> None:
        self._runs = runs
        self._find = look or self._find_apart
        self.answerers = Answerers("one", MOST_SECONDS, LATE)
        self.close = self.answerers.close

    async def ask(self, request: OneRequest) -> OneData:
        found = await self._find(request)
        if found.error:
            raise PuzzleError(found.error)
        return await asyncio.to_thread(self._described, request, found)

    async def _find_apart(self, request: OneRequest) -> Found:
        """Look for it in a process of its own."""
        line = await self.answerers.ask(request)
        return from_json(line or b'{"error": "the search was stopped"}', Found)

    def _described(self, request: OneRequest, found: Found) -> OneData:
        if not found.document:
            return OneData(found.words)
        document = decode(found.document.encode())
        if request.what != "first":
            kept = keep_answers(self._runs, document)
            packed = structs.replace(opened(document, "", "", False), kept=kept)
            return OneData(found.words, packed=packed)
        asked = Document(puzzle_of(request.puzzle), document.answers)
        [name] = keep_answers(self._runs, asked)
        run = structs.replace(described(self._runs.path(name)), problem=request.problem)
        return OneData(found.words, run)


def routes(ones: Ones) -> list[BaseRoute]:
    async def one(request: Request) -> Message | Response | None:
        wanted = await read_message(request, OneRequest)
        found = await while_wanted(ones.ask(wanted), request.is_disconnected)
        return Response(status_code=204) if found is None else found

    return [Route("/api/one", endpoint_of(one), methods=["POST"])]


# ---- the process ----


def find(request: OneRequest) -> Found:
    """Look for what a request asks for.

    >>> from kumitate.library import library
    >>> from kumitate.studio.ask.codec import puzzle_data
    >>> find(OneRequest(puzzle_data(library["soma"]), what="cells")).words
    '27 cells placed, the most possible'
    """
    puzzle = puzzle_of(request.puzzle)
    problem = problem_of(puzzle, request.problem)
    if request.what == "first":
        result = first(problem, seconds=request.seconds)
        if result.assembly is None:
            return Found(
                f"there is no assembly: {result.argument.describe(problem)}"
                if result.argument
                else f"no assembly was found in {request.seconds:g} seconds; there may be one"
            )
        words = f"found an assembly in {result.seconds:.2f} s"
        return Found(words, _text(puzzle, request.problem, result.assembly))
    packing = pack(problem, by=request.what, seconds=request.seconds)
    if not packing.best:
        return Found("no piece fits into the goal")
    asked = packing.assembly.problem
    shapes = dict.fromkeys([*(piece.shape for piece in asked.pieces), asked.goal])
    title = f"{puzzle.title}, packed" if puzzle.title else "Packed"
    alone = replace(puzzle, title=title, shapes=list(shapes), problems=[asked])
    return Found(packing.summary, _text(alone, 0, packing.assembly))


def _text(puzzle: Puzzle, number: int, assembly: Assembly) -> str:
    answers = [None] * number + [Answers([Solution(assembly)])]
    return encode(Document(puzzle, answers), "found.kumitate.json")[0].decode()


def main() -> None:
    try:
        request = child.read_request(OneRequest)
        child.stop_on_request()
        found = find(request)
    except KeyboardInterrupt:
        found = Found(error="the search was stopped")
    except PuzzleError as error:
        found = Found(error=str(error))
    except MemoryError:
        found = Found(error="memory ran out; the problem is too large")
    child.say(found)


if __name__ == "__main__":
    main()
