"""The process that finds new puzzles: python -m kumitate.studio.serve.design_worker COLLECTION

Like the process that solves (worker.py), it resumes a collection from its file, or starts a new one
from a request on standard input, reports its progress, and stops at a checkpoint when asked to.
"""

import argparse
import time
from _thread import interrupt_main
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Timer

import msgspec

from kumitate import child
from kumitate.burr6.family import Burrs
from kumitate.designer.families import Cuts, Family, Subsets
from kumitate.designer.recipes import box
from kumitate.designer.start import start_of
from kumitate.files import json as puzzle_format
from kumitate.files.document import Document
from kumitate.jobs.design import design_into, resume_design, resume_search, search_into
from kumitate.model.errors import PuzzleError
from kumitate.model.wish import Wish
from kumitate.store import DesignQuestion, Sampling, open_collection
from kumitate.studio.messages import DesignWay
from kumitate.studio.serve.worker import CHECKPOINT, NEWS, work

PIECES = 4  # into which a goal is cut, unless the user says how many


class DesignWorkerRequest(msgspec.Struct):
    """The request that starts a design or a search: the goal is a name, or that of a problem."""

    way: DesignWay
    goal: str
    puzzle: str  # as .kumitate.json; "" without one
    problem: int  # counted from 0
    wish: Wish


class DesignNews(msgspec.Struct):
    """How far it is, or why it stopped; after the last line, read the collection."""

    summary: Sampling | None = None
    error: str = ""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m kumitate.studio.serve.design_worker")
    parser.add_argument("collection", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--new", action="store_true", help="read the request from a line on stdin")
    given = parser.parse_args()

    def act() -> None:
        asked = child.read_request(DesignWorkerRequest) if given.new else None
        child.stop_on_request()
        path = given.collection
        how = {"threads": given.threads, "checkpoint": CHECKPOINT}
        if _is_design(path, asked):
            design = partial(resume_design, path) if asked is None else _design(path, asked)
            design(seconds=given.seconds, progress=_report(), **how)
        else:
            search = partial(resume_search, path) if asked is None else _search(path, asked)
            search(progress=_report(given.seconds), **how)

    work(act)


def _is_design(path: Path, asked: DesignWorkerRequest | None) -> bool:
    if asked is not None:
        return asked.way in ("design", "improve")
    with open_collection(path) as collection:
        return isinstance(collection.asked, DesignQuestion)


def _design(path: Path, asked: DesignWorkerRequest) -> Callable[..., Sampling]:
    """A design by goal; only its budget is missing."""
    if asked.goal:
        return partial(design_into, path, asked.goal, asked.wish)
    document = _document(asked)
    problem, colours = document.puzzle.problems[asked.problem], document.puzzle.colours
    if asked.way == "design":
        return partial(design_into, path, problem.goal, asked.wish, colours=colours)
    start, title = start_of(problem, document.answers[asked.problem]), document.puzzle.title
    return partial(design_into, path, start, asked.wish, title=title, colours=colours)


def _search(path: Path, asked: DesignWorkerRequest) -> Callable[..., Sampling]:
    """A random search; only its budget is missing."""
    wish = asked.wish
    family, level = _family(asked), wish.level or 1
    return partial(search_into, path, family, level=level, unique=wish.unique, seed=wish.seed)


def _family(asked: DesignWorkerRequest) -> Family:
    """Which puzzles are drawn."""
    wish = asked.wish
    if asked.way == "burrs":
        return Burrs("notchable" if wish.notchable else "all")
    holes = wish.holes or 0
    if isinstance(holes, tuple):
        raise PuzzleError("a random cut needs a number of holes, not a range; enter one number")
    cuts = partial(Cuts, pieces=wish.pieces or PIECES, holes=holes, smallest=wish.smallest or 1)
    if asked.goal:
        goal = box(asked.goal)
        if goal is None:
            raise PuzzleError(f"{asked.goal} cannot be cut at random; only a box such as 4x4x4 can")
        return cuts(goal)
    document = _document(asked)
    problem, colours = document.puzzle.problems[asked.problem], document.puzzle.colours
    return (
        Subsets(problem, colours) if asked.way == "pieces" else cuts(problem.goal, colours=colours)
    )


def _document(asked: DesignWorkerRequest) -> Document:
    return puzzle_format.read(asked.puzzle.encode())


def _report(seconds: float | None = None) -> Callable[[Sampling], None]:
    """A progress callback that now and then tells how far it is.

    Some seconds after the first call it acts as Ctrl-C: a search has no limit of time itself.
    """
    sent = 0.0

    def report(now: Sampling) -> None:
        nonlocal sent
        if not sent and seconds is not None:
            timer = Timer(seconds, interrupt_main)
            timer.daemon = True
            timer.start()
        if time.monotonic() - sent >= NEWS:
            sent = time.monotonic()
            child.say(DesignNews(now))

    return report


if __name__ == "__main__":
    main()
