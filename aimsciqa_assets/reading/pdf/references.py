"""The blocks of a bibliography -> its entries, each with what can be read off it for certain."""

import re
from collections.abc import Sequence

from aimsciqa_assets.reading.contents import Entry
from aimsciqa_assets.reading.identifiers import find_doi, find_pmcid, find_pmid
from aimsciqa_assets.reading.paper import Reference
from aimsciqa_assets.reading.pdf.block import PROSE, Block
from aimsciqa_assets.reading.pdf.joining import Joiner
from aimsciqa_assets.reading.pdf.lines import Line

_NUMBER = re.compile(r"(?:\[(?P<boxed>\d{1,3})\]|(?P<plain>\d{1,3})(?:[.)]|(?=\s)))\s*(?=\S)")
_YEAR_IN_BRACKETS = re.compile(r"\((?:\w+ )?((?:18|19|20)\d\d)[a-z]?\)")
_YEAR = re.compile(r"(?<![\w./-])((?:18|19|20)\d\d)[a-z]?(?![\w/-]|\.\d)")
_ENDS = re.compile(r"[.\])\d/][\s”\"’']*\Z")
_NAME = re.compile(r"[^\W\d_a-z][\w'’-]+,? ")
_NAME_AND_YEAR = re.compile(r"[^\W\d_a-z][\w'’-]+,? (?:[A-Z]\.?[ -]?){1,3}[,;&(].{0,120}?\(?(?:18|19|20)\d\d")
_FEW = 0.5
_ENTRY = re.compile(
    rf"(?:\[\d{{1,3}}\]|\d{{1,3}}[.)]?)\s+\S.*(?:18|19|20)\d\d|{_NAME_AND_YEAR.pattern}", re.S
)
_FEWEST_ENTRIES = 5


def entries_at_end(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks at the end of a paper that read like entries, if there are several."""
    entries: list[Block] = []
    for block in reversed(blocks):
        if block.kind in PROSE and _ENTRY.match(block.text):
            entries.insert(0, block)
        elif block.text and block.kind in PROSE:
            break
    starts = sum(
        bool(_ENTRY.match(line.text) or _NUMBER.match(line.text)) for b in entries for line in b.lines
    )
    return entries if starts >= _FEWEST_ENTRIES else []


def entries_of(blocks: Sequence[Block]) -> list[Entry]:
    """The entries in order, each with the page on which it begins.

    Where the lines hardly tell entries apart, short last lines and the blocks of the layout model do.
    """
    lines = [line for block in blocks for line in block.lines]
    if not lines:
        return []
    joiner = Joiner(lines)
    of_lines, of_blocks = _by_lines(lines), _by_starts(blocks)
    entries = of_blocks if len(of_lines) < _FEW * len(of_blocks) else of_lines
    return [Entry(joiner.text(entry), entry[0].page + 1) for entry in entries]


def reference_of(entry: str, position: int) -> Reference:
    """The entry at a position, with key "ref1", "ref2", ...; no title or author is guessed."""
    number = _NUMBER.match(entry)
    text = entry[number.end() :] if number else entry
    return Reference(
        key=f"ref{position + 1}",
        position=position,
        label=(number["boxed"] or number["plain"] or "") if number else "",
        text=text,
        year=_year(text),
        doi=find_doi(text),
        pmid=find_pmid(text),
        pmcid=find_pmcid(text),
    )


def _by_lines(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines of one entry each: by running numbers, else by hanging indents, else by short last lines."""
    numbered = _split(lines, _numbered_starts(lines))
    if len(numbered) > 1:
        return numbered
    outdented = [not line.is_indented for line in lines]
    if 0.1 * len(lines) < sum(outdented) < 0.9 * len(lines):
        return _split(lines, outdented)
    after_end = [
        at == 0 or (lines[at - 1].ends_early and lines[at - 1].text.endswith((".", "]")))
        for at in range(len(lines))
    ]
    return _split(lines, after_end)


def _numbered_starts(lines: Sequence[Line]) -> list[bool]:
    """Which lines start with the next number of the list."""
    expected = 1
    starts = []
    for line in lines:
        number = _NUMBER.match(line.text)
        is_next = number is not None and int(number["boxed"] or number["plain"]) == expected
        starts.append(is_next)
        expected += is_next
    return starts


def _split(lines: Sequence[Line], starts: Sequence[bool]) -> list[list[Line]]:
    entries: list[list[Line]] = []
    for line, is_start in zip(lines, starts, strict=True):
        if is_start or not entries:
            entries.append([])
        entries[-1].append(line)
    return entries


def _year(text: str) -> int | None:
    """The year in brackets, else the only year there is; a range of pages is no year."""
    bracketed = _YEAR_IN_BRACKETS.findall(text)
    if bracketed:
        return int(bracketed[0])
    years = set(_YEAR.findall(text))
    return int(years.pop()) if len(years) == 1 else None


def _by_starts(blocks: Sequence[Block]) -> list[list[Line]]:
    """Entries that begin with a name, after the end of a block or after a short line."""
    entries: list[list[Line]] = []
    before: Line | None = None
    for block in blocks:
        for at, line in enumerate(block.lines):
            ended = before is None or _ENDS.search(before.text)
            apart = before is None or at == 0 or before.ends_early
            is_start = _NAME.match(line.text) if apart else _NAME_AND_YEAR.match(line.text)
            if not entries or (ended and is_start):
                entries.append([])
            entries[-1].append(line)
            before = line
    return entries
