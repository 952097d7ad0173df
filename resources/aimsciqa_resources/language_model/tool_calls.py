"""Structured tool calls as text: in the journal, in recordings and in the messages of a dialogue.

A call is a JSON object with `name` and `arguments` between `<tool_call>` tags, as open models write it
themselves. Only what is sent to a server has OpenAI's structure: an assistant's message with calls, and what
they gave under the role `tool`.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_CALL = re.compile(r"<tool_call>\s*(.*?)\s*</tool_call>", re.DOTALL)


def tool_call_text(name: str, arguments: Any) -> str:
    """A call as text; arguments that are no JSON stay the text that they are."""
    called = json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)
    return f"<tool_call>\n{called}\n</tool_call>"


def text_with_calls(text: str, calls: Iterable[Mapping[str, Any]]) -> str:
    """A reply with OpenAI's `tool_calls` as text. Raises `LookupError` or `TypeError` for other objects."""
    written = [tool_call_text(call["function"]["name"], _arguments(call["function"])) for call in calls]
    return "\n".join(filter(None, [text.strip(), *written]))


def tool_calls_in(text: str) -> tuple[str, list[dict[str, Any]]]:
    """The text before the first call, and the calls that can be read, each with `name` and `arguments`."""
    calls = []
    for written in _CALL.findall(text):
        try:
            call = json.loads(written)
        except (ValueError, RecursionError):
            continue
        if isinstance(call, dict) and isinstance(call.get("name"), str):
            calls.append({"name": call["name"], "arguments": call.get("arguments", {})})
    return text.partition("<tool_call>")[0].strip(), calls


def with_tool_roles(messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Messages in OpenAI's form, with structured calls; the message behind a call is what it gave.

    A tool gives text only: images follow in a message of the user.
    """
    structured: list[dict[str, Any]] = []
    pending = ""
    for message in messages:
        if message["role"] == "assistant":
            said, calls = tool_calls_in(str(message["content"]))
            pending = f"call_{len(structured)}" if calls else ""
            structured.append(_calling(said, calls[:1], pending) if calls else message)
        elif message["role"] == "user" and pending:
            structured += _given(message["content"], pending)
            pending = ""
        else:
            structured.append(message)
    return structured


def _arguments(function: Mapping[str, Any]) -> Any:
    written = function.get("arguments", {})
    if not isinstance(written, str):
        return written
    try:
        return json.loads(written)
    except (ValueError, RecursionError):
        return written


def _calling(said: str, calls: Sequence[Mapping[str, Any]], mark: str) -> dict[str, Any]:
    written = [
        {
            "id": mark,
            "type": "function",
            "function": {"name": call["name"], "arguments": _as_json(call["arguments"])},
        }
        for call in calls
    ]
    return {"role": "assistant", "content": said or None, "tool_calls": written}


def _as_json(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def _given(content: Any, mark: str) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"role": "tool", "tool_call_id": mark, "content": content}]
    texts = [part["text"] for part in content if part["type"] == "text"]
    images = [part for part in content if part["type"] != "text"]
    shown = [{"role": "user", "content": images}] if images else []
    return [{"role": "tool", "tool_call_id": mark, "content": "\n".join(texts)}, *shown]
