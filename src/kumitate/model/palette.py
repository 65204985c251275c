"""The one table of colours: of pieces, and of everything around them, by day and by night.

Python reads it here; web/write_colours.py writes it for the page, as colours.ts.

Any two of the first twelve piece colours are at least 11.5 apart by CIEDE2000, for people with full
colour vision and with protanopia, deuteranopia or tritanopia alike; a just noticeable difference
is about 1. The first four are those of Okabe and Ito. The other eight were searched for, and the
later ones follow in the order of how far each is from all before it.
"""

PIECE_COLOURS = (
    "#E69F00", "#0072B2", "#009E73", "#B61750", "#95AAFC", "#6B2E04",
    "#66D3D9", "#D55E00", "#553974", "#B8C78D", "#055641", "#B47D9D",
    "#696C7F", "#AC6EEF", "#8F7852", "#6A827B", "#525E27", "#1643B7",
    "#CC9C92", "#84585F", "#B0A4B7", "#52A5CD", "#8C9144", "#63C364",
    "#6E7FBF", "#96B0A8", "#BA4E93", "#475B66", "#D2736E", "#840E53",
    "#B20D22", "#A16436", "#60372F", "#D0C54D", "#20756B", "#91C8F0",
)  # fmt: skip
GOAL_COLOUR = "#cfc9bd"

LIGHT = {  # calm and warm: a workbench by daylight
    "paper": "#faf8f5",
    "panel": "#ffffff",
    "line": "#e4dfd8",
    "ink": "#23201c",
    "muted": "#6f675d",
    "accent": "#b4541a",
    "on-accent": "#ffffff",
    "accent-soft": "#f6e9df",
    "good": "#2f7d4f",
    "warn": "#8f5200",
    "bad": "#b3261e",
    "shadow": "0 1px 2px rgb(40 30 20 / 8%), 0 6px 20px rgb(40 30 20 / 8%)",
    "bench": "#f1ede6",  # behind a view in 3D
    "wood": "#dfb78a",
    "wood-edge": "#5b3d22",
}
DARK = LIGHT | {
    "paper": "#17181a",
    "panel": "#1f2124",
    "line": "#34373b",
    "ink": "#ece8e1",
    "muted": "#a59f95",
    "accent": "#f0935a",
    "on-accent": "#23150c",
    "accent-soft": "#3a2a20",
    "good": "#6cc08b",
    "warn": "#e0a458",
    "bad": "#f2877f",
    "shadow": "0 1px 2px rgb(0 0 0 / 40%), 0 6px 20px rgb(0 0 0 / 35%)",
    "bench": "#1b1c1f",
}


def piece_colour(number: int) -> str:
    """The colour of the piece with this number, counted from 0; they repeat after 36.

    >>> piece_colour(0), piece_colour(37)
    ('#E69F00', '#0072B2')
    """
    return PIECE_COLOURS[number % len(PIECE_COLOURS)]


def css_variables(theme: dict[str, str], *names: str) -> str:
    """Colours of a theme as custom properties of CSS; all of them unless some are named.

    >>> css_variables(LIGHT, "paper", "ink")
    '--paper: #faf8f5; --ink: #23201c;'
    """
    return " ".join(f"--{name}: {theme[name]};" for name in names or theme)
