"""Reference pages, written from what the code says of itself: docstrings, signatures, commands.

Nothing here is committed; `tools/site.py` writes the pages each time it builds the site, so they
are never older than the code.
"""

import inspect
import re
from collections.abc import Iterator
from dataclasses import fields
from types import FunctionType, ModuleType
from typing import Any, Unpack, get_args, get_origin, get_type_hints

import click

from kumitate import Grid
from kumitate.cli import cli
from kumitate.designer.discover import TermKeywords, Terms
from kumitate.jobs.design import Budget, BudgetKeywords
from kumitate.model.options import (
    ApartKeywords,
    CountKeywords,
    RunKeywords,
    RunOptions,
    SolveKeywords,
)
from kumitate.model.wish import Wish, WishKeywords
from tools.public_names import ELSEWHERE, ROOMS

# Keywords that functions share, and the class that has their defaults.
SHARED: dict[Any, type] = {
    **dict.fromkeys((ApartKeywords, CountKeywords, RunKeywords, SolveKeywords), RunOptions),
    BudgetKeywords: Budget,
    TermKeywords: Terms,
    WishKeywords: Wish,
}


def pages() -> dict[str, str]:
    """The text of each page by its name."""
    rooms = {f"api-{room.__name__.rpartition('.')[2]}.md": _room(room) for room in ROOMS}
    return rooms | {"api-files.md": _elsewhere(), "commands.md": _commands()}


def _room(room: ModuleType) -> str:
    about = (inspect.getdoc(room) or "").split("\n\n")[0]
    names = sorted(room.__all__, key=lambda name: (not name.isupper(), name.lower()))
    return "\n\n".join([f"# {room.__name__}", about, *_entries(room.__name__, room, names)])


def _elsewhere() -> str:
    """Names that are not at the front of a room: what reads and writes collections."""
    head = "# Runs and collections\n\nSearches and designs into a file, and what reads such files."
    parts = [head]
    for room, names in ELSEWHERE.items():
        parts += _entries(room.__name__, room, names)
    return "\n\n".join(parts)


def _entries(module: str, holder: ModuleType, names: list[str]) -> Iterator[str]:
    for name in names:
        yield from _entry(f"{module}.{name}", name, getattr(holder, name))


def _entry(path: str, name: str, what: Any) -> Iterator[str]:
    yield f"## {name}"
    if isinstance(what, type):
        yield _code(f"class {path}{_signature(what).removesuffix(' -> None')}")
        yield markdown(inspect.getdoc(what) or "")
        yield from _members(name, what)
    elif callable(what):
        yield _code(f"{path}{_signature(what)}")
        yield markdown(inspect.getdoc(what) or "")
    else:
        yield _code(path)
        yield (
            f"The grid *{what.name}*." if isinstance(what, Grid) else f"A `{type(what).__name__}`."
        )


def _members(name: str, what: type) -> Iterator[str]:
    """What a class defines itself, apart from its fields, which its signature shows."""
    for member, value in vars(what).items():
        if member.startswith("_"):
            continue
        if isinstance(value, classmethod | staticmethod):
            value = value.__func__
        if isinstance(value, property) or hasattr(value, "attrname"):
            yield f"### {name}.{member}"
        elif isinstance(value, FunctionType):
            yield f"### {name}.{member}\n\n{_code(f'{member}{_signature(value)}')}"
        else:
            continue
        yield markdown(inspect.getdoc(value) or "")


def _signature(what: Any) -> str:
    try:
        signature = inspect.signature(what)
    except (TypeError, ValueError):
        return ""
    each = [one for name in signature.parameters.values() for one in _spelt_out(name)]
    text = str(signature.replace(parameters=each))
    text = re.sub(r"<(?:factory|object|built-in) ?[^>]*>", "...", text)
    text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", text)  # an annotation that was quoted
    text = re.sub(r"\b(?:kumitate|collections|typing)(?:\.\w+)*\.(\w+)", r"\1", text)
    return text if len(text) < 90 else _broken(text)


def _spelt_out(parameter: inspect.Parameter) -> Iterator[inspect.Parameter]:
    """The keywords that `**options` stands for, with their defaults."""
    if get_origin(parameter.annotation) is not Unpack:
        yield parameter
        return
    [keywords] = get_args(parameter.annotation)
    defaults = {one.name: one.default for one in fields(SHARED[keywords])}
    for name, kind in get_type_hints(keywords).items():
        keyword = inspect.Parameter.KEYWORD_ONLY
        yield inspect.Parameter(name, keyword, annotation=kind, default=defaults[name])


def _broken(text: str) -> str:
    """One parameter a line."""
    inside, end = text[1:].rsplit(")", 1)
    depth, parts = 0, [""]
    for letter in inside:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return "(\n" + "".join(f"    {part.strip()},\n" for part in parts) + f"){end}"


def _code(text: str) -> str:
    return f"```python\n{text}\n```"


def markdown(docstring: str) -> str:
    """A docstring as Markdown: its examples and drawings become blocks.

    >>> markdown("Say one.\\n\\n>>> 1\\n1")
    'Say one.\\n\\n```pycon\\n>>> 1\\n1\\n```'
    """
    parts: list[tuple[str, str]] = []
    for block in re.split(r"\n\s*\n", docstring.strip("\n")):
        kind = "pycon" if block.startswith(">>>") else "text" if block.startswith("    ") else ""
        if kind and parts and parts[-1][0] == kind:
            parts[-1] = (kind, f"{parts[-1][1]}\n\n{block}")
        else:
            parts.append((kind, block))
    blocks = (f"```{kind}\n{inspect.cleandoc(text)}\n```" if kind else text for kind, text in parts)
    return "\n\n".join(blocks)


def _help(text: str) -> str:
    """The help of a command as Markdown: commands and options are code, tables stay as they are.

    >>> print(_help("Solve it, e.g. kumitate solve soma --all\\n\\n\\b\\n.svg  a picture"))
    Solve it, e.g. `kumitate solve soma --all`
    <BLANKLINE>
    ```text
    .svg  a picture
    ```
    """
    return "\n\n".join(
        f"```text\n{block[2:]}\n```"
        if block.startswith("\b\n")
        else re.sub(
            r"`[^`]*`|\bkumitate [a-z0-9]+(?: [^\s,;:()]+)*|(?<!\S)--?[a-z][\w-]*",
            lambda words: words[0] if words[0][0] == "`" else f"`{words[0]}`",
            " ".join(block.split()),
        )
        for block in re.split(r"\n\s*\n", text)
    )


def _commands() -> str:
    parts = [
        "# All commands and options",
        "What `kumitate COMMAND --help` prints; [The command line](command-line.md) explains it.",
    ]
    for name, command in cli.commands.items():
        context = click.Context(
            command, info_name=f"kumitate {name}", help_option_names=["-h", "--help"]
        )
        usage = " ".join(command.collect_usage_pieces(context))
        parts += [f"## kumitate {name}", f"```sh\nkumitate {name} {usage}\n```"]
        parts.append(_help(inspect.cleandoc(command.help or "")))
        options = [one for one in command.get_params(context) if isinstance(one, click.Option)]
        records = [option.get_help_record(context) for option in options]
        rows = [
            f"| `{record[0]}` | {_help(record[1])} |".replace("\n", " ")
            for record in records
            if record
        ]
        parts.append("\n".join(["| option | effect |", "|---|---|", *rows]))
    return "\n\n".join(parts)
