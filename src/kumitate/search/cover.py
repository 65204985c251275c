"""Exact cover for its own sake: items, options that cover some of them, and all ways to choose.

Knuth's Algorithm X, for programs that bring their own items: the core that puts pieces into goals
sees neither pieces nor goals, only numbers, so it takes any items as well. The answers come in one
order, whatever the number of threads, which is why a search can be saved between any two of them.
"""

import struct
from array import array
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, Generic, NamedTuple, TypeVar, overload

from kumitate import _core
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import LARGEST, MOST_THREADS, count_of, require_whole
from kumitate.search.assemble import TICK, Progress, count_all, report

Item = Hashable
Option = Iterable[Item] | Mapping[Any, Hashable]
Times = int | tuple[int, int]
Name = TypeVar("Name", bound=Hashable)

SHORT = 20_000  # nodes, some 5 ms: a search that is over by then needs no thread
MOST_AT_ONCE = 1 << 14  # numbers that a slice may find
UNLIMITED = (1 << 31) - 1  # no item is covered more often
BLANK = 0xFFFFFFFF  # behind the options of an answer that has fewer than others
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
    secondary items colours (None is no colour); such an item may be covered often, in one colour.
    `times` says how often an item is covered instead: exactly `n`, or `(low, high)` times.
    `primary` lists the items that must be covered. By default these are all others, but then an
    item that no option covers goes unnoticed, and so does a misspelt one.

    >>> seats = {"Ann 1": ["Ann", 1], "Ann 2": ["Ann", 2], "Bob 1": ["Bob", 1]}
    >>> list(cover(seats, secondary=[1, 2, 3]))
    [['Ann 2', 'Bob 1']]
    """
    return ExactCover(options, primary, secondary, times or {})


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
        times: Mapping[Any, Times],
    ) -> None:
        self._reader = reader = _Reader(_items(primary, "primary"), secondary, times)
        names: Iterable[Any]
        if isinstance(options, Mapping):
            self.names: Sequence[Any] | None = list(options)
            names, options = self.names, options.values()
        else:
            self.names, names = None, _count_up()
        try:
            each = iter(options)
        except TypeError:
            raise PuzzleError(f"options {options!r}: it must be a collection of options") from None
        for name, option in zip(names, each, strict=False):
            reader.read(name, option)
        reader.close()
        self._core = _core.Items(
            reader.least, reader.most, reader.starts, reader.items, reader.colours
        )

    def __repr__(self) -> str:
        options, items = len(self._reader.starts) - 1, len(self._reader.least)
        return f"<ExactCover: {count_of(options, 'option')}, {count_of(items, 'item')}>"

    def __iter__(self) -> Iterator[list[Name]]:
        return self.search()

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
        """How many answers there are, or `limit` if there are at least so many.

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
        search.skim(SHORT)
        if search.done:
            if progress is not None:
                progress(Progress(search.found, search.nodes, 1.0))
            return search.found
        return count_all(self._core, threads, progress).assemblies

    @cached_property
    def fingerprint(self) -> bytes:
        """Tells this problem from all others; saved states begin with it."""
        from hashlib import blake2b

        reader = self._reader
        digest = blake2b(digest_size=16)
        for numbers in (reader.least, reader.most, reader.starts, reader.items, reader.colours):
            digest.update(struct.pack("<Q", len(numbers)) + numbers.tobytes())
        return digest.digest()


class _Batch(NamedTuple):
    """What was read from the core at once, and what that leaves."""

    rows: Sequence[tuple[int, ...]]
    state: bytes | None  # of the slice that found them
    reads: int  # from the threads


