"""The studies that a review includes: what its tables of included studies cite."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from lxml import etree

from aimsciqa_assets.reading.jats.references import read_references
from aimsciqa_assets.reading.jats.tree import read_article
from aimsciqa_assets.reading.paper import Reference

_STUDIES: Final = (
    r"(?:studies|study|trials?|articles?|papers?|publications?|reviews?|evaluations?|cohorts?|rcts?)\b"
)
_TITLE: Final = re.compile(
    rf"\b(?:included|eligible|selected|reviewed|identified)\b.{{0,60}}\b{_STUDIES}"
    rf"|\b{_STUDIES}.{{0,40}}\b(?:included|selected|reviewed|in (?:the|this) (?:systematic )?review)\b"
    rf"|\b(?:characteristics?|summary|overview|description|details) of (?:\w+ ){{0,4}}{_STUDIES}"
    r"|\bstudy (?:characteristics|details)\b",
    re.I | re.S,
)
_OTHERS: Final = re.compile(r"\bexcluded\b|\bexclusion\b|\bsearch (?:strategy|terms?)\b", re.I)
"""What tables about the search, or of studies that a review leaves out, have in their title."""
_YEAR: Final = r"\b(?:19|20)\d\d"
_YEAR_WITHIN: Final = 60


def references_of(data: bytes) -> tuple[list[Reference], list[Reference]]:
    """Return all references of a JATS file, and those that its tables of included studies cite.

    A table cites by its links, or, without any, by first author and year. Raise `RejectedFileError`.
    """
    article, _ = read_article(data)
    references, keys_by_id = read_references(article)
    cited = {key for wrap in _tables(article) for key in _cited(wrap, references, keys_by_id)}
    return references, [reference for reference in references if reference.key in cited]


def _tables(article: etree._Element) -> Iterator[etree._Element]:
    for wrap in article.iter("table-wrap"):
        title = " ".join(
            " ".join(map(str, part.itertext())) for part in wrap if part.tag in ("label", "caption")
        )
        if _TITLE.search(title) and not _OTHERS.search(title):
            yield wrap


def _cited(
    wrap: etree._Element, references: Sequence[Reference], keys_by_id: dict[str, tuple[str, ...]]
) -> set[str]:
    links = [link for link in wrap.iter("xref") if link.get("ref-type") in ("bibr", None)]
    named = {name for link in links for name in (link.get("rid") or "").split()}
    if keys := {key for name in named for key in keys_by_id.get(name, ())}:
        return keys
    text = " ".join(map(str, wrap.itertext()))
    return {reference.key for reference in references if _names(text, reference)}


def _names(text: str, reference: Reference) -> bool:
    """Say whether a text names a reference by its first author, followed by its year."""
    if not reference.first_author or reference.year is None:
        return False
    between = rf"(?:(?!{_YEAR}).){{0,{_YEAR_WITHIN}}}?"
    author = rf"\b{re.escape(reference.first_author)}\b{between}\b{reference.year}\b"
    return re.search(author, text, re.S) is not None
