"""Made-up values for the variables of a prompt, in the shapes in which its text uses them.

One's own prompt is tried with values such as the program's prompt of the same name takes: a misspelt field in
a loop is then told at the start, not when the first request is made.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from jinja2 import nodes

_TEXT: Final = "sample"
_SIZES: Final = (2, 3)

IsIt = Callable[[nodes.Node], bool]
"""Whether an expression of a template is the one that is looked for."""


def samples(text: nodes.Template, names: frozenset[str]) -> Iterator[dict[str, Any]]:
    """Values for all names, several times: with short and long lists, and without what may be empty.

    A list is what the text walks over. What an `if` or the `else` of a loop asks for may be empty.
    """
    for size in _SIZES:
        yield {name: _value(text, _name(name), size) for name in names}
    values = {name: _value(text, _name(name), _SIZES[0]) for name in names}
    for name in sorted(name for name in names if _may_be_empty(text, _name(name))):
        yield {**values, name: [] if isinstance(values[name], list) else ""}


def fields_of(value: Any) -> list[str]:
    """The fields that each entry of a list has; nothing for a text."""
    return sorted(value[0]) if isinstance(value, list) and value and isinstance(value[0], dict) else []


def _value(text: nodes.Node, is_it: IsIt, size: int) -> Any:
    """A list where the text walks over the expression, an object where it names fields of it, else a text."""
    if loops := [loop for loop in text.find_all(nodes.For) if is_it(_without_filters(loop.iter))]:
        entries = [
            _value(loop, _name(loop.target.name), size)
            for loop in loops
            if isinstance(loop.target, nodes.Name)
        ]
        objects = [entry for entry in entries if isinstance(entry, dict)]
        return [{name: value for one in objects for name, value in one.items()} or _TEXT] * size
    fields = sorted({found.attr for found in text.find_all(nodes.Getattr) if is_it(found.node)})
    return {field: _value(text, _field(is_it, field), size) for field in fields} or _TEXT


def _may_be_empty(text: nodes.Template, is_it: IsIt) -> bool:
    asked = any(is_it(found.test) for found in text.find_all(nodes.If))
    return asked or any(loop.else_ and is_it(loop.iter) for loop in text.find_all(nodes.For))


def _name(name: str) -> IsIt:
    return lambda node: isinstance(node, nodes.Name) and node.name == name


def _field(of: IsIt, field: str) -> IsIt:
    return lambda node: isinstance(node, nodes.Getattr) and node.attr == field and of(node.node)


def _without_filters(node: nodes.Node) -> nodes.Node:
    while isinstance(node, nodes.Filter) and node.node is not None:
        node = node.node
    return node
