"""The gallery: a card with a picture for each puzzle in the library and in the user's folder.

Cards are cached by the file's time and size, so a folder with hundreds of files is read once. A
file that cannot be read in time shows only its name at first. A picture shows the puzzle assembled,
if an assembly is found at once. The page requests it separately, after the card; its address
contains the version, so browsers may cache it for ever.
"""

import threading
import time
from dataclasses import replace
from functools import cache, lru_cache
from urllib.parse import urlencode

from kumitate.files import AMBIGUOUS, SUFFIXES, decode, encode
from kumitate.files.document import Document, place
from kumitate.library import library
from kumitate.library.answers import KnownAnswer
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import count_of
from kumitate.model.palette import GOAL_COLOUR
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.solution import read_levels
from kumitate.output.draw.pictures import picture, svg_of
from kumitate.output.scene import Body, Pose, Scene, scene_of
from kumitate.search.one.first import first
from kumitate.studio.messages import Card, Kind
from kumitate.studio.refusal import Refusal
from kumitate.studio.serve.collections import (
    is_collection_file,
    is_in_collection,
    opened,
    picture_address,
    puzzle_at,
)
from kumitate.studio.serve.folder import (
    DATABASE,
    Folder,
    FolderEntry,
    is_database,
    is_puzzle,
    version_of,
)

MOST_CARDS = 500  # of the folder
READ_SECONDS = 1.0  # to wait for files that are not cached
SEARCH_SECONDS = 0.3  # to look for an assembly to draw,
MOST_CELLS = 2500  # if the goal has at most this many cells,
MOST_WORK = 1_000_000  # and there are at most this many placements to try
MOST_PICTURES = 200  # in the cache


def find(folder: Folder, address: str, answers: bool = False) -> tuple[Document, str]:
    """The puzzle at a place, if asked for with the answers that its file holds, and its version."""
    if is_in_collection(address):
        found = puzzle_at(folder, address)
        return Document(found.puzzle, [found.answers]), version_of(found.text.encode())
    where, _, name = address.partition("/")
    if where == "folder":
        content = folder.content(name)
        with place(name):
            return decode(content.data, answers=answers), content.version
    if where == "library" and name in library:
        return Document(library[name]), _library_version(name)
    raise Refusal(f"there is no puzzle {address[:80]!r}; choose one from the gallery", "missing")


# ---- cards ----


