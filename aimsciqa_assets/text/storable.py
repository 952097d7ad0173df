"""Text without what no table or terminal can hold."""

import re

_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")


def has_control_characters(text: str) -> bool:
    """Whether it has characters that `storable` makes blanks."""
    return _CONTROL.search(text) is not None


def storable(text: str) -> str:
    """The text with blanks for control characters, escapes for half surrogate pairs, one kind of line end."""
    plain = _CONTROL.sub(" ", text).encode("utf-8", "backslashreplace").decode()
    return "\n".join(plain.splitlines())
