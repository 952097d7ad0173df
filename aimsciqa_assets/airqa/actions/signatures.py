"""What an agent may do: the actions with their parameters, and how arguments are bound to them.

Arguments without a name are bound in the order of the parameters. The actions of AirQA's predecessor are
known by their own names, so that its trajectories, and models trained on them, can be read.
"""

import difflib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

Kind = Literal["text", "number", "box", "papers", "any"]
ErrorKind = Literal["unparsable", "unknown_action", "arguments"]

_REQUIRED: Final = object()
_FEW_WORDS: Final[Mapping[Kind, str]] = {
    "text": "a text",
    "number": "a whole number from 1",
    "box": "a list of four numbers, [x, y, width, height], with a width and a height above 0",
    "papers": "a list of ids of papers",
    "any": "any value",
}


class ActionError(ValueError):
    """A reply holds no action that can be carried out. The text says what to do; agents read it."""

    def __init__(self, kind: ErrorKind, told: str) -> None:
        super().__init__(told)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Call:
    """An action with its arguments, those that were left to their defaults among them."""

    action: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Parameter:
    """What an action takes; without `default` it must be given. A default of None: a call can do without."""

    name: str
    kind: Kind
    description: str
    default: Any = _REQUIRED

    @property
    def is_required(self) -> bool:
        """Whether every call must give it."""
        return self.default is _REQUIRED


@dataclass(frozen=True, slots=True)
class Action:
    """Something that an agent may do. `does` names the action of ours that a predecessor's one is."""

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    example: Mapping[str, Any]
    does: str = ""

    def bind(self, positional: Sequence[Any], named: Mapping[Any, Any]) -> Call:
        """The call with these arguments. Raises `ActionError` (`arguments`)."""
        names = [parameter.name for parameter in self.parameters]
        if len(positional) > len(names):
            raise self._error(f"It takes {len(names)} arguments at most, and {len(positional)} were given")
        given: dict[Any, Any] = dict(zip(names, positional, strict=False))
        if twice := [name for name in given if name in named]:
            raise self._error(f"Give {', '.join(twice)} only once, by its place or by its name")
        optional = [one.name for one in self.parameters if one.default is None]
        given |= named
        given = {name: value for name, value in given.items() if value or name not in optional}
        if unknown := [str(name) for name in given if name not in names]:
            raise self._error(f"It takes no argument {some(unknown)}{_nearest(unknown[0], names)}")
        missing = [one.name for one in self.parameters if one.is_required and one.name not in given]
        if missing:
            raise self._error(f"Give a value for {', '.join(missing)}")
        return Call(
            self.name,
            {one.name: self._fitting(one, given[one.name]) for one in self.parameters if one.name in given}
            | {
                one.name: one.default
                for one in self.parameters
                if one.name not in given and one.default is not None
            },
        )

    def unreadable(self, told: str) -> ActionError:
        """The error for a call of this action whose arguments cannot be read."""
        return self._error(told)

    def signature(self) -> str:
        """The action as it is called in Python."""
        written = [one.name if one.is_required else f"{one.name}={one.default!r}" for one in self.parameters]
        return f"{self.name}({', '.join(written)})"

    def _fitting(self, parameter: Parameter, value: Any) -> Any:
        """The value as the parameter takes it."""
        plain = self._plain(parameter.name, value)
        if parameter.kind == "text" and isinstance(plain, str):
            return plain
        if parameter.kind == "number" and _is_number(plain) and plain == int(plain) and plain >= 1:
            return int(plain)
        if parameter.kind == "box" and not plain and isinstance(plain, list | None):
            return []
        if parameter.kind == "box" and _is_box(plain):
            return plain
        if parameter.kind == "papers" and plain and all(isinstance(one, str) for one in _as_list(plain)):
            return _as_list(plain)
        if parameter.kind == "any":
            return plain
        raise self._error(f"{parameter.name} must be {_FEW_WORDS[parameter.kind]}, not {_short(value)}")

    def _plain(self, name: str, value: Any) -> Any:
        """The value as JSON can hold it: tuples and sets are lists, half characters are marked as lost."""
        if value is None or isinstance(value, bool | int):
            return value
        if isinstance(value, float) and math.isfinite(value):
            return value
        if isinstance(value, str):
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if isinstance(value, list | tuple | set | frozenset):
            return [self._plain(name, one) for one in value]
        if isinstance(value, Mapping) and all(isinstance(key, str | int | float | None) for key in value):
            return {
                self._plain(name, key if isinstance(key, str) else _json_key(key)): self._plain(name, one)
                for key, one in value.items()
            }
        raise self._error(
            f"{name} holds {_short(value)}; use texts, finite numbers, lists, dictionaries with texts as "
            "keys, and the constants for true, false and nothing"
        )

    def _error(self, told: str) -> ActionError:
        opening = f"Failed to parse the parameters for action {self.name} from the response."
        return ActionError("arguments", f"{opening} {told}. The action is {self.signature()}.")


def _json_key(key: float | None) -> str:
    if key is None or isinstance(key, bool):
        return {None: "null", True: "true", False: "false"}[key]
    return repr(key)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _is_box(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != len("xywh") or not all(map(_is_number, value)):
        return False
    return bool(value[2] > 0 and value[3] > 0 and max(map(abs, value)) <= _FARTHEST)


_FARTHEST: Final = 1_000_000
"""No page is so long, in points."""


def some(names: Sequence[str]) -> str:
    """Some names in a sentence, the first of them where they are many."""
    return ", ".join([*(_short_text(name) for name in names[:5]), *(["..."] if len(names) > 5 else [])])


def _short_text(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:60]}..."


