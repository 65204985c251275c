"""How the library's hard puzzles were made: a maze box, an evolved box, an eighteen-piece burr.

`python -m bench.hard FOLDER` writes them. The last two were found by climbing, which takes minutes;
the results are kept below as drawings, and `evolve_box` and `evolve_burr` find them again.
"""

import sys
from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import kumitate
from kumitate import CUBES, Assembly, Piece, Placement, Problem, Puzzle, Shape, Solution
from kumitate.designer import climb
from kumitate.model.geometry import Cell

Room = tuple[int, int]
WAYS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def placed(pieces: Iterable[Iterable[Cell]], names: Iterable[str]) -> Assembly:
    """An assembly of pieces where they lie."""
    named = zip(pieces, names, strict=False)
    shapes = [Shape(CUBES, set(cells), name=name) for cells, name in named]
    goal = Shape(CUBES, {cell for shape in shapes for cell in shape}, name="goal")
    here = [Placement(number, 0, (0, 0, 0)) for number in range(len(shapes))]
    return Assembly(Problem(goal, [Piece(shape) for shape in shapes]), here)


# ---- maze box: rivets in slotted plates ----


def maze(rooms: int, dice: Random) -> dict[Room, Room]:
    """Each room of a winding maze and the room before it; depth first, turning where possible.

    >>> maze(2, Random(0))
    {(0, 1): (1, 1), (0, 0): (0, 1), (1, 0): (0, 0)}
    """
    trail = [(dice.randrange(rooms), dice.randrange(rooms))]
    first, entered = trail[0], dict[Room, Room]()
    while trail:
        x, y = here = trail[-1]
        ways = [
            (dx, dy)
            for dx, dy in WAYS
            if 0 <= x + dx < rooms
            and 0 <= y + dy < rooms
            and (x + dx, y + dy) not in (first, *entered)
        ]
        if not ways:
            trail.pop()
            continue
        x0, y0 = entered.get(here, here)
        dx, dy = dice.choice([way for way in ways if way != (x - x0, y - y0)] or ways)
        entered[x + dx, y + dy] = here
        trail.append((x + dx, y + dy))
    return entered


def runs(entered: dict[Room, Room], exit: Room) -> dict[Room, int]:
    """For each room, the number of straight runs from the exit on the left."""
    doors = [*entered.items(), *((b, a) for a, b in entered.items())]
    found, way = {exit: 1}, {exit: (1, 0)}
    for here in (rooms := [exit]):
        for there in [b for a, b in doors if a == here and b not in found]:
            way[there] = (there[0] - here[0], there[1] - here[1])
            found[there] = found[here] + (way[there] != way[here])
            rooms.append(there)
    return found


def plate(rooms: int, start: Room | None, dice: Random) -> tuple[set[Room], Room]:
    """A plate with a maze as its slot, and the starting room, by default the one farthest away.

    The exit is the one on the left with the longest way out.
    """
    entered = maze(rooms, dice)
    exits = [(0, y) for y in range(rooms)]
    ways = [(n, room, exit) for exit in exits for room, n in runs(entered, exit).items()]
    _, start, exit = max(way for way in ways if start in (None, way[1]))
    slot = {(2 * x + 1, 2 * y + 1) for room in entered.items() for x, y in room}
    slot |= {(x + x0 + 1, y + y0 + 1) for (x, y), (x0, y0) in entered.items()}
    slot.add((0, 2 * exit[1] + 1))
    side = range(2 * rooms + 1)
    return {*product(side, side)} - slot, start


def maze_box(plates: int = 2, rooms: int = 15, seed: int = 21) -> Assembly:
    """A stack of plates, each with a maze, and a rivet through all of them."""
    dice = Random(seed)
    start, slabs = None, list[set[Cell]]()
    for number in range(plates):
        solid, start = plate(rooms, start, dice)
        slabs.append({(x, y, 2 * number + 1, 0) for x, y in solid})
    x0, y0 = (2 * start[0] + 1, 2 * start[1] + 1) if start else (0, 0)
    rivet: set[Cell] = {(x0, y0, z, 0) for z in range(2 * plates + 1)}
    heads = product((x0 - 1, x0, x0 + 1), (y0 - 1, y0, y0 + 1), range(0, 2 * plates + 1, 2))
    rivet |= {(x, y, z, 0) for x, y, z in heads}
    return placed([*slabs, rivet], [*(f"plate {n + 1}" for n in range(plates)), "rivet"])


# ---- evolved box and eighteen-piece burr: found by climbing ----


def cut(size: tuple[int, int, int], pieces: int, dice: Random) -> Assembly:
    """A box cut at random: each piece grows from a cell of its own."""
    box = Shape(CUBES, {(x, y, z, 0) for x, y, z in product(*map(range, size))})
    owner = {cell: number for number, cell in enumerate(dice.sample(sorted(box), pieces))}
    while len(owner) < len(box):
        cell = dice.choice(sorted(box.cells - owner.keys()))
        nearby = [owner[other] for other in box.neighbours(cell) if other in owner]
        if nearby:
            owner[cell] = dice.choice(nearby)
    parts = [{c for c, number in owner.items() if number == n} for n in range(pieces)]
    return placed(parts, "ABCDEF")


