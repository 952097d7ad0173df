"""Retractions: which notice a paper is or bears, from its title and from the words of its markup."""

import re
from collections.abc import Iterable

from aimsciqa_assets.tables.vocabulary import Retraction

_KINDS: tuple[tuple[Retraction, re.Pattern[str]], ...] = (
    ("retracted", re.compile(r"retract", re.I)),
    ("withdrawn", re.compile(r"withdr|remov", re.I)),
    ("expression_of_concern", re.compile(r"concern", re.I)),
)
_CONCERN = r"(?:expression|note|notice|statement) of concern"
_EVENT = rf"(?P<{{0}}>retract(?:ion|ed)|withdraw(?:al|n)|remov(?:al|ed)|{_CONCERN})\b"
_NOTICE = r"(?:note|notice|statement|announcement|letter|notification)\b"
_WORK = r"(?:article|paper|publication|manuscript|chapter|study)\b"
_BEGINNING = re.compile(
    r"\W*(?:(?:correction|erratum|corrigendum|update)(?:\s+to)?\s*:\s*)?"
    r"(?:(?:editorial|editors?|publishers?|authors?|journal|partial|full|temporary|permanent|interim"
    r"|this|has been|was|is|article|paper)(?:['’]s?)?\s+)*"
    rf"(?:{_NOTICE}\s+of\s+(?:(?:an?|the|editorial|partial)\s+)*{_EVENT.format('announced')}"
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
    rf"(?:[\[(]\s*(?:this {_WORK} (?:has been|was) )?|\s[-–—]\s*|:\s+)"
    rf"(?P<event>retracted|withdrawn|expression of concern|retraction (?:of|{_NOTICE}))(?:\s+{_WORK})?"
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
