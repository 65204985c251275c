"""Hints: the nearest separation, whatever becomes of the parts after it."""

from kumitate.model.grids import CUBES
from kumitate.model.solution import Assembly
from kumitate.studio.ask.hints import hint_of
from kumitate.studio.messages import HintData, HintRequest

# A cube that rattles in a closed box, and a wall beside the box.
BOX = "AAAAC AAAAC AAAAC / AAAAC AB.AC AAAAC / AAAAC AAAAC AAAAC"


def test_what_can_come_off_does_even_if_the_rest_never_comes_apart() -> None:
    box = Assembly.from_text(CUBES, BOX)
    everything = HintRequest([(0, 0, 0)] * 3, [0, 1, 2])
    assert hint_of(box, everything) == HintData("way", [2], 0, 1, 1)
    assert hint_of(box, HintRequest([(0, 0, 0)] * 3, [0, 1])) == HintData("stuck")
