"""kumiki: the workbench for mechanical puzzles.

>>> import kumiki
>>> puzzle = kumiki.library["soma"]
>>> print(puzzle.problems[0])
3x3x3: V, L, T, Z, A, B, P fill 3x3x3 (27 cells)
"""

from kumiki.files import load, read, save, write
from kumiki.files.document import Document
from kumiki.files.regrid import regrid
from kumiki.library import Answer, answers, library
from kumiki.model.argument import Argument, Certificate
from kumiki.model.errors import LimitReached, PuzzleError
from kumiki.model.grid import Grid, Turn
from kumiki.model.grids import (
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
from kumiki.model.making import burr_stick, burr_sticks, kaenel_number, millable, notchable
from kumiki.model.puzzle import Piece, Placement, Problem, Puzzle
from kumiki.model.recast import recast
from kumiki.model.shape import Shape
from kumiki.model.solution import Answers, Assembly, Disassembly, Levels, Move, Solution
from kumiki.output.export import export
from kumiki.output.make import Make, solid
from kumiki.output.notebook import view
from kumiki.referee import assembly_faults, certificate_faults, disassembly_faults
from kumiki.scale.runs import resume, solve_into
from kumiki.scale.searching import resume_search, search_into
from kumiki.search.arguments import argument
from kumiki.search.assemble import Count, Hint, Progress, assemble, count, hint
from kumiki.search.burr6 import (
    Burr,
    BurrSample,
    BurrTally,
    SixPieceBurrs,
    SolidBurrs,
    solid_burrs,
)
from kumiki.search.burrs import Burrs
from kumiki.search.check import Finding, check
from kumiki.search.climb import climb
from kumiki.search.disassemble import Examination, disassemble, examine
from kumiki.search.discover import Discovery, search_puzzles
from kumiki.search.families import Cuts, Subsets
from kumiki.search.findone import Conflict, Found, Glimpse, first, why
from kumiki.search.generate import assembly_shapes
from kumiki.search.pack import Packed, Packing, pack
from kumiki.search.placements import placements
from kumiki.search.polyforms import polyforms
from kumiki.search.rigid import Force, rigidity
from kumiki.search.solve import solve
from kumiki.search.states import StateGraph, explore, shortest
from kumiki.store import Collection, Run, Sampling, Summary, open_collection, open_run

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
    "BurrSample",
    "BurrTally",
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
    "Force",
    "Found",
    "Glimpse",
    "Grid",
    "Hint",
    "Levels",
    "LimitReached",
    "Make",
    "Move",
    "Packed",
    "Packing",
    "Piece",
    "Placement",
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
