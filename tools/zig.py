"""zig as a C++ compiler: python tools/zig.py -target x86_64-windows-gnu ...

It takes the names that other compilers have for processors. zig comes from PyPI (ziglang), with the
headers and libraries of every system it compiles for.
"""

import os
import subprocess
import sys
from pathlib import Path

CACHE = Path(__file__).resolve().parents[1] / "build" / "zig"  # `make clean` removes it


def words(given: list[str]) -> list[str]:
    """The words of a call in zig's spelling."""
    return [
        word.replace("-", "_").replace("_march", "-march") if word.startswith("-march=") else word
        for word in given
    ]


if __name__ == "__main__":
    call = [sys.executable, "-m", "ziglang", "c++", *words(sys.argv[1:])]
    settings = {"ZIG_GLOBAL_CACHE_DIR": str(CACHE), **os.environ}
    sys.exit(subprocess.run(call, env=settings).returncode)
