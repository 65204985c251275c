"""The library's puzzles are what they say, and their known answers have sources."""

import os
import re
from pathlib import Path

import pytest
from bench import hard, turning

import kumitate
from kumitate import library, placements
from kumitate.library.answers import known_answers
from kumitate.model.geometry import Cell

REFERENCE = Path(__file__).resolve().parents[3] / "shared" / "reference"

EVERY = [(name, problem.name) for name, puzzle in library.items() for problem in puzzle.problems]
LONG = {"hexominoes", "pentacubes", "pentahexes/5x22"}  # to find one takes longer: `make soak`


def test_the_library_has_more_than_a_hundred_puzzles() -> None:
    assert len(library) > 80
    assert len(EVERY) > 170


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
    assert hopeless == ["de-bruijn-cube/6x6x6", "dominoes/mutilated"]
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
    """A class is as large as the goal's group, unless its assemblies are symmetric: of dominoes."""
    for name, puzzle in library.items():
        for problem in puzzle.problems:
            [answer] = library.answers(f"{name}/{problem.name}")
            group = len(permutations(problem.goal))
            if answer.assemblies and answer.rotations:
                assert answer.rotations <= group * answer.assemblies, name
                if name != "dominoes":
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
