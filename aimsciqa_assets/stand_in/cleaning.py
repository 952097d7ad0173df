"""A sentence as a statement of its own: without citations, figure references and connectives, or refused."""

import re
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex

_BRACKET: Final = r"\[\s*(?:[A-Za-z]?\d+[a-z]?)?(?:\s*[,;–—−‐-]\s*(?:[A-Za-z]?\d+[a-z]?)?)*\s*\]"
_CITATION_BRACKET: Final = re.compile(rf"\s*{_BRACKET}(?:\s*[,;–—−‐-]?\s*{_BRACKET})*")
_INNERMOST_PARENTHESIS: Final = re.compile(r"\s*\(([^()\[\]]*)\)")
_YEAR: Final = r"(?:19|20)\d\d[a-z]?\b"
_NAME: Final = r"\b[A-Z][\w’'-]+"
_NUMBERS: Final = r"\d{1,3}(?:[,–-]\d{1,3})*"
_FIGURE_LEFT: Final = re.compile(
    r"\b(?:[Ff]igs?\b|[Ff]igures?\b|[Tt]ables? [A-Z]?\d|[Ss]upplementa\w+|[Aa]dditional [Ff]iles?|[Aa]ppendix"
    r"|(?:Files?|Texts?|Data) S\d|S\d+ (?:Fig|Table|File|Text|Appendix))"
)
# Parentheses that cite, name a figure or hold nothing.
_REFERENCES: Final = (
    re.compile(
        rf"et al|{_NAME} [A-Z]{{1,3}},? {_YEAR}|{_NAME}(?:,? (?:and|&) [A-Z][\w’'-]+)*,? \(?{_YEAR}"
        rf"|^\s*{_YEAR}\s*$|^\s*\d{{1,3}}(?:\s*[,–—-]\s*\d{{1,3}})*\s*$|^\s*$"
        r"|unpublished|personal communication|in press|not shown|submitted|reviewed in|see "
    ),
    re.compile(
        r"^\s*(?:(?:figs?|figures?|tables?|suppl\w*|additional files?|appendix|appendices|schemes?|box"
        r"|panels?"
        r"|refs?|equations?|eqs?|(?:datasets?|files?|texts?) s\d|videos?)\b\.?\s*\(?|S\d+ )",
        re.IGNORECASE,
    ),
    _FIGURE_LEFT,
)
# What citations leave behind, in the order of their removal.
_LEFTOVERS: Final = tuple(
    (re.compile(left), instead)
    for left, instead in (
        (rf"(?<=[a-z]{{4}})\^{_NUMBERS}(?=[\s,;.]|$)", ""),
        (rf"(?<=[a-z]{{4}}),?{_NUMBERS}(?=[\s,;.]|$)", ""),
        (r"\s+", " "),
        (r"\s+(?=[,;.])", ""),
        (r"([,;.])(?:\s*[,;])+", r"\1"),
        (r"^[ ,;.]+|[ ,;.]+$", ""),
    )
)
# Words in front that link to an earlier sentence or carry no fact, before a comma, or for some without one.
_CONNECTIVE: Final = re.compile(
    rf"^(?:(?:{lex.any_of('connectives')}"
    rf"|in (?:this|our|the(?: present| current)?) (?:{lex.any_of('studies')}))\s*,\s*"
    rf"|(?:{lex.any_of('connectives_without_comma')})\s+)",
    re.IGNORECASE,
)
# What points to the paper itself between a subject and its verb.
_HERE: Final = re.compile(
    r"(?<!used)(?<!included)(?<!analysed) in (?:this|our|the (?:present|current)) study "
    r"(?=(?:was|were|ranged|varied) )"
)
# "(range: 36-90)": a colon that begins no list.
_SPREAD: Final = re.compile(r"\((range|(?:9[059]%? ?)?CI|IQR|SD|SE|interquartile range): ")
_REFUSED: Final = (*'?![]{}\\|•©…"“”;:', "et al", "http", "www.", "=>", " . ")
# What breaks off, and what a citation leaves that was part of the sentence: "according to [3] with".
_TORN: Final = re.compile(
    r"\b(?:and|or|of|the|in|by|for|with|to|from|at|as|that|which|than)$"
    r"|\b(?:to|of|by|from|with|and|or|in) (?:with|and|or|by|of)\b"
)


def statement(sentence: str) -> str | None:
    """The sentence cleaned so that it stands alone, without its full stop; None where that is not certain."""
    text = " ".join(sentence.split())
    if not text.endswith(".") or text.endswith("..") or not text[0].isupper():
        return None
    text = _HERE.sub(" ", without_connectives(without_references(text[:-1])))
    text = _SPREAD.sub(r"(\1 ", text)
    if not text or any(mark in text for mark in _REFUSED) or text.count("(") != text.count(")"):
        return None
    lowered = text.lower()
    torn = _FIGURE_LEFT.search(text) or _TORN.search(text) or "doi" in lowered or "accession" in lowered
    return None if torn else text[0].upper() + text[1:]


def without_connectives(text: str) -> str:
    """The text without up to three connectives before it."""
    for _ in range(3):
        text = _CONNECTIVE.sub("", text, count=1)
    return text


def without_references(text: str) -> str:
    """The text without citations and references to figures, from the inside of its parentheses out."""
    text = _CITATION_BRACKET.sub("", text)
    for _ in range(3):
        # Kept ones are masked so that an outer parenthesis can be seen, and put back below.
        text = _INNERMOST_PARENTHESIS.sub(
            lambda found: "" if _is_reference(found[1]) else found[0].translate({40: "\x02", 41: "\x03"}),
            text,
        )
    text = text.translate({2: "(", 3: ")"})
    for left, instead in _LEFTOVERS:
        text = left.sub(instead, text)
    return text


def _is_reference(inner: str) -> bool:
    return any(reference.search(inner) for reference in _REFERENCES)
