"""Tries out an installed kumitate as a user would, from the outside: python tools/try_out.py

It solves, disassembles, exports and designs, then opens the studio and does the same there, whose
child processes a package may lack. It needs nothing but Python itself, so that it can test a wheel
in a clean environment and an app on a bare machine: programs are looked for nowhere (PATH is
empty), and the folder has spaces and umlauts in its name. The counts are those of the library's
answers.toml.

    python tools/try_out.py                       the kumitate of this environment
    python tools/try_out.py dist/kumitate/kumitate  a program
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

LONGEST = 180.0  # seconds for one thing
SOMA, BURR = 240, (588, 179)  # assemblies; and how many of them come apart
FOLDER = "Würfel und Stäbe"
SAVED = Path("solved.kumitate")

Run = Callable[..., str]


def main() -> None:
    command = sys.argv[1:] or [sys.executable, "-P", "-m", "kumitate"]
    if os.sep in command[0]:
        command[0] = os.path.abspath(command[0])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as base:
        folder = Path(base) / FOLDER
        folder.mkdir()

        def run(*words: str) -> str:
            done = subprocess.run(
                [*command, *words],
                cwd=folder,
                env=bare(),
                capture_output=True,
                encoding="utf-8",
                timeout=LONGEST,
            )
            report = f"{' '.join(words)}: status {done.returncode}\n{done.stdout}{done.stderr}"
            require(done.returncode == 0, report)
            return done.stdout + done.stderr

        for part in (solve, disassemble, export, design):
            say(part, run, folder)
        with studio(command, folder) as ask:
            for asked in (page, solve_there, export_there):
                say(asked, ask)


def bare() -> dict[str, str]:
    """This environment without programs, and without Python's own settings."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    return {**kept, "PATH": "", "PYTHONUTF8": "1"}


def require(kept: bool, what: str) -> None:
    if not kept:
        raise SystemExit(f"failed: {what}")


def say(part: Callable[..., str], *given: object) -> None:
    began = time.perf_counter()
    told = part(*given)
    name = part.__name__.replace("_there", " in the studio")
    print(f"{name:22}{time.perf_counter() - began:5.1f} s  {told}", flush=True)


# ---- on the command line ----


def solve(run: Run, folder: Path) -> str:
    """Count, and solve into a file, which opens again."""
    require(f"{SOMA} assemblies" in run("count", "soma"), "the number of assemblies")
    run("solve", "soma", "-o", str(SAVED))
    told = run("solve", "--resume", str(SAVED))
    require(f"{SOMA} assemblies" in told, f"resuming a run: {told}")
    return f"{SOMA} assemblies"


def disassemble(run: Run, folder: Path) -> str:
    told = run("solve", "six-piece-burr", "--disassemble", "--limit", "1000")
    assemblies, apart = BURR
    require(f"{assemblies} assemblies, {apart} come apart" in told, told[-200:])
    return f"{apart} of {assemblies} come apart"


def export(run: Run, folder: Path) -> str:
    """A solid, a drawing, a picture, a page."""
    for name, sign in (
        ("soma.3mf", b"PK"),
        ("soma.svg", b"<svg"),
        ("soma.png", b"\x89PNG"),
        ("soma.html", b"<!doctype html>"),
        ("soma.xmpuzzle", b"\x1f\x8b"),
    ):
        run("export" if name != "soma.xmpuzzle" else "convert", "soma", "-o", name)
        start = (folder / name).read_bytes()[:200]
        require(sign.lower() in start.lower(), f"{name} begins with {start[:40]!r}")
    parts = zipfile.ZipFile(folder / "soma.3mf").namelist()
    require("3D/3dmodel.model" in parts, f"soma.3mf has {parts}")
    return ", ".join(sorted(path.name for path in folder.glob("soma.*")))


def design(run: Run, folder: Path) -> str:
    """A design in threads, and a search in processes."""
    words = ["4x4x4", "--pieces", "3", "--evaluations", "20000", "-o", "new.kumitate"]
    require("puzzles kept" in run("design", *words), "a design")
    words = ["4x4x4", "--cut", "3", "--samples", "100", "--threads", "2", "--several"]
    require("100 samples" in run("search", *words), "a search")
    return "20,000 candidates and 100 samples"


# ---- in the studio ----


@contextmanager
def studio(command: list[str], folder: Path) -> Iterator[Callable[..., bytes]]:
    """A studio, and a function that asks it as its page does."""
    process = subprocess.Popen(
        [*command, "studio", "--no-browser", "--port", "0"],
        cwd=folder,
        env=bare(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )
    try:
        assert process.stdout is not None
        address = urlsplit(process.stdout.readline().strip())
        require(address.port is not None, "the studio prints no address")
        [token] = parse_qs(address.query)["token"]

        def ask(path: str, body: object = None) -> bytes:
            data = None if body is None else json.dumps(body).encode()
            url = f"http://{address.netloc}/{path}"
            header = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
            try:
                with urlopen(Request(url, data, header), timeout=LONGEST) as response:
                    read: bytes = response.read()
            except HTTPError as error:
                raise SystemExit(f"failed: {path}: {error}: {error.read()!r}") from None
            return read

        yield ask
    finally:
        process.terminate()
        process.wait(LONGEST)


def page(ask: Callable[..., bytes]) -> str:
    """The page, its scripts, and a picture on it."""
    html = ask("").decode()
    scripts = re.findall(r'(?:src|href)="\./(assets/[^"]+)"', html)
    require(bool(scripts), "the page has no scripts")
    size = sum(len(ask(script)) for script in scripts)
    require(b"<svg" in ask("api/picture?place=library/soma&version="), "no picture of soma")
    return f"{len(scripts)} files, {size // 1024:,} KiB"


def solve_there(ask: Callable[..., bytes]) -> str:
    began = time.monotonic()
    run: Any = json.loads(ask("api/runs", {"puzzle": soma(ask), "options": {"disassemble": True}}))
    while run["state"] not in ("done", "failed"):
        require(time.monotonic() - began < LONGEST, f"the run is still {run['state']}")
        time.sleep(0.1)
        [run] = json.loads(ask("api/runs/of", {"puzzle": soma(ask)}))["runs"]
    require((run["state"], run["assemblies"]) == ("done", SOMA), f"the run is {run}")
    return f"{SOMA} assemblies"


def export_there(ask: Callable[..., bytes]) -> str:
    made = ask("api/export", {"puzzle": soma(ask), "to": ".stl"})
    require(made.startswith(b"kumitate"), f"the export begins with {made[:40]!r}")
    return f"{len(made) // 1024:,} KiB of STL"


def soma(ask: Callable[..., bytes]) -> object:
    opened: dict[str, object] = json.loads(ask("api/puzzle?place=library/soma"))
    return opened["puzzle"]


if __name__ == "__main__":
    main()
