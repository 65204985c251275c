"""Every option of how things are made, declared once: the command line and the studio read this.

The defaults are those of `PrintOptions` and of what makes plates, sheets and pictures; None, or
nothing at all, means the default. Which options have an effect on which files is in effects.py.
Light to import.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import count_of

OptionKind = Literal["mm", "sides", "bed", "flag", "part", "pixels"]


class MakeOption(NamedTuple):
    """An option: its kind of value, and what it does, in a sentence.

    A value is a length in mm, the sides of a cell (one length or three), of a bed (two), a flag, a
    part of something, or pixels.
    """

    name: str
    kind: OptionKind
    help: str


MAKE_OPTIONS = (
    MakeOption("unit", "sides", "Size of a cell. Default: chosen to suit the longest piece."),
    MakeOption("inset", "mm", "Clearance on every face. Default: 0.07."),
    MakeOption("bevel", "mm", "Bevel of the outer edges. Default: 0.5."),
    MakeOption("bevel_units", "flag", "Bevel every cell."),
    MakeOption("wall", "mm", "Make pieces hollow, with walls this thick."),
    MakeOption("drain", "mm", "Add a drain hole this wide."),
    MakeOption("label", "flag", "Engrave the names of the pieces."),
    MakeOption("neck", "part", "Thickness of necks between balls; 1 is as thick as a ball."),
    MakeOption(
        "bed", "bed", "Size of the print bed (default 180x180) or laser sheet (default 300x200)."
    ),
    MakeOption("gap", "mm", "Gap between pieces on the bed. Default: 6."),
    MakeOption("each", "flag", "Write one file per piece."),
    MakeOption("split", "flag", "Split into parts that print without support."),
    MakeOption("width", "pixels", "Width of a picture."),
)


_SIDES: dict[str, tuple[int, ...]] = {"sides": (1, 3), "bed": (2,)}


def _count(value: object) -> int:
    return len(value) if isinstance(value, tuple) else 1


def export_keywords(given: Mapping[str, Any]) -> dict[str, Any]:
    """Options as the keywords of `export`; None and False are options not given.

    >>> export_keywords({"unit": (15.0,), "bed": (180.0, 200.0), "wall": None, "label": False})
    {'bed': (180.0, 200.0), 'options': PrintOptions(unit=15.0, inset=0.07, ...)}
    """
    from dataclasses import fields

    from kumitate.output.solid.print_options import PrintOptions

    values = {n: value for n, value in given.items() if value is not None and value is not False}
    for name, kind, _ in MAKE_OPTIONS:
        sides = values.get(name)
        if kind in _SIDES and sides is not None and _count(sides) not in _SIDES[kind]:
            raise PuzzleError(
                f"{name} has {count_of(_count(sides), 'number')}; give {_SIDES[kind][-1]}"
            )
    if isinstance(sides := values.get("unit"), tuple) and len(sides) == 1:
        values["unit"] = sides[0]
    printed = {one.name for one in fields(PrintOptions)}
    others = {name: value for name, value in values.items() if name not in printed}
    return others | {"options": PrintOptions(**{n: values[n] for n in values.keys() & printed})}
