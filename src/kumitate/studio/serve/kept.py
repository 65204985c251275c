"""Solutions that belong to a puzzle: read from its file, chosen from a run, saved with the puzzle.

The page shows, filters and counts the solutions of runs, so those of a file become a run too, and
so does every choice among the solutions of a run. Such runs hold no search. Their names are hashes
of what they hold, so the same solutions are not stored twice.
"""

from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from msgspec import structs
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from kumitate.files.document import Document
from kumitate.model.errors import PuzzleError
from kumitate.model.puzzle import Puzzle
from kumitate.model.solution import Answers
from kumitate.store import Run, open_run, remove
from kumitate.store.chosen import choose, keep, write_kept
from kumitate.store.plain_index import PlainIndex
from kumitate.studio.messages import ChooseRequest, Message, RunData
from kumitate.studio.serve import results
from kumitate.studio.serve.http import endpoint_of, read_message
from kumitate.studio.serve.runs import SUFFIX, Runs, described, question_of, saved_at

MOST_CHOSEN = 8  # runs of chosen solutions to a question


def keep_answers(runs: Runs, document: Document) -> list[str]:
    """The solutions that a file holds as runs, which are made unless they exist."""
    kept = []
    for number, answers in enumerate(document.answers, 1):
        if answers is None or not answers.solutions:
            continue
        rows = keep(document.puzzle, number, answers.solutions)
        placements = dict(rows)["run"][5]
        content = [row for table, row in rows if table in ("solution", "assembly")]
        question = question_of(document.puzzle.problems[number - 1])
        name = _name(question, repr((placements, content)))
        if not runs.path(name).exists():
            write_kept(_with_room(runs, name), rows)
        kept.append(name)
    return kept


def answers_of(runs: Runs, puzzle: Puzzle, kept: Sequence[str]) -> list[Answers | None]:
    """For each problem the solutions of the run that answers it, if one is named."""
    by_question = {name.partition("-")[0]: name for name in kept}
    found: list[Answers | None] = []
    for problem in puzzle.problems:
        name = by_question.get(question_of(problem)) if by_question else None
        if name is None or not runs.path(name).exists():
            found.append(None)  # what the file holds stays
            continue
        with open_run(runs.path(name)) as run:
            found.append(run.document().answers[run.number - 1])
    return found


async def choose_from(runs: Runs, name: str, request: ChooseRequest) -> RunData:
    """A new run with some of the solutions of a run, which stays as it is."""

    def choosing(run: Run, index: PlainIndex) -> RunData:
        numbers = results.chosen(run, index, request)
        made = _name(name.partition("-")[0], repr((name, numbers)))
        choose(_with_room(runs, made), run, numbers)
        return structs.replace(described(runs.path(made)), problem=run.number - 1)

    return await runs.read(name, choosing)


def _name(question: str, content: str) -> str:
    return f"{question}-{sha256(content.encode()).hexdigest()[:8]}"


def _with_room(runs: Runs, name: str) -> Path:
    """The path for chosen solutions; of earlier ones of the question, only the latest stay."""
    path, question = runs.path(name), name.partition("-")[0]
    with suppress(OSError):
        runs.folder.mkdir(exist_ok=True)  # the user may have deleted it
    others = sorted(runs.folder.glob(f"{question}-*{SUFFIX}"), key=saved_at, reverse=True)
    chosen = [other for other in others if other != path and _is_chosen(other)]
    for old in chosen[MOST_CHOSEN - 1 :]:
        remove(old)
    return path


def _is_chosen(path: Path) -> bool:
    try:
        with open_run(path) as run:
            return run.is_chosen
    except PuzzleError:
        return False


def routes(runs: Runs) -> list[BaseRoute]:
    async def choosing(request: Request) -> Message | Response | None:
        wanted = await read_message(request, ChooseRequest)
        return await choose_from(runs, request.path_params["run"], wanted)

    return [Route("/api/runs/{run}/choose", endpoint_of(choosing), methods=["POST"])]
