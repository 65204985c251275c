"""What a goal means: where pieces are at home, what may stay empty, and what is impossible."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random

import pytest

from kumitate import CUBES, Assembly, PuzzleError, Shape, burr6, library, workshop
from kumitate.burr6 import frame as burr_frame
from kumitate.burr6.family import _ways as notchable_ways
from kumitate.designer.assembly_shapes import shape_key
from kumitate.designer.engine import Candidate
from kumitate.designer.recipes import FAMILIES, box, bundles, inside, recipe_for
from kumitate.designer.sticks import Exchanged, sticks_in_places
from kumitate.model.wish import Wish


def test_every_family_has_a_space() -> None:
    sizes = {"burr6": 6, "burr18": 18, "board-burr": 6, "box": 4, "tray": 7, "antislide": 8}
    for name in FAMILIES:
        recipe = recipe_for(name, Wish())
        assert len(recipe.space.homes) == sizes.get(name, 4)
        assert all(home <= recipe.space.frame.cells for home in recipe.space.homes)
        assert recipe.goal.cells == recipe.space.frame.cells


def test_the_six_sticks_are_those_of_the_burr() -> None:
    """The same goal, with the same cells that may stay empty, up to a mirror."""
    recipe = recipe_for("burr6", Wish())
    assert recipe.goal.congruent(burr_frame.goal(), mirrors=True)
    assert burr6.Burrs("all").draw(Random(1)).problem().goal == burr_frame.goal()


def test_notchable_sticks_are_those_of_the_burr() -> None:
    """In each place as many as the family of notchable burrs has, in all their orientations."""
    space = recipe_for("burr6", Wish(notchable=True)).space
    places = sticks_in_places(space, workshop.notchable)
    assert {len(sticks) for sticks in places} == {len(notchable_ways("notchable"))}
    for home, sticks in zip(space.homes, places, strict=True):
        assert all(stick <= home for stick in sticks)
        assert len(set(sticks)) == len(sticks)
        assert all(workshop.notchable(Shape(CUBES, stick)) for stick in sticks[:20])


def test_refused_sticks_are_not_offered_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever they lie: the same six sticks have the same solutions."""
    monkeypatch.setattr("kumitate.designer.sticks.STEPS", 300)
    space = recipe_for("burr6", Wish(notchable=True)).space
    offered = list[list[Shape]]()

    def refuse(candidate: Candidate) -> bool:
        offered.append([Shape(CUBES, stick) for stick in candidate.pieces])
        return False

    climbs = Exchanged(
        workshop.notchable, space, seed=1, accept=refuse, stop=lambda: len(offered) > 30
    )
    with ThreadPoolExecutor(1) as crew:
        assert not any(isinstance(found, Candidate) for found in climbs.candidates(crew))
    turns = CUBES.turns
    kinds = {tuple(sorted(shape_key(stick, turns) for stick in sticks)) for sticks in offered}
    assert len(kinds) == len(offered) > 30


def test_eighteen_sticks_cross() -> None:
    homes = bundles(8, (2, 2), (3, 2))
    assert {len(home) for home in homes} == {32}
    for number, home in enumerate(homes):
        alone = home.difference(*(other for n, other in enumerate(homes) if n != number))
        assert alone  # the ends, which no other stick can have


@pytest.mark.parametrize("goal", ["burr6", "board-burr", "burr18", "cage/3x3x3", "5x5x5"])
def test_a_random_cut_leaves_only_empty_what_may_be(goal: str) -> None:
    recipe = recipe_for(goal, Wish())
    room = recipe.goal.optional | recipe.walls
    for seed in range(3):
        pieces = recipe.space.cut(Random(seed))
        assert frozenset(recipe.goal.cells).difference(*pieces) <= room
        assert all(Shape(CUBES, piece).connected for piece in pieces)
        assert all(piece <= home for piece, home in zip(pieces, recipe.space.homes, strict=True))


def test_a_kept_piece_fills_its_home() -> None:
    start = Assembly.from_text(CUBES, "AAB/A.B/CCC")
    recipe = recipe_for(start, Wish(keep=("C",)))
    assert recipe.given[0].cells == {(0, 2, 0, 0), (1, 2, 0, 0), (2, 2, 0, 0)}
    assert recipe.space.kept == {0}
    assert recipe.space.start is not None
    assert not any(recipe.given[0].cells & home for home in recipe.space.homes[1:])
    anew = recipe_for(start, Wish(keep=("C",), pieces=3))
    assert (anew.space.start, len(anew.space.homes)) == (None, 4)


def test_the_goal_is_the_same_whatever_is_kept() -> None:
    """Otherwise it would be less symmetric, and a unique solution would count several times."""
    start = Assembly.from_text(CUBES, "AAAA  AAAA  AAAA / AAAA  AB.A  AAAA / AAAA  AAAA  AAAA")
    goal = box("4x3x3")
    assert goal is not None
    goal = replace(goal, optional=inside(goal))
    start = replace(start, problem=replace(start.problem, goal=goal))
    for kept in "AB":
        assert recipe_for(start, Wish(keep=(kept,))).goal.optional == goal.optional


def test_colours_of_a_goal_stay() -> None:
    goal = Shape.from_text(CUBES, "aab/aab")
    assert recipe_for(goal, Wish(pieces=2), colours=["#ff0000"]).colours == ["#ff0000"]


