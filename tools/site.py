"""The documentation as a site: python -m tools.site [FOLDER]

Copies the pages of `docs`, writes the reference pages and the gallery beside them and has Zensical
build the site, by default into `site`. A warning, such as a link that leads nowhere, is an error.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from tools import gallery
from tools.reference import pages

ROOT = Path(__file__).parents[1]


def build(site: Path, work: Path, puzzles: Iterable[str] | None = None) -> None:
    """Build the site, with the pages it is made of in another folder.

    The gallery takes a minute or two; with names of puzzles it has only these.
    """
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(ROOT / "docs", work / "docs")
    for name, text in pages().items():
        (work / "docs" / name).write_text(f"{text}\n", encoding="utf-8")
    gallery.write(work / "docs", puzzles)
    for page in (work / "docs").glob("*.md"):  # doctest's word for an empty line is not for readers
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace("\n<BLANKLINE>\n", "\n\n"), encoding="utf-8")
    shutil.copy(ROOT / "zensical.toml", work)
    program = str(Path(sys.executable).with_name("zensical"))
    done = subprocess.run(
        [program, "build", "--strict", "--clean"],
        cwd=work,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    if done.returncode:
        raise SystemExit(done.stdout)
    shutil.rmtree(site, ignore_errors=True)
    shutil.move(work / "site", site)


if __name__ == "__main__":
    build(Path(sys.argv[1] if len(sys.argv) > 1 else "site"), ROOT / "build" / "docs")
