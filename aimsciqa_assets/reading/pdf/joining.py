"""Printed lines -> running text: words that the end of a line cuts are made whole."""

import re
from collections.abc import Sequence

from aimsciqa_assets.reading.pdf.lines import Line

_PRINTED_HYPHENS = "-\u2010\u2011"
_HYPHENS = f"{_PRINTED_HYPHENS}\u00ad"
_CUT_WORD = re.compile(rf"[^\W\d_]+[{_HYPHENS}]\Z")
_CUT_RANGE = re.compile(rf"(?:[\d%‰°′″'’”\])+][{_HYPHENS}–−—]|[^\W\d_][–—])\Z")
"""The end of a line that the next one goes on without a space: "12-", "50%–", "Mann–"."""
_SUSPENDED = re.compile(r"(and|or|versus|vs|to(?=\s\w+-))\.?\s")
"""What follows a hyphen whose second part comes later: "pre- and post-test", "2- to 3-fold"."""
_MEASURED = re.compile(
    r"\d[-\u2010](?:second|minute|hour|day|week|month|year|item|point|fold|dose|arm)\Z", re.I
)
"""What stands before a hyphen that stays: "3-year-old"."""
_COMPOUND = re.compile(r"(?<![^\W\d_])([^\W\d_]{1,60})-(?=([^\W\d_]{1,60}))")
_WORD = re.compile(r"(?<![^\W\d_])[^\W\d_]+(?![^\W\d_]|-\Z)")
_LINK = re.compile(r"(?:of|to|the|and|in|by|on|a|per|or|for|at|as|up|out|non|vs)")
_LINKED = re.compile(rf"{_LINK.pattern}-[^\W\d_]")
_HALF = re.compile(r"over|under|with|where|there|here|what|every|some|back|down|inter|when|which|never|none")
"""Words that are also the first part of other words: "where-as", "over-view"."""
_BEFORE_HYPHEN = re.compile(
    r"self|well|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty"
)
_LONG_PART = 4
_CUT_ADDRESS = re.compile(r"10\.\d{4,9}/\S*[/._-]\Z|\bdoi\.org/\Z|\b10\.\d{4,9}\Z|https?://\S*[/._-]\Z", re.I)


_END = 200
"""How an end of text is told from its last characters: enough for a web address or a list of citations."""


class Joiner:
    """Joins lines; knows the words and hyphenated compounds of the document, so as to keep their hyphens.

    A hyphen at the end of a line stays where the document has the compound elsewhere, in chains
    ("state-of-the-art"), and between two words that the document has, while it never has them as one.
    """

    def __init__(self, lines: Sequence[Line]) -> None:
        self._compounds: set[str] = set()
        self._words: set[str] = set()
        is_cut = False
        for line in lines:
            text = re.sub(f"[{_PRINTED_HYPHENS}]", "-", line.text.casefold())
            text = text.partition(" ")[2] if is_cut else text
            is_cut = text.endswith(tuple(_HYPHENS))
            self._compounds.update(f"{a}-{b}" for a, b in _COMPOUND.findall(text))
            self._words.update(_WORD.findall(text))

    def text(self, lines: Sequence[Line]) -> str:
        """The lines as running text: cut words and web addresses made whole, everything else spaced."""
        done: list[str] = []
        text = ""
        for line in lines:
            text = self.continued(text, line.text) if text else line.text
            done.append(text[:-_END])
            text = text[-_END:]
        return "".join([*done, text]).replace("\u00ad", "")

    def continued(self, text: str, following: str) -> str:
        """A text that is not empty, and what was printed behind it after the end of a line or a column."""
        end = max(0, len(text) - _END)
        cut = _CUT_WORD.search(text, end) if text[-1] in _HYPHENS else None
        link = _SUSPENDED.match(following) if text[-1] in _PRINTED_HYPHENS else None
        if link and not (cut and cut[0][:-1].casefold() + link[1] in self._words):
            return f"{text} {following}"
        if _CUT_RANGE.search(text, end):
            return re.sub("\u00ad\\Z", "-", text) + following
        if cut and following[0].islower():
            if cut[0].endswith("\u00ad") or not self._is_compound(text[end:], cut[0][:-1], following):
                return text[:-1] + following
            return text[:-1] + "-" + following
        if cut or _CUT_ADDRESS.search(text, end):
            return text + following
        return f"{text} {following}"

    def _is_compound(self, text: str, cut: str, following: str) -> bool:
        tail = re.match(r"[^\W\d_]+", following)
        first, second = cut.casefold(), tail[0].casefold() if tail else ""
        if f"{first}-{second}" in self._compounds:
            return True
        if first + second in self._words:
            return False
        if len(first) == 1:
            return True
        if _MEASURED.search(text[:-1]):
            return True
        in_chain = _LINK.fullmatch(first) and re.search(
            r"\w-\w+-\Z", re.sub(f"[{_PRINTED_HYPHENS}]", "-", text)
        )
        if in_chain or _LINKED.match(following):
            return True
        if len(second) < _LONG_PART or _HALF.fullmatch(first):
            return False
        known = len(first) >= _LONG_PART and {first, second} <= self._words
        return known or _BEFORE_HYPHEN.fullmatch(first) is not None
