"""The user's folder: list, open and save the puzzles in it, and touch nothing outside.

A place in the folder is a path with `/`, as the page has it. Paths that lead out (`..`, absolute
paths, links), hidden files and names that are devices on some systems are rejected, whether there
is such a file or not.

The version of a file is a hash of its content. A save names the version that it replaces: if the
file was changed in the meantime, by another tab or another program, it is left alone. Before the
studio first saves over a file, it keeps a copy as NAME~; later saves do not overwrite that copy.
"""

import os
import re
import tempfile
import threading
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from kumitate.disk import put
from kumitate.files import AMBIGUOUS, GZIP, SUFFIXES, decode, encode, puzzlecad
from kumitate.files.document import MOST_BYTES, Document, place
from kumitate.model.errors import PuzzleError
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.solution import Answers
from kumitate.studio.refusal import Refusal

MOST_ENTRIES = 20_000  # files and folders that a listing looks at
DEEPEST = 6  # nested folders
HEAD = 4096  # bytes from which a file is recognised
STORE = ".kumitate-studio"  # the hidden folder for runs and drafts
DATABASE = ".kumitate"  # how the names of collections and runs end

_ODD = re.compile(r"[\x00-\x1f\x7f\\:\ud800-\udfff]")
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)


class FolderEntry(NamedTuple):
    """A file that may be a puzzle, with the time and size of its last write."""

    name: str  # its path within the folder
    modified: int  # nanoseconds since 1970
    size: int


class Content(NamedTuple):
    """The content of a file."""

    data: bytes
    version: str


def version_of(data: bytes) -> str:
    """The version of a file with this content.

    >>> version_of(b"")
    'e3b0c44298fc1c149afbf4c8996fb924'
    """
    return sha256(data).hexdigest()[:32]


def store_of(root: Path) -> Path:
    """The folder for the runs and drafts of a folder; a temporary one if that is read-only."""
    try:
        store = root / STORE
        store.mkdir(exist_ok=True)
        with tempfile.TemporaryFile(dir=store):
            return store
    except OSError:
        return Path(tempfile.mkdtemp(prefix="kumitate-studio-"))


class Folder:
    """A folder of puzzles."""

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise PuzzleError(f"there is no folder {root}")
        self.root = root.resolve()
        self._lock = threading.Lock()
        self._saved: dict[Path, str] = {}  # the version that we last saved

    # ---- paths ----

    def path(self, name: str) -> Path:
        """The path for this name, existing or not; names that cannot be puzzles are rejected."""
        path = self._within(name)
        if not name.lower().endswith((*SUFFIXES, *AMBIGUOUS)):
            raise Refusal(
                f"{name[:80]!r} is not a puzzle file; use .kumitate.json, .xmpuzzle or .scad",
                "question",
            )
        return path

    def collection(self, name: str) -> Path:
        """The path of a file that may be a collection, existing or not."""
        path = self._within(name)
        if not is_database(name):
            raise Refusal(
                f"{name[:80]!r} is not a collection; its name must end in .kumitate", "question"
            )
        return path

    def _within(self, name: str) -> Path:
        parts = name.split("/")
        if len(name) > 1000 or any(_is_bad(part) for part in parts):
            raise Refusal(
                f"{name[:80]!r} is not a valid name for a puzzle in the folder; use a plain name",
                "question",
            )
        try:
            path = self.root.joinpath(*parts).resolve()
        except (OSError, RuntimeError):  # a cycle of links
            raise Refusal(f"{name[:80]!r} is a link that leads nowhere", "question") from None
        if not path.is_relative_to(self.root) or any(
            part.startswith(".") for part in path.relative_to(self.root).parts
        ):
            raise Refusal(f"{name[:80]!r} leads out of the folder", "question")
        return path

    # ---- reading ----

    def files(self) -> tuple[list[FolderEntry], int]:
        """The files that look like puzzles, the latest first, sure ones before possible ones.

        And the number of files that are not listed because their names are not valid text.
        """
        found, odd = [], 0
        for entry in self._entries():
            name = os.path.relpath(entry.path, self.root).replace(os.sep, "/")
            try:
                if entry.is_file() and _is_within(entry, self.root):
                    name.encode()
                    found.append(FolderEntry(name, *_written(entry)))
            except UnicodeEncodeError:
                odd += 1
            except OSError:  # just deleted, or a cycle of links
                continue
        return sorted(found, key=lambda file: (not _is_sure(file.name), -file.modified)), odd

    def _entries(self) -> Iterator["os.DirEntry[str]"]:
        """The files in the folder and below, near ones first; nothing hidden, no linked folders."""
        folders, left = [(str(self.root), 0)], MOST_ENTRIES
        for folder, depth in folders:
            try:
                entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
            except OSError:
                continue
            for entry in entries:
                left -= 1
                if left < 0:
                    return
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    if depth < DEEPEST:
                        folders.append((entry.path, depth + 1))
                elif entry.name.lower().endswith((*SUFFIXES, *AMBIGUOUS, DATABASE)):
                    yield entry

    def content(self, name: str) -> Content:
        """The bytes of a file and their version."""
        path = self.path(name)
        with place(name):
            content = _content(path)
        if content is None:
            raise Refusal(f"{name} does not exist; it may have been moved or deleted", "missing")
        return content

    def is_writable(self, name: str) -> bool:
        """Whether a save may replace the file; puzzlecad source may contain more than a puzzle."""
        path = self.path(name)
        if path.name.lower().endswith(".scad"):
            return False
        return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)

    # ---- saving ----

    def save(
        self, name: str, version: str, puzzle: Puzzle, answers: Sequence[Answers | None] = ()
    ) -> tuple[str, list[str]]:
        """Save over a version ("" for a new file); return the new version and warnings.

        Solutions saved in the file stay as long as their problem is unchanged, unless there are
        other answers to it.
        """
        path = self.path(name)
        with self._lock:
            with place(name):
                before = _content(path)
            _require_same(path.name, before, version)
            document, warnings = _with_answers(puzzle, before, answers)
            with place(name):
                data, lost = _encoded(document, path.name.lower())
                if before is not None and self._saved.get(path) != before.version:
                    put(path.with_name(path.name + "~"), before.data)
                put(path, data)
            self._saved[path] = version_of(data)
            return self._saved[path], warnings + lost


