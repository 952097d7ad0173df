"""The kind of a document's subject, as its opening defines it: "Ada Reed was a Welsh engineer and poet".

A rule that compares words. Where the opening defines nothing, as in most papers, the kind is not known.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from aimsciqa_assets.hopweaver.documents import Document, mentions, plain
from aimsciqa_assets.hopweaver.generic_names import GENERIC
from aimsciqa_assets.hopweaver.shared_names import without_brackets
from aimsciqa_assets.text.sentences import sentence_spans

_IS: Final = re.compile(r"\b(?:is|was|are|were) (?:(?:one of|among) )?(?:an?|the) (?P<said>[^.;:]+)")
_ENDS: Final = re.compile(
    r"\b(?:of|in|on|at|for|from|by|with|that|which|who|whose|where|when|as|to|during|between|near|under|"
    r"located|based|founded|known|best|born|written|directed|produced|published|released|starring|played|"
    r"situated|set|made|held|serving|active|devoted|dedicated|used|called|created|designed)\b|[(–—]"
)
_SEPARATED: Final = re.compile(r",| and | or |/|&")
_NO_KIND: Final = frozenset(
    """
    american aunt best brother child cousin daughter descendant example father first form former founder
    german granddaughter grandson heir husband international kind large largest leader little local major
    member modern mother much name national new niece nephew old oldest one only owner part piece president
    private professional public retired second short sister small son style term type uncle use variety way
    well widow wife word
    """.split()
)
"""Words of kinship, membership, size and order, which say of nobody and nothing what it is."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """`heads`: the last words of what a subject is said to be; `words`: all of them that tell something."""

    heads: frozenset[str]
    words: frozenset[str]


_UNKNOWN: Final = _Kind(frozenset(), frozenset())


def distance(source: Document, other: Document, subject_type: str = "") -> int:
    """How far apart two subjects are in kind, by the openings of their documents.

    0: they share the last word of a definition (two bridges), or the other has that of `subject_type`, what
    the model calls the source's subject. 1: they share another word (a basketball player and a basketball
    coach), or one of them is not defined. 2: neither.
    """
    ours, theirs = kind_of(source), kind_of(other)
    if theirs.heads & (ours.heads | _telling(plain(subject_type).split()[-1:])):
        return 0
    known = ours.heads and theirs.heads
    return 2 if known and not theirs.words & (ours.words | _telling(plain(subject_type).split())) else 1


def kind_of(document: Document) -> _Kind:
    """What the first two sentences of a document define its subject as."""
    if not document.paragraphs:
        return _UNKNOWN
    return _defined(without_brackets(document.title), document.paragraphs[0][1])


@lru_cache(maxsize=65536)
def _defined(title: str, text: str) -> _Kind:
    spans = sentence_spans(text)[:2]
    opening = text[spans[0][0] : spans[-1][1]] if spans else ""
    found = _IS.search(opening)
    if not found or not mentions(opening[: found.start()], title):
        return _UNKNOWN
    said = _ENDS.split(found["said"], maxsplit=1)[0]
    parts = [words for part in _SEPARATED.split(said) if (words := plain(part).split())]
    return _Kind(_telling(words[-1] for words in parts), _telling(word for words in parts for word in words))


def _telling(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word for word in words if len(word) > 2 and word not in _NO_KIND | GENERIC)


def with_kin(documents: Iterable[Document]) -> frozenset[str]:
    """The ids of documents whose subject has another one of its kind among them."""
    holding: dict[str, list[str]] = {}
    for document in documents:
        for head in kind_of(document).heads:
            holding.setdefault(head, []).append(document.document_id)
    return frozenset(one for ids in holding.values() if len(ids) > 1 for one in ids)
