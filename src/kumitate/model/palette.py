"""The colours of pieces: the same piece has the same colour in the terminal, in print, on screen.

First the seven of Okabe and Ito, which colour-blind people can tell apart, then darker and
lighter steps of them, then hues a golden section apart, so that no two near numbers look alike.
"""

from colorsys import hls_to_rgb

PIECE_COLOURS = (
    "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7",
    "#8C6100", "#2F7FA8", "#00573F", "#A79C12", "#5FA8D8", "#8F3F00", "#8E4A70",
    "#F5CF80", "#A9DAF4", "#7FCEB9", "#F7F1A0", "#EAAE7F", "#E5BCD3",
)  # fmt: skip
GOAL_COLOUR = "#cfc9bd"
GOLDEN = 0.618033988749895


def piece_colour(number: int) -> str:
    """The colour of the piece with this number, counted from 0.

    >>> piece_colour(0), piece_colour(20)
    ('#E69F00', '#D16161')
    """
    further = number - len(PIECE_COLOURS)
    if further < 0:
        return PIECE_COLOURS[number]
    lightness = (0.6, 0.42, 0.76)[further % 3]
    parts = hls_to_rgb(further * GOLDEN % 1, lightness, 0.55)
    return "#" + "".join(f"{round(255 * part):02X}" for part in parts)