def is_puzzle(name: str, data: bytes) -> bool:
    """Whether a file is meant to be a puzzle, even if it is invalid, and not only named like one.

    >>> is_puzzle("package.json", b'{"name": "x"}'), is_puzzle("a.json", b'{"kumitate": 1, oops')
    (False, True)
    """
    if _is_sure(name):
        return True
    if name.lower().endswith(".scad"):
        return puzzlecad.is_source(data)
    if data.startswith(GZIP):
        try:
            data = zlib.decompressobj(wbits=31).decompress(data, HEAD)
        except zlib.error:
            return False
    return re.search(rb'"kumitate"\s*:', data[:HEAD]) is not None


def is_database(name: str) -> bool:
    """Whether a name is that of a collection or a run.

    >>> is_database("cubes.kumitate"), is_database("cubes.kumitate.json")
    (True, False)
    """
    return name.lower().endswith(DATABASE)


def _is_sure(name: str) -> bool:
    return name.lower().endswith((*(set(SUFFIXES) - set(AMBIGUOUS)), DATABASE))


def _written(entry: "os.DirEntry[str]") -> tuple[int, int]:
    """When a file was written, and its size; of a database, with what was last added to it."""
    status = entry.stat()
    if is_database(entry.name):
        with suppress(OSError):
            added = Path(f"{entry.path}-wal").stat()
            return max(status.st_mtime_ns, added.st_mtime_ns), status.st_size + added.st_size
    return status.st_mtime_ns, status.st_size


def _is_bad(part: str) -> bool:
    """Whether a part of a path is hidden, leads elsewhere, or is invalid on some systems."""
    return (
        not part
        or part.startswith(".")
        or part.endswith((".", " "))
        or _ODD.search(part) is not None
        or _DEVICE.fullmatch(part) is not None
    )


def _is_within(entry: "os.DirEntry[str]", root: Path) -> bool:
    return not entry.is_symlink() or Path(entry.path).resolve().is_relative_to(root)


def _content(path: Path) -> Content | None:
    """The content of a file, None if it does not exist."""
    try:
        if path.exists() and not path.is_file():
            raise PuzzleError("not a file")
        if path.stat().st_size > MOST_BYTES:
            raise PuzzleError(f"larger than {MOST_BYTES // 1_000_000} MB")
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise PuzzleError((error.strerror or str(error)).lower()) from None
    return Content(data, version_of(data))


def _require_same(name: str, before: Content | None, version: str) -> None:
    """Raise a Refusal if a file was changed since the puzzle was opened or last saved."""
    if before is None:
        if version:
            raise Refusal(
                f"{name} was deleted since you opened it; save it under another name", "conflict"
            )
    elif not version:
        raise Refusal(f"{name} already exists; choose another name", "conflict")
    elif before.version != version:
        raise Refusal(
            f"{name} was changed elsewhere since you opened it; save it under another name, or"
            " reload it",
            "conflict",
        )


def _encoded(document: Document, name: str) -> tuple[bytes, list[str]]:
    """A document as a file that can be read again: with fewer solutions, if need be."""
    data, lost = encode(document, name)
    most = max((len(some.solutions) for some in document.answers if some), default=0)
    while most:
        try:
            decode(data)
            break
        except PuzzleError:
            most //= 2
        fewer = [
            some and replace(some, solutions=some.solutions[:most]) for some in document.answers
        ]
        data, lost = encode(replace(document, answers=fewer), name)
        lost = [*lost, f"only {most:,} solutions of each problem fit into the file"]
    return data, lost


def _with_answers(
    puzzle: Puzzle, before: Content | None, given: Sequence[Answers | None]
) -> tuple[Document, list[str]]:
    """A puzzle with the answers given, else with those in the file to problems that are unchanged.

    What the file knows of a solution besides (its number, the levels of one that has no moves)
    stays with it.
    """
    try:
        old = decode(before.data) if before else None
    except PuzzleError:
        old = None
    known: list[tuple[Problem, Answers]] = []
    if old is not None:
        pairs = zip(old.puzzle.problems, old.answers, strict=True)
        known = [(problem, answers) for problem, answers in pairs if answers is not None]
    kept: list[Answers | None] = []
    for number, problem in enumerate(puzzle.problems):
        same = next(
            (n for n, (other, _) in enumerate(known) if other.question == problem.question), None
        )
        there = None if same is None else known.pop(same)[1]
        new = given[number] if number < len(given) else None
        kept.append(there if new is None else _merged(new, there))
    return Document(puzzle, kept), [
        f"the solutions saved for {problem.name or 'a problem'} are not kept:"
        " the problem has changed"
        for problem, answers in known
        if answers.solutions
    ]


def _merged(new: Answers, old: Answers | None) -> Answers:
    """Answers, as the file has them where they are the same."""
    before = {one.assembly.placements: one for one in old.solutions} if old else {}
    merged = [
        before.get(one.assembly.placements, one) if one.disassembly is None else one
        for one in new.solutions
    ]
    if old is not None and [one.assembly.placements for one in merged] == list(before):
        return old
    return replace(new, solutions=merged)
