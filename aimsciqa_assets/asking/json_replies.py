"""Replies in JSON: the form that is asked for, and what can be read of what came back.

Models wrap JSON in prose and fences, write typographic quotes and trailing commas, or stop in the middle.
Nothing here raises for a reply: what cannot be read is a `Fault`.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeVar

from aimsciqa_resources.language_model.thinking import without_thinking
from pydantic import BaseModel, ValidationError

from aimsciqa_assets.asking.faults import Fault

M = TypeVar("M", bound=BaseModel)

DECODER: Final = json.JSONDecoder(strict=False)
MALFORMED: Final = "malformed_reply"

_TRAILING_COMMA = re.compile(r",(?=\s*[\]}])")
_TYPOGRAPHIC_DELIMITER = re.compile(r"(?<=[{\[,:])(\s*)[“”„]|[“”„](?=\s*[:,}\]])")
_HALF = re.compile("[\ud800-\udfff]")
# A bound on the attempts: a reply of a hundred thousand braces must not take minutes.
_MOST_ATTEMPTS = 1000
_MOST_PROBLEMS = 3


def schema_of(reply: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a pydantic model in the form that servers take.

    References are resolved, every field is required and no other is allowed; titles and docstrings are left
    out, descriptions of fields stay. Raises `ValueError` for a model that contains itself.
    """
    schema = reply.model_json_schema()
    plain: dict[str, Any] = _plain(schema, schema.get("$defs", {}), ())
    return plain


def read_object(text: str, form: type[M]) -> M | Fault[M]:
    """The first JSON object in a reply that fits the pydantic model, whatever stands around it."""
    complaint = f"it is not a JSON object with the fields {', '.join(form.model_fields)}"
    problems = ""
    for value in readable_objects(without_thinking(text)):
        if not is_storable(json.dumps(value, ensure_ascii=False)):
            problems = problems or "it has half of a character"
            continue
        try:
            return form.model_validate(value)
        except ValidationError as error:
            problems = problems or _problems_of(error)
    return Fault(MALFORMED, f"{complaint} ({problems})" if problems else complaint)


def objects_in(text: str, *, inner: bool = True) -> Iterator[dict[str, Any]]:
    """The JSON objects in a text, each before those inside it (`inner`) or without them."""
    position = 0
    for _ in range(_MOST_ATTEMPTS):
        position = text.find("{", position)
        if position < 0:
            return
        try:
            value, end = DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            position += 1
            continue
        yield value
        position = position + 1 if inner else end


def readable_objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in a text as it is, then those in the mended text: the first that fits counts."""
    yield from objects_in(text)
    if (other := mended(text)) != text:
        yield from objects_in(other)


def mended(text: str) -> str:
    """The text without trailing commas, and with plain quotes where typographic ones delimit."""
    return _TRAILING_COMMA.sub("", _TYPOGRAPHIC_DELIMITER.sub(r'\1"', text))


def is_storable(text: str) -> bool:
    """Whether a file can hold the text: half of a surrogate pair, which JSON can write, fits in none."""
    return _HALF.search(text) is None


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
