"""Letters as strokes, for lasers and plotters: a tool follows lines and knows no fonts.

Each letter stands on a grid 4 wide and 6 high. `060040` is a stroke from (0, 6) by (0, 0) to
(4, 0): pairs of digits x, y, with y upwards from the foot. A small letter is the capital at three
quarters of the size, so that the pieces a and A are told apart. A letter that is not here is left
out rather than look like another; `lacking` finds those.
"""

import unicodedata
from collections.abc import Iterable, Iterator

Stroke = tuple[tuple[float, float], ...]

HEIGHT = 6.0
_WIDTH, _GAP, _SMALL = 4.0, 1.5, 0.75
_LETTERS = {
    "A": "0004264440 0242", "B": "00063645443303 3342413000", "C": "4536160501103041",
    "D": "00062644422000", "E": "46060040 0333", "F": "460600 0333", "G": "45361605011030414323",
    "H": "0006 4046 0343", "I": "1030 2026 1636", "J": "4641301001", "K": "0006 460340",
    "L": "060040", "M": "0006234640", "N": "00064046", "O": "100105163645413010",
    "P": "00063645443303", "Q": "100105163645413010 2240", "R": "00063645443303 2340",
    "S": "453616050413334241301001", "T": "0646 2620", "U": "060110304146", "V": "062046",
    "W": "0610243046", "X": "0046 0640", "Y": "062346 2320", "Z": "06460040",
    "0": "100105163645413010 1135", "1": "142620 1030", "2": "05163645440040",
    "3": "05163645443313 334241301001", "4": "30360242", "5": "460603334241301001",
    "6": "453616050110304142331302", "7": "064610", "8": "13040516364544331302011030414233",
    "9": "011030414536160504133344",
    "-": "0343", "+": "0343 2125", ".": "1011212010", ",": "2110", ":": "2122 2425", "/": "0046",
    "#": "1016 3036 0242 0444", "_": "0040", "(": "36141230", ")": "16343210", "=": "0242 0444",
    "'": "2624", "*": "2125 0442 0244", "?": "05163645442322 2120", " ": "",
}  # fmt: skip


def strokes_of(text: str) -> list[Stroke]:
    """The strokes of a line of text that begins at (0, 0), its capitals 6 high.

    >>> strokes_of("L") == strokes_of("ŁL")
    True
    >>> strokes_of("L")
    [((0.0, 6.0), (0.0, 0.0), (4.0, 0.0))]
    """
    return list(_strokes(text))


def width_of(text: str) -> float:
    """How wide such a line is.

    >>> width_of("LL"), width_of("")
    (9.5, 0.0)
    """
    return max(0.0, sum(_WIDTH * _scale(letter) + _GAP for letter in _known(text)) - _GAP)


def lacking(texts: Iterable[str]) -> list[str]:
    """The letters of these that have no strokes, each once.

    >>> lacking(["Čapek", "R.U.R."])
    ['Č']
    """
    letters = {letter for text in texts for letter in _letters(text)}
    return sorted(letter for letter in letters if not _known(letter))


def _strokes(text: str) -> Iterator[Stroke]:
    x = 0.0
    for letter in _known(text):
        k = _scale(letter)
        for stroke in _LETTERS[letter.upper()].split():
            points = zip(stroke[::2], stroke[1::2], strict=True)
            yield tuple((x + k * int(a), k * int(b)) for a, b in points)
        x += _WIDTH * k + _GAP


def _letters(text: str) -> Iterator[str]:
    """Each with its accents, if there is such a letter."""
    return (" " if c.isspace() else c for c in unicodedata.normalize("NFC", text))


def _known(text: str) -> str:
    return "".join(c for c in _letters(text) if c.isascii() and c.upper() in _LETTERS)


def _scale(letter: str) -> float:
    return _SMALL if letter.islower() else 1.0
