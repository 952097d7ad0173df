"""What a model is told of the actions: for its system message, and as tools of OpenAI-compatible servers."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from aimsciqa_assets.airqa.actions.forms import Format, write_action
from aimsciqa_assets.airqa.actions.signatures import Action, Call, Kind, Parameter, chosen

_HOW: Final[Mapping[Format, str]] = {
    "markdown": "Write an action as a Python call with its arguments by name. Arguments are literals: "
    "texts in quotes (in three quotes when they have several lines), numbers, lists, dictionaries, True, "
    "False, None.",
    "json": "Write an action as one JSON object with the keys action_type (the name of the action) and "
    "parameters (an object of arguments). A line break in a text is \\n.",
    "xml": "Write an action as one element <action> with the elements <action_type> (the name of the action) "
    "and <parameters> (an element for each argument). In a text, write &lt; for < and &amp; for &.",
    "yaml": "Write an action as one YAML mapping with the keys action_type (the name of the action) and "
    "parameters (a mapping of arguments). Quote a text that has a colon, or write it indented behind |.",
    "tools": "Act by calling one of the functions, one at a time.",
}
_TYPES: Final[Mapping[Kind, str]] = {
    "text": "text",
    "number": "whole number",
    "box": "list of four numbers",
    "papers": "list of texts",
    "any": "any value",
}
_SCHEMAS: Final[Mapping[Kind, Mapping[str, Any]]] = {
    "text": {"type": "string"},
    "number": {"type": "integer", "minimum": 1},
    "box": {"type": "array", "items": {"type": "number"}},
    "papers": {"type": "array", "items": {"type": "string"}},
    "any": {
        "anyOf": [
            *({"type": kind} for kind in ("string", "number", "boolean", "object", "null")),
            {"type": "array", "items": {}},
        ]
    },
}


def describe(actions: Sequence[str], form: Format) -> str:
    """The actions of these names, and how to write them, as Markdown."""
    if form == "tools":
        return _HOW[form]
    return "\n\n".join([_HOW[form], *(_described(action, form) for action in chosen(actions))])


def tool_specifications(actions: Sequence[str]) -> list[dict[str, Any]]:
    """The actions of these names as tools, in the form of OpenAI's API."""
    return [
        {
            "type": "function",
            "function": {
                "name": action.name,
                "description": action.description,
                "parameters": {
                    "type": "object",
                    "properties": {one.name: _schema(one) for one in action.parameters},
                    "required": [one.name for one in action.parameters if one.is_required],
                    "additionalProperties": False,
                },
            },
        }
        for action in chosen(actions)
    ]


def _schema(parameter: Parameter) -> dict[str, Any]:
    schema = {**_SCHEMAS[parameter.kind], "description": parameter.description}
    if parameter.is_required or parameter.default is None:
        return schema
    return schema | {"default": parameter.default}


def _described(action: Action, form: Format) -> str:
    parameters = "\n".join(
        f"- {one.name} ({_TYPES[one.kind]}{_default(one)}): {one.description}" for one in action.parameters
    )
    written = write_action(Call(action.name, action.example), form).strip()
    example = written if written.startswith("```") else f"```\n{written}\n```"
    return f"### {action.name}\n{action.description}\n{parameters}\nExample:\n{example}"


def _default(parameter: Parameter) -> str:
    if parameter.is_required:
        return ""
    return ", optional" if parameter.default is None else f", {json.dumps(parameter.default)} by default"
