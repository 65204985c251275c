"""Values as the Python code that makes them, without defaults."""

from collections.abc import Sized
from dataclasses import MISSING, Field, fields
from typing import Any


def as_code(value: Any, *implied: str) -> str:
    """The call that makes a dataclass, for its `__repr__`; fields that are implied are left out.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Spot:
    ...     x: int
    ...     y: int = 0
    ...     names: tuple[str, ...] = ()
    >>> as_code(Spot(1)), as_code(Spot(1, 2), "x")
    ('Spot(x=1)', 'Spot(y=2)')
    """
    words = [
        f"{field.name}={getattr(value, field.name)!r}"
        for field in fields(value)
        if field.repr and field.name not in implied and not _is_default(field, value)
    ]
    return f"{type(value).__name__}({', '.join(words)})"


def _is_default(field: Field[Any], value: Any) -> bool:
    if field.default is MISSING and field.default_factory is MISSING:
        return False
    now = getattr(value, field.name)
    return bool(now == field.default) or (isinstance(now, Sized) and not len(now))
