"""What a reasoning model thinks aloud before it replies: taken off before anybody reads the reply."""

import re

_BLOCK = re.compile(
    r"<(think|thinking|thought|reasoning)\b[^>]*>.*?</\1\s*>", flags=re.IGNORECASE | re.DOTALL
)
_CLOSING = re.compile(r"\A.*</(?:think|thinking|thought|reasoning)\s*>", flags=re.IGNORECASE | re.DOTALL)
_OPENING = re.compile(r"<(?:think|thinking|thought|reasoning)\b[^>]*>", flags=re.IGNORECASE)


def without_thinking(text: str) -> str:
    """The reply itself; empty when the model never came to it.

    Some chat templates open the block in the prompt, so that the reply only closes it.
    """
    if "<" not in text:
        return text.strip()
    plain = _CLOSING.sub("", _BLOCK.sub("", text))
    unfinished = _OPENING.match(plain.lstrip())
    return "" if unfinished else plain.strip()
