"""How the library's puzzles that need turns were made: three boxes to pack, three blocks to open.

`python -m bench.turning FOLDER` writes them. Two of the boxes were drawn at random: the lowest
layers of a room, cut into pieces, and an opening somewhere; `find_boxes` finds them again, and
others. The other puzzles were found by climbing, which takes up to a minute each; the results are
kept below as drawings, and `evolve_in_box` and `evolve_block` find them again.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from pathlib import Path
from random import Random

import kumitate
from bench.hard import cut, drawn, placed
from kumitate import CUBES, Assembly, Piece, Problem, Puzzle, Shape, Solution
from kumitate.designer import Cuts, climb
from kumitate.model.geometry import Cell, Vector

MOST_ASSEMBLIES = 12
MOST_STATES = 4000
CLIMBED = "It does not open without turns. Found by climbing from a random cut."


@dataclass(frozen=True)
class Boxes:
    """Rooms of a size, their lowest layers cut into pieces, with openings of a few cells."""

    room: Vector
    layers: int
    pieces: Sequence[int]  # how many
    openings: Sequence[int] = (2, 3, 4)  # cells of one
    smallest: int = 4  # cells of a piece

    def draw(self, dice: Random) -> Problem:
        """A box to pack; perhaps nothing passes its opening.

        >>> print(Boxes((4, 4, 3), 1, [3]).draw(Random(1)))
        packed: box, A, B, C fill packed box (96 cells and 16 optional ones)
        """
        x, y, z = self.room
        inside = Shape(CUBES, _cells(x, y, self.layers))
        while (cuts := Cuts(inside, dice.choice(self.pieces), 0, self.smallest).draw(dice)) is None:
            pass
        shapes = [piece.shape.canonical() for piece in cuts.problem().pieces]
        opening = self._opening(dice.choice(self.openings), dice)
        walls = _cells(x + 2, y + 2, z + 2, -1) - _cells(x, y, z) - opening
        box = Shape(CUBES, walls | inside.cells, inside.cells, name="box")
        return Problem.in_box(box.shifted((1, 1, 1)), copies(shapes), "packed")

    def _opening(self, size: int, dice: Random) -> set[Cell]:
        """Connected cells of the lid or, one time in three, of the front."""
        x, y, z = self.room
        if dice.choice(["lid", "lid", "front"]) == "lid":
            wall: list[Cell] = [(a, b, z, 0) for a in range(x) for b in range(y)]
        else:
            wall = [(a, -1, c, 0) for a in range(x) for c in range(z)]
        found = {dice.choice(wall)}
        while len(found) < size:
            near = [c for c in wall if c not in found and any(_touch(c, d) for d in found)]
            found.add(dice.choice(near))
        return found


def _cells(x: int, y: int, z: int, first: int = 0) -> set[Cell]:
    return {(first + a, first + b, first + c, 0) for a, b, c in product(*map(range, (x, y, z)))}


def _touch(one: Cell, other: Cell) -> bool:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) == 1


def copies(shapes: Sequence[Shape]) -> list[Piece]:
    """Pieces named A, B, ...; shapes that are the same are copies of one."""
    counts: dict[Shape, int] = {}
    for shape in shapes:
        like = next((known for known in counts if known.congruent(shape)), shape)
        counts[like] = counts.get(like, 0) + 1
    return [Piece(s.named(name), n) for (s, n), name in zip(counts.items(), "ABCDEF", strict=False)]


def only_solution(problem: Problem) -> Solution | None:
    """Its solution, if it has just one, and that one needs turns."""
    if len(list(islice(kumitate.assemble(problem), MOST_ASSEMBLIES + 1))) > MOST_ASSEMBLIES:
        return None
    for turns, solutions in ((None, 0), (0, 1)):
        found = kumitate.examine_all(problem, disassemble=True, turns=turns, max_states=MOST_STATES)
        endings = [examination.ending for examination in found]
        if "limit" in endings or endings.count("apart") != solutions:
            return None
    [solution] = kumitate.solve(problem, disassemble=True, turns=0)
    return solution


def find_boxes(boxes: Boxes, seed: int, samples: int) -> Iterator[tuple[int, Solution]]:
    """Those of the first samples that have one solution, which needs turns."""
    dice = Random(seed)
    for sample in range(1, samples + 1):
        if solution := only_solution(boxes.draw(dice)):
            yield sample, solution


def drawn_box(boxes: Boxes, seed: int, sample: int) -> Problem:
    """What `find_boxes` draws as that sample."""
    dice = Random(seed)
    *_, problem = (boxes.draw(dice) for _ in range(sample))
    return problem


# ---- found by climbing ----


def evolve_in_box(seed: int = 2, steps: int = 15_000) -> Solution:
    """The slot box: two pieces in a room of 3 x 3 x 3 cells, with a slot across its lid."""
    air = _cells(3, 3, 3)
    walls = _cells(5, 5, 5, -1) - air - {(x, 1, 3, 0) for x in range(3)}
    pieces = cut((3, 3, 3), 2, Random(seed)).shapes
    start = placed([walls, *(piece.cells for piece in pieces)], ["box", "A", "B"])
    found = climb(
        start,
        seed,
        steps,
        homes=[walls, air, air],
        max_holes=27,
        later=0.5,
        max_states=500,
        turns=0,
    )
    *_, best = found
    return best


def evolve_block(size: Vector, seed: int, max_holes: int, steps: int = 150_000) -> Solution:
    """A block of three pieces: (4, 4, 4), 0, 24 is the cube, (4, 4, 3), 1, 18 the brick."""
    start = cut(size, 3, Random(seed))
    *_, best = climb(start, seed, steps, max_holes=max_holes, max_states=5000, turns=0)
    return best


SLOT_BOX = """
    XXXXX  XXXXX  XXXXX  XXXXX  XXXXX
    XXXXX  X.AAX  XAA.X  X...X  XXXXX
    XXXXX  XB..X  XB..X  XB..X  X...X
    XXXXX  X...X  XB..X  X...X  XXXXX
    XXXXX  XXXXX  XXXXX  XXXXX  XXXXX
