"""Builds the core for pages as WebAssembly: python tools/wasm.py FILE

zig compiles it (PyPI's ziglang). The core throws, and the libraries that zig links for WebAssembly
cannot, so what throwing takes is compiled from the sources that zig brings along. Without zig there
is a line that says so, and no file: pages then search by themselves.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "wasm"
PARTS = (
    *("wasm", "items", "cover", "cover_kernel", "search_tree", "sparse", "frontier"),
    *("disassemble", "separation", "slide", "field", "placements", "contract", "threads"),
)
TARGET = ["-target", "wasm32-wasi", "-mcpu=generic+exception_handling+simd128+bulk_memory"]
# The form of exceptions that all browsers have: the newer one is still missing in many.
THROWS = ["-fwasm-exceptions", "-mllvm", "-wasm-use-legacy-eh=true"]
COMPILE = [
    *(*TARGET, *THROWS, "-Os", "-DNDEBUG"),
    *("-DKUMITATE_ALONE", "-DKUMITATE_LEAN", "-DKUMITATE_ISA=plain"),
]
LINK = ["-mexec-model=reactor", "-Wl,--strip-all", "-Wl,--max-memory=1073741824"]


def build(out: Path) -> None:
    zig = zig_folder()
    if zig is None:
        print("no core for pages: install ziglang to build it", file=sys.stderr)
        return
    cpp = [*COMPILE, "-std=c++20"]
    # What throws comes first: or the linker takes what cannot.
    calls = {name: [*cpp, *given] for name, given in throwing(zig / "lib").items()}
    calls |= {part: [*cpp, str(ROOT / "core" / f"{part}.cpp")] for part in PARTS}
    BUILD.mkdir(parents=True, exist_ok=True)
    objects = [BUILD / f"{name}.o" for name in calls]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        compiled = [
            pool.submit(run, *call, "-c", "-o", str(made))
            for call, made in zip(calls.values(), objects, strict=True)
        ]
    for one in compiled:
        one.result()
    out.parent.mkdir(parents=True, exist_ok=True)
    run(*COMPILE, *LINK, *map(str, objects), "-o", str(out))


def zig_folder() -> Path | None:
    found = find_spec("ziglang")
    return Path(found.origin).parent if found and found.origin else None


def throwing(lib: Path) -> dict[str, list[str]]:
    """What throwing takes: sources of LLVM, with the words to compile them."""
    abi, unwind = lib / "libcxxabi", lib / "libunwind"
    folders = [lib / "libcxx" / "src", abi / "include", unwind / "include", unwind / "src"]
    words = [
        *(f"-I{folder}" for folder in folders),
        "-D_LIBCPP_BUILDING_LIBRARY",
        "-D_LIBCXXABI_BUILDING_LIBRARY",
        "-D_LIBCXXABI_HAS_NO_THREADS",
        "-DLIBCXXABI_USE_LLVM_UNWINDER=1",
        "-D_LIBUNWIND_HIDE_SYMBOLS",
        "-w",
    ]
    sources = {
        "throw": abi / "src" / "cxa_exception.cpp",
        "catch": abi / "src" / "cxa_personality.cpp",
    }
    calls = {name: [*words, str(source)] for name, source in sources.items()}
    return calls | {"unwind": [*words, "-x", "c", "-std=c17", str(unwind / "src/Unwind-wasm.c")]}


def run(*words: str) -> None:
    done = subprocess.run([sys.executable, ROOT / "tools" / "zig.py", *words])
    if done.returncode:
        sys.exit("the core for pages cannot be compiled")


if __name__ == "__main__":
    build(Path(sys.argv[1]))
