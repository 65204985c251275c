"""While kumitate is being imported: names wait until they are used, and Ctrl-C ends it silently.

Importing everything takes a quarter of a second, and few programs use more than a part of it.

On Ctrl-C Python would print a traceback from the middle of some import. That is changed only if
kumitate is the program that was started; a program that imports kumitate keeps its own handling.
"""

import os
import signal
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from itertools import pairwise
from typing import Any

INTERRUPTED = 130  # exit status


def late(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], Any], list[str]]:
    """`__getattr__` and `__all__` of a package whose names are imported when they are first used.

    `homes` has the names by the modules that define them.

    >>> load, names = late("kumitate", {"kumitate.model.numbers": "LARGEST count_of"})
    >>> load("count_of")(len(names), "name")
    '2 names'
    """
    home_of = {name: home for home, names in homes.items() for name in names.split()}

    def load(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(home_of[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return load, sorted(home_of)


def begin() -> None:
    """Exit on Ctrl-C until `end`, if this is the program and Ctrl-C is not ignored."""
    if _is_program() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)


def end() -> None:
    """From now on Ctrl-C raises KeyboardInterrupt, as usual."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _is_program() -> bool:
    """Whether this process was started as `kumitate` or as `python -m kumitate`.

    While Python is still locating the module to run, sys.argv[0] is "-m".
    """
    name = next(iter(sys.argv), "")
    if name == "-m":
        words = sys.orig_argv
        return "-mkumitate" in words or ("-m", "kumitate") in pairwise(words)
    return os.path.splitext(os.path.basename(name))[0] == "kumitate"


def _leave(*_: object) -> None:
    os._exit(INTERRUPTED)


begin()
