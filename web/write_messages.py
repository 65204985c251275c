"""Write src/messages.ts from kumitate.studio.messages, so that both sides use the same words.

    python web/write_messages.py

Fields with a default may be left out of a request; what the server sends is always complete.
"""

from pathlib import Path

import msgspec.inspect as look
from msgspec import Struct

from kumitate.studio import messages

TARGET = Path(__file__).parent / "src" / "messages.ts"
HEAD = """\
// Written by write_messages.py from kumitate/studio/messages.py: change that, then `make messages`.
"""


def typescript() -> str:
    """The whole of messages.ts."""
    structs = [
        value
        for value in vars(messages).values()
        if isinstance(value, type)
        and issubclass(value, messages.Message)
        and value is not messages.Message
    ]
    return "\n".join([HEAD, *map(interface, structs)])


def interface(struct: type[Struct]) -> str:
    told = look.type_info(struct)
    assert isinstance(told, look.StructType)
    request = struct.__name__.endswith("Request")
    lines = [
        f"  {field.name}{'?' if request and not field.required else ''}: {name(field.type)};"
        for field in told.fields
    ]
    idea = (struct.__doc__ or "").split("\n")[0]
    return "\n".join([f"/** {idea} */", f"export interface {struct.__name__} {{", *lines, "}", ""])


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
            return " | ".join(map(name, types))
        case look.StructType(cls=cls):
            return cls.__name__
    raise TypeError(f"no TypeScript for {told}")


def bracketed(told: look.Type) -> str:
    text = name(told)
    return f"({text})" if "|" in text else text


if __name__ == "__main__":
    TARGET.write_text(typescript(), "utf-8")