class CoverSearch(Iterator[list[Name]]):
    """The answers of an exact cover, one after the other.

    It can be interrupted at any moment, say by Ctrl-C, and then saved or continued. One thread
    searches while it is asked, slice by slice; several run ahead.
    """

    def __init__(
        self,
        problem: ExactCover[Name],
        threads: int,
        progress: Callable[[Progress], None] | None,
        state: bytes | None,
    ) -> None:
        self._problem, self._core, self._names = problem, problem._core, problem.names
        self._threads, self._progress = threads, progress
        self._slice: _core.Search | None = None
        self._run: _core.ParallelSearch | None = None
        self._room = 1  # numbers; more and more, so that the first answer need not wait
        self._batch, self._at = _Batch((), None, 0), 0
        self._parts: deque[_core.Part] = deque()
        if state is not None:
            self._parts.extend(_parts_in(state, problem.fingerprint))
        elif self._core.possible:
            self._parts.append((self._core.search().save(), b""))

    def __next__(self) -> list[Name]:
        while self._at >= len(self._batch.rows):
            if not self._more():
                raise StopIteration
        row = self._batch.rows[self._at]
        self._at += 1
        if row and row[-1] == BLANK:
            row = row[: row.index(BLANK)]
        return [*row] if self._names is None else [self._names[n] for n in row]  # type: ignore[list-item]

    def save(self) -> bytes:
        """What is left of the search; it can go on here, or elsewhere with `search(state=...)`.

        >>> problem = cover([["a"], ["a"]])
        >>> search = problem.search()
        >>> next(search)
        [0]
        >>> list(problem.search(state=search.save())), list(search)
        ([[1]], [[1]])
        """
        from hashlib import blake2b

        parts = self._pause()
        body = b"".join(
            struct.pack("<2Q", len(state), len(found)) + state + found for state, found in parts
        )
        seal = blake2b(self._problem.fingerprint + body, digest_size=16).digest()
        return HEADER + self._problem.fingerprint + seal + body

    def close(self) -> None:
        """End the search and its threads."""
        self._parts.clear()
        self._batch, self._at, self._slice = _Batch((), None, 0), 0, None
        if self._run is not None:
            self._run.stop()
            self._run = None

    def __del__(self) -> None:
        if getattr(self, "_run", None) is not None:
            self.close()

    # An interrupt may come between any two steps, so what is read is noted in one.

    def _more(self) -> bool:
        """Read some answers, perhaps none; False if there are no more."""
        if self._threads == 1:
            return self._search()
        if self._run is None:
            if not self._parts:
                return False
            self._batch, self._at = _Batch((), None, 0), 0
            self._run = self._core.run(self._threads, True, True, list(self._parts))
        packed, over = self._run.read(TICK)
        self._batch, self._at = _Batch(_rows(packed), None, self._batch.reads + 1), 0
        report(self._run, self._progress)
        if over:
            self._run.stop()
            self._parts.clear()
            self._run = None
        return True

    def _search(self) -> bool:
        search, self._slice = self._slice, None
        if search is None:
            state = self._batch.state
            if state is None:
                if not self._parts:
                    return False
                state, found = self._parts[0]
                self._batch, self._at = _Batch(_rows_in(found), state, 0), 0
                self._parts.popleft()
                if found:
                    return True
            search = self._core.search()
            search.load(state)
        rows = _rows(search.run(SHORT, self._room))
        self._batch, self._at = _Batch(rows, None if search.done else search.save(), 0), 0
        self._room = min(2 * self._room, MOST_AT_ONCE)
        if not search.done:
            self._slice = search
        if self._progress is not None:
            self._progress(Progress(search.found, search.nodes, 1 - search.left))
        return True

    def _pause(self) -> "list[_core.Part]":
        if self._run is not None:
            self._parts = deque(self._run.pause(self._batch.reads))
            self._run = None
        rows = self._batch.rows[self._at :]
        found = b"".join(
            struct.pack(f"<{1 + len(its)}I", len(its), *its)
            for row in rows
            for its in [[number for number in row if number != BLANK]]
        )
        state = self._batch.state
        if found or state is not None:
            self._parts.appendleft((state or OVER, found))
        self._batch, self._at, self._slice = _Batch((), None, 0), 0, None
        return list(self._parts)


