"""New puzzles: design by goal, families to draw from at random, climbing, all polyforms.

>>> from kumitate import CUBES, designer
>>> [len(designer.polyforms(CUBES, n)) for n in (1, 2, 3, 4)]
[1, 1, 2, 8]
"""

from kumitate.designer.advice import Changed, changes
from kumitate.designer.assembly_shapes import assembly_shapes
from kumitate.designer.climb import climb
from kumitate.designer.design import Design
from kumitate.designer.discover import Discovery, search_puzzles
from kumitate.designer.families import Cuts, Draft, Family, Subsets
from kumitate.designer.polyforms import polyforms

__all__ = [
    "Changed",
    "Cuts",
    "Design",
    "Discovery",
    "Draft",
    "Family",
    "Subsets",
    "assembly_shapes",
    "changes",
    "climb",
    "polyforms",
    "search_puzzles",
]
