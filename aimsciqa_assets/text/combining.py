"""Combining marks in a row: no script stacks more than a few, and normalising thousands takes hours."""

import re
import unicodedata

_MOST = 30
"""As in the stream-safe text format of UAX #15."""
_FIRST, _LAST = 0x300, 0x1E94A

_MARKS = "".join(mark for mark in map(chr, range(_FIRST, _LAST + 1)) if unicodedata.combining(mark))
_STACK = re.compile(f"[{_MARKS}][{_MARKS}]{{{_MOST},}}")


def unstacked(text: str) -> str:
    """The text with at most 30 combining marks in a row, where they are not in normal order.

    Putting them in order is what takes `unicodedata.normalize` quadratic time.
    """
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return text
    return _STACK.sub(lambda stack: stack[0][:_MOST], text)
