"""The search finds what the specification says, each class once, whatever the threads."""

import os
import subprocess
import sys
import time
from dataclasses import replace
from itertools import islice, product
from pathlib import Path

import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st
from tests.children import MAIN, interrupted
from tests.search.specification import Whole, all_assemblies, classes, exact_cover, kinds
from tests.search.unpacked import unpacked

import kumitate
from kumitate import (
    CUBES,
    Assembly,
    Piece,
    Placement,
    Problem,
    Shape,
    _core,
    assemble,
    count,
    first,
    hint,
    library,
)
from kumitate.grids import GRIDS, HEXAGONS, PRISMS, SPHERES
from kumitate.model.options import CountOptions
from kumitate.referee import assembly_faults
from kumitate.search.assemble import PreparedProblem, Progress
from kumitate.search.placements import ask


def whole(assembly: Assembly, distinct: bool = False) -> Whole:
    """An assembly as the specification writes it."""
    kind = kinds(assembly.problem, distinct)
    return frozenset(
        (kind[placement.piece], frozenset(shape.tokens.items()))
        for placement, shape in zip(assembly.placements, assembly.shapes, strict=True)
    )


REFERENCE = Path(__file__).resolve().parents[3] / "shared" / "reference"
HANDED = [
    Shape.from_text(CUBES, "## .#/#. ..", name="left"),
    Shape.from_text(CUBES, "## #./.# ..", name="right"),
]


@st.composite
def problems(draw: st.DrawFn, small: bool = False) -> Problem:
    """Small problems with all there is.

    Ranges, zeros, copies entered again, mirror partners, optional cells, colours, hole limits,
    pins and bans.
    """
    grid = draw(st.sampled_from([CUBES, CUBES, PRISMS, SPHERES, HEXAGONS]))
    number = st.integers(0, 1 if small else 2)
    some = st.tuples(number, number, st.integers(0, 1), st.integers(0, len(grid.tiles) - 1))

    def shape(name: str, least: int, most: int, coloured: bool) -> Shape:
        cells = draw(st.sets(some, min_size=least, max_size=most))
        palette = st.sampled_from([0, 0, 0, 1, 2]) if coloured else st.just(0)
        return Shape(grid, cells, colours={c: draw(palette) for c in sorted(cells)}, name=name)

    coloured = draw(st.booleans())
    goal = shape("goal", 3, 7, coloured)
    optional = {cell for cell in sorted(goal.cells) if draw(st.sampled_from([False, False, True]))}
    goal = Shape(grid, goal.cells, optional, goal.colours, "goal")
    shapes = [shape(f"p{n}", 1, 3, coloured) for n in range(draw(st.integers(1, 3)))]
    if grid == CUBES and draw(st.booleans()):
        shapes[0] = draw(st.sampled_from(HANDED))  # no shape of three cells is chiral
        block = {(x, y, z, 0) for x in range(2) for y in range(2) for z in range(2)}
        goal = Shape(grid, goal.cells | block, optional, goal.colours, "goal")
    if draw(st.booleans()):
        shapes.append(shapes[0].mirrored().named("mirror"))
    if draw(st.booleans()):
        again = draw(st.sampled_from(shapes))
        turned = again.turned(draw(st.sampled_from(grid.turns)))
        shapes.append((turned or again).named("again"))
    pieces = []
    for piece in shapes:
        low = draw(st.integers(0, 1))
        pieces.append(Piece(piece, low, low + draw(st.integers(0, 2))))
    pairs = st.sets(st.tuples(st.integers(1, 2), st.integers(1, 2)))
    holes = draw(st.none() | st.integers(0, 3))
    problem = Problem(goal, pieces, "", draw(pairs) if coloured else (), holes)
    everywhere = [place for some in kumitate.placements(problem) for place in some]
    if not everywhere or draw(st.sampled_from([True, True, False])):
        return problem
    some_of_them = st.sets(st.sampled_from(everywhere), max_size=2)
    return replace(problem, pinned=draw(some_of_them), forbidden=draw(some_of_them))


def found(problem: Problem, **options: bool) -> list[Assembly]:
    try:
        return list(assemble(problem, **options))  # type: ignore[arg-type]
    except kumitate.PuzzleError:
        return []  # volumes that cannot match, a piece that fits nowhere: no assembly either


# Questions this small need no shrinking, which would take minutes.
UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)
MANY = 8 if os.environ.get("KUMITATE_SOAK") else 1


