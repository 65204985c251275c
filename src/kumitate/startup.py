"""Ctrl-C while the command line is still being imported ends it without a word.

Python would print a traceback of whatever it imports just then. This acts only where kumitate is
the program that was started; whoever imports it keeps their own handling of signals.
"""

import os
import signal
import sys
from itertools import pairwise

INTERRUPTED = 130  # exit status


def begin() -> None:
    """Until `end`, if this is the program and nobody wants Ctrl-C to be ignored."""
    if _is_program() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)


def end() -> None:
    """From now on Ctrl-C raises KeyboardInterrupt, as it does in Python."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _is_program() -> bool:
    """Whether it was started as `kumitate`, or as `python -m kumitate`.

    As long as Python looks for a module to run, the name of the program is -m.
    """
    name = next(iter(sys.argv), "")
    if name == "-m":
        words = sys.orig_argv
        return "-mkumitate" in words or ("-m", "kumitate") in pairwise(words)
    return os.path.splitext(os.path.basename(name))[0] == "kumitate"


def _leave(*_: object) -> None:
    os._exit(INTERRUPTED)


begin()
