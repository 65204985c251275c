"""Sheets: rows of drawings at one scale, with words under them.

The sizes of words are guessed: a sheet must not depend on the fonts of a machine.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median
from textwrap import wrap

from kumitate.model.grid import Grid
from kumitate.output.draw.compass import compass
from kumitate.output.draw.marks import Drawing, Mark, Placed, Text, standing
from kumitate.output.draw.svg import UNIT, document

INK = "#5b5b5b"  # for words; can be read on white and on black

SHEET = 900  # pixels: the width of a sheet
ENTRY = 104  # pixels: how large a common picture of a sheet is
GAP = 22
COMPASS = 30  # pixels: the length of its arrows
LETTERS = 13  # pixels


@dataclass(frozen=True)
class Entry:
    """A drawing of a sheet and the words under it."""

    drawing: Drawing
    words: str = ""


@dataclass(frozen=True)
class _Box:
    """The place of an entry, in pixels."""

    drawing: Drawing
    lines: Sequence[str]
    width: float
    height: float  # of the drawing alone


def sheet(
    entries: Sequence[Entry],
    title: str = "",
    subtitle: str = "",
    size: float = ENTRY,
    even: bool = False,
    foot: Sequence[str] = (),
    shown: Grid | None = None,
) -> str:
    """Rows of drawings at one scale, words centred under them; `even` makes columns of them.

    `shown` adds a compass: how the drawings show this grid.
    """
    scale = _common_scale([entry.drawing for entry in entries], size)
    boxes = [_boxed(entry, scale, size if even else 0.0) for entry in entries]
    if even:
        widest = max((box.width for box in boxes), default=0.0)
        boxes = [replace(box, width=widest) for box in boxes]
    rows = _rows(boxes)
    heads = [(words, s) for words, s in ((title, 1.5 * LETTERS), (subtitle, LETTERS)) if words]
    width = max([_row_width(row) for row in rows] + [_text_width(*head) for head in heads] + [1.0])
    placed: list[Placed] = []
    texts: list[Mark] = []
    y = float(GAP)
    for words, letters in heads:
        texts.append(Text((GAP + width / 2, y + letters / 2), words, letters, INK))
        y += 1.5 * letters
    y += GAP / 2 if heads else 0
    for row in rows:
        x = GAP + (0 if even and len(rows) > 1 else (width - _row_width(row)) / 2)
        y += max(box.height for box in row)
        for box in row:
            placed.append(standing(box.drawing, scale, x + box.width / 2, y))
            texts += _caption(box, x + box.width / 2, y)
            x += box.width + GAP
        y += 1.3 * LETTERS * max(len(box.lines) for box in row) + GAP
    room = max(12, int(width / _text_width("n", LETTERS)))
    for line in (line for words in foot for line in wrap(words, room)):
        texts.append(Text((GAP + width / 2, y + LETTERS / 2), line, LETTERS, INK))
        y += 1.3 * LETTERS
    y += GAP / 2 if foot else 0
    if shown:
        texts += compass(shown, (2.5 * GAP, y + COMPASS), COMPASS, 0.85 * LETTERS, INK)
        y += 2 * COMPASS
    placed.append(Placed(Drawing(tuple(texts), (0, 0), (0, 0)), 1.0, (0.0, 0.0)))
    return document(width + 2 * GAP, y, placed, title)


def _common_scale(drawings: Sequence[Drawing], size: float) -> float:
    """Pixels to a unit: a common drawing gets this size, and the widest fits on the sheet."""
    sizes = [max(*drawing.size, 1e-9) for drawing in drawings] or [1.0]
    widest = max([drawing.size[0] for drawing in drawings] + [1e-9])
    return min(UNIT, size / median(sizes), (SHEET - 2 * GAP) / widest)


def _boxed(entry: Entry, scale: float, least: float) -> _Box:
    width, height = (scale * side for side in entry.drawing.size)
    lines = wrap(entry.words, max(12, int(max(width, least) / _text_width("n", LETTERS))))
    width = max([width, least] + [_text_width(line, LETTERS) for line in lines])
    return _Box(entry.drawing, lines, width, height)


def _rows(boxes: Sequence[_Box]) -> list[list[_Box]]:
    rows: list[list[_Box]] = []
    for box in boxes:
        if rows and _row_width([*rows[-1], box]) <= SHEET - 2 * GAP:
            rows[-1].append(box)
        else:
            rows.append([box])
    return rows


def _row_width(row: Sequence[_Box]) -> float:
    return sum(box.width for box in row) + GAP * (len(row) - 1)


def _text_width(words: str, letters: float) -> float:
    """About how wide words are; a sheet must not depend on the fonts of a machine."""
    return 0.56 * letters * len(words)


def _caption(box: _Box, x: float, y: float) -> Iterator[Text]:
    for n, line in enumerate(box.lines):
        yield Text((x, y + (1.0 + 1.3 * n) * LETTERS), line, LETTERS, INK)