@settings(max_examples=500 * MANY, deadline=None, phases=UNSHRUNK)
@given(problems(), st.booleans())
def test_every_assembly_is_found_once(problem: Problem, distinct: bool) -> None:
    got = found(problem, rotations=True, distinct_copies=distinct)
    assert all(assembly_faults(assembly, distinct) == [] for assembly in got)
    wholes = [whole(assembly, distinct) for assembly in got]
    assert len(set(wholes)) == len(wholes)
    assert set(wholes) == all_assemblies(problem, distinct)


@settings(max_examples=120 * MANY, deadline=None, phases=UNSHRUNK)
@given(problems(small=True), st.booleans(), st.booleans(), st.booleans())
def test_one_of_each_class_is_found(
    problem: Problem, mirrors: bool, thorough: bool, distinct: bool
) -> None:
    got = found(problem, mirrors=mirrors, thorough=thorough, distinct_copies=distinct)
    wholes = all_assemblies(problem, distinct)
    assert len(got) == classes(problem, mirrors, thorough, wholes, distinct)
    assume(got)
    counted = count(problem, mirrors=mirrors, thorough=thorough, distinct_copies=distinct)
    assert counted.assemblies == len(got)
    if not thorough:
        assert counted.rotations == len(wholes)


@settings(max_examples=150 * MANY, deadline=None, phases=UNSHRUNK)
@given(problems(small=True), st.booleans(), st.booleans(), st.booleans())
def test_a_frontier_counts_what_a_plain_search_finds(
    problem: Problem, mirrors: bool, rotations: bool, distinct: bool
) -> None:
    try:
        options = CountOptions(mirrors=mirrors, rotations=rotations, distinct_copies=distinct)
        prepared = PreparedProblem(problem, options)
    except kumitate.PuzzleError:
        assume(False)
    prepared.prepare()
    frontiers = prepared.core.frontier_counts()
    while frontiers.run(3):
        pass
    assume(frontiers.done)  # not with many kinds, or an unsafe reflection
    totals = [low for _, low in frontiers.totals]
    wholes = all_assemblies(problem, distinct)
    assert totals[0] == len(wholes)
    if not rotations:
        expected = classes(problem, mirrors, False, wholes, distinct)
        assert sum(totals) == len(totals) * expected


