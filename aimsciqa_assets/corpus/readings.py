"""Rows of the reading report: figures of a paper, the start of its abstract, and warnings."""

import re
from typing import Any

from aimsciqa_assets.reading.paper import Paper

_ABSTRACT_SHOWN = 200
_FEWEST_WORDS_OF_TITLE = 3
_FEWEST_ENTRIES = 3
_NEARLY_ALL = 0.85
_LONG = 4000
"""Characters of a text in which several sections are to be expected."""

_UNFINISHED = re.compile(
    r"(?:[-–—,:;(&/…]|\.\.\.|\b(?:a|an|and|as|at|by|for|from|in|into|of|on|or|the|to|using|via|with))\Z", re.I
)
_AFFILIATION = re.compile(
    r"\b(?:universit\w*|departments?|dept|institut\w*|facult\w*|hospitals?|laborator\w*|colleges?|schools?"
    r"|cent(?:er|re)s?|academy|e-?mails?|correspond(?:ence|ing)|authors?|received|accepted)\b|\S@\S",
    re.I,
)
_WORDS_PER_AFFILIATION = 12
_NO_TITLE = re.compile(
    r"microsoft word\b.*|.*\.(?:docx?|pdf|tex)|.*\b(?:19|20)\d\d\s?;\s?\d+\b.*"
    r"|(?:\b(?:original|systematic|short|brief|case|research|review|article|paper|report|communication|letter)"
    r"\s*)+",
    re.I,
)
"""The name of a file, a place in a journal, or a kind of article."""
_NO_ABSTRACT = re.compile(r"\W*(?:©|copyright|key ?words|citation:)", re.I)
_FEWEST_WORDS_OF_ABSTRACT = 12
_PLACE = r"\b(?:19|20)\d\d\b[a-z]?[;,)]*\s*\d{1,4}\s*(?:\(\w+\))?\s*[:,]\s*[a-z]?\d+"
_AUTHORED = (
    r"\A\W*[^\W\d_][\w'’-]+,?\s(?:[^\W\d_]\.?[\s-]?){1,3}[,.&(\s].{0,200}?\(?\b(?:19|20)\d\d[a-z]?\)?[.,]"
    r".*\b\d{1,4}\s*(?:\(\w+\))?\s*[:,]\s*[a-z]?\d+\s*[-–]"
)
_ENTRY = re.compile(
    rf"\A\s*(?:\[\d{{1,3}}\]|\d{{1,3}}\.?)\s+\D.*\b(?:19|20)\d\d\b|{_PLACE}|{_AUTHORED}", re.S | re.I
)
_LONGEST_ENTRY = 600


def reading_of(paper: Paper) -> dict[str, Any]:
    """Return the row of a paper in the reading report."""
    return {
        "source": paper.source,
        "title": paper.title,
        "abstract": " ".join(paper.abstract.split())[:_ABSTRACT_SHOWN],
        "sections": len(paper.sections),
        "paragraphs": sum(len(section.paragraphs) for section in paper.sections),
        "references": len(paper.references),
        "licence": paper.licence,
        "year": paper.year,
        "doi": paper.doi,
        "warnings": "; ".join(warnings_of(paper)),
    }


def warnings_of(paper: Paper) -> list[str]:
    """Return what looks wrong in a paper; a document came as it is and has no warnings."""
    if paper.source == "document":
        return []
    return [*_of_title(paper.title), *_of_abstract(paper.abstract), *_of_body(paper), *_of_imprint(paper)]


def _of_title(title: str) -> list[str]:
    letters = [character for character in title if character.isalpha()]
    tests = {
        "no title": not letters,
        "title in capitals": len(letters) > 1 and title.isupper(),
        "title may be cut": bool(letters)
        and (
            len(title.split()) < _FEWEST_WORDS_OF_TITLE
            or bool(_UNFINISHED.search(title.strip()) or _NO_TITLE.fullmatch(title.strip()))
            or any(title.count(opening) != title.count(closing) for opening, closing in ("()", "[]", "“”"))
        ),
    }
    return [warning for warning, holds in tests.items() if holds]


def _of_abstract(abstract: str) -> list[str]:
    if not abstract.strip():
        return ["no abstract"]
    words, affiliations = len(abstract.split()), len(_AFFILIATION.findall(abstract))
    tests = {
        "abstract looks like affiliations": affiliations > 1
        and affiliations * _WORDS_PER_AFFILIATION > words,
        "abstract may be cut": words < _FEWEST_WORDS_OF_ABSTRACT or bool(_NO_ABSTRACT.match(abstract)),
    }
    return [warning for warning, holds in tests.items() if holds][:1]


def _of_body(paper: Paper) -> list[str]:
    sections = [
        [paragraph.text for paragraph in section.paragraphs]
        for section in paper.sections
        if section.kind != "abstract"
    ]
    sizes = [sum(map(len, paragraphs)) for paragraphs in sections]
    tests = {
        "no text besides the abstract": not sum(sizes),
        "one section holds nearly all text": sum(sizes) > _LONG and max(sizes) > _NEARLY_ALL * sum(sizes),
        "no references": not paper.references,
        "references inside sections": any(map(_holds_references, sections)),
    }
    return [warning for warning, holds in tests.items() if holds]


def _holds_references(paragraphs: list[str]) -> bool:
    entries = (
        bool(_ENTRY.search(text)) if len(text) <= _LONGEST_ENTRY else len(re.findall(_PLACE, text))
        for text in paragraphs
    )
    return sum(entries) >= _FEWEST_ENTRIES


def _of_imprint(paper: Paper) -> list[str]:
    tests = {
        "no licence: not releasable": not paper.licence,
        "no year": paper.year is None,
        "no DOI": not paper.doi,
    }
    return [warning for warning, holds in tests.items() if holds]
