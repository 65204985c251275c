"""Write what the page shares with Python, so that both sides use the same words and numbers.

    python web/write_messages.py

src/messages.ts comes from kumitate.studio.messages, with the suffixes of files from kumitate.files
and kumitate.output.views, and with what may be wished of a design from kumitate.model.wish;
src/scene/timing.ts comes from kumitate.output.timing; tests/grids.json has the grids as the server
sends them.

Fields with a default may be left out of a request; what the server sends is always complete.
"""

import json
from dataclasses import asdict, fields
from pathlib import Path
from typing import TypeGuard, get_args, get_type_hints

import msgspec
import msgspec.inspect as look

from kumitate.designer.goals import OBJECTIVES
from kumitate.designer.recipes import FAMILIES
from kumitate.files import AMBIGUOUS, SUFFIXES
from kumitate.model.grids import GRIDS
from kumitate.model.wish import Wish, wish_help
from kumitate.output import cards
from kumitate.output import timing as times
from kumitate.output.effects import effective
from kumitate.output.making import MAKE_OPTIONS, OptionKind
from kumitate.output.views import VIEWS
from kumitate.studio import messages
from kumitate.studio.ask.codec import grid_data

SOURCE = Path(__file__).parent / "src"
HEAD = "// Written by write_messages.py from kumitate/{}: change that, then `make messages`.\n"


def written() -> dict[Path, str]:
    """What belongs into each file."""
    return {
        SOURCE / "messages.ts": typescript(),
        SOURCE / "scene" / "timing.ts": timing(),
        SOURCE.parent / "tests" / "grids.json": grids(),
    }


def timing() -> str:
    """The whole of timing.ts; what the numbers mean is said in Python."""
    numbers = [
        f"export const {name} = {value};"
        for name, value in vars(times).items()
        if isinstance(value, float)
    ]
    return "\n".join([HEAD.format("output/timing.py"), *numbers, ""])