class _Reader:
    """Options in the core's numbers."""

    def __init__(
        self,
        primary: Sequence[Item] | None,
        secondary: Iterable[Item],
        times: Mapping[Any, Times],
    ) -> None:
        self.least, self.most, self.starts = array("i"), array("i"), array("i", [0])
        self.items, self.colours = array("i"), array("i")
        self.strict = primary is not None
        self.known: dict[Item, int] = {}
        self.bounds: dict[Item, tuple[int, int]] = {}
        self.palettes: dict[int, dict[Hashable, int]] = {}
        if not isinstance(times, Mapping):
            raise PuzzleError(f"times {_short(times)}: it must be a dictionary of items")
        self.bounds |= dict.fromkeys(_items(secondary, "secondary") or (), (0, 1))
        both = [item for item in primary or () if item in self.bounds]
        both += [item for item in times if item in self.bounds]
        if both:
            raise PuzzleError(
                f"item {both[0]!r} is secondary and also primary or in times; it can be one of them"
            )
        self.secondary = frozenset(self.bounds)
        for item in primary or ():
            self.bounds[item] = (1, 1)
        for item, range in times.items():
            self.bounds[item] = _bounds(item, range)
        for item in primary or ():
            self._number(item)

    def _number(self, item: Item) -> int:
        number = self.known.get(item)
        if number is None:
            low, high = self.bounds.get(item, (1, 1))
            number = self.known[item] = len(self.least)
            self.least.append(low)
            self.most.append(high)
        return number

    def read(self, name: object, option: Option) -> None:
        try:
            before = len(self.items)
            if isinstance(option, Mapping):
                for item, colour in option.items():
                    self.items.append(self._number(item))
                    self.colours.append(self._colour(name, item, colour))
            else:
                known = self.known
                for item in option:
                    number = known.get(item)
                    if number is None:
                        if self.strict and item not in self.bounds:
                            raise _unknown(name, item)
                        number = self._number(item)
                    self.items.append(number)
                    self.colours.append(0)
        except TypeError as error:
            raise PuzzleError(
                f"option {name!r} is {_short(option)}: an option is a collection of items, and an"
                f" item anything that can be the key of a dictionary ({error})"
            ) from None
        mine = self.items[before:]
        if not mine:
            raise PuzzleError(
                f"option {name!r} is empty: it could be chosen or not, whatever else is;"
                " leave it out"
            )
        if len(set(mine)) < len(mine):
            twice = next(item for item in self.known if mine.count(self.known[item]) > 1)
            raise PuzzleError(f"option {name!r} has item {twice!r} twice; list each item once")
        self.starts.append(len(self.items))

    def _colour(self, name: object, item: Item, colour: Hashable) -> int:
        if self.strict and item not in self.bounds:
            raise _unknown(name, item)
        if colour is None:
            return 0
        if item not in self.secondary:
            raise PuzzleError(
                f"option {name!r} colours item {item!r}, but only secondary items have colours;"
                " list it in secondary, or give it None for a colour"
            )
        palette = self.palettes.setdefault(self.known[item], {})
        return palette.setdefault(colour, len(palette) + 1)

    def close(self) -> None:
        """Items that no option covers are items all the same, if they must be covered."""
        for item, (low, _) in self.bounds.items():
            if low > 0:
                self._number(item)


def _unknown(name: object, item: Item) -> PuzzleError:
    return PuzzleError(
        f"option {name!r} has item {item!r}, which is neither in primary nor in secondary nor in"
        " times"
    )


def _items(items: Iterable[Item] | None, what: str) -> list[Item] | None:
    if items is None:
        return None
    try:
        listed = list(items)
        hash(tuple(listed))
    except TypeError as error:
        text = f"{what} {_short(items)}: it must be a collection of items ({error})"
        raise PuzzleError(text) from None
    return listed


def _bounds(item: Item, times: Times) -> tuple[int, int]:
    low, high = times if isinstance(times, tuple) and len(times) == 2 else (times, times)
    for number in (low, high):
        if not isinstance(number, int) or isinstance(number, bool) or number < 0:
            raise PuzzleError(
                f"times of item {item!r}: {times!r}; it must be a whole number, or a pair of them:"
                " the fewest and the most"
            )
    assert isinstance(low, int)
    assert isinstance(high, int)
    if low > high:
        raise PuzzleError(f"times of item {item!r}: the range {low}..{high} is empty")
    return min(low, UNLIMITED), min(high, UNLIMITED)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _count_up() -> Iterator[int]:
    from itertools import count

    return count()


def _rows(packed: "_core.Packed") -> list[tuple[int, ...]]:
    names, rows, length = packed
    return list(struct.iter_unpack(f"<{length}I", names)) if rows else []


def _rows_in(found: bytes) -> list[tuple[int, ...]]:
    """Answers, each behind its length."""
    numbers = struct.unpack(f"<{len(found) // 4}I", found)
    rows, at = [], 0
    while at < len(numbers):
        end = at + 1 + numbers[at]
        rows.append(numbers[at + 1 : end])
        at = end
    return rows


def _parts_in(state: bytes, fingerprint: bytes) -> "Iterator[_core.Part]":
    """The parts of a saved state, if it is one of this problem."""
    from hashlib import blake2b

    if not isinstance(state, bytes) or not state.startswith(HEADER):
        raise PuzzleError(
            "state is no saved state of an exact cover; it must be what save() returned"
        )
    at = len(HEADER)
    mine, seal, body = state[at : at + 16], state[at + 16 : at + 32], state[at + 32 :]
    if mine != fingerprint:
        raise PuzzleError(
            "state was saved for other options; ask for the same options, items and times again"
        )
    if blake2b(mine + body, digest_size=16).digest() != seal:
        raise PuzzleError("state is damaged; search from the beginning, without it")
    at = 0
    while at < len(body):
        one, other = struct.unpack_from("<2Q", body, at)
        at += 16
        yield body[at : at + one], body[at + one : at + one + other]
        at += one + other
