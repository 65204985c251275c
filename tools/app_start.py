"""What the app runs: the command line, or the studio if it is opened with a double click.

Opened by itself, it serves the folder Puzzles in the user's home; opened with a file, that file.
"""

import sys
from pathlib import Path

from kumitate import child


def words(given: list[str], home: Path) -> list[str]:
    """The words for the command line."""
    if not given:
        folder = home / "Puzzles"
        folder.mkdir(exist_ok=True)
        return ["studio", "--folder", str(folder)]
    if len(given) == 1 and Path(given[0]).is_file():
        return ["studio", *given]
    return given


if __name__ == "__main__":
    child.be_child()
    from kumitate.cli import main

    sys.argv[1:] = words(sys.argv[1:], Path.home())
    main()
