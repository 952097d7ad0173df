"""Values that a model wrote as Python literals or JSON, read without `eval()` and within bounds.

The benchmark's own code hands an answer to `eval()`. Here the text is cut into tokens, in one pass, and only
brackets, commas, colons, strings, numbers and constants are known. Nothing is ever called or looked up, and
no text is long, deep or rich enough to keep the reader busy: what exceeds the bounds is no literal.
"""

import ast
import json
import re
import warnings
from collections.abc import Callable
from typing import Any, Final, TypeVar

MOST_CHARACTERS: Final = 200_000
MOST_TOKENS: Final = 40_000
DEEPEST: Final = 100

_T = TypeVar("_T")
_SOURCE: Final = "<answer>"
_LEADING: Final = re.compile(r"(?:[ \t\f]*(?:#[^\n]*)?\n)*+")
_TOKEN: Final = re.compile(
    r"""(?P<blank>[ \t\f]++|\#[^\n]*+|\\\n(?=.))
      | (?P<newline>\n)
      | (?P<string>(?:[uU]|[bB][rR]?|[rR][bB]?)?(?:
            '''[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*+'''
          | \"\"\"[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+\"\"\"
          | '(?!'')[^\n'\\]*+(?:\\.[^\n'\\]*+)*+'
          | "(?!"")[^\n"\\]*+(?:\\.[^\n"\\]*+)*+"))
      | (?P<number>\.?[0-9](?:[eE][+-][0-9]|[\w.])*+)
      | (?P<name>[A-Za-z_]\w*+|\.\.\.)
      | (?P<sign>[+-])
      | (?P<mark>[][(){},:=])""",
    re.VERBOSE | re.DOTALL,
)
_CONSTANTS: Final[dict[str, Any]] = {"True": True, "False": False, "None": None, "...": ...}
_CLOSING: Final = {"[": "]", "(": ")", "{": "}"}

# LaTeX in a quoted answer (`'\alpha'`) is an escape that Python warns of on the terminal.
warnings.filterwarnings("ignore", module=re.escape(_SOURCE))


class LiteralSet(tuple[Any, ...]):
    """The elements of a set in an order that is the same in every process.

    Python orders texts in a set by a hash that changes with the process. Here they stay as they were written;
    numbers are in Python's order, which the process does not change.
    """

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]  # As of a set: it can be neither an element nor a key.

    def __repr__(self) -> str:
        """As Python shows a set."""
        return f"{{{', '.join(map(repr, self))}}}" if self else "set()"


class NoLiteralError(ValueError):
    """The text is no Python literal, or one beyond the bounds."""


def literal(text: str) -> Any:
    """The value of a Python literal, as `ast.literal_eval` gives it; raises `NoLiteralError`."""
    if len(text) > MOST_CHARACTERS:
        raise NoLiteralError("it is too long")
    return _Reader(_tokens(text)).whole()


def call(text: str) -> tuple[str, list[Any], dict[str, Any]]:
    """Name, positional and named arguments of a call whose arguments are literals; nothing is called.

    Raises `NoLiteralError`, also for a name that is given twice and for a value behind a named one.
    """
    if len(text) > MOST_CHARACTERS:
        raise NoLiteralError("it is too long")
    return _Reader(_tokens(text)).call()


def as_list(value: Any) -> list[Any]:
    """The value as a list: lists, tuples and sets, also as text; all else is the only element of one."""
    found = value
    if isinstance(value, str):
        try:
            found = literal(value)
        except NoLiteralError:
            return [value]
    return list(found) if isinstance(found, list | tuple | set) else [value]


def as_object(value: Any) -> Any:
    """A dictionary, also as text: whatever JSON gives, else a Python dictionary, else an empty one."""
    if isinstance(value, dict):
        return value
    if not isinstance(value, str) or len(value) > MOST_CHARACTERS:
        return {}
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        pass
    try:
        found = literal(value)
    except NoLiteralError:
        return {}
    return found if isinstance(found, dict) else {}


def _tokens(text: str) -> list[tuple[str, str]]:
    """Kind and text of each token; lines may end only inside brackets, before and behind the whole."""
    text = text.lstrip(" \t").replace("\r\n", "\n").replace("\r", "\n")
    leading = _LEADING.match(text)
    place = leading.end() if leading else 0
    if place and text[place : place + 1] in {" ", "\t", "\f", "\\"}:
        raise NoLiteralError("a line is indented")
    tokens: list[tuple[str, str]] = []
    depth = 0
    ended = False
    before = kind = token = ""
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None and text[place] in "'\"":
            raise NoLiteralError("a text in quotes does not end on its line")
        if found is None or len(tokens) > MOST_TOKENS:
            raise NoLiteralError("it has something else than values, or too many")
        before, kind, token, place = kind, str(found.lastgroup), found[0], found.end()
        if kind == "newline":
            ended = ended or depth == 0
        elif token[0] == "\\" and not tokens:
            raise NoLiteralError("it begins with no value")
        elif kind != "blank":
            if ended:
                raise NoLiteralError("it goes on behind its end")
            depth += (token in _CLOSING) - (token in _CLOSING.values())
            tokens.append((kind, token))
    if (before, kind) == ("newline", "blank") and token.isspace():
        # Without a line end behind it, Python takes a last line of blanks for an indented one.
        raise NoLiteralError("a line is indented")
    return tokens


