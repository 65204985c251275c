"""puzzlecad's format, .scad: OpenSCAD source that calls the puzzlecad library to print pieces.

    burr_plate([["xx|x."], ["xxx|.x.", "...|.x."]]);

A piece is a list of strings, one per layer from the bottom; `|` separates its rows along y, and its
letters run along x. puzzlecad's own converter uses the coordinates of .xmpuzzle files unchanged
(XmpuzzleToScad.java), and so do we. A single string is a flat piece, a number is a stick of the
six-piece burr. (From puzzlecad-parser.scad and puzzlecad-burr.scad of aaron-siegel/puzzlecad.)

No code is executed. source.py finds the calls and the literal values; reader.py makes shapes of
them wherever they are, even in modules that are never called and behind a `*`, since makers keep
all pieces in one file and print a few at a time. The format has no goals and no problems, so
kumitate writes those as a comment at the end; if the pieces were edited since, the pieces win over
the comment.

How a piece is printed (`$burr_scale`, its position on the plate, its colour) is not part of a
puzzle. It is the only thing that is dropped without a warning.
"""

from kumitate.files.puzzlecad.reader import is_source, read
from kumitate.files.puzzlecad.writer import write

__all__ = ["is_source", "read", "write"]