def grids() -> str:
    """The whole of grids.json: a line for each grid."""
    lines = [
        f"{json.dumps(name)}: {msgspec.json.encode(grid_data(grid)).decode()}"
        for name, grid in GRIDS.items()
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def typescript() -> str:
    """The whole of messages.ts."""
    kinds = [value for value in vars(messages).values() if is_sent(value)]
    parts = [version(), suffixes(), making(), wishing(), *map(interface, kinds), defaults()]
    return "\n".join([HEAD.format("studio/messages.py"), *parts])


def is_sent(value: object) -> TypeGuard[type]:
    """Whether a name of the module is a kind of message."""
    return (
        isinstance(value, type)
        and value.__module__ in (messages.__name__, cards.__name__)
        and value is not messages.Message
    )


def version() -> str:
    """The version of all messages."""
    return f"""\
/** The version of all messages; a server with another one is not this page's. */
export const PROTOCOL: string = "{messages.protocol()}";
"""


def suffixes() -> str:
    """The suffixes of files."""
    puzzles = ", ".join(f'"{suffix}"' for suffix in dict.fromkeys((*SUFFIXES, *AMBIGUOUS)))
    exports = " | ".join(f'"{suffix}"' for suffix in VIEWS)
    return f"""\
/** How the names of puzzle files end; .json and .json.gz may hold something else. */
export const PUZZLE_SUFFIXES = [{puzzles}] as const;
/** How the names of files to export end. */
export type Suffix = (typeof PUZZLE_SUFFIXES)[number] | {exports};
"""


def making() -> str:
    """The options of how things are made, and which of them act on each view in each file."""
    names = " | ".join(f'"{one.name}"' for one in MAKE_OPTIONS)
    kinds = " | ".join(f'"{kind}"' for kind in get_args(OptionKind))
    rows = "".join(
        f'  {{ name: "{one.name}", kind: "{one.kind}", help: {json.dumps(one.help)} }},\n'
        for one in MAKE_OPTIONS
    )
    effects = {
        f"{suffix} {view}": acting
        for suffix, views in VIEWS.items()
        for view in views
        if (acting := effective(suffix, view))
    }
    return f"""\
/** An option of how things are made; which of them act on a view in a file, by "SUFFIX VIEW". */
export type MakeName = {names};
export interface MakeOption {{
  readonly name: MakeName;
  readonly kind: {kinds};
  readonly help: string;
}}
export const MAKE_OPTIONS: readonly MakeOption[] = [
{rows}];
export const EFFECTS: Readonly<Record<string, readonly MakeName[]>> = {json.dumps(effects)};
"""


WISH_KINDS: dict[object, str] = {
    bool: "flag",
    int: "count",
    int | None: "count",
    int | tuple[int, int] | None: "range",
    tuple[str, ...]: "names",
    float | None: "part",
}


def wishing() -> str:
    """What may be wished of a design, what may be maximised, and the families."""
    kinds = get_type_hints(Wish)
    names = [one.name for one in fields(Wish)]
    rows = "".join(
        f'  {{ name: "{name}", kind: "{WISH_KINDS[kinds[name]]}",'
        f" help: {json.dumps(wish_help(name))} }},\n"
        for name in names
    )
    sought = "".join(
        f'  {{ name: "{name}", help: {json.dumps(objective.__doc__)} }},\n'
        for name, objective in OBJECTIVES.items()
    )
    return f"""\
/** What may be wished of a new puzzle; what may be maximised; the families of goals. */
export type WishName = {" | ".join(f'"{name}"' for name in names)};
export interface WishOption {{
  readonly name: WishName;
  readonly kind: {" | ".join(f'"{kind}"' for kind in dict.fromkeys(WISH_KINDS.values()))};
  readonly help: string;
}}
export const WISHES: readonly WishOption[] = [
{rows}];
export type ObjectiveName = {" | ".join(f'"{name}"' for name in OBJECTIVES)};
export const OBJECTIVES: readonly {{ readonly name: ObjectiveName; readonly help: string }}[] = [
{sought}];
export type FamilyName = {" | ".join(f'"{name}"' for name in FAMILIES)};
"""


def defaults() -> str:
    """The options of a solve that is not asked otherwise."""
    options = json.dumps(asdict(messages.SolveOptions()), indent=2)
    return f"export const DEFAULT_OPTIONS: SolveOptions = {options};\n"


def interface(kind: type) -> str:
    """A message; one that others extend is part of these, so a request if they are."""
    request = any(one.__name__.endswith("Request") for one in (kind, *kind.__subclasses__()))
    base = kind.__base__ if is_sent(kind.__base__) else None
    known = {field.name for field in fields_of(base)} if base else set()
    lines = [
        f"  {field.name}{'?' if request and not field.required else ''}: {name(field.type)};"
        for field in fields_of(kind)
        if field.name not in known
    ]
    idea = (kind.__doc__ or "").split("\n")[0]
    extends = f" extends {base.__name__}" if base else ""
    head = f"export interface {kind.__name__}{extends} {{"
    return "\n".join([f"/** {idea} */", head, *lines, "}", ""])


def fields_of(kind: type) -> tuple[look.Field, ...]:
    told = look.type_info(kind)
    assert isinstance(told, look.StructType | look.DataclassType)
    return told.fields


def name(told: look.Type) -> str:
    """A type, as TypeScript writes it."""
    match told:
        case look.BoolType():
            return "boolean"
        case look.IntType() | look.FloatType():
            return "number"
        case look.StrType():
            return "string"
        case look.NoneType():
            return "null"
        case look.LiteralType(values=values):
            return " | ".join(f'"{value}"' for value in values)
        case look.ListType(item_type=item):
            return f"{bracketed(item)}[]"
        case look.TupleType(item_types=items):
            return f"[{', '.join(map(name, items))}]"
        case look.DictType(value_type=value):
            return f"Record<string, {name(value)}>"
        case look.UnionType(types=types):
            return " | ".join(dict.fromkeys(map(name, types)))
        case look.StructType(cls=cls) | look.DataclassType(cls=cls):
            return cls.__name__
    raise TypeError(f"no TypeScript for {told}")


def bracketed(told: look.Type) -> str:
    text = name(told)
    return f"({text})" if "|" in text else text


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text, "utf-8")
