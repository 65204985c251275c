"""Every change of a single cell is found, and does what it is said to do."""

from kumitate import CUBES, Assembly, examine
from kumitate.designer import Changed, changes

BOX = Assembly.from_text(CUBES, "AAAA  AAAA  AAAA / AAAA  AB.A  AAAA / AAAA  AAAA  AAAA")
RODS = Assembly.from_text(CUBES, "AAB/CCB/DDD")


def drawn(change: Changed) -> str:
    cells = {cell: shape.name for shape in change.shapes for cell in shape.cells}
    return str(sorted(cells.items()))


def twin(assembly: Assembly) -> dict[str, str]:
    """All ways to draw one cell differently that leave every piece in one part, and the endings."""
    goal = assembly.problem.goal
    owner = {c: assembly.label(n) for n, s in enumerate(assembly.shapes) for c in s.cells}
    found: dict[str, str] = {}
    for cell in goal:
        for name in {*owner.values(), None} - {owner.get(cell)}:
            new = {c: n for c, n in owner.items() if c != cell} | ({cell: name} if name else {})
            pieces = [goal.restricted({c for c in new if new[c] == n}) for n in "ABCD"]
            pieces = [piece for piece in pieces if piece.cells]
            if len(pieces) == len(assembly.shapes) and all(piece.connected for piece in pieces):
                text = Assembly.from_text(CUBES, _page(new))
                found[str(sorted(new.items()))] = examine(text).ending
    return found


def _page(owner: dict[tuple[int, int, int, int], str]) -> str:
    """A drawing with every cell where it is."""
    columns, rows, layers = (range(max(c[axis] for c in owner) + 1) for axis in range(3))
    return "/".join(
        " ".join("".join(owner.get((x, y, z, 0), ".") for x in columns) for z in layers)
        for y in rows
    )


def test_every_change_is_found_with_its_ending() -> None:
    for assembly in (BOX, RODS):
        now, *others = changes(assembly)
        assert now.cell is None
        assert {drawn(change): change.ending for change in others} == twin(assembly)
        assert now.ending == examine(assembly).ending


def test_pieces_that_are_kept_stay() -> None:
    _, *others = changes(RODS, keep=["D", "A"])
    assert others
    for change in others:
        assert {change.loser, change.taker} <= {"B", "C", None}
