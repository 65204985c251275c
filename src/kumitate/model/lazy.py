"""Lazy: frozen values whose fields are made when one of them is first read.

A search finds assemblies and disassemblies faster than Python can build them, and most are only
counted. So they begin as the core's compact data; comparing, hashing, printing and pickling read
the fields, and then a lazy value is like any other. A field that may be missing must not have a
default in the class, which would be found instead: give it a `default_factory`.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Self


class Lazy:
    """A base for frozen dataclasses; `later` makes one whose missing fields `make` returns.

    `make` is called with `data`, which the value keeps till then; values that share one `make` are
    cheap for the garbage collector.
    """

    @classmethod
    def later(
        cls, make: Callable[..., Mapping[str, object]], *data: object, **known: object
    ) -> Self:
        value = object.__new__(cls)
        value.__dict__.update(known, _make=make, _data=data)
        return value

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            mine = self.__dict__
            make, data = mine.get("_make"), mine.get("_data")
            if data is not None and not name.startswith("__"):
                mine.update(make(*data))
                mine.pop("_data", None)  # another thread may have been here too
                mine.pop("_make", None)
            if name in mine:
                return mine[name]
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, field.name) for field in fields(self))  # type: ignore[arg-type]
