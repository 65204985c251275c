"""The colours of pieces: the same piece has the same colour in the terminal, in print, on screen.

First the seven of Okabe and Ito, which colour-blind people can tell apart, then darker and
lighter steps of them; after the last it begins again.
"""

PIECE_COLOURS = (
    "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7",
    "#8C6100", "#2F7FA8", "#00573F", "#A79C12", "#5FA8D8", "#8F3F00", "#8E4A70",
    "#F5CF80", "#A9DAF4", "#7FCEB9", "#F7F1A0", "#EAAE7F", "#E5BCD3",
)  # fmt: skip


def piece_colour(number: int) -> str:
    """The colour of the piece with this number, counted from 0.

    >>> piece_colour(0), piece_colour(20)
    ('#E69F00', '#E69F00')
    """
    return PIECE_COLOURS[number % len(PIECE_COLOURS)]
