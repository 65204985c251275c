"""The gallery: a card with a picture for each puzzle, of the library and of the user's folder.

What a card says of a file is remembered by when and how large the file was written, so that a
folder of hundreds is read once; what cannot be read in time shows only its name at first. A
picture shows the puzzle put together, if an assembly is found at once. It is asked for on its own,
after the card, and its address has the version in it: it may be kept for ever.
"""

import re
import threading
import time
from dataclasses import replace
from functools import cache, lru_cache
from urllib.parse import urlencode

from kumitate.files import decode, encode
from kumitate.files.document import Document, place
from kumitate.library import Answer, answers, library
from kumitate.model.errors import PuzzleError
from kumitate.model.palette import GOAL_COLOUR
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.output.scene import Body, Pose, Scene, scene_of
from kumitate.output.svg import picture, svg_of
from kumitate.search.findone import first
from kumitate.studio.folder import Folder, FolderEntry, is_puzzle, version_of
from kumitate.studio.messages import Card, Kind
from kumitate.studio.refusal import Refusal

MOST_CARDS = 500  # of the folder
PATIENCE = 1.0  # seconds to wait for files that were not read before
MOMENT = 0.3  # seconds to look for an assembly to draw,
MOST_CELLS = 2500  # if the goal has no more cells than that,
MOST_WORK = 1_000_000  # nor that many places to try
ENDING = r"(\.kumitate)?\.(json|json\.gz|xmpuzzle|scad)$"
MOST_PICTURES = 200  # that are kept


def find(folder: Folder, address: str) -> tuple[Document, str]:
    """The puzzle at a place, without the answers saved with it, and its version."""
    where, _, name = address.partition("/")
    if where == "folder":
        content = folder.content(name)
        with place(name):
            return decode(content.data, answers=False), content.version
    if where == "library" and name in library:
        return Document(library[name]), _library_version(name)
    raise Refusal(
        f"there is no puzzle {address[:80]!r}; the gallery shows what there is", "missing"
    )


# ---- cards ----


class Gallery:
    """The cards of a folder, each made once."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self._known: dict[str, tuple[FolderEntry, Card | None]] = {}
        self._reader: threading.Thread | None = None
        self._lock = threading.Lock()

    def cards(self, patience: float = PATIENCE) -> tuple[list[Card], int]:
        """A card for each puzzle, the latest first, and how many files have none.

        Files that cannot be read in so many seconds have their names only, and are read meanwhile.
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
        """Have all read that is not known, and wait for it; one thread reads at a time."""
        until = time.monotonic() + patience
        while unread := [file for file in files if self._is_unread(file)]:
            with self._lock:
                if self._reader is None or not self._reader.is_alive():
                    self._reader = threading.Thread(
                        target=self._read_all, args=(unread,), daemon=True
                    )
                    self._reader.start()
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
    """The card of a puzzle that kumitate brings along.

    >>> card = library_card("soma")
    >>> card.kind, card.pieces, card.known
    ('packing', 7, '240 assemblies')
    """
    known = answers(name)
    levels = [int(level.split(".")[0]) for answer in known for level in answer.levels]
    card = _card(f"library/{name}", library[name], _library_version(name), max(levels, default=0))
    card.known = _told(known)
    return card


def _file_card(folder: Folder, file: FolderEntry) -> Card | None:
    """The card of a file; None if it is no puzzle at all."""
    plain = _plain_card(file)
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


def _plain_card(file: FolderEntry) -> Card:
    """What there is to say about a file that was not read."""
    name = re.sub(ENDING, "", file.name.rpartition("/")[2], flags=re.IGNORECASE)
    return Card(place=f"folder/{file.name}", title=name, modified=file.modified / 1e9)


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
    """What a puzzler would call it, as far as that can be told without solving it."""
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
    """How many pieces the first problem uses, or if that is open, how many kinds there are."""
    if not puzzle.problems:
        return len(puzzle.shapes)
    pieces = puzzle.problems[0].pieces
    exact = all(piece.min == piece.max for piece in pieces)
    return sum(piece.min for piece in pieces) if exact else len(pieces)


def _told(known: list[Answer]) -> str:
    """What is known of all problems together."""
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
    """A puzzle put together, as SVG; its goal if that takes long, or its shapes if it has none."""
    problem = next((problem for problem in puzzle.problems if problem.goal.cells), None)
    if problem is None:
        return svg_of(puzzle)
    return picture(_assembled(problem) or _goal(problem), colours=puzzle.colours)


def _assembled(problem: Problem) -> Scene | None:
    work = len(problem.goal) * len(problem.pieces) * len(problem.grid.turns)
    if len(problem.goal) > MOST_CELLS or work > MOST_WORK:
        return None
    try:
        found = first(problem, seconds=MOMENT, engine="cover").assembly
    except PuzzleError:
        return None
    return None if found is None else scene_of(found)


def _goal(problem: Problem) -> Scene:
    body = Body(problem.goal, problem.goal.name, GOAL_COLOUR)
    return Scene(problem.grid, (body,), (Pose(((0.0, 0.0, 0.0),), (True,)),))
