"""The library's puzzles are what they say, and their known answers have sources."""

import os
import re
from collections import Counter
from functools import cache
from itertools import product
from math import prod
from pathlib import Path

import pytest
from bench import hard, turning

import kumitate
from kumitate import library, placements
from kumitate.library.answers import known_answers
from kumitate.model.geometry import Cell

Edge = tuple[tuple[int, int], tuple[int, int]]
REFERENCE = Path(__file__).resolve().parents[3] / "shared" / "reference"

EVERY = [(name, problem.name) for name, puzzle in library.items() for problem in puzzle.problems]
LONG = {"hexominoes", "pentacubes", "pentahexes/5x22"}  # to find one takes longer: `make soak`
EQUAL = {"dominoes", "aztec-diamonds", "domino-boxes", "lozenges", "hexagon-triangles"}
EQUAL |= {"t-tetrominoes", "straight-trominoes", "froebel-gifts"}  # pieces: symmetric assemblies


def test_the_library_has_more_than_a_hundred_puzzles() -> None:
    assert len(library) > 100
    assert len(EVERY) > 220


def test_every_problem_has_a_name_that_can_be_typed() -> None:
    for name, problem in EVERY:
        assert re.fullmatch(r"[a-z0-9-]+/[A-Za-z0-9-]+", f"{name}/{problem}")


def test_every_problem_has_an_answer_with_a_source() -> None:
    for name, problem in EVERY:
        [answer] = library.answers(f"{name}/{problem}")
        assert answer.source
        assert (answer.assemblies is None) == answer.first


def test_every_answer_is_of_a_problem() -> None:
    assert sorted((a.puzzle, a.problem) for a in known_answers()) == sorted(EVERY)


def test_every_puzzle_has_a_designer_or_says_where_it_comes_from() -> None:
    for name, puzzle in library.items():
        assert puzzle.title
        assert puzzle.designer or puzzle.comment, name


@pytest.mark.parametrize(
    "name", [f"{a.puzzle}/{a.problem}" for a in known_answers() if a.first], ids=lambda name: name
)
def test_what_has_an_assembly_has_one(name: str) -> None:
    if (name in LONG or name.partition("/")[0] in LONG) and "KUMITATE_SOAK" not in os.environ:
        pytest.skip("takes longer: make soak")
    [problem] = library[name].problems
    found = kumitate.first(problem, seconds=60).assembly
    assert found is not None
    assert kumitate.referee.assembly_faults(found) == []


def test_what_has_no_assembly_is_proved_to_have_none() -> None:
    hopeless = [f"{a.puzzle}/{a.problem}" for a in known_answers() if a.assemblies == 0]
    assert sorted(hopeless) == ["de-bruijn-cube/6x6x6", "dominoes/mutilated", "tetraboloes/4x7"]
    for name in hopeless:
        [problem] = library[name].problems
        found = kumitate.first(problem, seconds=60)
        assert found.assembly is None
        assert found.argument is not None


def permutations(goal: kumitate.Shape) -> set[tuple[Cell, ...]]:
    """What the goal's symmetries do to its cells; a flat one's mirror may do nothing."""
    found: set[tuple[Cell, ...]] = set()
    for turn in goal.symmetries(mirrors=True):
        image = goal.turned(turn)
        assert image is not None
        low = [min(axis) for axis in zip(*image.cells, strict=True)]
        cells = (turn(cell) for cell in goal)
        found.add(tuple((c[0] - low[0], c[1] - low[1], c[2] - low[2], c[3]) for c in cells if c))
    return found


def test_counts_of_one_problem_agree_with_its_symmetry() -> None:
    """A class is as large as the goal's group, unless its assemblies are symmetric."""
    for name, puzzle in library.items():
        for problem in puzzle.problems:
            [answer] = library.answers(f"{name}/{problem.name}")
            group = len(permutations(problem.goal))
            if answer.assemblies and answer.rotations:
                assert answer.rotations <= group * answer.assemblies, name
                if name not in EQUAL:
                    assert answer.rotations == group * answer.assemblies, name
            if answer.assemblies and answer.mirrors:
                assert answer.assemblies <= answer.mirrors <= 2 * answer.assemblies


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("iq-puzzler-pro/5x11", 2140),
        ("iq-puzzler-pro/diamond", 2116),
        ("iq-puzzler-pro-pyramid", 2004),
        ("kanoodle", 1789),
        ("kanoodle-pyramid", 1646),
        ("y25", 960),
    ],
)
def test_placements_are_as_many_as_other_programs_print(name: str, count: int) -> None:
    """Sources: research/kanoodle_and_iq_puzzler.md and block_puzzle.md."""
    [problem] = library[name].problems
    assert sum(map(len, placements(problem))) == count


# ---- theorems ----


def known(name: str) -> int | None:
    """How many assemblies there are if each counts however it lies."""
    return library.answers(name)[0].rotations


