"""A SAT solver in a process of its own, since it cannot be stopped in any other way.

    python -m kumitate.search.one.sat_process < cover.json

reads a cover and answers in lines of JSON. Asked to solve, {"chosen": [...]}: placements that cover
it, or null if none do. Asked why not, {"cells": [...], "pieces": [...]}: cells that cannot all be
covered while those pieces are used as often as they must; each line is a smaller set than the one
before, the last, with "least" true, cannot be made smaller. Next to nothing of kumitate is
imported, so that the process starts fast.
"""

import json
import random
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

SOLVER = "cadical153"
MOST_PAIRS = 400_000  # beyond that a chain says that at most one of many is chosen


class Formula:
    """Clauses over numbered variables; at first one for each placement, in random order."""

    def __init__(self, placements: int, seed: int) -> None:
        self.clauses: list[list[int]] = []
        self.variables = placements
        self.of = list(range(1, placements + 1))
        self.dice = random.Random(seed)
        self.dice.shuffle(self.of)

    def fresh(self) -> int:
        self.variables += 1
        return self.variables

    def at_most_one(self, some: Sequence[int], by_pairs: bool) -> None:
        """In pairs, or by a chain: a link is true from the first that is chosen on (Sinz 2005)."""
        if by_pairs or len(some) <= 4:
            self.clauses += [[-a, -b] for a, b in combinations(some, 2)]
            return
        link = self.fresh()
        self.clauses.append([-some[0], link])
        for variable in some[1:-1]:
            following = self.fresh()
            self.clauses += [[-variable, -link], [-link, following], [-variable, following]]
            link = following
        self.clauses.append([-some[-1], -link])

    def at_most(self, some: Sequence[int], most: int) -> None:
        """By a counter: number k of a row is true if more than k of those so far are chosen."""
        row: list[int] = []
        for variable in some if most < len(some) else ():
            following = [self.fresh() for _ in range(min(len(row) + 1, most + 1))]
            for k, counter in enumerate(following):
                if k < len(row):
                    self.clauses.append([-row[k], counter])
                self.clauses.append([-variable, counter] + ([-row[k - 1]] if k else []))
            row = following
            if len(row) > most:
                self.clauses.append([-row[most]])

    def at_least(self, some: Sequence[int], least: int, unless: int | None = None) -> None:
        """By a counter again: number k is true only if more than k of those so far are chosen."""
        spare = [] if unless is None else [unless]
        if least == 1:
            self.clauses.append([*some, *spare])
            return
        row: list[int] = []
        for variable in some:
            following = [self.fresh() for _ in range(min(len(row) + 1, least))]
            for k, counter in enumerate(following):
                before = [row[k]] if k < len(row) else []
                self.clauses.append([-counter, variable, *before])
                if k:
                    self.clauses.append([-counter, row[k - 1], *before])
            row = following
        if least:
            self.clauses.append([*row[least - 1 : least], *spare])


def columns_of(covers: Iterable[Sequence[int]], count: int) -> list[list[int]]:
    """For each of so many numbers where it occurs."""
    columns: list[list[int]] = [[] for _ in range(count)]
    for place, some in enumerate(covers):
        for number in some:
            columns[number].append(place)
    return columns


def formula_of(cover: dict[str, Any], seed: int, reasons: bool) -> tuple[Formula, dict[int, Any]]:
    """The clauses, and with `reasons` the variables that switch off a cell or a piece."""
    optional, covers = cover["optional"], cover["covers"]
    formula = Formula(len(covers), seed)
    columns = [[formula.of[i] for i in col] for col in columns_of(covers, len(optional))]
    by_pairs = sum(len(column) ** 2 // 2 for column in columns) <= MOST_PAIRS
    switches: dict[int, Any] = {}

    def switch(what: tuple[str, int]) -> int | None:
        if not reasons:
            return None
        off = formula.fresh()
        switches[off] = what
        return off

    holes = []
    for cell, column in enumerate(columns):
        formula.at_most_one(column, by_pairs)
        if not optional[cell]:
            formula.at_least(column, 1, switch(("cells", cell)))
        elif cover["holes"] < sum(optional):
            holes.append(formula.fresh())
            formula.clauses.append([*column, holes[-1]])
    formula.at_most(holes, cover["holes"])
    if cover["counts"]:
        members = columns_of([[piece] for piece in cover["piece"]], len(cover["least"]))
        for piece, some in enumerate(members):
            mine = [formula.of[i] for i in some]
            if cover["most"][piece] == 1:
                formula.at_most_one(mine, len(mine) ** 2 <= MOST_PAIRS // 10)
            else:
                formula.at_most(mine, cover["most"][piece])
            if cover["least"][piece]:
                formula.at_least(mine, cover["least"][piece], switch(("pieces", piece)))
    formula.dice.shuffle(formula.clauses)
    return formula, switches


def solve(cover: dict[str, Any], seed: int) -> list[int] | None:
    """Placements that cover it, or None if none do."""
    from pysat.solvers import Solver

    formula, _ = formula_of(cover, seed, reasons=False)
    with Solver(SOLVER, bootstrap_with=formula.clauses) as solver:
        if not solver.solve():
            return None
        chosen = {variable for variable in solver.get_model() if variable > 0}
    return [i for i, variable in enumerate(formula.of) if variable in chosen]


def conflicts(cover: dict[str, Any], seed: int) -> Iterator[dict[str, Any]]:
    """Smaller and smaller sets of cells and pieces that conflict; none if nothing does."""
    from pysat.solvers import Solver

    formula, switches = formula_of(cover, seed, reasons=True)

    def named(core: list[int], least: bool) -> dict[str, Any]:
        whats = [switches[off] for off in core]
        kinds = ("cells", "pieces")
        return {kind: sorted(n for k, n in whats if k == kind) for kind in kinds} | {"least": least}

    with Solver(SOLVER, bootstrap_with=formula.clauses) as solver:
        if solver.solve(assumptions=[-off for off in switches]):
            return
        core = [-literal for literal in solver.get_core() or ()]
        yield named(core, False)
        for off in list(core):
            without = [other for other in core if other != off]
            if off in core and not solver.solve(assumptions=[-other for other in without]):
                core = [-literal for literal in solver.get_core() or ()]
                yield named(core, False)
        yield named(core, True)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    task = json.load(sys.stdin)
    if task["why"]:
        for conflict in conflicts(task["cover"], task["seed"]):
            print(json.dumps(conflict), flush=True)
    else:
        print(json.dumps({"chosen": solve(task["cover"], task["seed"])}), flush=True)


if __name__ == "__main__":
    main()
