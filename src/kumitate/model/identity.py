"""The name, letter and colour of a piece: the same in every text, picture, mesh, page and film.

A shape without a name is called after its place in its puzzle: S1, S2, ... Pieces take the colours
of the palette in the order in which the problems first use their shapes, so a shape looks the same
in all of them. In an assembly, copies of a piece are numbered (`stick.1`, `stick.2`), and every
copy after the first takes a colour that no piece of the problem has. Whoever chose a colour for a
shape sees all its copies in it.
The page has a twin of `identify_shapes` (labelOf and shapeColour in web/src): it changes puzzles
without asking the server. web/tests/identities.json holds cases for both.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import cycle
from string import ascii_letters, digits
from typing import NamedTuple

from kumitate.model.palette import GOAL_COLOUR, PIECE_COLOURS, piece_colour

LETTERS = ascii_letters[26:] + ascii_letters[:26] + digits


class Identity(NamedTuple):
    """How a shape, or a placement of one, is told from others."""

    name: str
    colour: str  # "#E69F00"
    letter: str = ""  # of a placement, in drawings


def identify_shapes(
    names: Sequence[str],
    pieces: Sequence[int],
    goals: Collection[int],
    colours: Sequence[str] = (),
) -> list[Identity]:
    """The identities of a puzzle's shapes.

    `pieces` are the shapes that the problems use as pieces, in order; `goals` those they fill;
    `colours` are those that were chosen, "" where none was.

    >>> identify_shapes(["box", "", ""], [1], [0])
    [Identity(name='box', colour='#cfc9bd', letter=''), \
Identity(name='S2', colour='#E69F00', letter=''), \
Identity(name='S3', colour='#0072B2', letter='')]
    """
    loose = [n for n in range(len(names)) if n not in goals]
    ranks = {shape: rank for rank, shape in enumerate(dict.fromkeys([*pieces, *loose]))}
    return [
        Identity(
            name or f"S{number + 1}",
            (colours[number] if colours else "")
            or (piece_colour(ranks[number]) if number in ranks else GOAL_COLOUR),
        )
        for number, name in enumerate(names)
    ]


def identify_placements(
    pieces: Sequence[Identity], placed: Sequence[int], painted: Collection[int] = ()
) -> tuple[Identity, ...]:
    """The identities of an assembly's placements; `placed` says which piece each of them is of.

    `painted` are the pieces whose colours were chosen.

    A placement's letter is its name, if that is a single letter and no other placement has it; the
    others take the letters that are left, which begin again when all are used.

    >>> bar = Identity("bar", "#E69F00")
    >>> [(who.name, who.letter) for who in identify_placements([bar], [0, 0])]
    [('bar.1', 'A'), ('bar.2', 'B')]
    """
    copies = Counter(pieces[piece].name for piece in placed)
    taken = {piece.colour for piece in pieces}
    fresh = cycle([colour for colour in PIECE_COLOURS if colour not in taken] or PIECE_COLOURS)
    seen: Counter[str] = Counter()
    names: list[str] = []
    colours: list[str] = []
    for piece in placed:
        name, colour, _ = pieces[piece]
        seen[name] += 1
        names.append(f"{name}.{seen[name]}" if copies[name] > 1 else name)
        again = colour in colours and piece not in painted
        colours.append(next(fresh) if again else colour)
    often = Counter(names)
    own = {name for name in names if name in LETTERS and len(name) == 1 and often[name] == 1}
    left = cycle([letter for letter in LETTERS if letter not in own] or LETTERS)
    letters = [name if name in own else next(left) for name in names]
    return tuple(map(Identity, names, colours, letters))