class _Reader:
    """Reads one value from tokens, from the left to the right."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self._tokens = tokens
        self._place = 0
        self._depth = 0

    def whole(self) -> Any:
        """The value of all tokens; values with commas between them are a tuple, as in Python."""
        value = self._value()
        if self._next_is(","):
            values = [value]
            while self._take_if(",") and self._place < len(self._tokens):
                values.append(self._value())
            value = tuple(values)
        if self._place < len(self._tokens):
            raise NoLiteralError("it goes on behind its end")
        return value

    def call(self) -> tuple[str, list[Any], dict[str, Any]]:
        """The name and the arguments of the call that all tokens are."""
        kind, name = self._take()
        if kind != "name":
            raise NoLiteralError("it begins with no name")
        self._take_this("(")
        positional: list[Any] = []
        named: dict[str, Any] = {}
        for key, value in self._until(")", self._argument):
            if key in named:
                raise NoLiteralError(f"it gives {key} twice")
            if key is not None:
                named[key] = value
            elif named:
                raise NoLiteralError("it has a value without a name behind one with a name")
            else:
                positional.append(value)
        if self._place < len(self._tokens):
            raise NoLiteralError("it goes on behind its end")
        return name, positional, named

    def _argument(self) -> tuple[str | None, Any]:
        if self._kind() == "name" and self._tokens[self._place + 1 : self._place + 2] == [("mark", "=")]:
            key = self._take()[1]
            self._take_this("=")
            return key, self._value()
        return None, self._value()

    def _value(self) -> Any:
        """A value; `1+2j`, the only sum, is a complex number."""
        value = self._number_with_sign() if self._kind() == "sign" else self._atom()
        if self._kind() == "sign" and type(value) in (int, float):
            imaginary = self._number_with_sign()
            if not isinstance(imaginary, complex):
                raise NoLiteralError("it is a calculation")
            return value + imaginary
        return value

    def _number_with_sign(self) -> Any:
        sign = self._take()[1]
        if self._kind() != "number":
            raise NoLiteralError("it has a sign before what is no number")
        number = self._atom()
        return -number if sign == "-" else number

    def _atom(self) -> Any:
        kind, token = self._take()
        if kind == "number":
            return _flat(token)
        if kind == "string":
            parts = [token]
            while self._kind() == "string":
                parts.append(self._take()[1])
            return _flat(" ".join(parts))
        if token in _CONSTANTS:
            return _CONSTANTS[token]
        if token == "set":
            self._take_this("(")
            self._take_this(")")
            return LiteralSet()
        if token not in _CLOSING:
            raise NoLiteralError("it names something")
        self._depth += 1
        if self._depth > DEEPEST:
            raise NoLiteralError("it is too deep")
        value = {"[": self._list, "(": self._parenthesis, "{": self._braces}[token]()
        self._depth -= 1
        return value

    def _list(self) -> list[Any]:
        return self._until("]", self._value)

    def _parenthesis(self) -> Any:
        if self._take_if(")"):
            return ()
        value = self._value()
        if self._take_if(")"):
            return value
        self._take_this(",")
        return (value, *self._until(")", self._value))

    def _braces(self) -> Any:
        if self._take_if("}"):
            return {}
        first = self._value()
        try:
            if self._take_if(":"):
                pairs = [(first, self._value())]
                if not self._take_if("}"):
                    self._take_this(",")
                    pairs += self._until("}", self._pair)
                return dict(pairs)
            elements = [first]
            if not self._take_if("}"):
                self._take_this(",")
                elements += self._until("}", self._value)
            return _set_of(elements)
        except TypeError as error:
            raise NoLiteralError("a list cannot be a key") from error

    def _pair(self) -> tuple[Any, Any]:
        key = self._value()
        self._take_this(":")
        return key, self._value()

    def _until(self, closing: str, read: Callable[[], _T]) -> list[_T]:
        """Values up to the closing bracket, a comma behind each; the last one may have it."""
        values = []
        while not self._take_if(closing):
            values.append(read())
            if not self._next_is(closing):
                self._take_this(",")
        return values

    def _kind(self) -> str:
        return self._tokens[self._place][0] if self._place < len(self._tokens) else ""

    def _next_is(self, mark: str) -> bool:
        return self._place < len(self._tokens) and self._tokens[self._place] == ("mark", mark)

    def _take(self) -> tuple[str, str]:
        if self._place >= len(self._tokens):
            raise NoLiteralError("it breaks off")
        self._place += 1
        return self._tokens[self._place - 1]

    def _take_if(self, mark: str) -> bool:
        if not self._next_is(mark):
            return False
        self._place += 1
        return True

    def _take_this(self, mark: str) -> None:
        if not self._take_if(mark):
            ended = self._place >= len(self._tokens)
            raise NoLiteralError("it breaks off" if ended else f"it lacks a {mark}")


def _flat(token: str) -> Any:
    """The value of a number or of strings side by side, none of which holds another."""
    try:
        return ast.literal_eval(compile(token, _SOURCE, "eval", ast.PyCF_ONLY_AST))
    except (ValueError, SyntaxError, MemoryError, OverflowError) as error:
        raise NoLiteralError("it has a malformed number or string") from error


def _set_of(elements: list[Any]) -> LiteralSet:
    if all(isinstance(element, int | float) for element in elements):
        return LiteralSet(set(elements))
    return LiteralSet(dict.fromkeys(elements))
