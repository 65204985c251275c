"""kumitate: the workbench for mechanical puzzles.

>>> import kumitate
>>> puzzle = kumitate.library["soma"]
>>> print(puzzle.problems[0])
3x3x3: V, L, T, Z, A, B, P fill 3x3x3 (27 cells)
"""

from typing import TYPE_CHECKING

from kumitate import startup as _startup  # noqa: F401  first of all
from kumitate.files import load, read, save, write
from kumitate.files.document import Document
from kumitate.files.regrid import regrid
from kumitate.library import Answer, answers, library
from kumitate.model.argument import Argument, Certificate
from kumitate.model.burr_sticks import burr_stick, burr_sticks, kaenel_number
from kumitate.model.errors import LimitReached, PuzzleError
from kumitate.model.grid import Grid, Turn
from kumitate.model.grids import (
    CUBES,
    GRIDS,
    HEXAGONS,
    KELVIN,
    ORTHOSCHEMES,
    PRISMS,
    RHOMBS,
    SPHERES,
    TETROCTS,
)
from kumitate.model.puzzle import Piece, Placement, Problem, Puzzle
from kumitate.model.recast import recast
from kumitate.model.shape import Shape
from kumitate.model.solution import Answers, Assembly, Disassembly, Levels, Move, Solution
from kumitate.output.export import export
from kumitate.output.notebook import view
from kumitate.output.print_options import PrintOptions, solid
from kumitate.referee import assembly_faults, certificate_faults, disassembly_faults
from kumitate.scale.runs import resume, solve_into
from kumitate.scale.searching import resume_search, search_into
from kumitate.search.arguments import argument
from kumitate.search.assemble import Count, Hint, Progress, assemble, count, hint
from kumitate.search.burr6 import (
    Burr,
    BurrCounts,
    BurrSample,
    SixPieceBurrs,
    SolidBurrs,
    solid_burrs,
)
from kumitate.search.burrs import Burrs
from kumitate.search.check import Finding, check
from kumitate.search.climb import climb
from kumitate.search.disassemble import Examination, disassemble, examine
from kumitate.search.discover import Discovery, search_puzzles
from kumitate.search.families import Cuts, Subsets
from kumitate.search.findone import Conflict, FirstProgress, FirstResult, first, why
from kumitate.search.generate import assembly_shapes
from kumitate.search.pack import Packing, PackProgress, pack
from kumitate.search.placements import placements
from kumitate.search.polyforms import polyforms
from kumitate.search.rigid import Force, rigidity
from kumitate.search.solve import solve
from kumitate.search.states import StateGraph, explore, shortest
from kumitate.store import Collection, Run, Sampling, Summary, open_collection, open_run
from kumitate.workshop import millable, notchable

if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name: str) -> str:
        """The version, which is looked up only when somebody asks: that takes a while."""
        if name != "__version__":
            raise AttributeError(f"module 'kumitate' has no attribute {name!r}")
        from importlib.metadata import version

        return version("kumitate")


__all__ = [
    "CUBES",
    "GRIDS",
    "HEXAGONS",
    "KELVIN",
    "ORTHOSCHEMES",
    "PRISMS",
    "RHOMBS",
    "SPHERES",
    "TETROCTS",
    "Answer",
    "Answers",
    "Argument",
    "Assembly",
    "Burr",
    "BurrCounts",
    "BurrSample",
    "Burrs",
    "Certificate",
    "Collection",
    "Conflict",
    "Count",
    "Cuts",
    "Disassembly",
    "Discovery",
    "Document",
    "Examination",
    "Finding",
    "FirstProgress",
    "FirstResult",
    "Force",
    "Grid",
    "Hint",
    "Levels",
    "LimitReached",
    "Move",
    "PackProgress",
    "Packing",
    "Piece",
    "Placement",
    "PrintOptions",
    "Problem",
    "Progress",
    "Puzzle",
    "PuzzleError",
    "Run",
    "Sampling",
    "Shape",
    "SixPieceBurrs",
    "SolidBurrs",
    "Solution",
    "StateGraph",
    "Subsets",
    "Summary",
    "Turn",
    "answers",
    "argument",
    "assemble",
    "assembly_faults",
    "assembly_shapes",
    "burr_stick",
    "burr_sticks",
    "certificate_faults",
    "check",
    "climb",
    "count",
    "disassemble",
    "disassembly_faults",
    "examine",
    "explore",
    "export",
    "first",
    "hint",
    "kaenel_number",
    "library",
    "load",
    "millable",
    "notchable",
    "open_collection",
    "open_run",
    "pack",
    "placements",
    "polyforms",
    "read",
    "recast",
    "regrid",
    "resume",
    "resume_search",
    "rigidity",
    "save",
    "search_into",
    "search_puzzles",
    "shortest",
    "solid",
    "solid_burrs",
    "solve",
    "solve_into",
    "view",
    "why",
    "write",
]