def _short(value: Any) -> str:
    return _short_text(repr(value))


def _nearest(name: str, names: Sequence[str]) -> str:
    near = difflib.get_close_matches(name.lower()[:100], names, 1, 0.5)
    return f"; did you mean {near[0]}?" if near else ""


ALL_PAPERS: Final = "all"
"""What an agent writes in the place of ids, to search the papers that its question does not name as well."""

_SEARCH: Final = (
    Parameter("query", "text", "what the text should be about, in words"),
    Parameter("limit", "number", "how many pieces of text to return, ten are shown at most", 5),
)
_RETRIEVE: Final = (
    *_SEARCH,
    Parameter(
        "papers",
        "papers",
        f'ids of the papers to search, or ["{ALL_PAPERS}"]; without it, the papers that the task names, and '
        "every paper where it names none",
        None,
    ),
)
_QUERY: Final = (Parameter("sql", "text", "one SELECT statement of DuckDB's SQL"),)
_ANSWER: Final = (Parameter("answer", "any", "the answer, in the form that the task asks for"),)
_VIEW: Final = (
    Parameter("paper_id", "text", "id of the paper"),
    Parameter("page_number", "number", "number of the page, from 1"),
    Parameter(
        "bounding_box",
        "box",
        "part of the page as [x, y, width, height], in points from its top left corner; "
        "without it, the whole page",
        [],
    ),
)
_SOME_SEARCH: Final = {"query": "size of the training set", "limit": 3}
_SOME_RETRIEVAL: Final = _SOME_SEARCH | {"papers": ["0b1a2c3d-0000-5000-8000-000000000000"]}
_SOME_SQL: Final = {"sql": "SELECT title FROM metadata WHERE pub_year > 2022 LIMIT 5"}
_SOME_ANSWER: Final = {"answer": ["BLEU", "ROUGE-L"]}
_SOME_VIEW: Final = {
    "paper_id": "0b1a2c3d-0000-5000-8000-000000000000",
    "page_number": 4,
    "bounding_box": [54, 72, 240, 180],
}

OURS: Final = (
    Action(
        "Retrieve",
        "Search the texts of papers. Gives the pieces of text that fit the query best, the best first, each "
        "with the id and the title of its paper, its page, table, column and key.",
        _RETRIEVE,
        _SOME_RETRIEVAL,
    ),
    Action(
        "Query",
        "Run one SELECT statement on the database of papers. Gives the first rows, as JSON.",
        _QUERY,
        _SOME_SQL,
    ),
    Action(
        "View",
        "Look at a page of a paper, or a part of it, as a picture. Use it for figures, and for tables and "
        "formulas whose text is not enough.",
        _VIEW,
        _SOME_VIEW,
    ),
    Action(
        "Answer",
        "Give the final answer, in the form that the answer format demands. This ends the task.",
        _ANSWER,
        _SOME_ANSWER,
    ),
)
PREDECESSORS: Final = (
    Action("ClassicRetrieve", OURS[0].description, _SEARCH, _SOME_SEARCH, "Retrieve"),
    Action("RetrieveFromDatabase", OURS[1].description, _QUERY, _SOME_SQL, "Query"),
    Action("ViewImage", OURS[2].description, _VIEW, _SOME_VIEW, "View"),
    Action("GenerateAnswer", OURS[3].description, _ANSWER, _SOME_ANSWER, "Answer"),
    Action(
        "RetrieveFromVectorstore",
        "Search one collection of vectors, in the cells of one column of one table.",
        (
            Parameter("query", "text", "what to search for"),
            Parameter("collection_name", "text", "the collection of vectors"),
            Parameter("table_name", "text", "the table"),
            Parameter("column_name", "text", "its column"),
            Parameter("filter", "text", "a condition on pdf_id, page_number or primary_key", ""),
            Parameter("limit", "number", "how many cells to return", 5),
        ),
        {"query": "dropout", "collection_name": "text_bm25_en", "table_name": "chunks"}
        | {"column_name": "text_content"},
    ),
    Action(
        "CalculateExpr",
        "Compute an expression.",
        (Parameter("expr", "text", "the expression"),),
        {"expr": "(2 + 3) * 4"},
    ),
)
ACTIONS: Final[Mapping[str, Action]] = {one.name: one for one in (*OURS, *PREDECESSORS)}


def chosen(names: Sequence[str]) -> list[Action]:
    """The actions of these names. Raises `KeyError` for one that does not exist."""
    return [ACTIONS[name] for name in names]


def action_named(name: Any, names: Sequence[str]) -> Action:
    """The action that an agent named; it may use only those of `names`. Raises `ActionError`."""
    if name in names:
        return ACTIONS[name]
    near = next((one for one in names if one.lower() == str(name).lower()), "")
    told = f"write {near}" if near else f"{_short(name)} is none of them"
    raise no_action(names, f"{told[0].upper()}{told[1:]}.", "unknown_action")


def no_action(names: Sequence[str], told: str, kind: ErrorKind = "unparsable") -> ActionError:
    """The error for a reply in which no action can be read."""
    opening = "Failed to parse a valid action from the response."
    specification = f"Please check the specification for these actions {list(names)}."
    return ActionError(kind, f"{opening} {specification} {told}")
