"""The index of plain_index.py with NumPy's arrays: for runs with millions of solutions.

It holds only numbers, one column per property, and reads the new rows of the file whenever it is
asked, so it follows a run that is still growing. A column whose values would all be the same (the
copies of each piece, if no piece has a range) is not read at all.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from kumitate.store.plain_index import (
    MOST_COUNTED,
    Choice,
    Here,
    PieceSet,
    PlainIndex,
    Sorting,
)
from kumitate.store.run import Run

Integers = NDArray[np.int64]

BATCH = 20_480  # solutions read at a time
MOST_FILTERS = 100  # places of pieces that are remembered
PADDING = b"\xff"  # fills a row up


class Index(PlainIndex):
    """The columns of a run; not thread-safe, so threads that share one need a lock."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.replaces = run.keep.what.startswith("best")  # better solutions replace others
        self._kinds = np.array([row[0] for row in self.table.rows] + [len(self.table.kinds)])
        self._dealt: dict[tuple[int, int], list[int]] = {}
        self._clear()

    def _clear(self) -> None:
        self.size = self.counted = 0
        self._ranks: Integers = np.zeros((2, 0), np.int64)  # level and moves
        small = np.min_scalar_type(max(piece.max for piece in self.pieces))
        self._copies: NDArray[np.integer] = np.zeros((len(self.pieces), 0), small)
        self._used: Integers = np.zeros(len(self._kinds), np.int64)
        self._sorted: dict[Sorting, Integers] = {}
        self._last: tuple[Choice, Sequence[int] | Integers] | None = None
        self._there: dict[Here, NDArray[np.bool_]] = {}
        self._set_of: tuple[Integers, list[PieceSet]] | None = None

    # ---- choosing ----

    def choose(self, run: Run, choice: Choice) -> Sequence[int]:
        """The numbers of the solutions that pass the filter, in order."""
        if choice == Choice():
            return range(1, len(run) + 1)
        self._update(run)
        if self._last is None or self._last[0] != choice:
            self._last = (choice, self._choose(run, choice))
        return self._last[1]  # type: ignore[return-value]  # an array does what is asked of it

    def position(self, run: Run, choice: Choice, number: int) -> int | None:
        """Where a solution is in the list, counted from 0; None if it does not pass the filter."""
        numbers = self.choose(run, choice)
        if isinstance(numbers, range):
            return number - 1 if number in numbers else None
        found = np.flatnonzero(np.asarray(numbers) == number)
        return int(found[0]) if len(found) else None

    def _choose(self, run: Run, choice: Choice) -> Sequence[int] | Integers:
        passing = self._passing(run, choice)
        order = self._order(choice.order)
        if order is None:
            return range(1, self.size + 1) if passing is None else np.flatnonzero(passing) + 1
        return (order if passing is None else order[passing[order]]) + 1

    def _passing(self, run: Run, choice: Choice) -> NDArray[np.bool_] | None:
        """Whether each solution passes; None if all do."""
        tests: list[NDArray[np.bool_]] = []
        bounds = (
            (0, choice.min_level, choice.max_level),
            (1, choice.min_moves, choice.max_moves),
        )
        for column, low, high in bounds:
            if low is None and high is None:
                continue
            if not self.apart:
                return np.zeros(self.size, bool)
            values = self._ranks[column]
            tests += [values > 0]
            tests += [] if low is None else [values >= low]
            tests += [] if high is None else [values <= high]
        for some, there in ((choice.uses, True), (choice.lacks, False)):
            for piece in some:
                self._require_piece(piece)
                if self.varied:
                    tests.append((self._copies[piece] > 0) == there)
                elif (self.pieces[piece].min > 0) != there:
                    return np.zeros(self.size, bool)
        if choice.copies is not None or choice.alone:
            set_of, sets = self._sets()
            if choice.copies is not None:
                tests.append(np.array([one.copies == choice.copies for one in sets], bool)[set_of])
            if choice.alone:
                tests.append(np.array([one.solutions == 1 for one in sets], bool)[set_of])
        tests += [self._covering(run, here) for here in choice.here]
        return np.logical_and.reduce(tests) if tests else None

    def _covering(self, run: Run, here: Here) -> NDArray[np.bool_]:
        """Whether each solution has on a cell what is asked for; of a growing run, what is new."""
        known = self._there.get(here, np.zeros(0, bool))
        if len(known) < self.size:
            fits = np.array(self._fits(here), bool)
            new = [
                fits[names].any(axis=1) for _, names in self._batches(run, len(known), self.size)
            ]
            if len(self._there) >= MOST_FILTERS:
                self._there.clear()
            known = self._there[here] = np.concatenate([known, *new])
        return known

    # ---- sets of pieces ----

    def sets(self, run: Run) -> list[PieceSet]:
        """The sets of pieces that solutions use, those with the fewest solutions first.

        If no piece has a range, all solutions use the same.
        """
        self._update(run)
        return self._sets()[1]

    def _sets(self) -> tuple[Integers, list[PieceSet]]:
        """For each solution which set it uses, and the sets."""
        if self._set_of is None and not self.size:
            self._set_of = np.zeros(0, np.int64), []
        if self._set_of is None:
            copies = self._copies
            if not self.varied:
                always = [[piece.min] for piece in self.pieces]
                copies = np.repeat(np.array(always, np.int64), self.size, axis=1)
            found, set_of, counts = np.unique(
                copies, axis=1, return_inverse=True, return_counts=True
            )
            order = np.argsort(counts, kind="stable")
            rank = np.argsort(order)
            sets = [PieceSet(tuple(map(int, found[:, n])), int(counts[n])) for n in order]
            self._set_of = rank[np.ravel(set_of)], sets
        return self._set_of

    def _order(self, order: Sorting) -> Integers | None:
        """The indices of all solutions, sorted; None if that is the order found."""
        if order == "found" or not (self.varied if order == "pieces" else self.apart):
            return None
        if order not in self._sorted:
            if order == "pieces":
                fewer = self._copies.max(initial=0) - self._copies[::-1]
                self._sorted[order] = np.lexsort((*fewer, self._copies.sum(axis=0)))
            else:
                level, moves = self._ranks
                first, then = (level, moves) if order == "level" else (moves, level)
                self._sorted[order] = np.argsort(-(first << 32 | then), kind="stable")
        return self._sorted[order]

    # ---- counting ----

    def placed(self, run: Run) -> list[int]:
        """How many of the counted solutions have the placement with each name."""
        self._update(run)
        for _, names in self._batches(run, self.counted, min(self.size, MOST_COUNTED)):
            self._used += np.bincount(names.ravel(), minlength=len(self._used))
            self.counted += len(names)
        found: list[int] = self._used[:-1].tolist()
        return found

    # ---- reading ----

    def _update(self, run: Run) -> None:
        """Read what is new; everything, if the run keeps the best and may have replaced some."""
        with run.snapshot():
            at = run.checkpoint()
            state = (at.kept, at.solutions, at.given_up)
            if state == self._state:
                return
            if self.replaces:
                self._clear()
            self._last = self._set_of = None
            self._sorted.clear()
            ranks, copies = [self._ranks], [self._copies]
            if self.apart or self.varied:
                for some, names in self._batches(run, self.size, at.kept):
                    ranks.append(some)
                    if self.varied:
                        copies.append(self._deal(names))
            self._ranks = np.concatenate(ranks, axis=1)
            self._copies = np.concatenate(copies, axis=1)
            self._state, self.size = state, at.kept

    def _batches(self, run: Run, before: int, last: int) -> Iterator[tuple[Integers, Integers]]:
        """Ranks and names of the solutions after number `before`, up to `last`, one row each."""
        none = np.zeros((2, 0), np.int64)
        while before < last and self.apart:
            rows = run.solution_rows(before + 1, min(BATCH, last - before))
            longest = max(len(row[3]) for row in rows)
            table = b"".join(row[3].ljust(longest, PADDING) for row in rows)
            ranks = np.array([row[4:6] for row in rows], np.int64).T
            before += len(rows)
            yield ranks, self._numbers(table, longest)
        while before < last:
            some = min(BATCH, last - before)
            for first, _, length, names in run.assembly_rows(before + 1, some):
                batch = self._numbers(names, length * self.width)
                yield none, batch[max(0, before + 1 - first) : before + some + 1 - first]
            before += some

    def _numbers(self, table: bytes, size: int) -> Integers:
        """Packed rows as numbers; padding becomes the number after the last name."""
        digits = np.frombuffer(table, np.uint8).reshape(-1, size // self.width or 1, self.width)
        names = np.zeros(digits.shape[:2], np.int64)
        for n in range(self.width):
            names |= digits[:, :, n].astype(np.int64) << 8 * n
        return np.minimum(names, len(self._kinds) - 1)

    def _deal(self, names: Integers) -> NDArray[np.integer]:
        """How many copies of each piece (row) each of these solutions (column) has."""
        kinds, rows = len(self.table.kinds), len(names)
        places = np.arange(rows)[:, None] * (kinds + 1) + self._kinds[names]
        amounts = np.bincount(places.ravel(), minlength=rows * (kinds + 1)).reshape(rows, -1)
        copies = np.zeros((len(self.pieces), rows), self._copies.dtype)
        for kind, pieces in enumerate(self.table.kinds):
            if len(pieces) == 1:
                copies[pieces[0]] = amounts[:, kind]
                continue
            for amount in np.unique(amounts[:, kind]):
                having = amounts[:, kind] == amount
                dealt = self._dealt_copies(kind, int(amount), names[having.argmax()])
                copies[np.ix_(pieces, having)] = np.array(dealt)[:, None]
        return copies

    def _dealt_copies(self, kind: int, amount: int, names: Integers) -> list[int]:
        """How `amount` copies of a kind are dealt to its pieces; only the amount matters."""
        if (kind, amount) not in self._dealt:
            some = [int(name) for name in names if name < len(self.table.rows)]
            used = Counter(p.piece for p in self.table.assembly(some).placements)
            self._dealt[kind, amount] = [used[piece] for piece in self.table.kinds[kind]]
        return self._dealt[kind, amount]
