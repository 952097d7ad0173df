"""Names of entities and attributes, compared as a reader would: case, white space and quotes do not count."""

import re
import unicodedata
from typing import Final

from aimsciqa_assets.hopweaver.documents import plain

_MARKS: Final = re.compile(r"[\"“”„‘’'`´]")
_DASHES: Final = re.compile(r"[‐‑‒–—―−]")
_ARTICLE: Final = re.compile(r"^(?:the|a|an)\s+(?=\S)")


def folded(name: str) -> str:
    """The name in one form: no quotes, single spaces, plain dashes, no difference of case."""
    tidy = _DASHES.sub("-", _MARKS.sub("", unicodedata.normalize("NFKC", name)))
    return " ".join(tidy.casefold().split()).rstrip(".,;:")


def same_name(one: str, other: str) -> bool:
    """Whether two names are the same, an article in front aside; nothing is the same as no name."""
    first, second = (_ARTICLE.sub("", folded(name)) for name in (one, other))
    return bool(first) and first == second


def alike(one: str, other: str) -> bool:
    """Whether two names are the same, or one is part of the other as whole words: Hollin Weir, Ostley."""
    first, second = f" {plain(one)} ", f" {plain(other)} "
    return bool(first.strip() and second.strip()) and (first in second or second in first)