def test_dominoes_fill_aztec_diamonds_as_often_as_a_theorem_says() -> None:
    """Elkies, Kuperberg, Larsen and Propp, 1992."""
    for n in range(2, 7):
        assert known(f"aztec-diamonds/order-{n}") == 2 ** (n * (n + 1) // 2)


def test_lozenges_fill_hexagons_as_often_as_a_formula_says() -> None:
    """MacMahon: the product of (i+j+k-1)/(i+j+k-2) for i, j, k from 1 to n."""
    for n in range(1, 5):
        sums = [sum(three) for three in product(range(1, n + 1), repeat=3)]
        assert known(f"lozenges/side-{n}") == prod(m - 1 for m in sums) // prod(m - 2 for m in sums)


def test_t_tetrominoes_fill_rectangles_as_often_as_a_polynomial_says() -> None:
    """Korn and Pak: 4m x 4n in 2 T(3, 3) ways, with the Tutte polynomial T of the m x n grid."""
    for m, n in ((1, 2), (2, 2), (2, 3), (3, 3)):
        points = list(product(range(m), range(n)))
        across = [((x, y), (x + 1, y)) for x, y in points if x + 1 < m]
        along = [((x, y), (x, y + 1)) for x, y in points if y + 1 < n]
        assert known(f"t-tetrominoes/{4 * m}x{4 * n}") == 2 * tutte((*across, *along), 3, 3)


@cache
def tutte(edges: tuple[Edge, ...], x: int, y: int) -> int:
    """The Tutte polynomial of a graph, by deletion and contraction."""
    if not edges:
        return 1
    (a, b), rest = edges[0], edges[1:]
    if a == b:
        return y * tutte(rest, x, y)
    joined = tuple((a if c == b else c, a if d == b else d) for c, d in rest)
    reached = {a}
    for _ in rest:
        reached |= {end for edge in rest if reached & {*edge} for end in edge}
    if b not in reached:  # a bridge
        return x * tutte(joined, x, y)
    return tutte(rest, x, y) + tutte(joined, x, y)


def test_dominoes_fill_boxes_as_often_as_a_plain_count_says() -> None:
    for sides in ((2, 2, 2), (2, 2, 3), (2, 3, 3), (2, 3, 4), (2, 4, 4), (4, 4, 4)):
        assert known(f"domino-boxes/{'x'.join(map(str, sides))}") == domino_tilings(*sides)


def domino_tilings(a: int, b: int, c: int) -> int:
    """By profiles: cell by cell, how often each set of the next a x b cells is already covered."""
    profiles = {0: 1}
    for z, y, x in product(range(c), range(b), range(a)):
        grown: Counter[int] = Counter()
        for covered, count in profiles.items():
            if covered & 1:
                grown[covered >> 1] += count
                continue
            for step, inside in ((1, x + 1 < a), (a, y + 1 < b), (a * b, z + 1 < c)):
                if inside and not covered >> step & 1:
                    grown[(covered | 1 << step) >> 1] += count
        profiles = dict(grown)
    return profiles[0]


def test_six_piece_burr_sticks_are_different_and_within_the_stick() -> None:
    [problem] = library["six-piece-burr"].problems
    sticks = [piece.shape for piece in problem.pieces]
    assert len({stick.canonical().named("") for stick in sticks}) == 25
    assert all(stick.size == (6, 2, 2) and stick.connected for stick in sticks)
    assert len(problem.goal) == 104


def test_an_unknown_puzzle_is_a_key_error() -> None:
    assert "sooma" not in library
    with pytest.raises(KeyError):
        library["pentominoes/7x9"]


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("soma", "xmpuzzle/soma"),
        ("diabolical-cube", "xmpuzzle/diabolical"),
        ("slothouber-graatsma", "xmpuzzle/slothouber_graatsma"),
        ("conway", "xmpuzzle/conway"),
        ("bedlam", "xmpuzzle/bedlam"),
        ("y25", "xmpuzzle/y25"),
        ("six-piece-burr", "burrtools-examples/SolidSixPieceBurrs"),
    ],
)
def test_pieces_are_those_that_burrtools_counted(name: str, file: str) -> None:
    path = REFERENCE / f"{file}.xmpuzzle"
    if not path.exists():
        pytest.skip("../shared/reference is not here")
    [theirs] = kumitate.read(path).puzzle.problems
    [ours] = library[name].problems
    assert ours.goal.congruent(theirs.goal)

    def bag(problem: kumitate.Problem) -> list[tuple[str, int, int]]:
        rows = [(p.shape.canonical().named(""), p.min, p.max) for p in problem.pieces]
        return sorted((str(sorted(shape.cells)), low, high) for shape, low, high in rows)

    assert bag(ours) == bag(theirs)


def test_volumes_leave_no_gap() -> None:
    for puzzle in library.values():
        for problem in puzzle.problems:
            low, high = problem.volume
            required = len(problem.goal) - len(problem.goal.optional)
            assert low <= len(problem.goal)
            assert required <= high


def test_the_hard_puzzles_are_those_that_their_recipe_makes(tmp_path: Path) -> None:
    for name, assembly in hard.write(tmp_path).items():
        assert kumitate.load(tmp_path / f"{name}.kumitate.json") == library[name]
        disassembly = kumitate.disassemble(assembly)
        assert disassembly is not None
        [level] = library.answers(name)[0].levels
        assert str(disassembly.levels) == level
        assert kumitate.referee.disassembly_faults(assembly, disassembly) == []


def test_the_turning_puzzles_are_those_that_their_recipe_makes(tmp_path: Path) -> None:
    for name in turning.write(tmp_path):
        assert kumitate.load(tmp_path / f"{name}.kumitate.json") == library[name]
