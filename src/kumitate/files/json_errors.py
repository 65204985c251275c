"""Errors in JSON, in plain words, and where they are: by path, and by line and column.

msgspec reports the path of an error and what it expected, in the words of its types. To find the
line we walk that path through the text once more; only an invalid file pays for that.
"""

import json
import re
from collections.abc import Iterator

import msgspec

from kumitate.model.errors import PuzzleError

_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_GOT = _KINDS | {"float": "a number with a decimal point"}
_WORDS = {
    r"Expected `(.+?)`, got `(.+?)`": "",
    r"Expected `array` of length >= (\d+)": "should have {} or more entries",
    r"Expected `array` of length <= (\d+)": "should have {} or fewer entries",
    r"Expected `array` of length (\d+)": "should have {} entries",
    r"Expected `\w+` >= (\S+)": "should be {} or more",
    r"Expected `\w+` <= (\S+)": "should be {} or less",
    r"Expected `\w+` < (\S+)": "should be less than {}",
    r"Expected `str` of length <= (\d+)": "should have {} or fewer characters",
    r"Expected `str` matching regex .*": "should be a colour such as #ff8800",
    r"Object missing required field `(.+)`": "has no field {}",
    r"Number out of range": "is out of range",
}
_UNKNOWN = re.compile("Object contains unknown field `(.*)`", re.DOTALL)
_ESCAPE = re.compile(rb"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
_BLANK = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]|\[\.\.\.\]")


def located(error: msgspec.MsgspecError, data: bytes) -> PuzzleError:
    """An error of msgspec's, in words that need no knowledge of it.

    >>> text = b'{"title":\\n 5}'
    >>> try:
    ...     msgspec.json.decode(text, type=dict[str, str])
    ... except msgspec.MsgspecError as error:
    ...     print(located(error, text))
    line 1, column 1: [...] should be text, not a whole number
    """
    if not isinstance(error, msgspec.ValidationError):
        return PuzzleError(_malformed(str(error), data))
    message, path = _parts(error)
    text = data.decode(errors="replace")
    unknown = _UNKNOWN.fullmatch(message)
    at = _place(text, path, unknown[1] if unknown else None)
    return PuzzleError(f"{_line_and_column(text, at)}: {describe(error)}")


def describe(error: Exception, whole: str = "the file") -> str:
    """The same without a line, for values that never were text; `whole` names them."""
    if not isinstance(error, msgspec.ValidationError):
        return f"{whole} is not JSON"
    message, path = _parts(error)
    if unknown := _UNKNOWN.fullmatch(message):
        return f"unknown field {f'{path}.{unknown[1]}'.removeprefix('.')}"
    return f"{path.removeprefix('.') or whole} {_plain(message)}"


def _parts(error: msgspec.ValidationError) -> tuple[str, str]:
    message, _, path = str(error).partition(" - at `$")
    return message, path.removesuffix("`")


def line_and_column(data: bytes, byte: int) -> str:
    """The line and column of a byte, as editors count them.

    >>> line_and_column("ab\\ncé!".encode(), 6)
    'line 2, column 3'
    """
    text = data[:byte].decode(errors="replace")
    return _line_and_column(text, len(text))


def _line_and_column(text: str, at: int) -> str:
    column = at - text.rfind("\n", 0, at)
    return f"line {text.count(chr(10), 0, at) + 1}, column {column}"


def _plain(message: str) -> str:
    for pattern, words in _WORDS.items():
        if match := re.fullmatch(pattern, message):
            if words:
                return words.format(*match.groups())
            wanted, got = (match[n].split(" | ") for n in (1, 2))
            kinds = " or ".join(_KINDS.get(name, name) for name in wanted)
            return f"should be {kinds}, not {' or '.join(_GOT.get(name, name) for name in got)}"
    return message


def _malformed(message: str, data: bytes) -> str:
    """The error of a text that is not JSON at all."""
    message, _, byte = message.removesuffix(")").partition(" (byte ")
    at = int(byte) if byte else len(data)
    surrogate = _lone_surrogate(data)
    if surrogate is not None and surrogate <= at:
        escape = data[surrogate : surrogate + 6].decode()
        return (
            f"half a character ({escape}) at {line_and_column(data, surrogate)};"
            " write both halves, or the character itself"
        )
    return f"{message} at {line_and_column(data, at)}"


def _lone_surrogate(data: bytes) -> int | None:
    """Where the first escaped surrogate (\\ud800 to \\udfff) without its other half is."""
    high: re.Match[bytes] | None = None
    for escape in _ESCAPE.finditer(data):
        code = int(escape[1], 16) if escape[1] else 0
        low = 0xDC00 <= code < 0xE000
        if high is not None:
            if not low or escape.start() != high.end():
                return high.start()
            high = None
        elif low:
            return escape.start()
        elif 0xD800 <= code < 0xDC00:
            high = escape
    return None if high is None else high.start()


def _place(text: str, path: str, field: str | None = None) -> int:
    """Where the value at a path begins, or one of its fields; as far as we can follow the path."""
    at = _after_blanks(text, 0)
    try:
        for step in _STEP.finditer(path):
            if step[1] is not None:
                at = next(value for _, value, name in _fields(text, at) if name == step[1])
            elif step[2] is not None:
                at = _entry(text, at, int(step[2]))
            else:
                return at
        if field is not None:
            return next(start for start, _, name in _fields(text, at) if name == field)
    except (ValueError, IndexError, StopIteration, RecursionError):
        pass
    return at


def _fields(text: str, at: int) -> Iterator[tuple[int, int, str]]:
    """For each field of an object: where it begins, where its value begins, and its name."""
    while text[at] in "{,":
        start = _after_blanks(text, at + 1)
        name, end = _DECODER.raw_decode(text, start)
        value = _after_blanks(text, _after_blanks(text, end) + 1)
        yield start, value, name
        at = _after_value(text, value)


def _entry(text: str, at: int, number: int) -> int:
    """Where an entry of a list begins."""
    for _ in range(number):
        at = _after_value(text, _after_blanks(text, at + 1))
    return _after_blanks(text, at + 1)


def _after_value(text: str, at: int) -> int:
    return _after_blanks(text, _DECODER.raw_decode(text, at)[1])


def _after_blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    assert found
    return found.end()
