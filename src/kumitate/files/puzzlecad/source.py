"""Parse as much OpenSCAD as lists of pieces need: calls, plain values, comments.

A value is plain if it needs no evaluation: a number, a string, a list, a name or a function call.
Any other expression is None. The parser makes one pass over the tokens, whose number and depth are
limited, so it ends soon on any input.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

from kumitate.model.errors import PuzzleError

MOST_TOKENS = 50_000
DEEPEST = 50  # nested brackets

_TOKEN = re.compile(
    r"(?P<blank>\s++)"
    r"|(?P<comment>//[^\n]*|/\*(?s:.*?)\*/)"
    r'|(?P<text>"(?:[^"\\]++|\\(?s:.))*+")'
    r'|(?P<unclosed>/\*|")'
    r"|(?P<path>(?:include|use)\s*<[^>\n]*>)"
    r"|(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<word>[$A-Za-z_][0-9A-Za-z_]*)"
    r"|(?P<sign>\S)"
)
_CLOSER = {"(": ")", "[": "]", "{": "}"}
_ENDS = frozenset([",", ";", ")", "]", "}", ""])  # the tokens that end an expression
_LOOPS = frozenset(["for", "intersection_for", "let", "assign"])  # they define variables
_BEFORE_VALUES = frozenset(
    ["for", "if", "let", "each", "echo", "assert", "function", "-", "+", "!"]
)


class Token(NamedTuple):
    kind: str
    text: str  # "" at the end of the file
    line: int


class Comment(NamedTuple):
    """The text of a comment, without its marks, and the lines it spans."""

    text: str
    first: int
    last: int
    alone: bool  # only comments come before it on its line


@dataclass(frozen=True)
class Name:
    """A variable, used as a value."""

    text: str


@dataclass(frozen=True)
class Call:
    """A call of a function or a module; an argument without a keyword has the keyword ""."""

    name: str
    arguments: "tuple[tuple[str, Value], ...]"


class Value(NamedTuple):
    """An expression, and the lines it spans; its content is None if it is not plain."""

    content: "float | str | tuple[Value, ...] | Name | Call | None"
    first: int
    last: int


@dataclass(frozen=True, eq=False)
class Scope:
    """The variables of a file, a module or a block."""

    word: str  # that opened it: "module", "translate", ...; "" for the file
    name: str  # of the module
    line: int
    outer: "Scope | None" = None
    values: dict[str, Value] = field(default_factory=dict)

    def outwards(self) -> "Iterator[Scope]":
        """This scope and all that enclose it, the innermost first."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer


@dataclass(frozen=True)
class Source:
    """The contents of a file, in order."""

    calls: list[tuple[Value, Scope]]  # of modules
    comments: list[Comment]
    modules: set[str]  # that it defines
    files: list[Token]  # that it includes or uses


def parse(text: str) -> Source:
    """Find the calls, values and comments of a source; errors begin with their line."""
    comments: list[Comment] = []
    parser = _Parser(list(_tokens(text, comments)), comments)
    parser.file()
    return parser.source


def error_at(line: int, what: str) -> PuzzleError:
    return PuzzleError(f"line {line}: {what}")


def _tokens(text: str, comments: list[Comment]) -> Iterator[Token]:
    line, busy, count = 1, 0, 0  # busy: the last line that holds more than comments
    for found in _TOKEN.finditer(text):
        kind, word = str(found.lastgroup), found.group()
        last = line + word.count("\n")
        if kind == "comment":
            inner = word[2:-2] if word.startswith("/*") else word[2:]
            comments.append(Comment(inner, line, last, busy < line))
        elif kind == "unclosed":
            what = "comment" if word == "/*" else "string"
            raise error_at(line, f"the {what} that begins here is never closed")
        elif kind != "blank":
            yield Token(kind, word, line)
            busy = last
        count += kind != "blank"
        if count > MOST_TOKENS:
            raise error_at(line, f"too large: more than {MOST_TOKENS:,} words and symbols")
        line = last


