"""Exact cover for its own sake: items, options that cover some of them, and all ways to choose.

Knuth's Algorithm X, for programs that bring their own items: the core that puts pieces into goals
sees neither pieces nor goals, only numbers, so it takes any items as well. The answers come in one
order, whatever the number of threads, which is why a search can be saved between any two of them.
"""

import struct
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain, islice
from typing import Any, Generic, NamedTuple, TypeVar, overload

from kumitate import _core
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import LARGEST, MOST_THREADS, count_of, require_whole
from kumitate.search.assemble import TICK, Progress, count_all, report

Item = Hashable
Option = Iterable[Item] | Mapping[Any, Hashable]
Times = int | tuple[int, int]
Name = TypeVar("Name", bound=Hashable)

SHORT = 20_000  # nodes: a search that is over by then needs no thread
MOST_AT_ONCE = 1 << 14  # numbers that a slice may find
BLANK = 0xFFFFFFFF  # behind the options of an answer that has fewer than others
BEGIN = struct.pack("<5Q", 0, 0, 0, 0, BLANK)  # the state of a search that has not begun
OVER = struct.pack("<4Q", 0, 0, 0, 1)  # the state of a part that is searched
HEADER = b"kumitate cover 1\n"


@overload
def cover(  # type: ignore[overload-overlap]  # a mapping is also an iterable
    options: Mapping[Name, Option],
    *,
    primary: Iterable[Item] | None = None,
    secondary: Iterable[Item] = (),
    times: Mapping[Any, Times] | None = None,
) -> "ExactCover[Name]": ...
@overload
def cover(
    options: Iterable[Option],
    *,
    primary: Iterable[Item] | None = None,
    secondary: Iterable[Item] = (),
    times: Mapping[Any, Times] | None = None,
) -> "ExactCover[int]": ...
def cover(
    options: Mapping[Any, Option] | Iterable[Option],
    *,
    primary: Iterable[Item] | None = None,
    secondary: Iterable[Item] = (),
    times: Mapping[Any, Times] | None = None,
) -> "ExactCover[Any]":
    """Every choice of options that covers each item exactly once (Knuth's Algorithm X).

    An option is a collection of items, and an item anything that can be the key of a dictionary.
    Each answer is a list of option numbers, or of keys if `options` is a mapping.

    >>> options = [[1, 4, 7], [1, 4], [4, 5, 7], [3, 5, 6], [2, 3, 6, 7], [2, 7]]
    >>> list(cover(options))
    [[1, 3, 5]]
    >>> cover(options).count()
    1

    `secondary` items are covered once or not at all. An option that is a mapping gives its
    secondary items colours (None is no colour); such an item may be covered any number of times, in
    one colour. `times` says how often an item is covered instead: exactly `n`, or `(low, high)`
    times. `primary` lists the items that must be covered. By default these are all others, but then
    an item that no option covers goes unnoticed, and so does a misspelt one.

    >>> seats = {"Ann 1": ["Ann", 1], "Ann 2": ["Ann", 2], "Bob 1": ["Bob", 1]}
    >>> list(cover(seats, secondary=[1, 2, 3]))
    [['Ann 2', 'Bob 1']]
    """
    return ExactCover(options, primary, secondary, times)


