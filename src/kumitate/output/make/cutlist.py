"""A cut list: what a woodworker needs to make the pieces of cubes out of straight sticks.

Every piece is laid on the bench as a stick: length from left to right, then cut face by face.
Lengths are millimetres from the left end, widths from the front edge (from the lower edge on the
front and the back). Clearance (the inset) is taken off every face, so a stick is shorter and
thinner by twice the inset, and every notch wider by as much; a depth stays a whole number of units.
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO

from kumitate.model.errors import PuzzleError
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.shape import Shape
from kumitate.workshop import FACES, Cut, as_stick, cuts, notchable, pieces_to_make

Range = tuple[float, float]

UNIT, INSET = 10.0, 0.05  # millimetres


@dataclass(frozen=True)
class Notch:
    """A box to cut away, in millimetres; the ranges are None where it runs from side to side."""

    face: str  # "top", "front", "bottom", "back", "left end", "right end"
    length: Range | None  # along the stick; on an end of it, along its width
    width: Range | None  # across the stick; on an end of it, along its height
    depth: float | None  # None: right through


@dataclass(frozen=True)
class Stick:
    """A piece: the stick it is cut from, how many of them, with which tool, and its notches."""

    name: str
    count: int
    size: tuple[float, float, float]  # length, width and height, in millimetres
    tool: str  # "saw", "mill", or "glue": it cannot be cut from one stick
    notches: Sequence[Notch]
    shape: Shape  # as it lies on the bench
    unit: float
    inset: float


@dataclass(frozen=True)
class Stock:
    """How much of one cross-section is needed, in millimetres."""

    section: tuple[float, float]
    sticks: int
    length: float


def cut_list(
    what: Puzzle | Problem | Sequence[Shape], unit: float = UNIT, inset: float = INSET
) -> tuple[Stick, ...]:
    """How to make each piece, with a saw if that will do; lengths in millimetres.

    >>> from kumitate.model.burr_sticks import burr_stick
    >>> [stick] = cut_list([burr_stick(256)])
    >>> stick.tool, stick.size, stick.notches[0]
    ('saw', (59.9, 19.9, 19.9), Notch(face='top', length=(9.9, 50.0), width=None, depth=10.0))
    """
    if not unit > 0:
        raise PuzzleError(f"unit {unit:g} mm; give more than 0")
    if not 0 <= inset < unit / 2:
        raise PuzzleError(
            f"inset {inset:g} mm leaves nothing of a cell; choose 0 to less than {unit / 2:g} mm"
        )
    return tuple(_stick(shape, count, unit, inset) for shape, count in pieces_to_make(what))


def stock_of(sticks: Sequence[Stick], kerf: float = 3.0) -> tuple[Stock, ...]:
    """What to buy: for each cross-section all lengths, with the width of a saw cut for each stick.

    Pieces to be glued are left out.

    >>> from kumitate.model.burr_sticks import burr_stick
    >>> stock_of(cut_list([burr_stick(1), burr_stick(256), burr_stick(256)]))
    (Stock(section=(19.9, 19.9), sticks=3, length=188.7),)
    """
    if not kerf >= 0:
        raise PuzzleError(f"kerf {kerf:g} mm; give 0 or more")
    found: dict[tuple[float, float], list[Stick]] = {}
    for stick in sticks:
        if stick.tool != "glue":
            found.setdefault(stick.size[1:], []).append(stick)
    return tuple(
        Stock(
            section,
            sum(stick.count for stick in some),
            _round(sum(stick.count * (stick.size[0] + kerf) for stick in some)),
        )
        for section, some in sorted(found.items())
    )


def cut_list_text(sticks: Sequence[Stick], kerf: float = 3.0) -> str:
    """The list to take to the workshop.

    >>> from kumitate.model.burr_sticks import burr_stick
    >>> print(cut_list_text(cut_list([burr_stick(792)])), end="")
    stock 19.9 x 19.9 mm: 1 stick, 62.9 mm in total, with 3 mm for each saw cut
    <BLANKLINE>
    792: 1 of 59.9 x 19.9 x 19.9 mm, saw
      top   from  19.90 to  40.00 mm, 10.00 mm deep, right across
      back  from   9.90 to  20.00 mm, 10.00 mm deep, right across
    """
    lines = [
        f"stock {_by(stock.section)} mm: {stock.sticks} stick{'s' * (stock.sticks != 1)},"
        f" {stock.length:g} mm in total, with {kerf:g} mm for each saw cut"
        for stock in stock_of(sticks, kerf)
    ]
    for stick in sticks:
        tool = "glue it: it cannot be cut from one stick" if stick.tool == "glue" else stick.tool
        lines += ["", f"{stick.name}: {stick.count} of {_by(stick.size)} mm, {tool}"]
        wide = max((len(notch.face) for notch in stick.notches), default=0)
        lines += [f"  {notch.face.ljust(wide)}  {_description(notch)}" for notch in stick.notches]
    return "\n".join(lines).lstrip("\n") + "\n"


def cut_list_csv(sticks: Sequence[Stick]) -> str:
    """The list as a table, a row for each notch; a piece without any has one row.

    A name that a spreadsheet would take for a formula has an apostrophe before it.

    >>> from kumitate.model.burr_sticks import burr_stick
    >>> print(cut_list_csv(cut_list([burr_stick(256)])), end="")
    piece,count,length,width,height,tool,face,from,to,across from,across to,depth
    256,1,59.9,19.9,19.9,saw,top,9.9,50.0,0.0,19.9,10.0
    """
    page = StringIO()
    table = csv.writer(page, lineterminator="\n")
    titles = "piece,count,length,width,height,tool,face,from,to,across from,across to,depth"
    table.writerow(titles.split(","))
    for stick in sticks:
        name = stick.name.replace("\r", " ")  # which csv leaves bare
        if name.startswith(_FORMULA) or name.lstrip().startswith(_FORMULA):
            name = f"'{name}"
        head = [name, stick.count, *stick.size, stick.tool]
        for notch in stick.notches:
            along, across, deep = _face_size(stick.size, notch.face)
            length, width = notch.length or (0.0, along), notch.width or (0.0, across)
            table.writerow([*head, notch.face, *length, *width, notch.depth or deep])
        if not stick.notches:
            table.writerow([*head, *[""] * 6])
    return page.getvalue()


_FORMULA = ("=", "+", "-", "@", "|", "%", "\t")

# ---- one stick ----

# For each face the axes of the stick that a notch in it has as its length and its width.
_AXES = {"top": (0, 1), "front": (0, 2), "bottom": (0, 1), "back": (0, 2)}
_AXES |= {"left end": (1, 2), "right end": (1, 2)}


def _stick(shape: Shape, count: int, unit: float, inset: float) -> Stick:
    lying = as_stick(shape)
    found = cuts(lying) if lying.connected else None
    tool = "glue" if found is None else "saw" if notchable(lying) else "mill"
    length, width, height = (_round(n * unit - 2 * inset) for n in lying.size)
    notches = tuple(_notch(cut, lying, unit, inset) for cut in found or ())
    return Stick(shape.name, count, (length, width, height), tool, notches, lying, unit, inset)


def _notch(cut: Cut, lying: Shape, unit: float, inset: float) -> Notch:
    face = FACES[cut.face]
    along, across = (_range(cut, lying, axis, unit, inset) for axis in _AXES[face])
    [axis] = (i for i in range(3) if cut.face[i])
    deep = cut.high[axis] - cut.low[axis]
    return Notch(face, along, across, _round(deep * unit) if deep < lying.size[axis] else None)


def _range(cut: Cut, lying: Shape, axis: int, unit: float, inset: float) -> Range | None:
    """From where to where it goes along an axis; up to the end of the stick where that is one."""
    start, end, whole = cut.low[axis], cut.high[axis], lying.size[axis]
    if (start, end) == (0, whole):
        return None
    from_end = unit * start - 2 * inset if start else 0.0
    return (_round(from_end), _round(unit * end - (2 * inset if end == whole else 0)))


def _face_size(size: tuple[float, float, float], face: str) -> tuple[float, float, float]:
    """How long and wide a face of the stick is, and how deep the stick below it."""
    along, across = _AXES[face]
    return size[along], size[across], size[3 - along - across]


def _description(notch: Notch) -> str:
    along, across = ("width", "high") if "end" in notch.face else ("length", "across")
    words = [f"over the whole {along}"]
    if notch.length:
        words = [f"from {notch.length[0]:6.2f} to {notch.length[1]:6.2f} mm"]
    words.append("right through" if notch.depth is None else f"{notch.depth:.2f} mm deep")
    if notch.width:
        words.append(f"{notch.width[0]:.2f} to {notch.width[1]:.2f} mm {across}")
    else:
        words.append("right across")
    return ", ".join(words)


def _by(size: Sequence[float]) -> str:
    return " x ".join(f"{n:g}" for n in size)


def _round(number: float) -> float:
    return round(number, 3) + 0.0
