"""Half of a character can be part of no name, so no writer meets one."""

from collections.abc import Callable

import pytest

from kumitate.model.errors import PuzzleError
from kumitate.model.grids import CUBES
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.shape import Shape

BAR = Shape.from_text(CUBES, "##")


@pytest.mark.parametrize("half", ["\ud800", "a\udfff", "\udc80b"])
@pytest.mark.parametrize(
    "make",
    [
        lambda half: BAR.named(half),
        lambda half: Problem(BAR, [], name=half),
        lambda half: Puzzle(CUBES, title=half),
        lambda half: Puzzle(CUBES, designer=half),
        lambda half: Puzzle(CUBES, comment=half),
    ],
    ids=["shape", "problem", "title", "designer", "comment"],
)
def test_half_of_a_character_is_refused(make: Callable[[str], object], half: str) -> None:
    with pytest.raises(PuzzleError, match="has half a character") as refused:
        make(half)
    str(refused.value).encode("utf-8")


def test_characters_beyond_the_first_plane_are_whole() -> None:
    assert BAR.named("\U0001f9e9 組立").name == "\U0001f9e9 組立"
