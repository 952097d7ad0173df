"""Replies in JSON: the form that is asked for, and what can be read of what came back.

Every reader of JSON in replies reads with this module. Models wrap JSON in prose and fences, write several
objects, typographic quotes, trailing commas and LaTeX, or stop in the middle. Nothing here raises for a
reply: what cannot be read is a `Fault`, or a part of its own (`Unread`).
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeVar, get_args

from aimsciqa_resources.language_model.thinking import reply_text, without_control
from pydantic import BaseModel, ValidationError

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.latex import with_latex

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)

MALFORMED: Final = "malformed_reply"
AMBIGUOUS: Final = "ambiguous_reply"

_TRAILING_COMMA = re.compile(r",(?=\s*[\]}])")
_TYPOGRAPHIC_DELIMITER = re.compile(r"(?<=[{\[,:])(\s*)[“”„]|[“”„](?=\s*[:,}\]])")
_HALF = re.compile("[\ud800-\udfff]")
_OBJECT = re.compile(r"\{")
_OBJECT_OR_LIST = re.compile(r"[{\[]")
_LIKE_JSON = re.compile(r"""\{\s*(?:["“”„]|'?\w[\w ]{0,40}'?\s*:)|\[\s*\{""")
_FENCE = re.compile(r"^[ \t]*```\w*[ \t]*$", re.MULTILINE)
_FINAL = re.compile(
    r"\b(?:final|corrected|correction|revised)\b(?:\W*\Z|\W+(?:[\w-]+\W+){0,2}(?:answer|decision|item|json|judge?ment|list|mark"
    r"|object|output|pair|question|rating|reply|response|result|score|verdict|version)s?\b)",
    re.IGNORECASE,
)
_NOT_FINAL = re.compile(r"\b(?:not|no|draft|before|earlier|previous|without|until)\b|n['’]t\b", re.IGNORECASE)
_EMPTY_LIST = re.compile(r"(?:^|(?<=[^-*+\s]))[ \t]*\[\s*\][ \t.`]*$", re.MULTILINE)
# Bounds: a reply of a hundred thousand braces must not take minutes.
_MOST_ATTEMPTS = 1000
_DEEPEST = 100
_MOST_PROBLEMS = 3
_SHOWN = 80
_BEFORE = 300


@dataclass(frozen=True, slots=True)
class Unread:
    """A part of a reply that begins like JSON and is not; `text` is its start, or the end of the reply."""

    reason: Literal["unreadable", "cut_off"]
    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """The items of a reply in their order, and what could not be read."""

    items: tuple[Any, ...] = ()
    unread: tuple[Unread, ...] = ()


@dataclass(frozen=True, slots=True)
class _Value:
    """A JSON object or list in a text, and the line or the key before it."""

    value: Any
    before: str

    @property
    def is_final(self) -> bool:
        """Whether the text calls it final."""
        return bool(_FINAL.search(self.before)) and not _NOT_FINAL.search(self.before)


_Group = tuple[_Value, list[Any]]


def schema_of(reply: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a pydantic model in the form that servers take.

    References are resolved, every field is required and no other is allowed; titles and docstrings are left
    out, descriptions of fields stay. Raises `ValueError` for a model that contains itself.
    """
    schema = reply.model_json_schema()
    plain: dict[str, Any] = _plain(schema, schema.get("$defs", {}), ())
    return plain


def read_object(text: str, form: type[M]) -> M | Fault[M]:
    """Return the JSON object in a reply that fits the pydantic model, whatever stands around it.

    A form that is one list of objects is read from several objects and lists, too. Two different objects
    that fit are a fault, unless the reply calls one final.
    """
    complaint = f"it is not a JSON object with the fields {', '.join(form.model_fields)}"
    problems: list[str] = []

    def fit(value: Mapping[str, Any]) -> M | None:
        if not is_storable(json.dumps(value, ensure_ascii=False)):
            problems.append("it has half of a character")
            return None
        try:
            return form.model_validate(value)
        except ValidationError as error:
            problems.append(_problems_of(error))
            return None

    listed = _listed(form)
    if listed is None:
        fitting = fits_in(text, fit)
    else:
        name, fields = listed
        read = items_in(text, fields)
        if isinstance(read, Fault):
            return Fault(read.reason, read.complaint or complaint)
        problems += [f"{part.reason.replace('_', ' ')}: {part.text}" for part in read.unread]
        whole = None if read.unread else fit({name: list(read.items)})
        fitting = [] if whole is None else [whole]
    if len(fitting) > 1:
        return Fault(AMBIGUOUS, two_different(*form.model_fields))
    if fitting:
        return fitting[0]
    return Fault(MALFORMED, f"{complaint} ({problems[0]})" if problems else complaint)


def two_different(*fields: str) -> str:
    """Return the complaint about a reply with two different objects that have these fields."""
    return f"it has two different objects with {', '.join(fields)}, and does not say which of them is final"


def fits_in(text: str, fit: Callable[[Mapping[str, Any]], T | None]) -> list[T]:
    """Return what `fit` makes of the JSON objects of a reply: more than one value if they differ.

    Of nested objects the outermost that fits counts. The last one that the reply calls final is the only one.
    """
    values, _ = _values(reply_text(text), _OBJECT)
    fitting = [found for value in values for found in _fitting(value, fit)]
    if final := [made for value, made in fitting if value.is_final]:
        return final[-1:]
    different: list[T] = []
    for _, made in fitting:
        if made not in different:
            different.append(made)
    return different


def items_in(text: str, fields: Sequence[str]) -> Items | Fault[Items]:
    """Return the objects with some of these fields, from lists, objects and fences of any number.

    A list that the reply calls final replaces all items before it. Two different objects with one value of
    the first field are a fault, because one of them may be a draft.
    """
    text = reply_text(text)
    values, unread = _values(text, _OBJECT_OR_LIST)
    grouped = [(value, groups) for value in values if (groups := _groups(value, fields))]
    settled = _settled([group for _, groups in grouped for group in groups], fields[0])
    if _contradict(settled, fields[0]):
        return Fault(AMBIGUOUS, two_different(f"one {fields[0]}"))
    found = tuple(item for items in settled for item in items)
    states_none = any(value.value != [] for value, _ in grouped) or _EMPTY_LIST.search(text)
    if found or (grouped and states_none and not unread):
        return Items(found, tuple(unread))
    return Fault(MALFORMED)


def whole_value(text: str) -> Any:
    """Return the JSON value that a text is; raises `ValueError` if it is not JSON."""
    meant = with_latex(text.strip())
    value, end = _decoded(meant, _mended(meant), 0)
    if end < len(meant):
        raise ValueError("more stands behind the value")
    return value


def clean(value: Any, depth: int = _DEEPEST) -> Any:
    """Return a value whose texts hold no control characters; raises `RecursionError` for a deep one.

    A text with half of a character stays as it is: its reader refuses it.
    """
    if not depth:
        raise RecursionError
    if isinstance(value, str):
        return without_control(value) if is_storable(value) else value
    if isinstance(value, list | tuple | set):
        return type(value)(clean(inner, depth - 1) for inner in value)
    if isinstance(value, dict):
        return {clean(name, depth - 1): clean(inner, depth - 1) for name, inner in value.items()}
    return value


def is_storable(text: str) -> bool:
    """Return whether a file can hold the text: half of a surrogate pair, which JSON writes, fits in none."""
    return _HALF.search(text) is None


def _listed(form: type[BaseModel]) -> tuple[str, tuple[str, ...]] | None:
    """Return the only field of a form and the fields of its items; None if it is not a list of objects."""
    if len(form.model_fields) != 1:
        return None
    ((name, field),) = form.model_fields.items()
    for item in get_args(field.annotation):
        if isinstance(item, type) and issubclass(item, BaseModel):
            return name, tuple(item.model_fields)
    return None


def _values(text: str, opening: re.Pattern[str]) -> tuple[list[_Value], list[Unread]]:
    """Return the outermost JSON values of a text, and a part for each place where JSON breaks."""
    meant = with_latex(text)
    mended = _mended(meant)
    values: list[_Value] = []
    broken: dict[int, Unread] = {}
    position = behind = failures = 0
    while (bracket := opening.search(meant, position)) and failures < _MOST_ATTEMPTS:
        start = bracket.start()
        try:
            value, end = _decoded(meant, mended, start)
        except (ValueError, RecursionError) as error:
            position, failures = start + 1, failures + 1
            place = getattr(error, "pos", start)
            broken[place if _LIKE_JSON.match(meant, start) else -start - 1] = _unread(meant, start, error)
        else:
            values.append(_Value(value, _line_before(meant[max(behind, start - _BEFORE) : start])))
            position = behind = end
    unread = [part for place, part in broken.items() if place >= 0]
    return values, [*unread, *([Unread("unreadable", meant[position:][:_SHOWN])] if bracket else [])]


def _unread(text: str, start: int, error: Exception) -> Unread:
    """Return what cannot be read from here on; an outer bracket breaks where an inner one does."""
    unterminated = "Unterminated" in str(error)
    if unterminated or getattr(error, "pos", 0) >= len(text.rstrip().removesuffix("```").rstrip()):
        return Unread("cut_off", text[-_SHOWN:])
    return Unread("unreadable", text[start : start + _SHOWN])


def _decoded(meant: str, mended: str, start: int) -> tuple[Any, int]:
    """Return the value that begins here, clean, and its end. `mended` has the same places as `meant`."""
    try:
        value, end = _DECODER.raw_decode(meant, start)
    except ValueError:
        value, end = _DECODER.raw_decode(mended, start)
    return clean(value), end


def _mended(text: str) -> str:
    """Return the text without trailing commas, and with plain quotes where typographic ones delimit."""
    return _TRAILING_COMMA.sub(" ", _TYPOGRAPHIC_DELIMITER.sub(r'\1"', text))


def _unambiguous(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; raises `ValueError` for a key with two different values."""
    value = dict(pairs)
    if any(value[name] != inner for name, inner in pairs):
        raise ValueError("a key is given twice")
    return value


def _refuse_constant(name: str) -> None:
    """Refuse NaN and Infinity, which no other reader of JSON takes."""
    raise ValueError(f"{name} is no JSON number")


_DECODER: Final = json.JSONDecoder(
    strict=False, object_pairs_hook=_unambiguous, parse_constant=_refuse_constant
)


def _line_before(text: str) -> str:
    """Return the last line that holds something, without fences."""
    return (_FENCE.sub("", text).strip().splitlines() or [""])[-1]


def _fitting(value: _Value, fit: Callable[[Mapping[str, Any]], T | None]) -> Iterator[tuple[_Value, T]]:
    """Yield the outermost objects within a value that fit, with what is made of them."""
    if isinstance(value.value, dict) and (made := fit(value.value)) is not None:
        yield value, made
        return
    for inner in _within(value):
        yield from _fitting(inner, fit)


def _within(value: _Value) -> Iterator[_Value]:
    """Yield the objects and lists within a value; what is final is so by its key or by the whole."""
    named = value.value.items() if isinstance(value.value, dict) else (("", v) for v in value.value)
    for name, inner in named:
        if isinstance(inner, dict | list):
            keyed = _Value(inner, name.replace("_", " "))
            yield keyed if keyed.is_final else _Value(inner, value.before)


def _groups(value: _Value, fields: Sequence[str]) -> list[_Group]:
    """Return the items by the list or object that they stand in; nothing if the value cannot hold any."""
    if isinstance(value.value, list):
        items = [item for element in value.value for item in _items(element, value, fields)]
        holds = not items or any(isinstance(item, dict) for item in items)
        return [(value, items)] if holds else []
    if all(name in value.value for name in fields):
        return [(value, [value.value])]
    nested = [group for inner in _within(value) for group in _groups(inner, fields)]
    telling = [group for group in nested if any(_has_some(item, fields) for item in group[1])]
    return [(value, [value.value])] if not telling and _has_some(value.value, fields) else telling or nested


def _items(element: Any, value: _Value, fields: Sequence[str]) -> list[Any]:
    """Return the items within an element of a list; the element itself if it holds none."""
    groups = _groups(_Value(element, value.before), fields) if isinstance(element, dict | list) else []
    return [item for _, items in groups for item in items] or [element]


def _has_some(item: Any, fields: Sequence[str]) -> bool:
    return isinstance(item, dict) and any(name in item for name in fields)


def _settled(groups: Sequence[_Group], name: str) -> list[list[Any]]:
    """Return the items of each group, less those that a later one replaces that the reply calls final."""
    kept: list[list[Any]] = []
    for value, items in groups:
        if value.is_final and items == [value.value]:
            replaced = _by_name(items, name)
            kept = [
                [item for item in group if not _by_name([item], name).keys() & replaced] for group in kept
            ]
        elif value.is_final:
            kept = []
        kept.append(items)
    return kept


def _contradict(groups: Sequence[Sequence[Any]], name: str) -> bool:
    """Return whether two groups have different items of one name."""
    known: dict[str, Any] = {}
    for named in (_by_name(items, name) for items in groups):
        if any(known.get(key, item) != item for key, item in named.items()):
            return True
        known |= named
    return False


def _by_name(items: Sequence[Any], name: str) -> dict[str, Any]:
    named = (item for item in items if isinstance(item, dict) and name in item)
    return {" ".join(str(item[name]).casefold().split()): item for item in named}


def _plain(schema: Any, definitions: Mapping[str, Any], within: tuple[str, ...]) -> Any:
    if isinstance(schema, list):
        return [_plain(one, definitions, within) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name in within:
            raise ValueError(f"The reply {name} contains itself: servers take no such schema.")
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        return _plain(definitions[name], definitions, (*within, name)) | beside
    left_out = {"title", "default", "$defs"} | ({"description"} if "properties" in schema else set())
    plain = {
        key: _plain(value, definitions, within)
        for key, value in schema.items()
        if key not in left_out | {"properties", "required", "additionalProperties"}
    }
    if "properties" in schema:
        fields = schema["properties"]
        plain["properties"] = {name: _plain(field, definitions, within) for name, field in fields.items()}
        plain |= {"required": list(fields), "additionalProperties": False}
    return plain


def _problems_of(error: ValidationError) -> str:
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    named = [f"{'.'.join(map(str, one['loc'])) or 'all of it'}: {one['msg']}" for one in problems]
    return "; ".join(named[:_MOST_PROBLEMS])
