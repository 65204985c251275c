"""python -m kumitate: the command line."""

from kumitate.cli import main

main()