@pytest.mark.parametrize(
    ("goal", "wishes", "complaint"),
    [
        ("5x5", {"holes": 1}, "1 hole cannot be made; only 0 cells are inside"),
        ("5x5x5", {"holes": 28}, "28 holes cannot be made; only 27 cells are inside"),
        ("3x3x3", {"pieces": 1}, "1 piece: a design has 2 to 64 of them"),
        ("6x6x6", {"pieces": 65}, "65 pieces: a design has 2 to 64 of them"),
        ("3x3x3", {"pieces": 3, "smallest": 10}, "26 cells cannot be cut into 3 pieces of at"),
        ("3x3x3", {"holes": 0, "level": 2}, "level 2 is impossible: cubes that fill such a goal"),
        ("3x3x3", {"keep": ("A",)}, "there is no piece 'A' to keep: the goal is cut from scratch"),
        ("100x100x100", {}, "1,000,000 cells are too many; the limit is 2,000"),
        ("0x4x4", {}, "0x4x4: the sides of a box are 1 or more"),
        ("cube/4x4", {}, "cube: all its sides are the same; write one size, such as cube/4"),
        ("pyramid/4x5", {}, "pyramid: all its sides are the same; write one size"),
        ("tray/4x5x6", {}, "tray: it is flat; write two sizes, such as tray/6x8"),
        ("4x4x4", {"identical": True}, "63 cells cannot be cut into 4 pieces of the same size"),
        ("tray/5x5", {"identical": True}, "25 cells cannot be cut into 7 pieces of the same"),
        ("20x20x20", {}, "8,000 cells are too many; the limit is 2,000"),
        ("burr6/1000", {}, "23,960 cells are too many; the limit is 2,000"),
        ("tray/100x100", {}, "10,000 cells are too many; the limit is 2,000"),
        (
            "barrel",
            {},
            "barrel: neither a box such as 5x5x5 nor a family; the families are cube, burr6",
        ),
        ("cube/", {}, "cube/: write sizes after the slash, such as cube/5 or tray/6x6"),
        ("cube/0", {}, "cube/0: write sizes after the slash"),
        ("cube/99999", {}, "cube/99999: write sizes after the slash"),
        ("burr6", {"pieces": 5}, "Six-piece burr: it always has 6 pieces; leave out --pieces"),
        ("burr6", {"holes": 33}, "33 holes cannot be made; only 32 cells are inside"),
        ("cage/3x3x3", {"holes": 60}, "3 pieces and 60 holes are too many for 27 cells"),
        ("box/30x30x30", {}, "write the inside of the box as 3x3x3, with sides up to 20"),
        ("pyramid/21", {}, "pyramid/21: at most 20 balls along an edge"),
        ("antislide", {"unique": True}, "antislide: --unique and --no-turns have no effect"),
        ("tray", {"level": 2}, "tray: every piece lifts out, so level 2 is impossible"),
        ("antislide", {"level": 2}, "antislide: every piece lifts out, so level 2 is impossible"),
        ("rhombic/2", {}, "rhombic: it has just one size; leave out the slash"),
        ("burr6/7", {}, "Six-piece burr: the length must be an even number, 6 or more"),
        ("burr6/4", {}, "Six-piece burr: the length must be an even number, 6 or more"),
        ("burr18/6", {}, "Eighteen-piece burr: the length must be an even number, 8 or more"),
        (
            "burr6",
            {"keep": ("A",)},
            "there is no piece 'A' to keep: burr6 is designed from scratch",
        ),
        ("4x4x4", {"largest": 15}, "4 pieces of at most 15 cells cannot fill 63 cells"),
        ("tray", {"holes": 2}, "tray: it always has 0 holes; leave out --holes"),
        ("burr6", {"home": ("##",)}, "--home needs a goal that is cut into new pieces"),
        ("2x2", {"home": ("##",), "pieces": 2}, "1 home for 2 pieces; draw one for each"),
        ("2x2", {"home": ("###", "##")}, "the home of piece 1 lies outside the goal; draw it in"),
        ("2x2", {"home": ("##", "..")}, "the home of piece 2 is empty; draw it in a picture"),
        ("2x2", {"home": ("##", "#")}, "2 cells of the goal lie in no home, and at most 0"),
    ],
)
def test_what_is_impossible_is_refused(goal: str, wishes: dict[str, int], complaint: str) -> None:
    with pytest.raises(PuzzleError) as refused:
        recipe_for(goal, Wish(**wishes))  # type: ignore[arg-type]
    assert str(refused.value).startswith(complaint)


def test_a_wish_that_contradicts_itself_is_refused() -> None:
    with pytest.raises(PuzzleError, match="no piece can have at least 5 and at most 3 cells"):
        Wish(smallest=5, largest=3)
    with pytest.raises(PuzzleError, match="--different and --identical contradict each other"):
        Wish(different=True, identical=True)
    for wrong in (-1, 2**63, 1.5, (3, 1)):
        with pytest.raises(PuzzleError):
            Wish(holes=wrong)  # type: ignore[arg-type]


def test_a_box_by_its_name() -> None:
    assert box("2x3") == Shape(CUBES, {(x, y, 0, 0) for x in (0, 1) for y in (0, 1, 2)}, name="2x3")
    assert box("3x") is None
    assert "soma" in library