"""

TURNING_CUBE = """
    BAA.  B.AA  B..A  B...
    BCCA  BC.A  BCAA  BC..
    BBBA  ....  ..AB  BC.B
    AABB  CAAB  CAAB  CC..
"""

TURNING_BRICK = """
    CBAC  C..C  CCCC
    CBAA  .BBA  BBCC
    CBA.  .AAC  A..C
    C..C  .ACC  AACC
"""

TURNING_SLAB = """
    ABBB  BB..  .BBA
    A..B  AA.C  .AAA
    A.CB  CCCC  ...A
    BBBB  C..B  ..BB
"""


def boxed(assembly: Assembly) -> Problem:
    """The problem of packing the last piece, a box, as it was."""
    *pieces, box = assembly.shapes
    inside = frozenset().union(*(piece.cells for piece in pieces))
    whole = Shape(CUBES, box.cells | inside, inside, name="box")
    return Problem.in_box(whole, copies(pieces), "packed")


def puzzle(problem: Problem, title: str, comment: str) -> Puzzle:
    return replace(Puzzle.of(problem), title=title, designer="kumitate", comment=comment)


def assembled(drawing: str) -> Problem:
    return replace(drawn(drawing).problem, name="assembled")


def write(folder: Path) -> list[str]:
    """Save the puzzles, and list their names."""
    written = {
        "letterbox": (
            drawn_box(Boxes((4, 4, 3), 1, [3]), 1, 219),
            "Letterbox",
            "Pack a bar and two slabs through a slot above the floor.",
        ),
        "side-door": (
            drawn_box(Boxes((4, 3, 3), 1, [2, 3], (1, 2, 3), 3), 2, 600),
            "Side door",
            "Pack two slabs through a narrow door.",
        ),
        "slot-box": (
            boxed(Assembly.from_text(CUBES, SLOT_BOX)),
            "Slot box",
            "Two pieces in a box with a slot in its lid, found by climbing.",
        ),
        "turning-cube": (assembled(TURNING_CUBE), "Turning cube", CLIMBED),
        "turning-brick": (assembled(TURNING_BRICK), "Turning brick", CLIMBED),
        "turning-slab": (assembled(TURNING_SLAB), "Turning slab", CLIMBED),
    }
    for name, words in written.items():
        kumitate.save(puzzle(*words), folder / f"{name}.kumitate.json")
    return list(written)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
