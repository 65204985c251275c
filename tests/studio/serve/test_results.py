"""Lists and statistics of a run, compared with a plain loop over all its solutions."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tests.studio.served import studio

import kumitate
from kumitate import CUBES, Piece, Placement, Problem, Puzzle, Run, Shape, Solution
from kumitate.store import index as index_module
from kumitate.store.index import Index
from kumitate.store.plain_index import Choice, PlainIndex
from kumitate.studio.messages import HereData, PageRequest
from kumitate.studio.serve import results

BURRS = kumitate.library["six-piece-burr"]
CHOICES: list[dict[str, Any]] = [
    {},
    {"min_level": 1},
    {"min_level": 2},
    {"max_level": 1, "min_moves": 5},
    {"max_moves": 5},
    {"min_moves": 6, "max_moves": 6},
    {"uses": [0]},
    {"uses": [1, 2]},
    {"lacks": [0]},
    {"uses": [1], "lacks": [2], "max_level": 1},
    {"uses": [1], "lacks": [1]},
    {"alone": True},
    {"copies": [1] * 6 + [0] * 19},
    {"here": [HereData((1, 0, 0, 0), 2)]},
    {"here": [HereData((1, 0, 0, 0), 0), HereData((0, 1, 1, 0), 3)], "max_level": 1},
    {"here": [HereData((1, 0, 0, 0), colour=1)]},
]


# ---- the plain twin ----


def copies(solution: Solution) -> list[int]:
    used = Counter(placement.piece for placement in solution.assembly.placements)
    return [used[piece] for piece in range(len(solution.assembly.problem.pieces))]


def passes(solution: Solution, wanted: PageRequest) -> bool:
    level = solution.levels.moves if solution.levels else None
    moves = solution.levels.total if solution.levels else None
    for value, low, high in (
        (level, wanted.min_level, wanted.max_level),
        (moves, wanted.min_moves, wanted.max_moves),
    ):
        if low is not None and (value is None or value < low):
            return False
        if high is not None and (value is None or value > high):
            return False
    for here in wanted.here:
        pieces = solution.assembly.problem.pieces
        covering = [
            placement.piece
            for placement, shape in zip(
                solution.assembly.placements, solution.assembly.shapes, strict=True
            )
            if here.cell in shape.cells and here.colour in (None, shape.colours.get(here.cell, 0))
        ]
        if here.piece is not None:
            wish = pieces[min(here.piece, len(pieces) - 1)].shape
            covering = [one for one in covering if pieces[one].shape.congruent(wish)]
        if not covering:
            return False
    has = copies(solution)
    if wanted.copies is not None and has != wanted.copies:
        return False
    return all(has[n] for n in wanted.uses) and not any(has[n] for n in wanted.lacks)


def sorting(solution: Solution, order: str) -> Any:
    level = solution.levels.moves if solution.levels else 0
    moves = solution.levels.total if solution.levels else 0
    has = copies(solution)
    return {
        "found": 0,
        "level": (-level, -moves),
        "moves": (-moves, -level),
        "pieces": (sum(has), [-n for n in has]),
    }[order]


def plainly(
    run: Sequence[Solution], wanted: PageRequest
) -> list[tuple[int, str, int | None, list[int]]]:
    numbered = [(n, s) for n, s in enumerate(run, 1) if passes(s, wanted)]
    if wanted.alone:
        sets = Counter(tuple(copies(solution)) for solution in run)
        numbered = [(n, s) for n, s in numbered if sets[tuple(copies(s))] == 1]
    numbered.sort(key=lambda one: sorting(one[1], wanted.order))
    return [
        (n, str(s.levels or ""), s.levels.total if s.levels else None, copies(s))
        for n, s in numbered
    ]


# ---- runs to look at ----


def with_ranges() -> Puzzle:
    """A shape entered twice, one of them pinned, and pieces with ranges."""
    bar = Shape.from_text(CUBES, "##", name="bar")
    ell = Shape.from_text(CUBES, "##/#.", name="L")
    goal = Shape.from_text(CUBES, "++++/####/+++#", name="goal")
    pieces = [Piece(bar, 1, 3), Piece(ell, 0, 2), Piece(bar.named("rod"), 0, 2), Piece(ell, 0, 1)]
    return Puzzle.of(Problem(goal, pieces, pinned=[Placement(2, 0, (0, 0, 0))]))


KINDS: dict[str, tuple[Puzzle, dict[str, Any]]] = {
    "burrs": (BURRS, {"disassemble": True}),
    "the best burrs": (BURRS, {"disassemble": True, "keep": "best:40"}),
    "every third burr": (BURRS, {"disassemble": True, "keep": "every:3"}),
    "burrs given up": (BURRS, {"disassemble": True, "max_states": 4}),
    "burrs put together": (BURRS, {}),
    "none kept": (BURRS, {"keep": "none"}),
    "ranges": (with_ranges(), {}),
    "ranges taken apart": (with_ranges(), {"disassemble": True}),
    "ranges apart": (with_ranges(), {"distinct_copies": True}),
    "soma": (kumitate.library["soma"], {}),
    "a pyramid": (kumitate.library["kanoodle-pyramid"], {"limit": 2000}),
}


@pytest.fixture(params=KINDS, scope="module")
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    puzzle, options = KINDS[request.param]
    path = tmp_path_factory.mktemp("runs") / "run.kumitate"
    kumitate.solve_into(path, puzzle, **options)
    with kumitate.open_run(path) as opened:
        yield opened


def test_there_is_something_to_sort(tmp_path: Path) -> None:
    path = tmp_path / "run.kumitate"
    kumitate.solve_into(path, with_ranges())
    with kumitate.open_run(path) as opened:
        mixes = {tuple(copies(solution)) for solution in opened}
        assert len(opened) > 50
        assert len(mixes) > 5
        assert {len(row) for row in (s.assembly.placements for s in opened)} > {4}


@pytest.mark.parametrize("kind", [Index, PlainIndex])
@pytest.mark.parametrize("order", ["found", "level", "moves", "pieces"])
def test_a_list_is_as_a_loop_over_all_gives_it(
    run: Run, order: Any, kind: type[PlainIndex]
) -> None:
    index, solutions = kind(run), list(run)
    for choice in CHOICES:
        wanted = PageRequest(count=1000, order=order, **choice)
        whole = plainly(solutions, wanted)
        page = results.page(run, index, wanted)
        assert page.total == len(whole)
        assert [(r.number, r.levels, r.moves, r.pieces) for r in page.rows] == whole[:1000]
        part = results.page(run, index, PageRequest(first=7, count=5, order=order, **choice))
        assert part.rows == page.rows[7:12]
        assert part.total == page.total


@pytest.mark.parametrize("kind", [Index, PlainIndex])
def test_statistics_are_as_a_loop_over_all_gives_them(run: Run, kind: type[PlainIndex]) -> None:
    found = results.statistics(run, kind(run))
    solutions = list(run)
    levels = Counter(s.levels.moves for s in solutions if s.levels)
    moves = Counter(s.levels.total for s in solutions if s.levels)
    assert [(bar.value, bar.count) for bar in found.levels] == sorted(levels.items())
    assert [(bar.value, bar.count) for bar in found.moves] == sorted(moves.items())
    assert found.counted == found.total == len(solutions)
    first = {piece: kind[0] for kind in run.table.kinds for piece in kind}
    cells: Counter[tuple[int, ...]] = Counter()
    places: Counter[tuple[int, Shape]] = Counter()
    for solution in solutions:
        pairs = zip(solution.assembly.placements, solution.assembly.shapes, strict=True)
        for placement, shape in pairs:
            piece = first[placement.piece]
            places[piece, replace(shape, name="")] += 1
            cells.update((piece, *cell) for cell in shape.cells)
    assert [position.piece for position in found.positions] == sorted(set(first.values()))
    for position in found.positions:
        mine = sorted((*cell, n) for (piece, *cell), n in cells.items() if piece == position.piece)
        assert position.cells == mine
        lying = sorted(n for (piece, _), n in places.items() if piece == position.piece)
        assert position.placements == lying[::-1]
        assert position.colour == run.problem.colour(position.piece)


def test_an_index_follows_a_run_that_goes_on(tmp_path: Path) -> None:
    for name, keep in product(("burrs", "ranges"), ("all", "best:30")):
        puzzle, options = KINDS[name]
        if keep != "all":
            options = {"disassemble": True}
        path = tmp_path / f"{name}-{keep}.kumitate"
        kumitate.solve_into(path, puzzle, limit=5, keep=keep, **options)
        with kumitate.open_run(path) as opened:
            index, plain = Index(opened), PlainIndex(opened)
            for limit in (5, 23, 24, 90, 10_000):
                kumitate.resume(path, limit=limit)
                for choice in (Choice("level"), Choice("pieces", uses=(0,))):
                    numbers = [int(n) for n in index.choose(opened, choice)]
                    assert numbers == [int(n) for n in Index(opened).choose(opened, choice)]
                    assert numbers == list(plain.choose(opened, choice))
                    assert index.rows(opened, numbers) == Index(opened).rows(opened, numbers)
                now = results.statistics(opened, index)
                assert now == results.statistics(opened, Index(opened))
                assert now == results.statistics(opened, plain)


def test_no_more_are_counted_than_is_quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_module, "MOST_COUNTED", 100)
    for options in ({}, {"disassemble": True}):
        path = tmp_path / "run.kumitate"
        kumitate.solve_into(path, kumitate.library["soma"], **options)  # type: ignore[arg-type]
        with kumitate.open_run(path) as opened:
            found = results.statistics(opened, Index(opened))
            assert (found.counted, found.total) == (100, 240)
            assert sum(found.positions[0].placements) == 100
            assert sum(bar.count for bar in found.levels) == (240 if options else 0)


def test_names_of_any_width_are_read(tmp_path: Path) -> None:
    """A million placements take three bytes each; here the width is only claimed."""
    path = tmp_path / "run.kumitate"
    kumitate.solve_into(path, kumitate.library["soma"])
    with kumitate.open_run(path) as opened:
        index = Index(opened)
        for width in (1, 2, 3, 4):
            index.width = width
            rows = [[5, 300 % 256**width, 7], [1, 256**width - 1, 256**width - 1]]
            packed = b"".join(n.to_bytes(width, "little") for row in rows for n in row)
            last = len(opened.table.rows)
            assert index._numbers(packed, 3 * width).tolist() == [
                [5, 300 % 256**width, 7],
                [1, min(last, 256**width - 1), min(last, 256**width - 1)],
            ]


def test_the_page_gets_the_same_by_asking(tmp_path: Path) -> None:
    with studio(tmp_path) as served:
        run = served.done(served.solve(BURRS))
        with kumitate.open_run(served.runs.path(run.id)) as opened:
            index = Index(opened)
            wanted = {"first": 20, "count": 30, "order": "moves", "uses": [1], "min_level": 1}
            assert served.page(run, **wanted) == results.page(
                opened,
                index,
                PageRequest(**wanted),  # type: ignore[arg-type]
            )
            assert served.statistics(run) == results.statistics(opened, index)
            for row in served.page(run, order="level", count=5).rows:
                solution = served.solution(run, row.number)
                assert (solution.number, solution.levels, solution.moves) == (
                    row.number, row.levels, row.moves,
                )  # fmt: skip
