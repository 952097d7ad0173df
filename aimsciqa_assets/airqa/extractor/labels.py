"""What stands behind labels such as `[Question]:` in a reply."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from aimsciqa_resources.language_model.thinking import reply_text

_FENCE: Final = re.compile(r"^[ \t]*```\w*[ \t]*$", re.MULTILINE)
_REFUSAL: Final = re.compile(
    r"\b(?:i['\u2019]?m sorry|i apologi[sz]e|as an ai|i (?:(?:can|won)['\u2019]t|cannot|am unable))\b",
    re.IGNORECASE,
)


def labelled(reply: str, labels: Sequence[str]) -> Mapping[str, str]:
    """The text behind each label that the reply has; behind the last `labels[0]`, in any order.

    A model thinks aloud first, and may name the labels in that. Capitals, asterisks and the backslash before
    an underscore do not count. A text ends at the next label, or where the fenced block ends.
    """
    text = reply_text(reply)
    first = list(_label(labels[:1]).finditer(text))
    if not first:
        return {}
    found = list(_label(tuple(labels)).finditer(text, first[-1].start()))
    ends = [*(one.start() for one in found[1:]), len(text)]
    read: dict[str, str] = {}
    for one, end in zip(found, ends, strict=True):
        name = one[1].lower().replace("\\", "").replace(" ", "_")
        read.setdefault(name, _within_fence(text[one.end() : end]))
    return read


def is_refusal(reply: str) -> bool:
    """Whether a reply without a usable block says that the model will not do it."""
    return bool(_REFUSAL.search(reply_text(reply)[:500]))


@cache
def _label(labels: Sequence[str]) -> re.Pattern[str]:
    names = "|".join(label.replace("_", r"\\?[_ ]") for label in labels)
    return re.compile(rf"^[ \t]*[*_#>]{{0,3}}[ \t]*\[({names})\][*_]{{0,3}}[ \t]*:?[*_]{{0,3}}", re.I | re.M)


def _within_fence(text: str) -> str:
    """The text up to the end of the block that it stands in; a block of its own is opened first."""
    stripped = text.strip()
    inner = re.match(r"```\w*[ \t]*\n(.*?)\n[ \t]*```", stripped, re.DOTALL)
    return (inner[1] if inner else _FENCE.split(stripped, maxsplit=1)[0]).strip()
