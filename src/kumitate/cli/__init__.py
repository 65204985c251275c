"""The command line: a command reads, makes one call, prints.

A user's mistake is one line on stderr and exit status 2, never a traceback. Only the command that
is called is imported, and it imports what it needs when it runs.
"""

import errno
import os
import re
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import NoReturn

import click

from kumitate import startup
from kumitate.cli.interrupt import never_lost
from kumitate.model.errors import LimitReached, PuzzleError

LONGEST = 300  # characters of a message
UNKNOWN = 3  # exit status: a limit ended the search before the answer was known
INTERNAL = 70  # exit status: EX_SOFTWARE of sysexits.h
_UNWRITTEN = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
# What only pictures, solids, the studio and grids of one's own need, by module: the names on PyPI.
_LATER = {"numpy": "numpy", "PIL": "pillow", "manifold3d": "manifold3d", "resvg_py": "resvg-py"}
_UNBROKEN = "\N{NO-BREAK SPACE}"
_HOMES = {  # the commands in the order of the help, and their modules
    "solve": "solve",
    "count": "solve",
    "first": "first",
    "pack": "first",
    "show": "show",
    "check": "check",
    "convert": "convert",
    "export": "export",
    "site": "site",
    "shapes": "shapes",
    "search": "search",
    "design": "design",
    "library": "library",
    "studio": "studio",
    "burr6": "burr6",
}


class _HasSeenEnough(Exception):
    """The reader of our output has closed it; click would make an error of that."""


class _Commands(Mapping[str, click.Command]):
    """The commands by name, each imported when it is asked for."""

    def __getitem__(self, name: str) -> click.Command:
        command: click.Command = getattr(import_module(f"kumitate.cli.{_HOMES[name]}"), name)
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(_HOMES)

    def __len__(self) -> int:
        return len(_HOMES)


class _Group(click.Group):
    """Lists its commands with their whole first paragraph; the example that ends it stays whole."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise _HasSeenEnough from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = []
        for name, command in self.commands.items():
            paragraph = " ".join((command.help or "").split("\n\n")[0].split())
            words, comma, example = paragraph.partition(", e.g. ")
            rows.append((name, words + comma + example.replace(" ", _UNBROKEN)))
        with formatter.section("Commands"):
            formatter.write_dl(rows)
        formatter.buffer = [text.replace(_UNBROKEN, " ") for text in formatter.buffer]


@click.group(
    cls=_Group,
    commands=_Commands(),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    invoke_without_command=True,
)
@click.version_option(package_name="kumitate", message="kumitate %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """The workbench for mechanical puzzles.

    PUZZLE is a file (.kumitate.json, .xmpuzzle, .scad, or a saved run or collection) or the name of
    a library puzzle, such as soma; "kumitate library" lists them all. PUZZLE/PROBLEM selects one
    problem of a puzzle, by name or number: pentominoes/6x10, burrs.xmpuzzle/2.

    New here? Try kumitate studio, or kumitate solve soma.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main() -> NoReturn:
    """Run the command line and leave with its exit status."""
    startup.end()
    with never_lost():
        _run()


def _run() -> NoReturn:
    try:
        status = cli.main(prog_name="kumitate", standalone_mode=False)
        sys.stdout.flush()
        sys.exit(status if isinstance(status, int) else 0)
    except PuzzleError as error:
        _fail(str(error))
    except LimitReached as error:
        _fail(str(error), UNKNOWN)
    except MemoryError:
        _fail("out of memory; use fewer threads, or ask for less")
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "kumitate"
        _fail(f"{error.format_message()} (see {command} --help)")
    except click.ClickException as error:
        _fail(error.format_message())
    except ModuleNotFoundError as error:
        if (error.name or "") not in _LATER:
            raise
        name = _LATER[error.name or ""]
        _fail(f"this needs {name}, which is not installed: pip install {name}")
    except AssertionError as error:
        _fail(f"internal error: {error}; please report it, with the puzzle", INTERNAL)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(startup.INTERRUPTED)
    except (_HasSeenEnough, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        _fail(f"{_place(error)}{(error.strerror or str(error)).lower()}")


def _place(error: OSError) -> str:
    """Where it went wrong: of all that is written, only what is printed has no name of a file."""
    if error.filename:
        return f"{os.fsdecode(error.filename)}: "
    return "standard output: " if error.errno in _UNWRITTEN else ""


def _fail(message: str, status: int = 2) -> NoReturn:
    """One printable line, not too long, whatever a file put into it."""
    line = " ".join(_by_option(message).split())
    line = "".join(c if c.isprintable() else "?" for c in line)
    if len(line) > LONGEST:
        line = f"{line[: LONGEST * 2 // 3]} ... {line[-LONGEST // 3 :]}"
    click.echo(f"kumitate: {line}", err=True)
    sys.exit(status)


def _by_option(message: str) -> str:
    """What the library says of `max_states` or `force=True`, in the words of the command line.

    These are --max-states and --force. Files keep their names, also those called max_states.
    """
    message = re.sub(r"(?<![\w./-])force=True\b", "--force", message)
    names = {
        option.name: option.opts[0]
        for command in cli.commands.values()
        for option in command.params
        if isinstance(option, click.Option) and "_" in (option.name or "")
    }
    return re.sub(
        r"(?<![\w./-])\w+(?![\w/-]|\.\w)",
        lambda word: word[0] if word[0] in sys.argv else names.get(word[0], word[0]),
        message,
    )
