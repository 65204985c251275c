"""Messages read as values of a type, in any thread.

msgspec studies a type when it is first decoded, and a thread that comes across it meanwhile meets
a half-studied type and crashes the process (msgspec 0.22). So types are studied one at a time.
"""

import threading
from functools import cache
from typing import Any, TypeVar, overload

import msgspec

T = TypeVar("T")
_studying = threading.Lock()


@overload
def from_json(data: bytes | str, kind: type[T]) -> T: ...
@overload
def from_json(data: bytes | str, kind: Any) -> Any: ...
def from_json(data: bytes | str, kind: Any) -> Any:
    """JSON as a value of a type.

    >>> from_json(b"[1, 2]", tuple[int, int])
    (1, 2)
    """
    return _json_decoder(kind).decode(data)


@overload
def from_msgpack(data: bytes, kind: type[T]) -> T: ...
@overload
def from_msgpack(data: bytes, kind: Any) -> Any: ...
def from_msgpack(data: bytes, kind: Any) -> Any:
    """MessagePack as a value of a type."""
    return _msgpack_decoder(kind).decode(data)


def converted(value: Any, kind: Any) -> Any:
    """What JSON was read into, as a value of a type.

    >>> converted([1, 2], tuple[int, int])
    (1, 2)
    """
    with _studying:
        return msgspec.convert(value, kind)


@cache
def _json_decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    with _studying:
        return msgspec.json.Decoder(kind)


@cache
def _msgpack_decoder(kind: Any) -> msgspec.msgpack.Decoder[Any]:
    with _studying:
        return msgspec.msgpack.Decoder(kind)