class ExactCover(Generic[Name]):
    """Options and items. Iterating over it gives every answer, in an order that never changes.

    >>> dominoes = cover([["a", "b"], ["c", "d"], ["a", "c"], ["b", "d"]])
    >>> dominoes
    <ExactCover: 4 options, 4 items>
    >>> list(dominoes)
    [[0, 1], [2, 3]]
    """

    def __init__(
        self,
        options: Mapping[Any, Option] | Iterable[Option],
        primary: Iterable[Item] | None,
        secondary: Iterable[Item],
        times: Mapping[Any, Times] | None,
    ) -> None:
        self._core, self._names = _core.read_items(options, primary, secondary, times)

    def __repr__(self) -> str:
        options = count_of(len(self._names), "option")
        return f"<ExactCover: {options}, {count_of(self._core.items, 'item')}>"

    def __iter__(self) -> Iterator[list[Name]]:
        known = self._core.known_answers(self._names)
        return chain.from_iterable(self.search()._batches()) if known is None else iter(known)

    def search(
        self,
        *,
        threads: int = 1,
        progress: Callable[[Progress], None] | None = None,
        state: bytes | None = None,
    ) -> "CoverSearch[Name]":
        """The answers, on several threads if you like; from a saved state, those that are left.

        >>> queens = [[f"row {r}", f"column {c}"] for r in range(4) for c in range(4)]
        >>> search = cover(queens).search()
        >>> next(search), next(search)
        ([0, 5, 10, 15], [0, 5, 11, 14])
        >>> state = search.save()
        >>> len(list(cover(queens).search(state=state)))
        22
        """
        require_whole(1, MOST_THREADS, threads=threads)
        return CoverSearch(self, threads, progress, state)

    def count(
        self,
        *,
        threads: int = 1,
        limit: int | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> int:
        """How many answers there are, or `limit` if there are at least that many.

        Where options form a long strip, as dominoes on a board do, answers are counted without
        visiting them.

        >>> board = [(x, y) for x in range(8) for y in range(8)]
        >>> across = [[(x, y), (x + 1, y)] for x, y in board if x < 7]
        >>> down = [[(x, y), (x, y + 1)] for x, y in board if y < 7]
        >>> cover([*across, *down]).count()
        12988816
        """
        require_whole(1, MOST_THREADS, threads=threads)
        if limit is not None:
            require_whole(1, LARGEST, limit=limit)
            return sum(1 for _ in islice(self.search(threads=threads, progress=progress), limit))
        if not self._core.possible:
            return 0
        search = self._core.search()
        search.skim(self._nodes)
        if search.done:
            if progress is not None:
                progress(Progress(search.found, search.nodes, 1.0))
            return search.found
        return count_all(self._core, threads, progress).assemblies

    @cached_property
    def _nodes(self) -> int:
        """Nodes that take some 5 ms, or with many items some 100."""
        return max(50, min(SHORT, 10**8 // (1 + self._core.size[0])))

    @cached_property
    def _fingerprint(self) -> bytes:
        """Tells this problem from all others; saved states begin with it."""
        return _digest(self._core.question)


class _Batch(NamedTuple):
    """What was read from the core at once, and what that leaves."""

    rows: list[list[Any]]
    packed: "_core.Packed"  # the same in numbers
    state: bytes | None = None  # of the slice that found them
    reads: int = 0  # from the threads


NOTHING = _Batch([], (b"", 0, 1))


class CoverSearch(Iterator[list[Name]]):
    """The answers of an exact cover, one after the other.

    It can be interrupted at any moment, for example by Ctrl-C, and then saved or continued. A
    single thread searches only when the next answer is asked for; several threads run ahead.
    """

    def __init__(
        self,
        problem: ExactCover[Name],
        threads: int,
        progress: Callable[[Progress], None] | None,
        state: bytes | None,
    ) -> None:
        self._problem, self._core = problem, problem._core
        self._threads, self._progress = threads, progress
        self._slice: _core.Search | None = None
        self._run: _core.ParallelSearch | None = None
        self._reading = False  # from the threads
        self._room = 64  # numbers; more and more, so that the first answers need not wait
        self._batch, self._at = NOTHING, 0
        self._parts: list[_core.Part] = []  # after the batch and what it leaves
        if state is not None:
            self._parts = list(_parts_in(state, problem._fingerprint))
        elif self._core.possible:
            self._parts = [(BEGIN, b"")]

    def __next__(self) -> list[Name]:
        while self._at >= len(self._batch.rows):
            if not self._more():
                raise StopIteration
        self._at += 1
        return self._batch.rows[self._at - 1]

    def save(self) -> bytes:
        """The rest of the search, to continue here, or elsewhere with `search(state=...)`.

        >>> problem = cover([["a"], ["a"]])
        >>> search = problem.search()
        >>> next(search)
        [0]
        >>> list(problem.search(state=search.save())), list(search)
        ([[1]], [[1]])
        """
        self._pause()
        body = b"".join(
            struct.pack("<2Q", len(state), len(found)) + state + found
            for state, found in self._parts
        )
        fingerprint = self._problem._fingerprint
        return HEADER + fingerprint + _digest(fingerprint, body) + body

    def close(self) -> None:
        """End the search and its threads."""
        if self._run is not None:
            self._run.stop()
        self._parts, self._batch, self._at = [], NOTHING, 0
        self._slice = self._run = None

    def __del__(self) -> None:
        if getattr(self, "_run", None) is not None:
            self.close()

    def _batches(self) -> Iterator[list[list[Name]]]:
        """The same answers, as many at a time as there are."""
        while self._at < len(self._batch.rows) or self._more():
            rows, self._at = self._batch.rows[self._at :], len(self._batch.rows)
            yield rows

    # Ctrl-C may come at every call. So each method notes what it has done in one assignment after
    # the last call: before it nothing has happened, and after it everything has.

    def _more(self) -> bool:
        """Read some answers, perhaps none; False if there are no more."""
        return self._search() if self._threads == 1 else self._read_from_threads()

    def _read_from_threads(self) -> bool:
        if self._reading:  # and interrupted: some answers may have been lost on the way
            self._pause()
        if self._run is None:
            if not self._parts:
                return False
            self._run = self._core.run(self._threads, True, True, self._parts)
            self._batch, self._at = NOTHING, 0
        self._reading = True
        packed, over = self._run.read(TICK)
        batch = self._batch_of(packed, None, self._batch.reads + 1)
        self._batch, self._at, self._reading = batch, 0, False
        report(self._run, self._progress)
        if over:
            self._run.stop()
            self._parts, self._run = [], None
        return True

    def _search(self) -> bool:
        search, self._slice = self._slice, None
        if search is None:
            state = self._batch.state
            if state is None:
                if not self._parts:
                    return False
                state, found = self._parts[0]
                batch = self._batch_of(_table(found), state)
                self._batch, self._at, self._parts = batch, 0, self._parts[1:]
                if found:
                    return True
            search = self._search_from(state)
        packed = search.run(self._problem._nodes, self._room)
        batch = self._batch_of(packed, None if search.done else search.save())
        going = None if search.done else search
        room = min(2 * self._room, MOST_AT_ONCE)
        self._batch, self._at, self._slice, self._room = batch, 0, going, room
        if self._progress is not None:
            left = search.left + sum(self._search_from(state).left for state, _ in self._parts)
            self._progress(Progress(search.found, search.nodes, 1 - left))
        return True

    def _search_from(self, state: bytes) -> _core.Search:
        search = self._core.search()
        if state != BEGIN:
            search.load(state)
        return search

    def _batch_of(self, packed: "_core.Packed", state: bytes | None, reads: int = 0) -> _Batch:
        return _Batch(self._core.answers(*packed, self._problem._names), packed, state, reads)

    def _pause(self) -> None:
        """Put everything that is left into the parts."""
        parts = self._parts if self._run is None else self._run.pause(self._batch.reads)
        names, rows, length = self._batch.packed
        numbers = (
            [n for n in row if n != BLANK]
            for row in islice(struct.iter_unpack(f"<{length}I", names), self._at, rows)
        )
        found = b"".join(struct.pack(f"<{1 + len(row)}I", len(row), *row) for row in numbers)
        state = self._batch.state
        if found or state is not None:
            parts = [(state or OVER, found), *parts]
        self._parts, self._batch, self._at = parts, NOTHING, 0
        self._slice, self._run, self._reading = None, None, False


def _table(found: bytes) -> "_core.Packed":
    """Answers, each behind its length, as a table."""
    numbers = struct.unpack(f"<{len(found) // 4}I", found)
    rows, at = [], 0
    while at < len(numbers):
        end = at + 1 + numbers[at]
        rows.append(numbers[at + 1 : end])
        at = end
    length = max(1, *map(len, rows)) if rows else 1
    blank = [BLANK] * length
    table = b"".join(struct.pack(f"<{length}I", *(*row, *blank)[:length]) for row in rows)
    return table, len(rows), length


def _digest(*some: bytes) -> bytes:
    from hashlib import blake2b  # which few programs need

    return blake2b(b"".join(some), digest_size=16).digest()


def _parts_in(state: bytes, fingerprint: bytes) -> "Iterator[_core.Part]":
    """The parts of a saved state, if it is one of this problem."""
    if not isinstance(state, bytes) or not state.startswith(HEADER):
        raise PuzzleError(
            "state is not a saved state of an exact cover; it must be what save() returned"
        )
    at = len(HEADER)
    mine, seal, body = state[at : at + 16], state[at + 16 : at + 32], state[at + 32 :]
    if mine != fingerprint:
        raise PuzzleError(
            "state was saved for other options; ask for the same options, items and times again"
        )
    if _digest(mine, body) != seal:
        raise PuzzleError("state is damaged; search from the beginning, without it")
    at = 0
    while at < len(body):
        one, other = struct.unpack_from("<2Q", body, at)
        at += 16
        yield body[at : at + one], body[at + one : at + one + other]
        at += one + other
