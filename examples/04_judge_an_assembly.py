"""Asks the referee about a box with a lid and a treasure: do the pieces fit, does it open?"""

from kumitate import CUBES, Assembly, Disassembly, Move
from kumitate.referee import assembly_faults, disassembly_faults

box = Assembly.from_text(
    CUBES,
    """
    AAAA  AACA  AAAA
    AAAA  ABCA  AAAA
    AAAA  AAAA  AAAA
    """,
)
print(box)
print("\nfaults in the assembly:", assembly_faults(box) or "none")

up, right = (0, -1, 0), (1, 0, 0)  # up the page
treasure = Disassembly([Move([1], right, 1), Move([1], up, None)])
opening = Disassembly([Move([2], up, None)], left=treasure)
print(f"faults when opened, level {opening.levels}:", disassembly_faults(box, opening) or "none")

[objection] = disassembly_faults(box, treasure)
print("\nand if we take the treasure first?", objection, sep="\n")
