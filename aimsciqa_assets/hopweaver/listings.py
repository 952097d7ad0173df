"""Documents that name an entity once, in a list of names, and so state nothing of it."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from aimsciqa_assets.hopweaver.documents import Document, names, plain, times_named
from aimsciqa_assets.text.sentences import sentence_spans

OPENING_WORDS: Final = 60
"""Words of a document, its title among them, that say what it treats."""
_FEWEST: Final = 3
_BETWEEN: Final = re.compile(r"[,;]\s+(?:(?:and|or)\s+)?|\s+(?:and|or)\s+(?=[A-ZÀ-ÖØ-Þ])")
_NAME: Final = re.compile(
    r"[\"'“‘«(]*[A-ZÀ-ÖØ-Þ]\S*(?:\s(?:[A-ZÀ-ÖØ-Þ]\S*|of|the|in|at|for|de|la|du|von|van|der|al|\d+))*"
)


def only_listed(document: Document, name: str) -> bool:
    """Whether a document names an entity only once, behind its opening, among three names with commas."""
    words = plain(document.text).split()
    if times_named(" ".join(words), name) != 1 or names(" ".join(words[:OPENING_WORDS]), name):
        return False
    return any(
        _in_list(text[start:end], name)
        for _, text in document.paragraphs
        if names(text, name)
        for start, end in sentence_spans(text)
    )


def _in_list(sentence: str, name: str) -> bool:
    """Whether a name is one of three or more names between commas.

    The list may follow other words, and be followed by others: "She knew Bo Lund, Cy Ash and Ada Reed well."
    """
    parts = [one.rstrip(" .") for one in _BETWEEN.split(sentence) if one.strip(" .")]
    place = next((number for number, one in enumerate(parts) if names(one, name)), None)
    if place is None:
        return False
    alone = _NAME.fullmatch(parts[place]) is not None
    # What comes before a list may end in its first name, and what follows it may begin with its last one.
    opens = alone or plain(parts[place]).endswith(plain(name))
    closes = alone or plain(parts[place]).startswith(plain(name))
    before = _names_on(parts[:place][::-1], lambda part: part.split()[-1]) if closes else 0
    behind = _names_on(parts[place + 1 :], lambda part: part) if opens else 0
    return (opens or closes) and before + 1 + behind >= _FEWEST


def _names_on(parts: Sequence[str], nearest: Callable[[str], str]) -> int:
    """How many names follow each other, the last of them perhaps in a part that says more."""
    count = next((place for place, one in enumerate(parts) if not _NAME.fullmatch(one)), len(parts))
    return count + (count < len(parts) and nearest(parts[count])[0].isupper())