class _Parser:
    """Goes through the tokens once and collects what it finds in `source`."""

    def __init__(self, tokens: list[Token], comments: list[Comment]) -> None:
        self.tokens = tokens
        self.at = 0
        self.line = 1  # where the last token taken ended
        self.source = Source([], comments, set(), [])

    # ---- tokens ----

    def peek(self, ahead: int = 0) -> Token:
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else Token("end", "", self.line)

    def take(self) -> Token:
        token = self.peek()
        self.at += 1
        self.line = token.line + token.text.count("\n")
        return token

    def expect(self, sign: str) -> None:
        if self.peek().text != sign:
            found = self.peek().text[:20]
            what = f"{sign!r} is missing" + (f" before {found!r}" if found else "")
            raise error_at(self.line, what)
        self.take()

    # ---- statements ----

    def file(self) -> None:
        top = Scope("", "", 1)
        while self.peek().text:
            self.statement(top, 0)

    def statement(self, scope: Scope, depth: int) -> None:
        while self.peek().text in tuple("*!#%"):  # they only control what is shown
            self.take()
        kind, text, line = token = self.take()
        if depth > DEEPEST:
            raise error_at(line, f"more than {DEEPEST} nested blocks; simplify the source")
        if text == ";":
            return
        if text == "{":
            inner = Scope("", "", line, scope)
            while self.peek().text not in ("}", ""):
                self.statement(inner, depth + 1)
            self.close("}", token)
        elif kind == "path":
            self.source.files.append(token)
        elif text == "module":
            self.module(scope, depth)
        elif text == "function":
            self.take()
            self.arguments(self.take(), depth)
            self.expect("=")
            self.assigned(depth)
        elif kind == "word" and self.peek().text == "=":
            self.take()
            scope.values[text] = self.assigned(depth)
        elif kind == "word" and self.peek().text == "(":
            self.call(token, scope, depth)
        else:
            raise error_at(line, f"{text[:20]!r} does not begin a statement that kumitate knows")

    def assigned(self, depth: int) -> Value:
        value = self.expression(depth)
        self.expect(";")
        return value

    def module(self, scope: Scope, depth: int) -> None:
        name = self.take()
        self.source.modules.add(name.text)
        inner = Scope("module", name.text, name.line, scope)
        for keyword, value in self.arguments(self.take(), depth):
            content = value.content
            parameter = content.text if isinstance(content, Name) else keyword
            inner.values[parameter] = Value(None, name.line, name.line)
        self.statement(inner, depth + 1)

    def call(self, word: Token, scope: Scope, depth: int) -> None:
        arguments = self.arguments(self.take(), depth)
        value = Value(Call(word.text, arguments), word.line, self.line)
        self.source.calls.append((value, scope))
        if self.peek().text == ";":
            self.take()
            return
        inner = Scope(word.text, "", word.line, scope)
        if word.text in _LOOPS:
            inner.values.update({key: Value(None, word.line, word.line) for key, _ in arguments})
        if self.peek().text in ("}", ""):
            self.expect(";")
        self.statement(inner, depth + 1)
        if word.text == "if" and self.peek().text == "else":
            self.take()
            self.statement(inner, depth + 1)

    # ---- expressions ----

    def expression(self, depth: int) -> Value:
        start = self.peek()
        if depth > DEEPEST:
            raise error_at(start.line, f"more than {DEEPEST} nested brackets; simplify the source")
        if start.text in _ENDS:
            before = f" before {start.text!r}" if start.text else ""
            raise error_at(start.line, f"a value is missing{before}")
        content = self.plain(depth)
        after = self.peek()
        if after.kind in ("word", "number", "text") and start.text not in _BEFORE_VALUES:
            raise error_at(self.line, f"',' or ';' is missing before {after.text[:20]!r}")
        if after.text not in _ENDS:
            self.skip()
            content = None
        return Value(content, start.line, self.line)

    def plain(self, depth: int) -> "float | str | tuple[Value, ...] | Name | Call | None":
        token = self.take()
        kind, text, _ = token
        if kind == "number":
            return float(text) if len(text) < 40 else inf
        if text == "-" and self.peek().kind == "number":
            number = self.plain(depth)
            assert isinstance(number, float)
            return -number
        if kind == "text":
            return text[1:-1]
        if text == "[":
            return tuple(value for _, value in self.listed(token, depth))
        if kind == "word" and self.peek().text == "(":
            return Call(text, self.arguments(self.take(), depth))
        if kind == "word" and text not in ("true", "false", "undef"):
            return Name(text)
        if text in _CLOSER:
            self.at -= 1
            self.skip()
        return None

    def arguments(self, opened: Token, depth: int) -> tuple[tuple[str, Value], ...]:
        if opened.text != "(":
            raise error_at(opened.line, f"'(' is missing before {opened.text[:20]!r}")
        return tuple(self.listed(opened, depth))

    def listed(self, opened: Token, depth: int) -> list[tuple[str, Value]]:
        """The values between brackets; the opening one is already taken."""
        closer, found = _CLOSER[opened.text], []
        while self.peek().text not in (closer, ""):
            keyword = ""
            if self.peek().kind == "word" and self.peek(1).text == "=" != self.peek(2).text:
                keyword = self.take().text
                self.take()
            found.append((keyword, self.expression(depth + 1)))
            if self.peek().text not in (",", ";"):  # a loop may have semicolons
                break
            self.take()
        self.close(closer, opened)
        return found

    def close(self, closer: str, opened: Token) -> None:
        if self.peek().text != closer:
            found = f"; {self.peek().text[:20]!r} comes instead" if self.peek().text else ""
            raise error_at(opened.line, f"{opened.text!r} is never closed by {closer!r}{found}")
        self.take()

    def skip(self) -> None:
        """Skip to the end of an expression, brackets included."""
        opened: list[Token] = []
        while opened or self.peek().text not in _ENDS:
            token = self.peek()
            if opened and (token.text in _CLOSER.values() or not token.text):
                last = opened.pop()
                self.close(_CLOSER[last.text], last)
                continue
            if token.text in _CLOSER:
                opened.append(token)
            self.take()
