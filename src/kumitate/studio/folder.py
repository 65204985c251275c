"""The user's folder: puzzles in it are listed, opened and saved, and nothing outside is touched.

A place in the folder is a path with `/`, as the page has it. What leads out (`..`, absolute paths,
links), hidden files and names that some systems take for devices are refused, whether there is such
a file or not.

The version of a file is a hash of its content. Saving says which version it replaces: if the file
was changed meanwhile, by another tab or another program, it is left alone. What a save replaces is
kept beside it as NAME~, as it was before the studio first saved over it; further saves keep that.
"""

import os
import re
import threading
import zlib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from kumitate.disk import put
from kumitate.files import GZIP, decode, encode, puzzlecad
from kumitate.files.document import MOST_BYTES, Document, place
from kumitate.model.errors import PuzzleError
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.solution import Answers
from kumitate.studio.refusal import Refusal

KINDS = (".kumitate.json", ".kumitate.json.gz", ".xmpuzzle")
MAYBE = (".json", ".json.gz", ".scad")  # there are others of that name, which are no puzzles
MOST_ENTRIES = 20_000  # files and folders that a listing looks at
DEEPEST = 6  # folders within folders
HEAD = 4096  # bytes by which a file is told

_ODD = re.compile(r"[\x00-\x1f\x7f\\:\ud800-\udfff]")
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)


class FolderEntry(NamedTuple):
    """A file that may hold a puzzle, and when and how large it was last written."""

    name: str  # its path within the folder
    modified: int  # nanoseconds since 1970
    size: int


class Content(NamedTuple):
    """What is in a file."""

    data: bytes
    version: str


def version_of(data: bytes) -> str:
    """The version of a file with this content.

    >>> version_of(b"")
    'e3b0c44298fc1c149afbf4c8996fb924'
    """
    return sha256(data).hexdigest()[:32]


class Folder:
    """A folder of puzzles."""

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise PuzzleError(f"there is no folder {root}")
        self.root = root.resolve()
        self._lock = threading.Lock()
        self._saved: dict[Path, str] = {}  # the version that was last saved here

    # ---- where ----

    def path(self, name: str) -> Path:
        """The file of this name, there or not; whatever is no puzzle of the folder is refused."""
        parts = name.split("/")
        if len(name) > 1000 or any(_is_bad(part) for part in parts):
            raise Refusal(
                f"{name[:80]!r} is no place for a puzzle in the folder; use a plain name",
                "question",
            )
        if not name.lower().endswith((*KINDS, *MAYBE)):
            raise Refusal(
                f"{name[:80]!r} is no kind of puzzle; use .kumitate.json, .xmpuzzle or .scad",
                "question",
            )
        try:
            path = self.root.joinpath(*parts).resolve()
        except (OSError, RuntimeError):  # links that go round
            raise Refusal(f"{name[:80]!r} leads nowhere", "question") from None
        if not path.is_relative_to(self.root) or any(
            part.startswith(".") for part in path.relative_to(self.root).parts
        ):
            raise Refusal(f"{name[:80]!r} leads out of the folder", "question")
        return path

    # ---- what ----

    def files(self) -> tuple[list[FolderEntry], int]:
        """The files that look like puzzles, the latest first, sure ones before those that may be.

        And how many could not be listed: names that are no text, or more than MOST_ENTRIES.
        """
        found, odd = [], 0
        for entry in self._entries():
            name = os.path.relpath(entry.path, self.root).replace(os.sep, "/")
            try:
                if entry.is_file() and _is_within(entry, self.root):
                    name.encode()
                    told = entry.stat()
                    found.append(FolderEntry(name, told.st_mtime_ns, told.st_size))
            except UnicodeEncodeError:
                odd += 1
            except OSError:  # gone meanwhile, or a link that goes round
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
                elif entry.name.lower().endswith((*KINDS, *MAYBE)):
                    yield entry

    def content(self, name: str) -> Content:
        """The bytes of a file and their version."""
        path = self.path(name)
        with place(name):
            content = _content(path)
        if content is None:
            raise Refusal(f"{name} is not there; perhaps it was moved or removed", "missing")
        return content

    def is_writable(self, name: str) -> bool:
        """Whether saving can replace the file; source for puzzlecad may hold more than a puzzle."""
        path = self.path(name)
        if path.name.lower().endswith(".scad"):
            return False
        return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)

    # ---- saving ----

    def save(self, name: str, version: str, puzzle: Puzzle) -> tuple[str, list[str]]:
        """Save a puzzle in place of a version ("": of nothing); its version, and what is not kept.

        Solutions saved in the file stay there as long as their problem does.
        """
        path = self.path(name)
        with self._lock:
            with place(name):
                before = _content(path)
            _require_same(path.name, before, version)
            document, warnings = _with_answers(puzzle, before)
            with place(name):
                data, lost = encode(document, path.name.lower())
                if before is not None and self._saved.get(path) != before.version:
                    put(path.with_name(path.name + "~"), before.data)
                put(path, data)
            self._saved[path] = version_of(data)
            return self._saved[path], warnings + lost


def is_puzzle(name: str, data: bytes) -> bool:
    """Whether a file is meant to be a puzzle, broken or not, and not just named like one.

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


def _is_sure(name: str) -> bool:
    return name.lower().endswith(KINDS)


def _is_bad(part: str) -> bool:
    """Whether a part of a path is hidden, leads elsewhere, or is no name on some systems."""
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
    """What is in a file, if it is there."""
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
    """Whether a file is still what it was when the puzzle was opened or last saved."""
    if before is None:
        if version:
            raise Refusal(
                f"{name} was removed since you opened it; save it under another name", "conflict"
            )
    elif not version:
        raise Refusal(f"{name} exists already; choose another name", "conflict")
    elif before.version != version:
        raise Refusal(
            f"{name} was changed elsewhere since you opened it; save under another name, or reload",
            "conflict",
        )


def _with_answers(puzzle: Puzzle, before: Content | None) -> tuple[Document, list[str]]:
    """A puzzle with the solutions that the file holds for problems that are still the same."""
    try:
        old = decode(before.data) if before else None
    except PuzzleError:
        old = None
    if old is None or not any(old.answers):
        return Document(puzzle), []
    known: list[tuple[Problem, Answers]] = [
        (problem, answers)
        for problem, answers in zip(old.puzzle.problems, old.answers, strict=True)
        if answers is not None
    ]
    kept: list[Answers | None] = []
    for problem in puzzle.problems:
        same = next((n for n, (other, _) in enumerate(known) if other == problem), None)
        kept.append(None if same is None else known.pop(same)[1])
    return Document(puzzle, kept), [
        f"the solutions saved for {problem.name or 'a problem'} are not kept:"
        " the problem has changed since"
        for problem, _ in known
    ]
