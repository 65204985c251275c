"""Builds the wheel for Pyodide, Python in the browser: python -m tools.pyodide

zig compiles the extension, as the side module that Emscripten's loader takes: the C++ library, and
what throwing takes, are Pyodide's own. Python's headers are those of the Python that runs this, for
the stable ABI, with the sizes of WebAssembly. Node then runs Pyodide (from npm) with the wheel
(tests/test_pyodide.py).

dist/browser is what `kumitate site --studio` puts into a site: Pyodide, the wheel and those that it
needs there as one archive of compiled modules, resvg with a font, and all licences.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD, DIST = ROOT / "build" / "pyodide", ROOT / "dist"
PARTS = DIST / "browser"
PYODIDE = "314.0.7"  # which is Python 3.14
RESVG, DEJAVU = "2.6.2", "2.37.3"  # what draws pixels, and its font
TAG = "cp312-abi3-pyemscripten_2026_0_wasm32"
NEEDS = ["click>=8.1", "defusedxml>=0.7.1", "msgspec>=0.21", "rich>=13"]  # a light install
# What the studio needs, without a server; all of it is Python but msgspec.
STUDIO = ["anyio", "defusedxml", "idna", "msgspec", "starlette", "typing_extensions"]
PYTHON_FILES = [
    *("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"),
    *("python_stdlib.zip", "pyodide-lock.json"),
]
RUNTIME = {
    **{name: f"pyodide/{name}" for name in PYTHON_FILES},
    "resvg.mjs": "@resvg/resvg-wasm/index.mjs",
    "resvg.wasm": "@resvg/resvg-wasm/index_bg.wasm",
    "font.ttf": "dejavu-fonts-ttf/ttf/DejaVuSans.ttf",
}
LICENCES = f"""Pyodide {PYODIDE}: Mozilla Public License 2.0, https://github.com/pyodide/pyodide

It contains Python 3.14: Python Software Foundation License 2, https://docs.python.org/3.14/license.html
SQLite: public domain, https://sqlite.org/copyright.html
libffi, zlib, xz (liblzma), bzip2, zstd, OpenSSL-free hashes (HACL*), Emscripten's musl and libc++:
MIT, zlib, 0BSD, bzip2, BSD and Apache-2.0 with LLVM exceptions; see Pyodide's repository.

resvg-wasm {RESVG}: Mozilla Public License 2.0, https://github.com/thx/resvg-js
"""
FIRST = ("separation", "climb", "cover_kernel")  # those that take longest
OTHERS = ("wasm", "parallel", "processor")  # which other systems need
COMPILE = [
    *("-target", "wasm32-wasi", "-mcpu=generic+exception_handling+bulk_memory+simd128"),
    *("-fwasm-exceptions", "-mllvm", "-wasm-use-legacy-eh=true"),
    *("-std=c++20", "-Os", "-DNDEBUG", "-fPIC", "-fvisibility=hidden"),
    *("-DKUMITATE_ALONE", "-DKUMITATE_ISA=plain", "-D__EMSCRIPTEN__"),
    # The names of Emscripten's C++ library.
    *("-U_LIBCPP_ABI_VERSION", "-D_LIBCPP_ABI_VERSION=2"),
    *("-U_LIBCPP_ABI_NAMESPACE", "-D_LIBCPP_ABI_NAMESPACE=__2", "-Wno-macro-redefined"),
]
PACKED = (".py", ".json", ".toml", ".gz", ".typed", ".js", ".wasm")
SIZES = {"LONG": 4, "SIZE_T": 4, "VOID_P": 4, "UINTPTR_T": 4, "PTHREAD_T": 4, "PTHREAD_KEY_T": 4}


def main() -> None:
    if sys.version_info < (3, 12):
        sys.exit("Pyodide needs the stable ABI of Python 3.12: make pyodide PYTHON=python3.13")
    fetch()
    made = wheel(extension())
    print(f"{made.relative_to(ROOT)}: {made.stat().st_size // 1000:,} kB")
    size = sum(path.stat().st_size for path in parts(made))
    print(f"{PARTS.relative_to(ROOT)}: {size // 1000:,} kB")


def fetch() -> None:
    """Pyodide itself, what draws pixels, and packages; one of these must be compiled for it."""
    BUILD.mkdir(parents=True, exist_ok=True)
    quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
    fetched = [f"pyodide@{PYODIDE}", f"@resvg/resvg-wasm@{RESVG}", f"dejavu-fonts-ttf@{DEJAVU}"]
    subprocess.run(["npm", "install", "--prefix", BUILD, *fetched, *quiet], check=True)
    where = ["--python-version", "314", "--platform", "pyemscripten_2026_0_wasm32"]
    call = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    call += ["--dest", str(BUILD)]
    subprocess.run([*call, "--only-binary", ":all:", *where, *STUDIO], check=True)


def extension() -> Path:
    """kumitate._core, compiled and linked."""
    found = find_spec("nanobind")
    assert found is not None
    assert found.origin is not None
    binding = Path(found.origin).parent
    python = [
        *("-DPy_LIMITED_API=0x030C0000", "-DNB_ABI3", "-include", "cstdio"),
        *("-fno-strict-aliasing", f"-I{headers()}", f"-I{binding / 'include'}"),
        *(f"-I{binding / 'ext/robin_map/include'}", f"-I{binding / 'src'}"),
    ]
    sources = [p for p in (ROOT / "core").glob("*.cpp") if p.stem not in OTHERS]
    sources = [binding / "src/nb_combined.cpp", *sorted(sources, key=lambda p: p.stem not in FIRST)]
    objects = [BUILD / f"{source.stem}.o" for source in sources]

    def compile(source: Path, made: Path) -> None:
        knows = source.stem.startswith(("bindings", "nb_"))
        zig = [sys.executable, str(ROOT / "tools" / "zig.py"), *COMPILE, *(python if knows else [])]
        subprocess.run([*zig, "-c", str(source), "-o", str(made)], check=True)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for _ in pool.map(compile, sources, objects):
            pass
    made = BUILD / "_core.abi3.so"
    words = ["-shared", "--experimental-pic", "--allow-undefined", "--no-entry", "--strip-all"]
    link = [sys.executable, "-m", "ziglang", "wasm-ld", *words, "--export=PyInit__core"]
    subprocess.run([*link, *map(str, objects), "-o", str(made)], check=True)
    return made


def headers() -> Path:
    """Python's headers, with the sizes that types have in WebAssembly."""
    made = BUILD / "include"
    shutil.rmtree(made, ignore_errors=True)
    shutil.copytree(sysconfig.get_path("include"), made)
    config = made / "pyconfig.h"
    text = config.read_text()
    for name, size in SIZES.items():
        text = re.sub(rf"#define SIZEOF_{name} \d+", f"#define SIZEOF_{name} {size}", text)
    config.write_text(text.replace("#define HAVE_GCC_UINT128_T 1", ""))
    return made


