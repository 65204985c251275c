"""kumitate: the workbench for mechanical puzzles.

>>> import kumitate
>>> puzzle = kumitate.library["soma"]
>>> print(puzzle.problem())
3x3x3: V, L, T, Z, A, B, P fill 3x3x3 (27 cells)

There is more in rooms of their own: `kumitate.grids`, `kumitate.designer`, `kumitate.burr6`,
`kumitate.workshop`, `kumitate.referee`, `kumitate.search` and `kumitate.store`. Names and rooms are
imported when they are first used.
"""

import sys as _sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from kumitate import startup as _startup  # first of all
from kumitate.library import library as library  # now, since importing the room later would hide it

if TYPE_CHECKING:
    from kumitate import burr6, designer, grids, referee, search, store, workshop  # noqa: F401
    from kumitate.designer.design import design as design
    from kumitate.files import load as load
    from kumitate.files import read as read
    from kumitate.files import save as save
    from kumitate.files import write as write
    from kumitate.files.document import Document as Document
    from kumitate.jobs.solve import resume as resume
    from kumitate.jobs.solve import solve_into as solve_into
    from kumitate.model.errors import LimitReached as LimitReached
    from kumitate.model.errors import PuzzleError as PuzzleError
    from kumitate.model.grid import Grid as Grid
    from kumitate.model.grids import CUBES as CUBES
    from kumitate.model.puzzle import Piece as Piece
    from kumitate.model.puzzle import Placement as Placement
    from kumitate.model.puzzle import Problem as Problem
    from kumitate.model.puzzle import Puzzle as Puzzle
    from kumitate.model.rotation import Rotation as Rotation
    from kumitate.model.shape import Shape as Shape
    from kumitate.model.solution import Answers as Answers
    from kumitate.model.solution import Assembly as Assembly
    from kumitate.model.solution import Disassembly as Disassembly
    from kumitate.model.solution import Levels as Levels
    from kumitate.model.solution import Move as Move
    from kumitate.model.solution import Solution as Solution
    from kumitate.output.export import export as export
    from kumitate.output.notebook import view as view
    from kumitate.output.solid.print_options import PrintOptions as PrintOptions
    from kumitate.output.solid.print_options import solid as solid
    from kumitate.search.assemble import assemble as assemble
    from kumitate.search.assemble import count as count
    from kumitate.search.assemble import hint as hint
    from kumitate.search.check import check as check
    from kumitate.search.cover import cover as cover
    from kumitate.search.disassemble import Examination as Examination
    from kumitate.search.disassemble import disassemble as disassemble
    from kumitate.search.disassemble import examine as examine
    from kumitate.search.one.arguments import argument as argument
    from kumitate.search.one.first import first as first
    from kumitate.search.one.first import why as why
    from kumitate.search.one.pack import pack as pack
    from kumitate.search.placements import placements as placements
    from kumitate.search.rigid import rigidity as rigidity
    from kumitate.search.shortcuts import find_shortcuts as find_shortcuts
    from kumitate.search.solve import examine_all as examine_all
    from kumitate.search.solve import solve as solve
    from kumitate.search.states import explore as explore
    from kumitate.search.states import shortest as shortest
    from kumitate.store import Run as Run
    from kumitate.store import open_run as open_run

    __version__: str
else:
    _load, __all__ = _startup.late(
        __name__,
        {
            "kumitate.designer.design": "design",
            "kumitate.files": "load read save write",
            "kumitate.files.document": "Document",
            "kumitate.jobs.solve": "resume solve_into",
            "kumitate.library": "library",
            "kumitate.model.errors": "LimitReached PuzzleError",
            "kumitate.model.grid": "Grid",
            "kumitate.model.grids": "CUBES",
            "kumitate.model.puzzle": "Piece Placement Problem Puzzle",
            "kumitate.model.rotation": "Rotation",
            "kumitate.model.shape": "Shape",
            "kumitate.model.solution": "Answers Assembly Disassembly Levels Move Solution",
            "kumitate.output.export": "export",
            "kumitate.output.notebook": "view",
            "kumitate.output.solid.print_options": "PrintOptions solid",
            "kumitate.search.assemble": "assemble count hint",
            "kumitate.search.check": "check",
            "kumitate.search.cover": "cover",
            "kumitate.search.disassemble": "Examination disassemble examine",
            "kumitate.search.one.arguments": "argument",
            "kumitate.search.one.first": "first why",
            "kumitate.search.one.pack": "pack",
            "kumitate.search.placements": "placements",
            "kumitate.search.rigid": "rigidity",
            "kumitate.search.shortcuts": "find_shortcuts",
            "kumitate.search.solve": "examine_all solve",
            "kumitate.search.states": "explore shortest",
            "kumitate.store": "Run open_run",
        },
    )
    _ROOMS = (
        *("burr6", "designer", "files", "grids", "jobs", "model"),
        *("output", "referee", "search", "store", "workshop"),
    )

    def __getattr__(name: str) -> Any:
        if name == "__version__":
            return import_module("importlib.metadata").version("kumitate")
        if name in _ROOMS:
            return import_module(f"kumitate.{name}")
        return _load(name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__, *_ROOMS, "__version__"})

    if "IPython" in _sys.modules:  # a notebook, where values draw themselves
        import_module("kumitate.output.notebook")
