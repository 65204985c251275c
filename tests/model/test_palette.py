"""Colours of pieces can be told apart, also by colour-blind people, and stand out by day and night.

How a colour looks to dichromats is simulated as by Machado, Oliveira and Fernandes (2009), at full
severity. Differences are those of CIEDE2000 (Sharma, Wu and Dalal 2005), two of whose test pairs
check the formula here.
"""

import runpy
from itertools import combinations
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt
from pathlib import Path

import pytest

from kumitate.library import library
from kumitate.model.palette import (
    DARK,
    GOAL_COLOUR,
    LIGHT,
    PIECE_COLOURS,
    css_variables,
    piece_colour,
)
from kumitate.output.page import page
from kumitate.output.scene import scene_of

WEB = Path(__file__).resolve().parents[2] / "web"
Triple = tuple[float, float, float]

FEW = 12  # pieces of a usual puzzle
APART = 11.5  # between any two of those
LATER_APART = 5.5  # between any two of all
VISIONS: dict[str, tuple[Triple, Triple, Triple]] = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def light_of(colour: str) -> Triple:
    """Linear red, green and blue."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return (r, g, b)


def times(matrix: tuple[Triple, Triple, Triple], v: Triple) -> Triple:
    x, y, z = (sum(a * b for a, b in zip(row, v, strict=True)) for row in matrix)
    return (x, y, z)


def lab(colour: str, vision: str = "full") -> Triple:
    """CIELAB under D65."""
    seen = times(VISIONS[vision], light_of(colour))
    r, g, b = (min(1.0, max(0.0, part)) for part in seen)
    to_xyz = (
        (0.4124564, 0.3575761, 0.1804375),
        (0.2126729, 0.7151522, 0.0721750),
        (0.0193339, 0.1191920, 0.9503041),
    )
    white = (0.95047, 1.0, 1.08883)
    parts = (part / full for part, full in zip(times(to_xyz, (r, g, b)), white, strict=True))
    fx, fy, fz = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in parts)
    return (116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz))


def difference(one: Triple, two: Triple) -> float:
    """CIEDE2000."""
    (l1, a1, b1), (l2, a2, b2) = one, two
    mean = (hypot(a1, b1) + hypot(a2, b2)) / 2
    g = 0.5 * (1 - sqrt(mean**7 / (mean**7 + 25**7)))
    c1, c2 = hypot((1 + g) * a1, b1), hypot((1 + g) * a2, b2)
    h1, h2 = (degrees(atan2(b, (1 + g) * a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    dh = 2 * sqrt(c1 * c2) * sin(radians(turn / 2))
    lm, c = (l1 + l2) / 2, (c1 + c2) / 2
    h = h1 + h2
    if c1 * c2:
        h = h / 2 if abs(h1 - h2) <= 180 else (h + 360) / 2 if h < 360 else (h - 360) / 2
    waves = ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.20, 4, -63))
    t = 1 + sum(k * cos(radians(n * h + phase)) for k, n, phase in waves)
    sl = 1 + 0.015 * (lm - 50) ** 2 / sqrt(20 + (lm - 50) ** 2)
    sc, sh = 1 + 0.045 * c, 1 + 0.015 * c * t
    rotation = -2 * sqrt(c**7 / (c**7 + 25**7)) * sin(radians(60 * exp(-(((h - 275) / 25) ** 2))))
    x, y, z = (l2 - l1) / sl, (c2 - c1) / sc, dh / sh
    return sqrt(x * x + y * y + z * z + rotation * y * z)


def contrast(one: str, two: str) -> float:
    """As WCAG counts it."""
    low, high = sorted(
        sum(k * c for k, c in zip((0.2126, 0.7152, 0.0722), light_of(colour), strict=True))
        for colour in (one, two)
    )
    return (high + 0.05) / (low + 0.05)


def test_the_difference_is_that_of_the_paper() -> None:
    assert difference((50, 2.6772, -79.7751), (50, 0, -82.7485)) == pytest.approx(2.0425, abs=1e-4)
    assert difference((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387)) == pytest.approx(
        1.2644, abs=1e-4
    )


@pytest.mark.parametrize("vision", VISIONS)
def test_pieces_of_a_puzzle_are_told_apart(vision: str) -> None:
    seen = [lab(colour, vision) for colour in PIECE_COLOURS]
    assert min(difference(a, b) for a, b in combinations(seen[:FEW], 2)) >= APART
    assert min(difference(a, b) for a, b in combinations(seen, 2)) >= LATER_APART
    goal = lab(GOAL_COLOUR, vision)
    assert min(difference(goal, colour) for colour in seen[:FEW]) >= 10


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_pieces_stand_out_from_the_bench_and_words_from_the_paper(theme: dict[str, str]) -> None:
    assert min(contrast(colour, theme["bench"]) for colour in PIECE_COLOURS) >= 1.4
    for ground in ("paper", "panel"):
        for words in ("ink", "muted", "accent", "good", "warn", "bad"):
            assert contrast(theme[words], theme[ground]) >= 4.5, (words, ground)
    assert contrast(theme["on-accent"], theme["accent"]) >= 4.5


def test_colours_repeat_only_when_all_are_used() -> None:
    assert len({piece_colour(n) for n in range(36)}) == len(PIECE_COLOURS) == 36
    assert piece_colour(36) == piece_colour(0)


def test_the_page_and_the_studio_have_these_colours() -> None:
    """To write them anew: python web/write_colours.py"""
    writer = runpy.run_path(str(WEB / "write_colours.py"))
    for path, text in writer["written"]().items():
        assert path.read_text("utf-8") == text
    assert 'accent: "#b4541a",' in (WEB / "src" / "colours.ts").read_text("utf-8")
    [problem] = library["soma"].problems
    made = page([("a piece", scene_of(problem.pieces[0].shape))], "Soma")
    for theme in (LIGHT, DARK):
        assert css_variables(theme) in made
