"""The authors' keywords, as the first pages print them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from aimsciqa_assets.reading.pdf.block import PROSE, Block
from aimsciqa_assets.reading.pdf.flow import printed_text
from aimsciqa_assets.reading.pdf.joining import Joiner
from aimsciqa_assets.reading.pdf.lines import Line

_KEYWORDS: Final = re.compile(r"(?:key\s?-?words?|index terms)(?: and phrases)?\s*(?:[:.—–-]\s*|\Z)", re.I)
_ALONE: Final = re.compile(r"(?:key\s?-?words?|index terms)(?: and phrases)?", re.I)
_IN_TEXT: Final = re.compile(r"\s(?:key\s?-?words?|index terms)(?: and phrases)?\s*[:—–]", re.I)
_END: Final = re.compile(
    r"abbreviations?\b|jel\b|msc\b|pacs\b|ccs\b|acm\b|general terms|received\b|accepted\b|published\b"
    r"|correspond|(?:\d+\.?\s+|I\.\s+)?introduction\b|background\b|abstract\b|highlights\b|©|copyright|doi\b|https?:"
    r"|e-?mail|how to cite|cite this|citation\b|article (?:info|history)|handling|edited by|reviewed by|\*|†"
    r"|(?:data|code) availability|funding\b|trial registration|(?:mathematics )?subject classification",
    re.I,
)
_SEPARATORS: Final = (r"[;；]", r"[•·∙‧・|]", r"[,，、]", r"\s[–—-]\s")
_MOST_WORDS: Final = 8
_MOST: Final = 20


@dataclass(slots=True)
class Keywords:
    """The keywords, and the blocks that hold nothing else, by identity."""

    words: list[str] = field(default_factory=list)
    taken: set[int] = field(default_factory=set)


def keywords_of(blocks: Sequence[Block], metadata: Mapping[str, str]) -> Keywords:
    """The keywords on the first two pages, else those that the file itself tells, if there are several."""
    for at, block in enumerate(blocks):
        if block.page > 2:
            break
        start = next((n for n, line in enumerate(block.lines) if _begins(line)), None)
        if start is None:
            continue
        lines, members = _listed(blocks, at, start)
        words = _divided(lines)
        if words:
            return Keywords(words, {id(one) for one in members})
    of_file = _split(metadata.get("keywords", ""))
    return Keywords(of_file if len(of_file) > 1 else [])


def without_keywords(text: str) -> str:
    """An abstract without the keywords that were printed in its last line."""
    found = _IN_TEXT.search(text)
    return text[: found.start()].rstrip() if found else text


def _begins(line: Line) -> bool:
    return bool(_KEYWORDS.match(line.text)) or bool(_ALONE.fullmatch(line.lead.strip(" .:—–-")))


def _listed(blocks: Sequence[Block], at: int, start: int) -> tuple[list[str], list[Block]]:
    """The lines of the list, and the blocks that are nothing but the list."""
    block = blocks[at]
    first = block.lines[start].text
    label = _KEYWORDS.match(first) or _ALONE.match(first)
    rest = first[label.end() :].strip() if label else first
    lines = [rest] if rest else []
    lines += [line.text for line in block.lines[start + 1 :]]
    members = [block] if start == 0 else []
    if not lines:
        for other in blocks[at + 1 : at + 2]:
            if other.kind in PROSE and other.page == block.page:
                lines = [line.text for line in other.lines]
                members.append(other)
    end = next((n for n, text in enumerate(lines) if _END.match(text)), len(lines))
    return lines[:end], members if end == len(lines) else []


def _divided(lines: Sequence[str]) -> list[str]:
    """Keywords between marks; where there are none, each line is one."""
    joined = _joined(lines)
    words = _split(joined)
    if len(words) <= 1 < len(lines) and not joined.endswith("."):
        return [word for line in lines if (word := _plain(line))][:_MOST]
    return words


def _split(listed: str) -> list[str]:
    separator = next((one for one in _SEPARATORS if re.search(one, listed)), r"\Z")
    words = [word for part in re.split(separator, listed) if (word := _plain(part))]
    return words if len(words) <= _MOST else []


def _plain(part: str) -> str:
    word = " ".join(part.split()).strip(" .,;:•·*")
    return word if len(word) > 1 and len(word.split()) <= _MOST_WORDS else ""


def _joined(lines: Sequence[str]) -> str:
    """The lines as one, with words that were cut at their ends whole again."""
    printed = [Line(text, 0, 0, 0, 0, 0, 0, False) for text in lines if text]
    return printed_text(Joiner(printed), printed)
