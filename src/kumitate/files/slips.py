"""What is wrong with a JSON text, in plain words, and where: by path, and by line as editors count.

msgspec says what it expected and by which path, in the words of its types. The line is found by
walking that path through the text once more, which only a wrong file has to wait for.
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
_GOT = _KINDS | {"float": "a number with a point"}
_WORDS = {
    r"Expected `(.+?)`, got `(.+?)`": "",
    r"Expected `array` of length >= (\d+)": "should have {} or more entries",
    r"Expected `array` of length <= (\d+)": "should have {} or fewer entries",
    r"Expected `array` of length (\d+)": "should have {} entries",
    r"Expected `\w+` >= (\S+)": "should be {} or more",
    r"Expected `\w+` <= (\S+)": "should be {} or less",
    r"Expected `str` matching regex .*": "should be a colour such as #ff8800",
    r"Object missing required field `(.+)`": "lacks the field {}",
    r"Number out of range": "is out of range",
}
_UNKNOWN = re.compile("Object contains unknown field `(.*)`", re.DOTALL)
_ESCAPE = re.compile(rb"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
_BLANK = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]|\[\.\.\.\]")


def in_words(error: msgspec.MsgspecError, data: bytes) -> PuzzleError:
    """What msgspec complains about, in words that need no knowledge of it.

    >>> text = b'{"title":\\n 5}'
    >>> try:
    ...     msgspec.json.decode(text, type=dict[str, str])
    ... except msgspec.MsgspecError as error:
    ...     print(in_words(error, text))
    line 1, column 1: [...] should be text, not a whole number
    """
    if not isinstance(error, msgspec.ValidationError):
        return PuzzleError(_malformed(str(error), data))
    told, path = _parts(error)
    text = data.decode(errors="replace")
    unknown = _UNKNOWN.fullmatch(told)
    at = _place(text, path, unknown[1] if unknown else None)
    return PuzzleError(f"{_line_and_column(text, at)}: {by_path(error)}")


def by_path(error: msgspec.ValidationError) -> str:
    """The same, without a line, of what was never a text."""
    told, path = _parts(error)
    if unknown := _UNKNOWN.fullmatch(told):
        return f"unknown field {f'{path}.{unknown[1]}'.removeprefix('.')}"
    return f"{path.removeprefix('.') or 'the file'} {_plain(told)}"


def _parts(error: msgspec.ValidationError) -> tuple[str, str]:
    told, _, path = str(error).partition(" - at `$")
    return told, path.removesuffix("`")


def line_and_column(data: bytes, byte: int) -> str:
    """Where a byte is, as editors count.

    >>> line_and_column("ab\\ncé!".encode(), 6)
    'line 2, column 3'
    """
    text = data[:byte].decode(errors="replace")
    return _line_and_column(text, len(text))


def _line_and_column(text: str, at: int) -> str:
    column = at - text.rfind("\n", 0, at)
    return f"line {text.count(chr(10), 0, at) + 1}, column {column}"


def _plain(told: str) -> str:
    for pattern, words in _WORDS.items():
        if match := re.fullmatch(pattern, told):
            if words:
                return words.format(*match.groups())
            wanted, got = (match[n].split(" | ") for n in (1, 2))
            kinds = " or ".join(_KINDS.get(name, name) for name in wanted)
            return f"should be {kinds}, not {' or '.join(_GOT.get(name, name) for name in got)}"
    return told


def _malformed(told: str, data: bytes) -> str:
    """Of text that is not JSON at all."""
    told, _, byte = told.removesuffix(")").partition(" (byte ")
    at = int(byte) if byte else len(data)
    half = _half_a_character(data)
    if half is not None and half <= at:
        escape = data[half : half + 6].decode()
        return (
            f"half a character ({escape}) at {line_and_column(data, half)};"
            " write both halves, or the character itself"
        )
    return f"{told} at {line_and_column(data, at)}"


def _half_a_character(data: bytes) -> int | None:
    """Where the first \\ud800 or the like is that has no other half beside it."""
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
    """Where the value of a path begins, or a field of it; as far as the path says which."""
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
    """Of each field of an object: where it begins, where its value does, and its name."""
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
