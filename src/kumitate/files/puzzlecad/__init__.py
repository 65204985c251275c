"""puzzlecad's format, .scad: source of OpenSCAD that calls the library puzzlecad to print pieces.

    burr_plate([["xx|x."], ["xxx|.x.", "...|.x."]]);

A piece is a list of texts, a text a layer from below, its rows parted by `|` along y and its
letters along x: puzzlecad's own converter takes the coordinates of .xmpuzzle files as they are
(XmpuzzleToScad.java), and so do we. A single text is a flat piece, a number a stick of the
six-piece burr. (From puzzlecad-parser.scad and puzzlecad-burr.scad of aaron-siegel/puzzlecad.)

Nothing is carried out: source.py finds the calls and the plain values, reader.py makes shapes of
them wherever they stand, also in modules that are not called and behind a `*`, since makers keep
all pieces in one file and print a few at a time. What the format has no words for, goals and
problems, kumitate writes as a comment at the end; where the pieces were changed since, they are
right and the comment is wrong.

How a piece is to be printed (`$burr_scale`, where it stands on the plate, its colour) is no part
of a puzzle, and the one thing that is not kept and not warned about.
"""

from kumitate.files.puzzlecad.reader import is_source, read
from kumitate.files.puzzlecad.writer import write

__all__ = ["is_source", "read", "write"]
