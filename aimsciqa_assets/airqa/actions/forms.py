"""The forms of a call: a Python call (`markdown`), JSON, XML, YAML, or a structured tool call.

Each is read as data: nothing of it is evaluated, and no entity, alias or tag of XML and YAML is resolved.
Keys and layout are those of AirQA's predecessor, on which agents are trained.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal
from xml.sax.saxutils import escape

import yaml
from lxml import etree

from aimsciqa_assets.airqa.actions.signatures import Call, action_named, no_action, some
from aimsciqa_assets.airqa.evaluation.literals import MOST_CHARACTERS, NoLiteralError, call, literal
from aimsciqa_assets.asking.json_replies import clean, whole_value
from aimsciqa_assets.asking.latex import python_with_latex, with_latex

Format = Literal["markdown", "json", "xml", "yaml", "tools"]
FORMATS: Final[tuple[Format, ...]] = ("markdown", "json", "xml", "yaml", "tools")

_CALL: Final = re.compile(r"([A-Za-z_]\w*)\s*\(")
_TOOL_CALL: Final = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)
_DECLARATION: Final = re.compile(r"^<\?xml[^<>]{0,200}\?>")
_YAML_STRING: Final = re.compile(r'(?<=[:-] )"(?:[^"\\]|\\.)*"', re.DOTALL)
_DEEPEST: Final = 100
_NAME: Final = "action_type"
_ARGUMENTS: Final = "parameters"


def read_call(text: str, actions: Sequence[str], form: Format) -> Call:
    """The call that a text is, with all its arguments. Raises `ActionError`."""
    if len(text) > MOST_CHARACTERS:
        raise no_action(actions, f"It is longer than {MOST_CHARACTERS:,} characters.")
    try:
        called = _READERS[form](text, actions)
        return Call(called.action, clean(dict(called.arguments)))
    except RecursionError:
        raise no_action(actions, "It has too many brackets inside each other.") from None


def write_action(call: Call, form: Format) -> str:
    """The call as a text of this form, which `read_call` reads again."""
    named = {_NAME: call.action, _ARGUMENTS: dict(call.arguments)}
    if form == "markdown":
        return f"{call.action}({', '.join(f'{key}={value!r}' for key, value in call.arguments.items())})"
    if form == "json":
        return f"```json\n{json.dumps(named, ensure_ascii=False, indent=4)}\n```"
    if form == "xml":
        lines = [
            f"        <{key}>{escape(_xml_text(value))}</{key}>" for key, value in call.arguments.items()
        ]
        inside = "\n".join(["    <parameters>", *lines, "    </parameters>"])
        return f"<action>\n    <action_type>{call.action}</action_type>\n{inside}\n</action>"
    if form == "yaml":
        dumped = yaml.safe_dump(named, indent=4, sort_keys=False, allow_unicode=True, width=float("inf"))
        return f"\n{dumped}"
    told = json.dumps({"name": call.action, "arguments": dict(call.arguments)}, ensure_ascii=False)
    return f"<tool_call>\n{told}\n</tool_call>"


def _read_python(text: str, actions: Sequence[str]) -> Call:
    found = _CALL.match(text)
    if found is None:
        raise no_action(
            actions, "Write one call of an action and nothing else, such as Name(argument='text')."
        )
    action = action_named(found[1], actions)
    try:
        _, positional, named = call(python_with_latex(text))
    except NoLiteralError as error:
        raise action.unreadable(
            f"The call cannot be read: {error}. Arguments are texts in quotes (three quotes for several "
            "lines), numbers, lists, dictionaries, True, False or None, and nothing follows the call"
        ) from None
    return action.bind(positional, named)


def _read_json(text: str, actions: Sequence[str]) -> Call:
    try:
        found = whole_value(text)
    except ValueError as error:
        told = f"Write one JSON object; this is none: {error}. A line break in a text is \\n."
        raise no_action(actions, told) from None
    return _from_object(found, actions, "JSON object")


def _read_yaml(text: str, actions: Sequence[str]) -> Call:
    # A model that is led to write `Action: ...` leaves the first key out.
    if re.match(r"[A-Za-z_]\w*[ \t]*\n", text):
        text = f"{_NAME}: {text}"
    try:
        found = yaml.load(_YAML_STRING.sub(lambda string: with_latex(string[0]), text), _PlainYaml)
    except (yaml.YAMLError, ValueError) as error:
        told = " ".join(str(error).split())
        raise no_action(
            actions,
            f"Write one YAML mapping; this is none: {told}. A text with a colon or several lines stands in "
            "quotes, or indented behind |.",
        ) from None
    return _from_object(found, actions, "YAML mapping")


def _read_xml(text: str, actions: Sequence[str]) -> Call:
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise no_action(actions, "A document type is not read: write only the element <action>.")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(_DECLARATION.sub("", text.strip()).strip().encode(), parser)
    except (etree.XMLSyntaxError, UnicodeEncodeError) as error:
        told = f"Write one element <action>; this is no XML: {error}. In a text, < is &lt; and & is &amp;."
        raise no_action(actions, told) from None
    name, given = root.find(_NAME), root.find(_ARGUMENTS)
    if root.tag != "action" or name is None:
        raise no_action(actions, f"Write <action> with the elements <{_NAME}> and <{_ARGUMENTS}>.")
    action = action_named((name.text or "").strip(), actions)
    if given is None:
        raise action.unreadable(f"The element <{_ARGUMENTS}> is missing")
    kinds = {parameter.name: parameter.kind for parameter in action.parameters}
    named: dict[str, Any] = {}
    for element in given:
        if len(element):
            raise action.unreadable(f"<{element.tag}> holds other elements: write its value as text")
        if element.tag in named:
            raise action.unreadable(f"<{element.tag}> is given twice")
        written = (element.text or "").strip()
        # A list, as an answer, stays the text that it is: evaluators read it.
        is_text = kinds.get(element.tag, "any") in {"text", "any"}
        named[element.tag] = written if is_text else _value_of(written)
    return action.bind((), named)


def _read_tool_call(text: str, actions: Sequence[str]) -> Call:
    written = _TOOL_CALL.findall(text)
    if not written:
        raise no_action(actions, "Call one of the functions.")
    if len(written) > 1:
        raise no_action(actions, f"Call one function at a time; these are {len(written)} calls.")
    try:
        found = whole_value(written[0])
    except ValueError as error:
        raise no_action(actions, f"The call is no JSON: {error}.") from None
    if not isinstance(found, dict) or "name" not in found:
        raise no_action(actions, "The call has no name.")
    action = action_named(found["name"], actions)
    arguments = found.get("arguments", {})
    if isinstance(arguments, str):
        try:
            arguments = whole_value(arguments)
        except ValueError as error:
            raise action.unreadable(f"The arguments are no JSON: {error}") from None
    if not isinstance(arguments, Mapping):
        raise action.unreadable("The arguments must be an object of names and values")
    return action.bind((), arguments)


_READERS: Final[Mapping[Format, Callable[[str, Sequence[str]], Call]]] = {
    "markdown": _read_python,
    "json": _read_json,
    "xml": _read_xml,
    "yaml": _read_yaml,
    "tools": _read_tool_call,
}


def _from_object(found: Any, actions: Sequence[str], what: str) -> Call:
    if not isinstance(found, Mapping) or _NAME not in found:
        raise no_action(actions, f"Write one {what} with the keys {_NAME} and {_ARGUMENTS}.")
    action = action_named(found[_NAME], actions)
    if _ARGUMENTS not in found:
        raise action.unreadable(f"The key {_ARGUMENTS} is missing")
    if beside := [str(key) for key in found if key not in {_NAME, _ARGUMENTS, "thought"}]:
        raise action.unreadable(f"{some(beside)} must stand inside {_ARGUMENTS}")
    given = {} if found[_ARGUMENTS] is None else found[_ARGUMENTS]
    if not isinstance(given, Mapping):
        raise action.unreadable(f"{_ARGUMENTS} must be a mapping of names and values")
    return action.bind((), given)


def _value_of(written: str) -> Any:
    """A number or list that stands as text; anything else stays text, and the binding says what is wrong."""
    try:
        return literal(written)
    except NoLiteralError:
        return written


def _xml_text(value: Any) -> str:
    return value if isinstance(value, str) else str(value)


class _PlainYaml(yaml.SafeLoader):  # type: ignore[misc]
    """YAML of texts, numbers, lists and mappings by the rules of YAML 1.2.

    Those of 1.1 would read `no` as false, `3:1` as 181 and a date as no text. Aliases could make a short text
    large without end.
    """

    yaml_implicit_resolvers: Any = {}  # noqa: RUF012, a class of PyYAML's own kind
    _depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases (*name) are not read")
        self._depth += 1
        if self._depth > _DEEPEST:
            raise yaml.YAMLError("it is too deep")
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


for _tag, _pattern, _first in (
    ("null", r"^(?:~|null|Null|NULL|)$", "~nN\0"),
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
    ("int", r"^[-+]?(?:0|[1-9][0-9]*)$", "-+0123456789"),
    ("float", r"^[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?$", "-+.0123456789"),
):
    _PlainYaml.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(_pattern), ["" if one == "\0" else one for one in _first]
    )
