"""Write src/colours.ts from kumitate.model.palette, the one table of colours.

python web/write_colours.py
"""

from pathlib import Path

from kumitate.model.palette import DARK, GOAL_COLOUR, LIGHT, PIECE_COLOURS

FOLDER = Path(__file__).parent / "src"
HEAD = "Written by write_colours.py from kumitate/model/palette.py; `make messages` runs it."


def typescript() -> str:
    """The whole of colours.ts."""
    pieces = "\n".join(f'  "{colour}",' for colour in PIECE_COLOURS)
    return f"""\
// {HEAD}

export const PIECE_COLOURS = [
{pieces}
] as const;

export const GOAL_COLOUR = "{GOAL_COLOUR}";

export const LIGHT = {_record(LIGHT)};

export const DARK = {_record(DARK)};
"""


def _record(theme: dict[str, str]) -> str:
    lines = [
        f'  {name if name.isidentifier() else chr(34) + name + chr(34)}: "{value}",'
        for name, value in theme.items()
    ]
    return "\n".join(["{", *lines, "} as const"])


def written() -> dict[Path, str]:
    """The file and what is to stand in it."""
    return {FOLDER / "colours.ts": typescript()}


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text, "utf-8")