class Gallery:
    """The cards of a folder, cached."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self._known: dict[str, tuple[FolderEntry, Card | None]] = {}
        self._reader: threading.Thread | None = None
        self._lock = threading.Lock()

    def cards(self, patience: float = READ_SECONDS) -> tuple[list[Card], int]:
        """A card for each puzzle, the latest first, and how many files are not listed.

        Files that cannot be read within `patience` seconds show only their names for now, and are
        read in the background.
        """
        files, more = self.folder.files()
        listed = files[:MOST_CARDS]
        for name in self._known.keys() - {file.name for file in files}:
            self._known.pop(name, None)
        self._read(listed, patience)
        known = [self._known.get(file.name, (None, None)) for file in listed]
        found = [
            card if was == file else _plain_card(file)
            for file, (was, card) in zip(listed, known, strict=True)
        ]
        cards = [card for card in found if card is not None]
        cards.sort(key=lambda card: -(card.modified or 0))
        return cards, more + len(files[MOST_CARDS:])

    def _read(self, files: list[FolderEntry], patience: float) -> None:
        """Read the files that are not cached, on one thread at a time, and wait for it."""
        until = time.monotonic() + patience
        while unread := [file for file in files if self._is_unread(file)]:
            with self._lock:
                if self._reader is None or not self._reader.is_alive():
                    self._reader = threading.Thread(
                        target=self._read_all, args=(unread,), daemon=True
                    )
                    try:
                        self._reader.start()
                    except RuntimeError:  # the browser has no threads
                        self._reader = None
                        self._read_all(unread)
                        continue
                reader = self._reader
            reader.join(max(0.0, until - time.monotonic()))
            if time.monotonic() >= until:
                break

    def _read_all(self, files: list[FolderEntry]) -> None:
        for file in files:
            card = None
            try:
                card = _file_card(self.folder, file)
            finally:
                self._known[file.name] = (file, card)

    def _is_unread(self, file: FolderEntry) -> bool:
        return self._known.get(file.name, (None, None))[0] != file


@cache
def library_card(name: str) -> Card:
    """The card of a library puzzle.

    >>> card = library_card("soma")
    >>> card.kind, card.pieces, card.known
    ('packing', 7, '240 assemblies')
    """
    known = library.answers(name)
    levels = [read_levels(level)[0][0] for answer in known for level in answer.levels]
    card = _card(f"library/{name}", library[name], _library_version(name), max(levels, default=0))
    card.known = _summary(known)
    return card


def _file_card(folder: Folder, file: FolderEntry) -> Card | None:
    """The card of a file; None if it is not a puzzle at all."""
    plain = _plain_card(file)
    if is_database(file.name):
        return _collection_card(folder, file.name, plain)
    try:
        content = folder.content(file.name)
        if not is_puzzle(file.name, content.data):
            return None
        puzzle = decode(content.data, answers=False).puzzle
        titled = replace(puzzle, title=puzzle.title or plain.title)
        card = _card(plain.place, titled, content.version)
    except PuzzleError as error:
        plain.error = str(error)
        return plain
    card.modified = plain.modified
    return card


def _collection_card(folder: Folder, name: str, plain: Card) -> Card | None:
    """The card of a collection, with its best puzzle; None if the file is no collection."""
    if not is_collection_file(folder, name):
        return None
    try:
        with opened(folder, name) as collection:
            count, best = len(collection), collection.found(1, 1)
    except PuzzleError as error:
        plain.error = str(error)
        return plain
    plain.known = count_of(count, "puzzle")
    for found in best:
        levels = found.solution.levels if found.solution else None
        plain.known += f", level {levels}" if levels else ""
        plain.grid = found.puzzle.grid.name
        plain.kind = _kind(found.puzzle, levels.moves if levels else 0)
        plain.picture = picture_address(plain.place, found)
    return plain


def _plain_card(file: FolderEntry) -> Card:
    """The card of a file that was not read."""
    name = file.name.rpartition("/")[2]
    ends = (end for end in (*SUFFIXES, *AMBIGUOUS, DATABASE) if name.lower().endswith(end))
    title = name[: -len(next(ends))]
    return Card(
        place=f"folder/{file.name}",
        title=title,
        modified=file.modified / 1e9,
        collection=is_database(file.name),
    )


def _card(address: str, puzzle: Puzzle, version: str, level: int = 0) -> Card:
    return Card(
        place=address,
        title=puzzle.title,
        designer=puzzle.designer,
        grid=puzzle.grid.name,
        kind=_kind(puzzle, level),
        pieces=_pieces(puzzle),
        problems=len(puzzle.problems),
        picture=f"picture?{urlencode({'place': address, 'version': version})}",
    )


def _kind(puzzle: Puzzle, level: int) -> Kind:
    """What a puzzler would call it, as far as we know without solving it."""
    goals = [problem.goal for problem in puzzle.problems if problem.goal.cells]
    if puzzle.grid.balls:
        return "balls"
    if "burr" in puzzle.title.lower():
        return "burr"
    if level > 1:
        return "interlocking"
    if goals and all(goal.size[2] == 1 for goal in goals):
        return "flat"
    return "packing"


def _pieces(puzzle: Puzzle) -> int:
    """How many pieces the first problem uses, or, if that varies, how many kinds there are."""
    if not puzzle.problems:
        return len(puzzle.shapes)
    pieces = puzzle.problems[0].pieces
    exact = all(piece.min == piece.max for piece in pieces)
    return sum(piece.min for piece in pieces) if exact else len(pieces)


def _summary(known: list[KnownAnswer]) -> str:
    """What is known about all problems together."""
    if len(known) == 1:
        return str(known[0])
    counts = [answer.assemblies for answer in known if answer.assemblies is not None]
    return f"{min(counts):,} to {max(counts):,} assemblies" if counts else ""


@cache
def _library_version(name: str) -> str:
    return version_of(encode(Document(library[name]), f"{name}.kumitate.json")[0])


# ---- pictures ----


@lru_cache(maxsize=MOST_PICTURES)
def puzzle_picture(puzzle: Puzzle) -> str:
    """An assembly of a puzzle as SVG; its goal if the search takes long; its shapes without one."""
    problem = next((problem for problem in puzzle.problems if problem.goal.cells), None)
    if problem is None:
        return svg_of(puzzle)
    return picture(_assembled(problem) or _goal(problem), colours=puzzle.colours)


def _assembled(problem: Problem) -> Scene | None:
    work = len(problem.goal) * len(problem.pieces) * len(problem.grid.turns)
    if len(problem.goal) > MOST_CELLS or work > MOST_WORK:
        return None
    try:
        found = first(problem, seconds=SEARCH_SECONDS, engine="cover").assembly
    except PuzzleError:
        return None
    return None if found is None else scene_of(found)


def _goal(problem: Problem) -> Scene:
    body = Body(problem.goal, problem.goal.name, GOAL_COLOUR)
    return Scene(problem.grid, (body,), (Pose(((0.0, 0.0, 0.0),), (True,)),))