def sticks() -> tuple[list[set[Cell]], list[set[Cell]]]:
    """The 18 sticks of a burr, uncut; and each cut down to a rod where the sticks cross.

    Along each axis lie two by three sticks of 2 x 2 x 8 cells, around the origin.
    """
    whole, rods = [], []
    for axis, (a, rod_a), (b, rod_b) in product(
        range(3), ((-2, -2), (0, 1)), ((-3, -3), (-1, -1), (1, 2))
    ):
        whole.append({_along(axis, cell) for cell in product(range(-4, 4), (a, a + 1), (b, b + 1))})
        rods.append({_along(axis, (x, rod_a, rod_b)) for x in range(-4, 4)})
    for number, (stick, rod) in enumerate(zip(whole, rods, strict=True)):
        rod |= stick - set().union(*whole[:number], *whole[number + 1 :])
    return whole, rods


def _along(axis: int, cell: tuple[int, int, int]) -> Cell:
    turned = (*cell, *cell)[3 - axis : 6 - axis]
    return (turned[0], turned[1], turned[2], 0)


def evolve_box() -> Solution:
    """Four climbs from random cuts, then a long one from the best of them; about two minutes."""
    starts = [cut((5, 5, 5), 6, Random(seed)) for seed in range(4)]
    how: Any = {"homes": [starts[0].problem.goal.cells] * 6, "max_holes": 10}
    tries = [climb(start, seed, 100_000, **how) for seed, start in enumerate(starts)]
    return _hardest(climb(_hardest(*tries).assembly, 4, 400_000, **how))


def evolve_burr() -> Solution:
    """Four climbs from rods with ends, then a long one from the best of them; a few minutes."""
    whole, rods = sticks()
    how: Any = {"homes": whole, "max_holes": 40, "slack": 1, "later": 0.03, "max_states": 1000}
    start = placed(rods, map(str, range(1, 19)))
    tries = [climb(start, seed, 20_000, **how) for seed in range(4)]
    return _hardest(climb(_hardest(*tries).assembly, 4, 80_000, **how))


def _hardest(*climbs: Iterable[Solution]) -> Solution:
    """The solution with the highest level; of equals, the one with the most moves in total."""
    found = [(s.levels.moves, s.levels.total, s) for some in climbs for s in some if s.levels]
    return max(found, key=lambda ranked: ranked[:2])[2]


EVOLVED_BOX = """
    FCCCC  EEECC  EDEEC  DDDCC  DB.CC
    FFFFC  FDFFF  DDEDF  .BDD.  ABBDC
    F..AC  AAAAF  AEE.F  AADFF  ABBDD
    EC.AC  EEBBC  DEBCC  .ABFC  AABDD
    EC.AA  DC.AA  DCCCC  DDCCC  DDDDC
"""

EIGHTEEN_PIECE_BURR = """
    ........  ........  .GG.HII.  .GGHH.I.  .JJK..L.  .JJK.LL.  ........  ........
    ..MM.P..  ..MMPP..  .GMHPPI.  ..MHPPI.  .JJKPP..  .J.KPLL.  ..M.PP..  ..MM.P..
    ...MPP..  .A..PPAA  AG.HAIAA  .GMBPIIB  .JMBPBBB  CCMKPLLC  CCMMPCCC  ..MMPP..
    ...NQQ..  AAAAAAAA  AGNHAIIA  .GN.BIIB  .JNBBBBB  CJNKC.LC  CCCCCCCC  ..N.QQ..
    ..NNQQ..  DDNDQQDD  DGNHQ.I.  EENNQQIE  .EEEEQL.  FJNKKQL.  FFNFFQ.F  ..NNQQ..
    ..OORR..  DDDDDDDD  DGGH.RID  EEEEREEE  EEEEEE.E  FJOKRRLF  FFFFFFFF  ..OORR..
    ..OORR..  ..OORR..  .GOH.RI.  .GOORR..  .JOORRL.  .JOKRLL.  ..O.R...  ..OORR..
    ........  ........  .GGHH.I.  .GG...I.  .JJKKLL.  .JJKKLL.  ........  ........
"""


def drawn(text: str) -> Assembly:
    assembly = Assembly.from_text(CUBES, text)
    return placed(assembly.shapes, [shape.name for shape in assembly.shapes])


def puzzle(assembly: Assembly, title: str, comment: str) -> Puzzle:
    problem = replace(assembly.problem, name="assembled")
    shapes = [piece.shape for piece in problem.pieces]
    return Puzzle(
        CUBES, [*shapes, problem.goal], [problem], title=title, designer="kumitate", comment=comment
    )


def write(folder: Path) -> dict[str, Assembly]:
    """Save the three puzzles, each with one problem whose answer is its pieces as they lie."""
    box, burr = map(drawn, (EVOLVED_BOX, EIGHTEEN_PIECE_BURR))
    written = {
        "maze-box": (maze_box(), "Maze box", "A rivet in two plates with a maze each."),
        "evolved-box": (box, "Evolved box", "Found by climbing from a random cut."),
        "eighteen-piece-burr": (burr, "Eighteen-piece burr", "Found by climbing from rods."),
    }
    for name, words in written.items():
        kumitate.save(puzzle(*words), folder / f"{name}.kumitate.json")
    return {name: assembly for name, (assembly, _, _) in written.items()}


if __name__ == "__main__":
    write(Path(sys.argv[1]))
