"""The referee: slow, plain proof that an answer is right.

It shares no code with the searches. It judges an assembly cell by cell, and replays a disassembly
unit by unit, checking every moving piece against every other: slides with the sweeps of the grid,
turns in exact arithmetic. Each fault is one sentence; an empty list means that the answer is right.

>>> from kumitate.model.grids import CUBES
>>> from kumitate.model.solution import Assembly, Disassembly, Move
>>> rod = Assembly.from_text(CUBES, "AAA  AAA  AAA / AAA  BBB  AAA / AAA  AAA  AAA")
>>> assembly_faults(rod)
[]
>>> disassembly_faults(rod, Disassembly([Move([1], (1, 0, 0), None)]))
[]
>>> disassembly_faults(rod, Disassembly([Move([1], (0, 1, 0), None)]))
['separation of A, B: move 1, B along (0, 1, 0): B would pass through A']
"""

from kumitate.referee.assembly import assembly_faults
from kumitate.referee.certificate import certificate_faults
from kumitate.referee.disassembly import disassembly_faults

__all__ = ["assembly_faults", "certificate_faults", "disassembly_faults"]
