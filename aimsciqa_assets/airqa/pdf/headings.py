"""Which blocks are headings of sections, and of which level."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from aimsciqa_assets.airqa.pdf.flow import Block
from aimsciqa_assets.reading.matching import title_key
from aimsciqa_assets.reading.section_kinds import is_back_matter, plain_title

REFERENCES: Final = re.compile(
    r"references?(?: and (?:notes|recommended reading))?|bibliography|(?:literature|works) cited|literature"
)
_NUMBER = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,3}|[A-Z](?:\.\d{1,2}){1,3})[.)]?\s+(?=\S)")
_LEFT_OUT = re.compile(
    r"(?:authors? )?(?:details|affiliations?|addresses)|open access|pre publication history|how to cite.*|cite this.*"
    r"|article (?:info|information|history)|key ?words?|received.*|correspondence.*|highlights|graphical abstract"
    r"|additional (?:files?|material)(?: \d+)?|ready to submit.*|submit your.*|publish with.*|software|license|licen[cs]e"
    r"|copyright.*|abstract|contents|table of contents|editor|reviewers?|edited by|specialty section"
)
_MOST_WORDS = 30


def heading_level(text: str, size: float, sizes: Sequence[float]) -> int:
    """1 for a heading of the uppermost level; by its number, else by its print among all headings."""
    numbered = _NUMBER.match(text)
    if numbered:
        number = numbered["number"]
        return number.count(".") + 1
    larger = [one for one in sizes if one > size + 0.4]
    return 1 + len(larger)


def is_heading(block: Block, outlined: frozenset[str], body_size: float) -> bool:
    """Whether the block is the heading of a section: by the layout model, or because a bookmark names it."""
    text = block.text
    words = text.split()
    if not words or len(words) > _MOST_WORDS or not re.search(r"[^\W\d_]{3}", text) or block.beside:
        return False
    plain = plain_title(text)
    if _LEFT_OUT.fullmatch(plain):
        return False
    if block.kind in ("section-header", "title"):
        return not text.endswith((",", ";")) and not text[0].islower()
    if block.kind not in ("text", "list-item") or len(block.lines) > 3:
        return False
    if (title_key(text) or "-") in outlined:
        return True
    stands_out = block.bold or block.size > body_size + 0.7 or text.isupper()
    return stands_out and (is_back_matter(text) or bool(REFERENCES.fullmatch(plain))) and len(block.lines) == 1


def heading_sizes(headings: Sequence[Block]) -> list[float]:
    """The sizes in which several headings are set, the largest first."""
    counts: Counter[float] = Counter(round(block.size * 2) / 2 for block in headings)
    return sorted(counts, reverse=True)
