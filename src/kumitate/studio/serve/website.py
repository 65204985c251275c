"""The studio as a folder for any web host: the page, and Python to run in it.

Python itself comes from a folder that `make pyodide` fills (tools/pyodide.py). The gallery is shown
before Python has started, so its cards and pictures are files. The site (output/site.py) adds the
puzzles that it links to, and a service worker.
"""

import re
from pathlib import Path

import msgspec

from kumitate.disk import file_errors
from kumitate.library import library
from kumitate.model.errors import PuzzleError
from kumitate.model.grids import GRIDS
from kumitate.output.page import script_source
from kumitate.studio.ask.codec import grid_data
from kumitate.studio.messages import HomeData
from kumitate.studio.serve.gallery import library_card, puzzle_picture
from kumitate.studio.serve.server import STATIC

NEEDED = ("pyodide.mjs", "pyodide.asm.wasm", "packages.zip", "resvg.wasm", "licenses.txt")
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",  # positions and widths
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
    )
)


def studio_files(parts: Path) -> dict[str, bytes]:
    """The files of a studio by their paths; `parts` is the folder with Python in it."""
    with file_errors(parts):
        if missing := [name for name in NEEDED if not (parts / name).is_file()]:
            raise PuzzleError(
                f"{parts}: has no {missing[0]}; give the folder that 'make pyodide' fills,"
                " dist/browser"
            )
        files = {f"python/{path.name}": path.read_bytes() for path in sorted(parts.iterdir())}
    if not (STATIC / "index.html").is_file():
        raise PuzzleError("this kumitate was built without the studio's page; reinstall it")
    for path in sorted(STATIC.rglob("*")):
        if path.is_file():
            files[path.relative_to(STATIC).as_posix()] = path.read_bytes()
    files["index.html"] = _page(files["index.html"].decode()).encode()
    files["studio.js"] = script_source("studio.js").encode()
    files["home.json"] = msgspec.json.encode(
        HomeData(
            library=[library_card(name) for name in library],
            folder=[],
            folder_name="Puzzles",
            grids=[grid_data(grid) for grid in GRIDS.values()],
        )
    )
    for name in library:
        files[f"pictures/{name}.svg"] = puzzle_picture(library[name]).encode()
    return files


def _page(page: str) -> str:
    """The studio's page, told that there is no server."""
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    made = page.replace("<html ", "<html data-alone ", 1)
    return re.sub('(<meta charset="utf-8" ?/?>)', rf"\1\n    {policy}", made, count=1)