def wheel(core: Path) -> Path:
    """The extension and the Python files as a wheel, without the studio's page."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    name = f"kumitate-{project['version']}"
    about = f"{name}.dist-info"
    needs = "".join(f"Requires-Dist: {need}\n" for need in NEEDS)
    head = f"Metadata-Version: 2.1\nName: kumitate\nVersion: {project['version']}\n"
    DIST.mkdir(exist_ok=True)
    made = DIST / f"{name}-{TAG}.whl"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as pack:
        pack.write(core, f"kumitate/{core.name}")
        for path in sorted((ROOT / "src" / "kumitate").rglob("*")):
            if "static" not in path.parts and path.suffix in PACKED:
                pack.write(path, path.relative_to(ROOT / "src"))
        pack.write(ROOT / "LICENSE", f"{about}/licenses/LICENSE")
        pack.writestr(f"{about}/METADATA", head + needs)
        pack.writestr(
            f"{about}/WHEEL",
            f"Wheel-Version: 1.0\nGenerator: kumitate\nRoot-Is-Purelib: false\nTag: {TAG}\n",
        )
        files = [*pack.namelist(), f"{about}/RECORD"]
        pack.writestr(f"{about}/RECORD", "".join(f"{file},,\n" for file in files))
    return made


def parts(made: Path) -> list[Path]:
    """What a site with a studio is made of, beside the page."""
    shutil.rmtree(PARTS, ignore_errors=True)
    PARTS.mkdir(parents=True)
    fetched = BUILD / "node_modules"
    for name, source in RUNTIME.items():
        shutil.copy(fetched / source, PARTS / name)
    wheels = [made, *(max(BUILD.glob(f"{name}-*.whl")) for name in STUDIO)]
    packer, packed = ROOT / "tools" / "pyodide.mjs", PARTS / "packages.zip"
    given = [packer, fetched / "pyodide", packed, *wheels]
    subprocess.run(["node", *map(str, given)], check=True)
    font = (fetched / "dejavu-fonts-ttf" / "LICENSE").read_text("utf-8")
    said = [LICENCES, f"DejaVu fonts {DEJAVU}\n\n{font}"]
    for path in wheels:
        with zipfile.ZipFile(path) as pack:
            names = [n for n in pack.namelist() if re.search(r"dist-info/.*(LICEN|COPYING)", n)]
            said += [f"{path.name.split('-')[0]}\n\n{pack.read(n).decode()}" for n in names]
    (PARTS / "licenses.txt").write_text("\n----\n\n".join(said), "utf-8")
    return sorted(PARTS.iterdir())


if __name__ == "__main__":
    main()
