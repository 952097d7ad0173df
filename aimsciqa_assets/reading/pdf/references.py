"""The reference list of a PDF: lines -> entries, each with what can be read off it for certain."""

import re
from collections.abc import Sequence

from aimsciqa_assets.reading.identifiers import find_doi, find_pmcid, find_pmid
from aimsciqa_assets.reading.paper import Reference
from aimsciqa_assets.reading.pdf.blocks import Joiner
from aimsciqa_assets.reading.pdf.layout import Line

_NUMBER = re.compile(r"(?:\[(?P<boxed>\d{1,3})\]|(?P<plain>\d{1,3})(?:[.)]|(?=\s)))\s*(?=\S)")
_YEAR_IN_BRACKETS = re.compile(r"\((?:\w+ )?((?:18|19|20)\d\d)[a-z]?\)")
_YEAR = re.compile(r"(?<![\w./-])((?:18|19|20)\d\d)[a-z]?(?![\w/-]|\.\d)")


def references_of(lines: Sequence[Line]) -> list[Reference]:
    """The entries in order; `key` is "ref1", "ref2", ...; no title or author is guessed."""
    joiner = Joiner(lines)
    references: list[Reference] = []
    for entry in _entries(lines):
        text = joiner.text(entry)
        number = _NUMBER.match(text)
        label = (number["boxed"] or number["plain"] or "") if number else ""
        text = text[number.end() :] if number else text
        position = len(references)
        references.append(
            Reference(
                key=f"ref{position + 1}",
                position=position,
                label=label,
                text=text,
                year=_year(text),
                doi=find_doi(text),
                pmid=find_pmid(text),
                pmcid=find_pmcid(text),
            )
        )
    return references


def printed_entries(lines: Sequence[Line]) -> list[tuple[str, int]]:
    """The text of each entry, its number included, and the page on which it begins, from 0."""
    joiner = Joiner(lines)
    return [(joiner.text(entry), entry[0].page) for entry in _entries(lines)]


def _entries(lines: Sequence[Line]) -> list[list[Line]]:
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
