"""Words in any script, drawn with the fonts of this machine.

A PDF can count on a reader's own Helvetica for the letters of western Europe only. Other words go
into it as stencils, fine enough for print, with the text itself beside them to search and copy.
`undrawable` finds the letters that no font here has, so that the user can be warned, and `boxed`
puts a box in their place: the renderer looks for no font after such a letter, so it would lose the
letters after it, too.
"""

import re
from collections.abc import Iterable
from functools import cache
from html import escape
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import category, east_asian_width

if TYPE_CHECKING:
    from PIL.Image import Image

FONTS = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', 'Noto Sans', sans-serif"
EM = 192  # pixels: how large letters are drawn
DARK = 128  # of 255: from there on a pixel is part of a letter
NO_LETTER = "\U0010fffd"  # kept free for private use; fonts have none
BOX = "\u25a1"
SAMPLE = 40  # pixels
_UNSEEN = {"Cc", "Cf", "Cs", "Zs", "Zl", "Zp", "Mn"}  # controls, spaces, marks on other letters
_ILLEGAL = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Words(NamedTuple):
    """A stencil of some words, and where it lies from the middle of their baseline.

    Lengths are in parts of the letters' size, y down.
    """

    pixels: bytes  # rows of bits, each row of whole bytes; 0 is a letter
    size: tuple[int, int]  # in pixels
    left: float
    top: float
    width: float
    height: float


def is_plain(words: str) -> bool:
    """Whether the Helvetica that every PDF reader has can show these words.

    >>> is_plain("Mößbauer × 2"), is_plain("Č")
    (True, False)
    """
    try:
        words.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


def xml_text(words: str) -> str:
    """Words escaped for XML; characters that XML cannot hold are replaced.

    >>> xml_text("a < b\\0")
    'a &lt; b\ufffd'
    """
    return escape(_ILLEGAL.sub("\ufffd", words), quote=False)


def drawn(words: str) -> Words | None:
    """A stencil of words; None if there is nothing to see.

    >>> drawn(" ") is None
    True
    """
    wide = EM * (2 + sum(2 if east_asian_width(letter) in "WF" else 1 for letter in words))
    image = _image(boxed(words), EM, wide, 2 * EM)
    box = image.getbbox()
    if box is None:
        return None
    seen = image.crop(box).point([255 * (dark < DARK) for dark in range(256)], "1")
    left, top = (box[0] - wide / 2) / EM, (box[1] - 1.5 * EM) / EM
    return Words(seen.tobytes(), seen.size, left, top, seen.width / EM, seen.height / EM)


def undrawable(words: Iterable[str]) -> list[str]:
    """The letters in these words that no font of this machine has, each once.

    >>> undrawable(["plain", NO_LETTER])
    ['\\U0010fffd']
    """
    letters = sorted({letter for some in words for letter in some if not is_plain(letter)})
    return [letter for letter in letters if not _has(letter)]


def boxed(words: str) -> str:
    """Words with a box in place of each letter that no font of this machine has.

    >>> boxed("plain")
    'plain'
    """
    box = BOX if _has(BOX) else "?"
    return words.translate({ord(letter): box for letter in undrawable([words])})


@cache
def _has(letter: str) -> bool:
    """Whether a font here has the letter: it looks different from a letter that no font has."""
    if not find_spec("PIL"):  # nobody looks, in the browser
        return True
    seen, none = _looks(letter), _looks(NO_LETTER)
    return category(letter) in _UNSEEN if seen is None else seen != none


def _looks(letter: str) -> bytes | None:
    image = _image(letter, SAMPLE, 2 * SAMPLE, 2 * SAMPLE)
    box = image.getbbox()
    return box and image.crop(box).tobytes()


def _image(words: str, size: int, width: int, height: int) -> "Image":
    """How dark each pixel is; the middle of the baseline lies at 1/2, 3/4."""
    import resvg_py
    from PIL import Image

    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
        f'<text x="{width / 2}" y="{0.75 * height}" font-size="{size}" text-anchor="middle"'
        f' font-family="{FONTS}">{xml_text(words)}</text></svg>'
    )
    return Image.open(BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg)))).getchannel("A")
