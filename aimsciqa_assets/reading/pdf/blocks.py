"""Printed lines -> blocks that belong together, as text with the words cut at line ends made whole.

What a block is (heading, paragraph, caption, keywords) is decided in `reader.py`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from aimsciqa_assets.reading.pdf.layout import Line

CAPTION = re.compile(
    r"(?P<label>(?:(?:supplementary|extended data)\s+)?"
    r"(?P<kind>fig(?:ure|\.)?|scheme|table)\s*[A-Z]?\d+[A-Za-z]?)"
    r"(?:\s*[.:|–—]\s*|(?=\s+[A-Z])|\Z)",
    re.I,
)
KEYWORDS = re.compile(r"(?:key\s?-?words?|index terms)(?: and phrases)?\s*(?:[:.—–-]\s*|\Z)", re.I)
_TERMINAL = re.compile(r"[.!?:][\"'”’)\]]*(?:\d{1,3}(?:[,–-]\d{1,3})*|\s?\[[\d,–\s-]+\])?\Z")
_HYPHENS = "-\u00ad\u2010"
_CUT_WORD = re.compile(r"[^\W\d_]+[-\u00ad\u2010]\Z")
_COMPOUND = re.compile(r"(?<![^\W\d_])([^\W\d_]{1,60})-(?=([^\W\d_]{1,60}))")
_WORD = re.compile(r"(?<![^\W\d_])[^\W\d_]+(?![^\W\d_]|-\Z)")
_LINK = re.compile(r"(?:of|to|the|and|in|by|on|a|per|or|for|at|as|up|out|non|vs)")
_LINKED = re.compile(rf"{_LINK.pattern}-[^\W\d_]")
_HALF = re.compile(r"over|under|with|where|there|here|what|every|some|back|down|inter|when|which|never|none")
"""Words that are also the first part of other words: "where-as", "over-view"."""
_BEFORE_HYPHEN = re.compile(r"self|well|one|two|three|four|five|six")
_LONG_PART = 4
_CUT_ADDRESS = re.compile(r"10\.\d{4,9}/\S*[/._-]\Z|\bdoi\.org/\Z|\b10\.\d{4,9}\Z|https?://\S*[/._-]\Z", re.I)


_END = 200
"""How an end of text is told from its last characters: enough for a web address or a list of citations."""


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that belong together, and their text."""

    lines: tuple[Line, ...]
    text: str

    @property
    def size(self) -> float:
        """Font size in points."""
        return self.lines[0].size

    @property
    def bold(self) -> bool:
        """The first line is set in bold."""
        return self.lines[0].bold

    @property
    def is_finished(self) -> bool:
        """It ends like a sentence, so that no later block continues it."""
        return _is_finished(self.text)


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
            text = line.text.casefold().replace("\u2010", "-")
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
        in_chain = _LINK.fullmatch(first) and re.search(r"\w-\w+-\Z", text.replace("\u2010", "-"))
        if in_chain or _LINKED.match(following):
            return True
        if len(second) < _LONG_PART or _HALF.fullmatch(first):
            return False
        known = len(first) >= _LONG_PART and {first, second} <= self._words
        return known or _BEFORE_HYPHEN.fullmatch(first) is not None


def _is_finished(text: str) -> bool:
    return _TERMINAL.search(text, max(0, len(text) - _END)) is not None


def blocks_of(lines: Sequence[Line]) -> list[Block]:
    """Group lines into blocks, in reading order."""
    if not lines:
        return []
    leading = _usual_gap(lines)
    joiner = Joiner(lines)
    groups = [[lines[0]]]
    for previous, line in pairwise(lines):
        if _starts_block(groups[-1], previous, line, leading):
            groups.append([line])
        else:
            groups[-1].append(line)
    return [Block(tuple(group), joiner.text(group)) for group in groups]


def _usual_gap(lines: Sequence[Line]) -> float:
    """White space between two lines of a paragraph, in points; negative when their boxes overlap."""
    gaps = [
        line.y0 - previous.y1
        for previous, line in pairwise(lines)
        if line.column == previous.column and abs(line.size - previous.size) < 0.6
    ]
    return median(gaps) if gaps else 0.0


def _starts_block(block: Sequence[Line], previous: Line, line: Line, leading: float) -> bool:
    """Whether `line` begins something new: by style, by its opening, by space, or by indentation."""
    if abs(line.size - previous.size) > 0.6 or line.bold != previous.bold:
        return True
    if CAPTION.match(line.text) or KEYWORDS.match(line.text):
        return True
    ended = _is_finished(previous.text)
    if line.column != previous.column:
        return ended and (previous.ends_early or line.is_indented)
    if line.y0 - previous.y1 > leading + 0.45 * line.size or line.y0 < previous.y0 - line.size:
        return True
    if line.is_indented and not previous.is_indented and len(block) > 1:
        return True
    return ended and previous.ends_early
