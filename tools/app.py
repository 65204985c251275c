"""Builds the app into dist/app/kumitate, and tries it out: python -m tools.app

The app is a folder with a program that needs nothing else: Python, the libraries and the studio's
page are in it. PyInstaller makes it from the wheel in dist/ (`make wheels`), on the system that it
is for.
"""

import shutil
import subprocess
import sys

from tools.wheels import DIST, ROOT, environment

BUILD, APP = ROOT / "build" / "app", DIST / "app"


def main() -> None:
    wheels = sorted(DIST.glob("*.whl"), key=lambda path: path.stat().st_mtime)
    if not wheels:
        sys.exit("there is no wheel in dist/; run `make wheels` first")
    shutil.rmtree(BUILD, ignore_errors=True)
    shutil.rmtree(APP, ignore_errors=True)
    python = environment(BUILD / "python", str(wheels[-1]), "pyinstaller")
    collect = [f"--{what}=kumitate" for what in ("collect-submodules", "collect-data")]
    places = ["--distpath", str(APP), "--workpath", str(BUILD), "--specpath", str(BUILD)]
    command = [str(python), "-m", "PyInstaller", "--onedir", "--noconfirm", "--log-level=WARN"]
    command += ["--name=kumitate", "--copy-metadata=kumitate", *collect, *places]
    subprocess.run([*command, str(ROOT / "tools" / "app_start.py")], check=True, cwd=BUILD)
    program = shutil.which("kumitate", path=APP / "kumitate")
    assert program
    size = sum(path.stat().st_size for path in APP.rglob("*") if path.is_file())
    print(f"{APP.relative_to(ROOT)}/kumitate: {size // 1_000_000} MB", flush=True)
    subprocess.run([sys.executable, ROOT / "tools" / "try_out.py", program], check=True, cwd=BUILD)


if __name__ == "__main__":
    main()
