"""Which blocks are headings of sections, and of which level."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from aimsciqa_assets.reading.matching import title_key
from aimsciqa_assets.reading.pdf.block import Block
from aimsciqa_assets.reading.section_kinds import is_back_matter, plain_title

REFERENCES: Final = re.compile(
    r"references?(?: and (?:notes|recommended reading))?|bibliography|(?:literature|works) cited|literature"
    r"|r ?e ?f ?e ?r ?e ?n ?c ?e ?s"
)
_NUMBER = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,3}|[A-Z](?:\.\d{1,2}){1,3})[.)]?\s+(?=\S)")
_USUAL_PART = re.compile(
    r"introduction|background|methodology"
    r"|(?:(?:materials?|patients|subjects|participants|experimental) and )?methods|methods and materials?"
    r"|experimental(?: section| procedures)?|results?(?: and discussions?)?"
    r"|discussions?(?: and conclusions?)?|conclusions?(?: and (?:future work|outlook|perspectives))?"
    r"|concluding remarks|case (?:report|presentation)"
)
_REFERENCES_IN_LINE: Final = re.compile(
    r"(?:References|REFERENCES|Bibliography|BIBLIOGRAPHY|(?:Literature|Works) [Cc]ited)"
    r"\s*[:.]?\s+(?=\[?1[\].)\s])"
)
_LEFT_OUT = re.compile(
    r"(?:authors? )?(?:details|affiliations?|addresses)|open access|how to cite.*|cite this.*"
    r"|article (?:info|information|history)|key ?words?"
    r"|received.*|correspondence.*"
    r"|highlights|graphical abstract"
    r"|additional (?:files?|material)(?: \d+)?|ready to submit.*|submit your.*|publish with.*"
    r"|software|licen[cs]e"
    r"|copyright.*|abstract|contents|table of contents|editor|reviewers?|edited by|specialty section"
)
_LABELLED = re.compile(r"(?:algorithm|listing|figure|fig\.|table|box|scheme|chart|plate)\s*\d", re.I)
_ENUMERATED = re.compile(r"(?:[ivx]{1,4}|[a-z])[.)]\s")
_RUN_IN = re.compile(
    r"(?P<title>\d{1,2}(?:\.\d{1,2}){1,3}[.)]?\s+[A-Z][^.?!]{2,140}"
    r"(?:\b(?:vs|spp|sp|et al|cv)\.[^.?!]{2,80})?)\.\s+(?=[A-Z0-9“\"])"
)
_OPEN_END = re.compile(r"(?:[,:–—-]|\b(?:of|and|the|for|with|in|to|or|by|on|from|an?|via|under))\Z")
_APPENDICES = 1001
_MOST_WORDS = 30
_BOLD_TITLE = re.compile(r"[A-Z0-9](?:[^.:?!]|\.\d){2,90}[.:?!]")
_NO_TITLE = re.compile(
    r"(?:theorem|lemma|definition|proposition|corollary|proof|remark|example|claim|step|case|note|fig(?:ure)?"
    r"|table|algorithm|question|hypothesis|assumption|correspond\w*|key ?words?|citation|received"
    r"|h\d|rq\d|q\d|a\d)\b",
    re.I,
)
_MOST_TITLE_LINES = 3
_FEWEST_WORDS_BEHIND = 12


def names_part(title: str) -> bool:
    """Return whether a title is that of a usual part of a paper, and says nothing of its subject."""
    return _USUAL_PART.fullmatch(plain_title(title)) is not None


def heading_level(text: str, size: float, sizes: Sequence[float]) -> int:
    """1 for a heading of the uppermost level; by its number, else by its print among all headings."""
    numbered = _NUMBER.match(text)
    if numbered and ")" not in numbered[0]:
        number = numbered["number"]
        return number.count(".") + 1
    larger = [one for one in sizes if one > size + 0.4]
    return 1 + len(larger)


def number_of(text: str) -> tuple[int, ...]:
    """The number of a heading, such as (2, 1) of "2.1. Setting"; empty without one.

    Those of appendices follow all others: that of "B.1 Soil maps" is (1002, 1).
    """
    match = re.match(r"(\d{1,2}(?:\.\d{1,2}){0,3}|[A-Z](?:\.\d{1,2}){1,3})[.)]?\s+(?=\S)", text)
    if not match:
        return ()
    first, *others = match[1].split(".")
    return (int(first) if first.isdigit() else _APPENDICES + ord(first) - ord("A"), *map(int, others))


def follows(number: tuple[int, ...], last: tuple[int, ...]) -> bool:
    """Whether a heading with this number may be the next after one with the other."""
    if number and number[0] >= _APPENDICES and (not last or last[0] < number[0]):
        return all(one == 1 for one in number[1:])
    if len(number) == len(last) + 1:
        return number == (*last, 1)
    if not number or len(number) > len(last):
        return False
    same = last[: len(number)]
    return number[:-1] == same[:-1] and number[-1] == same[-1] + 1


def run_in_title(text: str, last: tuple[int, ...]) -> tuple[str, str] | None:
    """A numbered title and the text that goes on behind it on the same line, when it is the next number."""
    match = _RUN_IN.match(text)
    if match and follows(number_of(match["title"]), last):
        return match["title"], text[match.end() :]
    return None


def behind_references(text: str) -> str:
    """Return what stands on the line of the title of a numbered bibliography, behind it; else ""."""
    match = _REFERENCES_IN_LINE.match(text)
    return text[match.end() :] if match else ""


def is_well_known(title: str) -> bool:
    """Return whether a title names a usual part of a paper, its back matter, or its bibliography."""
    return names_part(title) or is_back_matter(title) or REFERENCES.fullmatch(plain_title(title)) is not None


def bold_start(block: Block) -> str:
    """Return the bold words with which a block begins."""
    title = ""
    for line in block.lines[:_MOST_TITLE_LINES]:
        title = f"{title} {line.lead}".strip()
        if line.lead != line.text:
            break
    return title


def bold_run_in_title(block: Block) -> tuple[str, str] | None:
    """A bold title and the plain text that goes on behind it on the same line."""
    if block.kind != "text" or block.bold or block.beside:
        return None
    title = bold_start(block)
    rest = block.text[len(title) :].strip()
    is_title = names_part(title) or (_BOLD_TITLE.fullmatch(title) and not _NO_TITLE.match(title))
    if (
        not (is_title and block.text.startswith(title))
        or len(rest.split()) < _FEWEST_WORDS_BEHIND
        or _LEFT_OUT.fullmatch(plain_title(title))
    ):
        return None
    return title.rstrip(".: –—"), rest


def is_heading(block: Block, outlined: frozenset[str], body_size: float, last: tuple[int, ...]) -> bool:
    """Whether the block is the heading of a section: by the layout model, or because a bookmark names it."""
    text = block.text
    words = text.split()
    if not words or len(words) > _MOST_WORDS or not re.search(r"[^\W\d_]{3}", text) or block.beside:
        return False
    plain = plain_title(text)
    if REFERENCES.fullmatch(plain) and block.kind in ("section-header", "title"):
        return True
    if _LEFT_OUT.fullmatch(plain) or _LABELLED.match(text):
        return False
    if block.kind in ("section-header", "title"):
        return not text.endswith((",", ";", ":")) and not (text[0].islower() and not _ENUMERATED.match(text))
    if block.kind not in ("text", "list-item") or len(block.lines) > 3:
        return False
    if (title_key(text) or "-") in outlined:
        return True
    number = number_of(text)
    if len(number) > 1 and follows(number, last) and not text.endswith((".", ",", ";", ":")):
        return True
    stands_out = block.bold or block.size > body_size + 0.7 or text.isupper()
    return (
        stands_out and (is_back_matter(text) or bool(REFERENCES.fullmatch(plain))) and len(block.lines) == 1
    )


def goes_on_below(last: Block, block: Block) -> bool:
    """Whether a heading is the rest of the one before, which the layout model cut."""
    below = last.page == block.page and -0.5 * block.size <= block.box.y0 - last.box.y1 < 0.6 * block.size
    alike = abs(last.size - block.size) < 0.3 and last.bold == block.bold
    if not below or not alike or number_of(block.text) or _ENUMERATED.match(block.text):
        return False
    full = not last.lines[-1].ends_early and bool(number_of(last.text))
    return block.text[0].islower() or full or _OPEN_END.search(last.text) is not None


def titles_in(block: Block, outlined: frozenset[str]) -> list[str]:
    """The titles of a heading block, else its text: several when bookmarks name its lines one by one, or a
    line begins with a number of its own.
    """
    titles: list[str] = []
    pending = ""
    for line in block.lines:
        pending = f"{pending} {line.text}".strip()
        if title_key(pending) in outlined:
            titles.append(pending)
            pending = ""
    if len(titles) > 1 and not pending:
        return titles
    starts = [at for at, line in enumerate(block.lines) if at and _begins_anew(line.text, block.text)]
    if not starts:
        return [block.text]
    edges = [0, *starts, len(block.lines)]
    return [" ".join(line.text for line in block.lines[a:b]) for a, b in pairwise(edges)]


def _begins_anew(line: str, heading: str) -> bool:
    """Whether a line of a numbered heading has a longer number of its own: "2 Methods", "2.1 Soils"."""
    outer, inner = number_of(heading), number_of(line)
    enumerated = bool(re.match(r"\d{1,2}\)\s", heading) and _ENUMERATED.match(line))
    return enumerated or (bool(outer) and inner == (*outer, 1))


def heading_sizes(headings: Sequence[Block]) -> list[float]:
    """The sizes in which several headings are set, the largest first."""
    counts: Counter[float] = Counter(round(block.size * 2) / 2 for block in headings)
    return sorted(counts, reverse=True)
