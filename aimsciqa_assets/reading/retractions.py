"""Retractions: which notice a paper is or bears, from its title and from the words of its markup."""

import re
from collections.abc import Iterable

from aimsciqa_assets.tables.vocabulary import Retraction

_KINDS: tuple[tuple[Retraction, re.Pattern[str]], ...] = (
    ("retracted", re.compile(r"r[eé]tract|retrata", re.I)),
    ("withdrawn", re.compile(r"withdr|remov", re.I)),
    ("expression_of_concern", re.compile(r"concern|preocupa", re.I)),
)
_CONCERN = (
    r"(?:expression|note|notice|statement) of concern"
    r"|expresi[oó]n de preocupaci[oó]n|express[aã]o de preocupa[cç][aã]o"
)
_EVENT = (
    rf"(?P<{{0}}>retract(?:ion|ed|aci[oó]n)|retrata[cç][aã]o|r[eé]tractation|retrac?tad[ao]"
    rf"|withdraw(?:al|n)|remov(?:al|ed)|{_CONCERN})\b"
)
_NOTICE = r"(?:note|notice|statement|announcement|letter|notification|nota|aviso)\b"
_WORK = r"(?:article|paper|publication|manuscript|chapter|study)\b"
_BEGINNING = re.compile(
    r"\W*(?:(?:correction|erratum|corrigendum|update|note|(?:publisher|editor)s?['’]?s?\s+note)(?:\s+to)?\s*:\s*)?"
    r"(?:(?:editorial|editors?|publishers?|authors?|journal|partial|full|temporary|permanent|interim"
    r"|this|has been|was|is|article|paper|art[ií]culo|artigo)(?:['’]s?)?\s+)*"
    rf"(?:{_NOTICE}\s+(?:of|de)\s+(?:(?:an?|the|editorial|partial)\s+)*{_EVENT.format('announced')}"
    rf"|{_EVENT.format('event')}(?:"
    rf"\s+{_NOTICE}\s*(?:$|[\W_]|(?:of|to|for|on|in|regarding|concerning)\b)"
    rf"|(?<=ed|wn)\s+{_WORK}"
    rf"|(?:\s+{_WORK}|\s+and\s+(?:replacement|republication))?"
    r"(?:\W*$|\s*[:\].)]|\s+[-–—]\s|[–—]|\s+(?:of|to|for|on|in|regarding|about)\s*"
    rf"(?::|[\"“”‘'«]|(?:the|this)\s+{_WORK}|.{{1,80}}?\bet al\b))"
    r"|\s+for\s+(?-i:[A-Z])[\w'’-]+(?:\s+and\s+(?-i:[A-Z])[\w'’-]+)?,))",
    re.I,
)
_END = re.compile(
    rf"(?:[\[(]\s*(?:this {_WORK} (?:has been|was) )?|\s[-–—]\s*|[:.]\s+)"
    r"(?P<event>(?<=[\[(])retraction(?=\s*[\])])|retracted|withdrawn|expression of concern"
    rf"|retraction (?:of|{_NOTICE}))(?:\s+{_WORK})?"
    r"(?:[^\[\]()]*[\])])?\W*$",
    re.I,
)
_EVENTS = ("announced", "event")


def retraction_in_title(title: str) -> Retraction | None:
    """Return the notice that a title announces ("Retraction: ...", "RETRACTED: ...", "... [Withdrawn]")."""
    beginning, end = _BEGINNING.match(title), _END.search(title)
    words = [*(beginning.group(*_EVENTS) if beginning else ()), end["event"] if end else None]
    return retraction_in_words(filter(None, words))


def retraction_in_words(words: Iterable[str]) -> Retraction | None:
    """Return what article types, relations and events say; a concern counts if nothing graver is said."""
    named = [kind for word in words for kind, pattern in _KINDS if pattern.search(word)]
    return min(named, key=lambda kind: kind == "expression_of_concern", default=None)
