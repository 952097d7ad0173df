"""Text without what no table or terminal can hold."""

import re

_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
# Embeddings, overrides and isolates hide what a text says; they have no width, so that nothing takes their
# place. The marks U+200E and U+200F belong to ordinary Hebrew and Arabic.
_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")


def has_control_characters(text: str) -> bool:
    """Return whether the text has characters that `storable` removes."""
    return _CONTROL.search(text) is not None or _DIRECTION.search(text) is not None


def storable(text: str) -> str:
    """Return the text with blanks for control characters, without controls of the direction of writing.

    Halves of surrogate pairs become escapes, and all line ends one kind.
    """
    plain = _CONTROL.sub(" ", _DIRECTION.sub("", text)).encode("utf-8", "backslashreplace").decode()
    return "\n".join(plain.splitlines())
