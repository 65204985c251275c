"""Makes the pictures of the pages anew: python -m tools.pictures (needs the dev extras).

Drawings come from kumitate itself. What it writes for printers is looked at by reading the file
again with trimesh and painting its triangles, so a picture shows what is in the file.
"""

import tempfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kumitate.output.views import View

Floats = NDArray[np.float64]

HERE = Path(__file__).parents[1] / "docs" / "pictures"
VIEW = np.array([[0.82, -0.57, 0.0], [0.29, 0.41, 0.86], [-0.49, -0.70, 0.51]])  # right, up, nearer
LIGHT = np.array([-0.45, 0.65, 0.61])


def painted(
    triangles: Floats, colours: list[tuple[int, int, int]], width: int = 640, margin: int = 12
) -> bytes:
    """A PNG of triangles (n, 3, 3) in flat light; painted twice as fine, then halved."""
    from PIL import Image

    seen = triangles @ VIEW.T
    low, high = seen.reshape(-1, 3).min(0), seen.reshape(-1, 3).max(0)
    scale = 2 * (width - 2 * margin) / (high[0] - low[0])
    tall = int(scale * (high[1] - low[1])) + 4 * margin
    paper = np.full((tall, 2 * width, 3), 255, dtype=np.uint8)
    depth = np.full((tall, 2 * width), -np.inf)
    flat = (seen - low) * scale + 2 * margin
    flat[:, :, 1] = tall - flat[:, :, 1]
    normals = np.cross(seen[:, 1] - seen[:, 0], seen[:, 2] - seen[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    shade = 0.55 + 0.5 * np.clip(normals @ LIGHT, -0.5, 1)
    for (a, b, c), light, normal, colour in zip(flat, shade, normals, colours, strict=True):
        if normal[2] <= 0:
            continue
        x0, y0 = np.floor(np.minimum(np.minimum(a, b), c)[:2]).astype(int)
        x1, y1 = np.ceil(np.maximum(np.maximum(a, b), c)[:2]).astype(int) + 1
        y, x = np.mgrid[y0:y1, x0:x1]
        area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        if abs(area) < 1e-9:
            continue
        u = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) / area
        v = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / area
        far = a[2] + u * (b[2] - a[2]) + v * (c[2] - a[2])
        window = (slice(y0, y1), slice(x0, x1))
        inside = (u >= -1e-6) & (v >= -1e-6) & (u + v <= 1 + 1e-6) & (far > depth[window])
        depth[window][inside] = far[inside]
        paper[window][inside] = np.clip(np.array(colour) * light, 0, 255)
    picture = Image.fromarray(paper).resize((width, tall // 2), Image.Resampling.LANCZOS)
    packed = BytesIO()
    picture.quantize(128).save(packed, "PNG", optimize=True)
    return packed.getvalue()


def read_again(path: Path) -> tuple[Floats, list[tuple[int, int, int]]]:
    """The triangles of a file for printers, with a colour each."""
    import trimesh

    from kumitate.model.palette import piece_colour

    triangles, colours = [], []
    for number, mesh in enumerate(trimesh.load_scene(path).dump()):
        assert isinstance(mesh, trimesh.Trimesh)
        triangles.append(np.asarray(mesh.triangles))
        red, green, blue = bytes.fromhex(piece_colour(number)[1:])
        colours += [(red, green, blue)] * len(mesh.triangles)
    return np.concatenate(triangles), colours


def look_at(path: Path, name: str, width: int = 640) -> None:
    (HERE / name).write_bytes(painted(*read_again(path), width))


def main() -> None:
    import shutil
    import subprocess

    import kumitate
    from kumitate.output.make.cutlist import cut_list
    from kumitate.output.make.sheets import sheets, to_svg
    from kumitate.output.make.stickplan import cut_list_svg

    HERE.mkdir(exist_ok=True)
    away = Path(tempfile.mkdtemp())
    soma, burr, box = (kumitate.library[name] for name in ("soma", "six-piece-burr", "evolved-box"))
    solution = next(kumitate.solve(soma.problems[0], disassemble=True))
    out = next(kumitate.solve(box.problems[0], disassemble=True))
    drawn: list[tuple[str, Any, View | None]] = [
        ("soma.svg", soma, None),
        ("assembly.svg", solution, "assembly"),
        ("exploded.svg", solution, "exploded"),
        ("layers.svg", solution, "layers"),
        ("steps.svg", next(kumitate.solve(burr.problems[0], disassemble=True)), "steps"),
        ("soma.gif", solution, "steps"),
    ]
    [five] = kumitate.library["five-move-burr"].problems
    drawn.append(("burr.gif", next(kumitate.solve(five, disassemble=True)), "steps"))
    tee = kumitate.Shape.from_text(kumitate.CUBES, "###/.#.", name="T")
    square = kumitate.Shape.from_text(kumitate.CUBES, "/".join(["####"] * 4))
    tees = next(kumitate.assemble(kumitate.Problem(square, [kumitate.Piece(tee, 4)])))
    drawn.append(("tees.svg", tees, "assembly"))
    for name, what, show in drawn:
        kumitate.export(what, HERE / name, show=show, width=320, force=True)
    cube = kumitate.first(kumitate.library["t-cube"].problems[0], engine="cover").assembly
    assert cube is not None
    kumitate.export(cube, HERE / "t-cube.svg", show="layers", force=True)
    sticks = cut_list([kumitate.burr6.burr_stick(792), kumitate.burr6.burr_stick(256)])
    (HERE / "sticks.svg").write_text(cut_list_svg(sticks), encoding="utf-8")
    [sheet, *_] = sheets(kumitate.library["pentominoes"].problems[0])
    (HERE / "sheet.svg").write_text(to_svg(sheet, line=0.3), encoding="utf-8")
    [made] = kumitate.export(soma, away / "soma.3mf")
    look_at(made, "print.png")
    look_at(_made_ways(away), "making.png", 720)
    [made] = kumitate.export(kumitate.library["slothouber-graatsma"], away / "box.3mf", show="box")
    look_at(made, "box.png", 480)
    [made] = kumitate.export(out, away / "box.pdf", puzzle=box)
    subprocess.run(
        ["pdftoppm", "-r", "50", "-f", "3", "-l", "3", "-png", made, away / "page"], check=True
    )
    shutil.copy(next(away.glob("page*.png")), HERE / "booklet.png")
    [made] = kumitate.export(out, away / "page.html", puzzle=box)
    _screenshot(made, HERE / "page.png")
    _tutorials()
    _designs()
    _of_the_studio()


def _tutorials() -> None:
    """What a reader of the tutorials makes on the way."""
    import kumitate
    from kumitate import CUBES, Piece, Problem, Puzzle, Shape

    *_, cube = kumitate.design(
        "4x4x4", pieces=4, holes=1, unique=True, level=5, seed=4, evaluations=200_000
    )
    rectangle = next(kumitate.assemble(kumitate.library["pentominoes/6x10"].problem()))
    box = Shape.from_text(CUBES, "### ### / ### ### / ### ###", name="box")
    drawings = {"B": "##. ### / .#. ...", "C": ".## ### / ... ...", "D": "##"}
    shapes = [Shape.from_text(CUBES, text, name=name) for name, text in drawings.items()]
    for other in kumitate.designer.polyforms(CUBES, 5):
        mine = Problem(box, [Piece(shape) for shape in (*shapes, other)])
        if kumitate.count(mine).assemblies == 1:
            break
    drawings = {"I": "####", "O": "##/##", "T": "###/.#.", "S": ".##/##.", "L": "###/#.."}
    tetrominoes = [Shape.from_text(CUBES, text, name=name) for name, text in drawings.items()]
    made: list[tuple[str, Any, View | None]] = [
        ("cube", cube.solution, "exploded"),
        ("rectangle", rectangle, "layers"),
        ("mine", next(kumitate.solve(mine, disassemble=True)), "exploded"),
        ("tetrominoes", Puzzle(CUBES, tetrominoes), None),
    ]
    for name, what, show in made:
        kumitate.export(what, HERE / f"tutorial-{name}.svg", show=show, force=True)


def _designs() -> None:
    """What each family of designs finds in a moment, for design.md."""
    import kumitate

    found: list[tuple[str, str, View, int, dict[str, Any]]] = [
        ("cube", "5x5x5", "exploded", 400_000, {"pieces": 4, "unique": True, "smallest": 12}),
        ("cubes", "4x4x4", "exploded", 200_000, {"pieces": 5, "unique": True, "smallest": 8}),
        ("burr", "burr6", "exploded", 100_000, {"unique": True, "level": 2}),
        ("boards", "board-burr", "exploded", 60_000, {"level": 2}),
        ("burr18", "burr18", "exploded", 60_000, {}),
        ("box", "box/3x3x3", "exploded", 60_000, {"pieces": 3, "unique": True}),
        ("cage", "cage/3x3x3", "exploded", 200_000, {"pieces": 3, "unique": True}),
        ("pyramid", "pyramid/5", "exploded", 40_000, {"pieces": 5}),
        ("rhombic", "rhombic", "exploded", 40_000, {"pieces": 4, "holes": 0, "smallest": 8}),
        ("tray", "tray/6x6", "assembly", 60, {}),
        ("antislide", "antislide/4x4x4", "layers", 20, {}),
    ]
    for name, goal, show, evaluations, wish in found:
        *_, best = kumitate.design(goal, evaluations=evaluations, **wish)
        print(name, best)
        path = HERE / f"design-{name}.svg"
        kumitate.export(best.solution, path, show=show, width=320, force=True)


def _of_the_studio() -> None:
    """The pictures that tests/studio/test_page_story.py left, with fewer colours."""
    from PIL import Image

    for path in sorted((HERE.parents[1] / "build" / "screenshots").glob("studio-*.png")):
        Image.open(path).convert("RGB").quantize(255).save(HERE / path.name, optimize=True)


def _made_ways(away: Path) -> Path:
    """Pieces side by side: bevelled, with a name, cell by cell, of balls, of rhombic cells."""
    import kumitate
    from kumitate.model.palette import piece_colour
    from kumitate.output.formats import threemf

    tee = kumitate.Shape.from_text(kumitate.CUBES, "###/.#.", name="T")
    bent = kumitate.Shape.from_text(kumitate.grids.SPHERES, "#.#./.#../#...", name="L")
    cube = kumitate.Shape(kumitate.grids.RHOMBS, {(0, 0, 0, n) for n in range(24)})
    around = {beside for cell in cube.cells for beside in cube.neighbours(cell)}
    dodecahedron = kumitate.Shape(kumitate.grids.RHOMBS, cube.cells | around, name="D")
    ways = (
        (tee, kumitate.PrintOptions(unit=15, bevel=1.5)),
        (tee, kumitate.PrintOptions(unit=15, label=True)),
        (tee, kumitate.PrintOptions(unit=15, bevel_units=True, bevel=1)),
        (bent, kumitate.PrintOptions(unit=11)),
        (dodecahedron, kumitate.PrintOptions(unit=18)),
    )
    placed, x = [], 0.0
    for number, (shape, options) in enumerate(ways):
        mesh = kumitate.solid(shape, options)
        low, high = mesh.points.min(0), mesh.points.max(0)
        by = (x - low[0], -low[1], -low[2])
        placed.append((replace(mesh, name=shape.name, colour=piece_colour(number)), by))
        x += high[0] - low[0] + 9
    path = away / "ways.3mf"
    path.write_bytes(threemf.write(placed))
    return path


def _screenshot(page: Path, to: Path) -> None:
    import shutil

    from playwright.sync_api import sync_playwright

    flags = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader"]
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        tab = browser.new_page(viewport={"width": 860, "height": 560})
        tab.goto(page.resolve().as_uri())
        for _ in range(6):
            tab.keyboard.press("ArrowRight")
        tab.wait_for_timeout(3000)
        tab.screenshot(path=str(to))
        browser.close()


if __name__ == "__main__":
    main()