def test_dominoes_are_counted_without_visiting_their_assemblies() -> None:
    """12,988,816 on a chessboard (Kasteleyn 1961), and 2.4e30 on one with 16 squares a side."""
    domino = Shape.from_text(CUBES, "##", name="domino")

    def board(side: int) -> Problem:
        cells = {(x, y, 0, 0) for x in range(side) for y in range(side)}
        return Problem(Shape(CUBES, cells), [Piece(domino, side * side // 2)])

    counted = count(board(8))
    assert counted.rotations == 12_988_816
    assert counted.assemblies == 1_629_189  # also by visiting all of them
    assert counted.nodes < 1_000_000
    assert count(board(16), rotations=True).assemblies == 2444888770250892795802079170816


def test_a_tally_that_grows_too_large_is_given_up() -> None:
    bent = Shape.from_text(CUBES, "##/#.", name="bent")
    cube = Shape(CUBES, {(x, y, z, 0) for x in range(6) for y in range(6) for z in range(6)})
    problem = Problem(cube, [Piece(bent, 72)])
    prepared = PreparedProblem(problem, CountOptions(rotations=True))
    prepared.prepare()
    frontiers = prepared.core.frontier_counts()
    while frontiers.run(100_000):
        assert frontiers.states < 20_000_000
    assert not frontiers.done


@pytest.mark.parametrize("name", ["pentominoes/3x4x5", "kanoodle", "iq-puzzler-pro-pyramid"])
def test_progress_tells_how_much_is_done(name: str) -> None:
    """The fraction is that of all nodes within a fifth; equal shares are off by up to 0.4."""
    [problem] = library[name].problems
    seen: list[Progress] = []
    total = count(problem, progress=seen.append).nodes
    assert len(seen) > 5
    assert [p.fraction for p in seen] == sorted(p.fraction for p in seen)
    assert max(abs(p.nodes / total - p.fraction) for p in seen) < 0.2


def test_a_search_stops_within_a_tenth_of_a_second() -> None:
    [problem] = library["bedlam"].problems
    times = []
    for _ in range(5):
        stream = assemble(problem, threads=2)
        next(stream)
        start = time.process_time()
        del stream
        times.append(time.process_time() - start)
    assert min(times) < 0.1 * 2  # of both threads


KNOWN = [(name, problem.name) for name, p in library.items() for problem in p.problems]
SMALL = ["slothouber-graatsma", "diabolical-cube", "pentominoes/3x20"]
LONG = {"bedlam", "iq-puzzler-pro", "tetris-cube", "dudeney-chessboard"}  # not hundredths of
LONG |= {"dominoes/8x8", "hexiamonds/hexagon", "hexiamonds/pentagon"}  # a second: in `make soak`
LONG |= {"squared-rectangle", "y-pentominoes/15x15"}


@pytest.mark.parametrize(("name", "problem"), KNOWN, ids=lambda word: word)
def test_counts_are_those_that_are_known(name: str, problem: str) -> None:
    [answer] = library.answers(f"{name}/{problem}")
    if not answer.assemblies:
        pytest.skip("nobody has counted these, or there are none")
    if LONG & {name, f"{name}/{problem}"} and "KUMITATE_SOAK" not in os.environ:
        pytest.skip("takes seconds: make soak")
    [prepared] = library[f"{name}/{problem}"].problems
    counted = count(prepared, threads=2)
    assert counted.assemblies == answer.assemblies
    if answer.rotations is not None:
        assert counted.rotations == answer.rotations
    if answer.mirrors is not None:
        assert count(prepared, mirrors=True, threads=2).assemblies == answer.mirrors


@pytest.mark.parametrize("name", SMALL)
def test_a_plain_count_of_orbits_agrees(name: str) -> None:
    [problem] = library[name].problems
    wholes = exact_cover(problem)
    assert {whole(a) for a in assemble(problem, rotations=True)} == wholes
    for mirrors in (False, True):
        for thorough in (False, True):
            expected = classes(problem, mirrors, thorough, wholes)
            counted = count(problem, mirrors=mirrors, thorough=thorough)
            assert counted.assemblies == expected
            assert counted.rotations == len(wholes)


@pytest.mark.parametrize(
    "name",
    ["soma", "diabolical-cube", "conway", "kanoodle-pyramid", "six-piece-burr", "pentominoes/8x8"],
)
def test_the_referee_accepts_all_of_them(name: str) -> None:
    [problem] = library[name].problems
    seen = set()
    for assembly in assemble(problem):
        assert assembly_faults(assembly) == []
        seen.add(assembly)
    assert len(seen) == library.answers(name)[0].assemblies


@pytest.mark.parametrize("name", ["soma", "pentominoes/8x8", "six-piece-burr", "kanoodle-pyramid"])
def test_the_stream_is_the_same_for_any_number_of_threads(name: str) -> None:
    [problem] = library[name].problems
    one = list(assemble(problem, threads=1))
    for threads in (2, 8):
        assert list(assemble(problem, threads=threads)) == one
    assert set(assemble(problem, threads=3, ordered=False)) == set(one)


def test_every_instruction_set_searches_the_same_tree() -> None:
    best = _core.instruction_set()
    [problem] = library["pentominoes/4x15"].problems
    try:
        nodes = set()
        for name in {"plain": ["plain"], "v3": ["plain", "v3"]}.get(best, ["plain", "v3", "v4"]):
            _core.use_instruction_set(name)
            assert _core.instruction_set() == name
            nodes.add(count(problem))
        assert len(nodes) == 1
    finally:
        _core.use_instruction_set(best)


def test_more_than_512_cells_take_the_sparse_core() -> None:
    """A long strip of dominoes that stand at both ends: one way, or one with two dots anywhere."""
    strip = Shape(CUBES, {(x, 0, 0, 0) for x in range(514)} | {(x, 1, 0, 0) for x in (0, 513)})
    bar, dot = Shape.from_text(CUBES, "##", name="bar"), Shape.from_text(CUBES, "#", name="dot")
    whole_strip = Problem(strip, [Piece(bar, 258)])
    assert count(whole_strip, rotations=True).assemblies == 1
    assert count(Problem(strip, [Piece(bar, 257), Piece(dot, 2)])).assemblies > 100


def slices(problem: Problem) -> _core.Problem:
    prepared, _ = ask(problem, distinct_copies=True)
    prepared.prepare(0, rotations=True, reflections=True)
    return prepared


def test_breaking_and_reducing_change_the_work_but_not_the_answer() -> None:
    [problem] = library["conway"].problems
    nodes = []
    for breaks, reduces in ((True, True), (True, False), (False, True), (False, False)):
        prepared, _ = ask(problem, distinct_copies=True)
        gain = prepared.prepare(0, rotations=True, reflections=True, breaks=breaks, reduces=reduces)
        assert (gain > 20) == breaks
        search = prepared.search()
        search.run(10**9)
        assert (search.found, search.all) == (572, 27456)
        nodes.append(search.nodes)
    assert nodes[0] < nodes[3] / 5


TETRIS_CUBE = [
    "#..  ...\n#..  #..\n###  ...",
    "#..  #..\n#..  ...\n###  ...",
    "##.  #..\n.##  ...\n.#.  ...",
    ".#.  ###  ...\n...  .#.  .#.",
    ".#\n##\n.#\n.#",
    "#.\n##\n.#\n.#",
    "#..\n#..\n###",
    "#.  ..\n##  .#\n..  .#",
    ".#.  .#.\n...  ###",
    "##  .#\n#.  ..\n#.  ..",
    "#.  ..\n##  ..\n.#  .#",
    "#.  ##\n..  ##",
]


def test_a_long_search_chooses_by_samples_what_to_break_the_symmetry_by() -> None:
    """The Tetris cube has 9,839 assemblies; by the rule for short searches, 24 million nodes."""
    cube = Shape(CUBES, {(x, y, z, 0) for x, y, z in product(range(4), repeat=3)})
    pieces = [Piece(Shape.from_text(CUBES, drawing)) for drawing in TETRIS_CUBE]
    problem = Problem(cube, pieces)
    counted = count(problem)
    assert counted.assemblies == 9839
    assert counted.nodes < 15_000_000
    sizes = set()
    for _ in range(2):  # the same samples every time, so a saved search finds its tree again
        prepared = PreparedProblem(problem)
        prepared.prepare()
        sizes.add(prepared.core.size)
    assert len(sizes) == 1


def test_searches_go_on_after_their_problem_is_prepared_anew() -> None:
    [problem] = library["soma"].problems
    prepared = slices(problem)
    search, run = prepared.search(), prepared.run(1, True, True)
    search.skim(100)
    for _ in range(3):  # each lets go of what the one before it made
        prepared.prepare(0, rotations=False, reflections=False)
    found, over = 0, False
    while not over:
        packed, over = run.read(1000)
        found += len(unpacked(packed))
    search.skim(10**9)
    assert (search.found, search.all, found) == (240, 11_520, 240)
    anew = prepared.search()
    anew.skim(10**9)
    assert anew.found == 11_520


def test_a_search_is_a_value_that_stops_and_goes_on() -> None:
    [problem] = library["soma"].problems
    prepared = slices(problem)
    whole_run = unpacked(prepared.search().run(10**9))
    state, pieces, left = prepared.search().save(), [], 1.0
    while True:
        search = prepared.search()
        search.load(state)
        pieces += unpacked(search.run(100))
        assert search.left <= left
        left, state = search.left, search.save()
        if search.done:
            break
    assert pieces == whole_run
    assert len(whole_run) == 240


def test_a_saved_search_goes_on_in_another_process(tmp_path: Path) -> None:
    [problem] = library["soma"].problems
    search = slices(problem).search()
    first = unpacked(search.run(700))
    (tmp_path / "state").write_bytes(search.save())
    code = """
import sys
from kumitate import library
from kumitate.search.assemble import Progress, PreparedProblem
from kumitate.search.placements import ask
[problem] = library["soma"].problems
prepared, _ = ask(problem, distinct_copies=True)
prepared.prepare(0, rotations=True, reflections=True)
search = prepared.search()
search.load(open(sys.argv[1], "rb").read())
print(search.run(10**9)[1])
"""
    command = [sys.executable, "-c", code, str(tmp_path / "state")]
    rest = int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert 0 < len(first) < 240
    assert len(first) + rest == 240


def found_in_parts(problem: Problem, nodes: int) -> list[list[int]]:
    """All assemblies, by a search that is saved and split every few nodes."""
    prepared = slices(problem)
    parts, done = [prepared.search().save()], []
    while parts:
        search = prepared.search()
        search.load(parts.pop())
        done += unpacked(search.run(nodes))
        half = search.split()
        parts += [half] if half else []
        parts += [] if search.done else [search.save()]
    return done


def test_the_parts_of_a_search_make_the_whole() -> None:
    [problem] = library["soma"].problems
    done = found_in_parts(problem, 50)
    assert len(done) == len({tuple(names) for names in done}) == 240


def test_bytes_that_are_no_state_are_refused() -> None:
    [problem] = library["soma"].problems
    with pytest.raises(ValueError, match="no state"):
        slices(problem).search().load(b"nonsense")


def test_whoever_stops_reading_stops_the_search() -> None:
    [problem] = library["iq-puzzler-pro/5x11"].problems
    start = time.process_time()
    some = list(islice(assemble(problem, threads=2), 5))
    assert len(some) == 5
    assert time.process_time() - start < 2


def test_an_exception_in_progress_ends_the_search() -> None:
    [problem] = library["iq-puzzler-pro/5x11"].problems

    def stop(now: kumitate.search.Progress) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        count(problem, progress=stop)


def test_progress_only_grows_and_is_never_done_too_soon() -> None:
    [problem] = library["pentominoes/3x4x5"].problems
    seen: list[kumitate.search.Progress] = []
    count(problem, threads=2, progress=seen.append)
    fractions = [now.fraction for now in seen]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1
    assert all(fraction < 1 for fraction in fractions[:-1])
    assert len(fractions) > 3


def test_ctrl_c_acts_at_once_and_tells_what_was_found() -> None:
    words = [*MAIN, "count", "iq-puzzler-pro/5x11", "--threads", "1"]
    status, out, errors, used = interrupted(words, after=1.5)
    assert (status, errors) == (130, "")
    assert "assemblies so far" in out
    assert used < 0.5  # 0.1 s for us, the rest for Python to leave


# ---- many names, many pieces ----


def tinted_cubes(count: int) -> Problem:
    """A row of 2x2x2 cubes with one red cell: one way to place them, 8 ways to turn each."""
    cube = Shape.from_text(CUBES, "a# ##/## ##", name="cube")
    row = "##" * count
    return Problem(Shape.from_text(CUBES, f"{row} {row}/{row} {row}"), [Piece(cube, count)])


def test_variants_are_counted_and_listed_one_by_one() -> None:
    problem = tinted_cubes(3)
    listed = [list(assemble(problem, rotations=True, threads=threads)) for threads in (1, 3)]
    assert len(listed[0]) == len(set(listed[0])) == 8**3
    assert listed[0] == listed[1]
    assert all(assembly_faults(assembly) == [] for assembly in listed[0][::50])
    assert {whole(assembly) for assembly in listed[0]} == exact_cover(problem)
    assert count(problem).assemblies == classes(problem, mirrors=False, thorough=False)


def test_a_search_pauses_and_splits_among_variants() -> None:
    done = found_in_parts(tinted_cubes(3), 5)
    assert len(done) == len({tuple(names) for names in done})
    assert len(done) == count(tinted_cubes(3)).assemblies


def test_one_of_many_variants_comes_at_once() -> None:
    """8^16 of them lie below one choice of placements."""
    start = time.process_time()
    stream = assemble(tinted_cubes(16), threads=2)
    assert assembly_faults(next(stream)) == []
    del stream
    assert time.process_time() - start < 2


def test_ctrl_c_ends_a_count_of_variants(tmp_path: Path) -> None:
    """Five pieces, so that no tally takes the place of the search."""
    problem = tinted_cubes(16)
    dots = [Shape(CUBES, {(100, n, 0, 0)}, colours={(100, n, 0, 0): n + 2}) for n in range(4)]
    goal = Shape(CUBES, problem.goal.cells | {(100, n, 0, 0) for n in range(4)})
    pieces = [*problem.pieces, *map(Piece, dots)]
    puzzle = kumitate.Puzzle.of(Problem(goal, pieces))
    puzzle = replace(puzzle, colours=["#ff0000"] * 5)
    kumitate.save(puzzle, tmp_path / "tinted.kumitate.json")
    status, out, _, used = interrupted([*MAIN, "count", "tinted.kumitate.json"], 2, tmp_path)
    assert status == 130
    assert "assemblies so far" in out
    assert used < 1


def test_a_run_of_variants_is_written_as_it_goes(tmp_path: Path) -> None:
    puzzle = replace(kumitate.Puzzle.of(tinted_cubes(16)), colours=["#ff0000"])
    kumitate.save(puzzle, tmp_path / "tinted.kumitate.json")
    code = "from kumitate.cli import main; main()"
    command = [sys.executable, "-c", code, "solve", str(tmp_path / "tinted.kumitate.json")]
    command += ["--limit", "3", "--output", str(tmp_path / "run.kumitate")]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert "3 assemblies so far" in ran.stdout
    assert (tmp_path / "run.kumitate").exists()


SMALL_STACK = """
import resource
resource.setrlimit(resource.RLIMIT_STACK, (2**18, resource.RLIM_INFINITY))
from kumitate import *
from kumitate.search.assemble import PreparedProblem
def dots(side):
    goal = Shape(CUBES, {(x, y, 0, 0) for x in range(side) for y in range(side)})
    return Problem(goal, [Piece(Shape.from_text(CUBES, "#"), side * side)])
print(len(next(assemble(dots(80))).placements))
prepared = PreparedProblem(dots(60))
prepared.prepare()
prepared.core.search().estimate()
print("weighed")
"""


def test_many_pieces_need_no_large_stack() -> None:
    """Threads have a stack as large as the limit says: here 256 kB for 6,400 pieces."""
    command = [sys.executable, "-c", SMALL_STACK]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["6400", "weighed"]


def test_a_tree_too_wide_to_be_weighed_is_counted_on() -> None:
    """300 dots that may all be left out: 300 x 300 options in the first two depths."""
    goal = Shape(CUBES, optional := {(x, 0, 0, 0) for x in range(300)}, optional)
    problem = Problem(goal, [Piece(Shape.from_text(CUBES, "#"), 0, 300)])
    colours = [Shape(CUBES, {(0, 0, 0, 0)}, colours={(0, 0, 0, 0): n}) for n in range(1, 5)]
    problem = replace(problem, pieces=[*problem.pieces, *(Piece(dot, 0, 1) for dot in colours)])
    seen: list[Progress] = []

    def until_weighed(now: Progress) -> None:
        seen.append(now)
        if now.nodes > 300_000:
            raise RuntimeError("enough")

    start = time.process_time()
    with pytest.raises(RuntimeError, match="enough"):
        count(problem, rotations=True, progress=until_weighed)
    assert time.process_time() - start < 20  # hours, if all were weighed


# ---- questions ----

ROW = Shape.from_text(CUBES, "####", name="row")
BAR = Shape.from_text(CUBES, "##", name="bar")


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (Problem(Shape.from_text(CUBES, ""), [Piece(BAR)]), "the goal is empty"),
        (Problem(ROW, []), "no pieces"),
        (Problem(ROW, [Piece(BAR)]), "has 4 cells but the pieces fill 2"),
        (Problem(ROW, [Piece(Shape.from_text(CUBES, "##/##", name="sq"))]), "sq fits nowhere"),
        (
            Problem(ROW, [Piece(Shape.from_text(CUBES, "##++", name="soft"), 2)]),
            "soft has optional",
        ),
        (
            Problem(ROW, [Piece(BAR, 2)], pinned=[Placement(0, 0, (3, 0, 0))]),
            "bar is pinned where it does not fit",
        ),
    ],
)
def test_a_question_that_makes_no_sense_says_why(problem: Problem, words: str) -> None:
    with pytest.raises(kumitate.PuzzleError, match=words):
        list(assemble(problem))


def test_no_solution_is_an_empty_iterator() -> None:
    knight = Shape.from_text(CUBES, "##/#.", name="L")
    goal = Shape.from_text(CUBES, "#.#/###/.#.")
    assert list(assemble(Problem(goal, [Piece(knight, 2)]))) == []


def test_shapes_entered_twice_are_copies_unless_asked() -> None:
    again = BAR.named("again")
    turned = Shape.from_text(CUBES, "#/#", name="turned")
    problem = Problem(ROW, [Piece(BAR), Piece(turned)])
    [only] = assemble(problem)
    assert assembly_faults(only) == []
    assert len(list(assemble(problem, distinct_copies=True))) == 1  # a half turn swaps them
    assert len(list(assemble(problem, rotations=True, distinct_copies=True))) == 2
    three = Problem(
        Shape.from_text(CUBES, "######"), [Piece(BAR, 0, 2), Piece(again), Piece(turned, 0, 1)]
    )
    for assembly in assemble(three, rotations=True):
        assert assembly_faults(assembly) == []


def test_pins_hold_and_bans_keep_out() -> None:
    [problem] = library["soma"].problems
    first = next(assemble(problem))
    pins = first.placements[:2]
    pinned = replace(problem, pinned=pins)
    got = list(assemble(pinned, rotations=True))
    assert first in [Assembly(problem, a.placements) for a in got]
    assert all(set(pins) <= set(a.placements) for a in got)
    banned = list(assemble(replace(problem, forbidden=pins[:1]), rotations=True))
    assert all(pins[0] not in a.placements for a in banned)
    with_first = list(assemble(replace(problem, pinned=pins[:1]), rotations=True))
    assert len(banned) + len(with_first) == 11520
    assert all(assembly_faults(a) == [] for a in (*got, *with_first[:50], *banned[:50]))


def test_pins_on_one_of_two_pieces_of_a_shape() -> None:
    turned = Shape.from_text(CUBES, "#/#", name="turned")
    problem = Problem(ROW, [Piece(BAR), Piece(turned)])
    for shift in ((0, 0, 0), (2, 0, 0)):
        pinned = replace(problem, pinned=[Placement(0, 0, shift)])
        [assembly] = assemble(pinned)
        assert assembly_faults(assembly) == []


LEFT, RIGHT = HANDED
CUBE = Shape.from_text(CUBES, "## ##/## ##", name="cube")
BOARD = Shape.from_text(CUBES, "####/####", name="board")
HERE = Placement(0, 0, (0, 0, 0))
L_BAR_DOT = [Piece(Shape.from_text(CUBES, text, name=text)) for text in ("##/#.", "##", "#")]
SIX = Shape.from_text(CUBES, "###/###")


@pytest.mark.parametrize(
    ("problem", "assemblies", "rotations"),
    [
        (Problem(BOARD, [Piece(BAR, 4)], forbidden=[HERE]), 3, 3),
        (Problem(BOARD, [Piece(BAR, 4)], pinned=[HERE]), 2, 2),
        (Problem(SIX, L_BAR_DOT, forbidden=[Placement(2, 0, (0, 0, 0))]), 3, 10),
        (Problem(SIX, L_BAR_DOT, pinned=[Placement(2, 0, (0, 0, 0))]), 2, 2),
        (Problem(SIX, L_BAR_DOT), 3, 12),
        (Problem(CUBE, [Piece(LEFT, 0, 1), Piece(RIGHT, 1, 2)]), 1, 6),
        (Problem(CUBE, [Piece(LEFT, 0, 2), Piece(RIGHT, 0, 1)]), 1, 6),
        (Problem(CUBE, [Piece(LEFT, 1, 2), Piece(RIGHT, 0, 2)]), 1, 6),
    ],
)
def test_a_symmetry_that_breaks_a_rule_joins_nothing(
    problem: Problem, assemblies: int, rotations: int
) -> None:
    counted = count(problem)
    assert (counted.assemblies, counted.rotations) == (assemblies, rotations)
    assert (assemblies, rotations) == (
        classes(problem, mirrors=False, thorough=False),
        len(all_assemblies(problem)),
    )


def test_a_pin_on_optional_cells_holds() -> None:
    goal = Shape.from_text(CUBES, "##++")
    problem = Problem(goal, [Piece(BAR, 1, 2)], pinned=[Placement(0, 0, (2, 0, 0))])
    [assembly] = assemble(problem)
    assert assembly_faults(assembly) == []
    assert len(assembly.placements) == 2


def test_distinct_copies_keep_to_their_own_images() -> None:
    problem = Problem(BOARD, [Piece(BAR, 2), Piece(BAR.named("again"), 2)])
    assert count(problem, distinct_copies=True).assemblies == 14
    assert classes(problem, mirrors=False, thorough=False, distinct=True) == 14


def loose(length: int, pieces: list[Piece]) -> Problem:
    """Somewhere in a box two cells wide and high."""
    cells = {(x, y, z, 0) for x in range(length) for y in range(2) for z in range(2)}
    return Problem(Shape(CUBES, cells, cells), pieces)


@pytest.mark.parametrize(
    ("pieces", "assemblies"),
    [
        ([Piece(LEFT, 0), Piece(RIGHT, 1), Piece(LEFT, 1)], 31),
        ([Piece(LEFT, 1), Piece(RIGHT, 1), Piece(LEFT, 0)], 31),
        ([Piece(RIGHT, 1), Piece(LEFT, 1), Piece(RIGHT, 0), Piece(LEFT, 0)], 31),
        ([Piece(RIGHT, 1), Piece(LEFT, 1)], 31),
    ],
)
def test_a_piece_that_is_never_used_is_no_mirror_partner(
    pieces: list[Piece], assemblies: int
) -> None:
    assert count(loose(4, pieces), distinct_copies=True).assemblies == assemblies


@pytest.mark.parametrize(
    "pieces",
    [
        [Piece(LEFT, 0), Piece(RIGHT, 1), Piece(LEFT, 1)],
        [Piece(LEFT, 1), Piece(RIGHT, 0, 1), Piece(RIGHT, 1), Piece(LEFT, 0, 1)],
        [Piece(LEFT, 0, 1), Piece(LEFT, 0, 2), Piece(RIGHT, 0, 1)],
        [Piece(LEFT, 0, 1), Piece(RIGHT, 0), Piece(RIGHT, 0, 2)],
    ],
)
def test_distinct_copies_of_either_hand_go_in_pairs(pieces: list[Piece]) -> None:
    problem = loose(3, pieces)
    for mirrors in (False, True):
        expected = classes(problem, mirrors, thorough=False, distinct=True)
        assert count(problem, mirrors=mirrors, distinct_copies=True).assemblies == expected


@pytest.mark.parametrize(("name", "assemblies"), [("zero_twin", 31), ("100680", 11)])
def test_distinct_copies_of_the_reference(name: str, assemblies: int) -> None:
    path = REFERENCE / "weak" / f"distinct_{name}.xmpuzzle"
    if not path.exists():
        pytest.skip("the reference files are not here")
    [problem] = kumitate.load(path).problems
    assert count(problem, distinct_copies=True).assemblies == assemblies


def test_pins_that_contradict_each_other_have_no_assembly() -> None:
    """A dot below a bar; two bars of one shape on the same cells; and more pins than pieces."""
    dot = Shape.from_text(CUBES, "#", name="dot")
    bar3 = Shape.from_text(CUBES, "###", name="bar3")
    below = Problem(ROW, [Piece(bar3), Piece(dot)], pinned=[HERE, Placement(1, 0, (1, 0, 0))])
    twice = Problem(
        ROW, [Piece(BAR), Piece(BAR.named("again"))], pinned=[HERE, HERE._replace(piece=1)]
    )
    for problem in (below, twice):
        assert list(assemble(problem, rotations=True)) == []
        assert first(problem).assembly is None
    many = replace(twice, pinned=[HERE, Placement(0, 0, (2, 0, 0))])
    with pytest.raises(kumitate.PuzzleError, match="pinned 2 times, but there is only 1"):
        count(many)


def test_a_pinned_piece_does_not_stand_for_another_of_its_shape() -> None:
    """The first must be used, the second is pinned but need not be."""
    goal = Shape.from_text(CUBES, "++++")
    pieces = [Piece(BAR, 1), Piece(BAR.named("again"), 0, 1)]
    problem = Problem(goal, pieces, pinned=[HERE._replace(piece=1)])
    [assembly] = assemble(problem)
    assert assembly_faults(assembly) == []
    assert len(assembly.placements) == 2


def test_one_placement_pinned_by_two_turns_is_one_pin() -> None:
    other = next(
        place
        for turn in range(1, 24)
        for x, y, z in product(range(3), repeat=3)
        if (place := Placement(0, turn, (x, y, z))).placed(BAR).cells == BAR.cells
    )
    problem = Problem(ROW, [Piece(BAR), Piece(BAR)], pinned=[HERE, other])
    [assembly] = assemble(problem)
    assert assembly_faults(assembly) == []


def test_a_hint_leads_to_the_end() -> None:
    [problem] = library["kanoodle-pyramid"].problems
    placed = list(next(assemble(problem)).placements[:6])
    while True:
        advice = hint(problem, placed)
        assert advice.ways >= 1
        if advice.next is None:
            break
        placed.append(advice.next)
    assert assembly_faults(Assembly(problem, placed)) == []
    wrong = next(
        p
        for p in kumitate.placements(problem)[11]
        if hint(problem, [*placed[:6], p]).ways == 0
        and not p.placed(problem.pieces[11].shape).cells
        & {c for q in placed[:6] for c in q.placed(problem.pieces[q.piece].shape).cells}
    )
    assert hint(problem, [*placed[:6], wrong]).next is None


def test_all_grids_assemble() -> None:
    """Two neighbours fill the pair of them, on every grid, in one way."""
    for grid in GRIDS.values():
        x, y, z, tile = grid.neighbours[0][0]
        shapes = [Shape(grid, {(0, 0, 0, 0)}, name="a"), Shape(grid, {(x, y, z, tile)}, name="b")]
        problem = Problem(shapes[0] | shapes[1], [Piece(shape) for shape in shapes])
        assert count(problem).assemblies == 1, grid.name
