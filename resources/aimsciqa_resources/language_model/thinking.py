"""Removes the thinking that a reasoning model writes before its reply."""

import re

_TAG = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)\b[^<>]*>", flags=re.IGNORECASE)


def without_thinking(text: str) -> str:
    """The reply itself; empty when the model never got to it.

    Some chat templates open the thinking in the prompt, so that the text only closes it.
    """
    kept: list[str] = []
    start = 0
    opened_at: int | None = None
    for tag in _TAG.finditer(text):
        closes = bool(tag[1])
        if closes and opened_at is None:
            kept, start = [], tag.end()
        elif closes:
            opened_at, start = None, tag.end()
        elif opened_at is None:
            kept.append(text[start : tag.start()])
            opened_at = tag.start()
    if opened_at is None:
        kept.append(text[start:])
    elif "".join(kept).strip():
        # Never closed: the tag belongs to the reply, not to thinking before it.
        kept.append(text[opened_at:])
    return "".join(kept).strip()
