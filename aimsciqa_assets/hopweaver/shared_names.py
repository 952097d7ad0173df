"""Proper names that a document shares with others: entities that may lead from it to a second document.

A name is a run of capitalized words. That finds people, places, works and species, and some words that are
no names; the model chooses among them. Names that many documents hold lead to none of them.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from aimsciqa_assets.hopweaver.documents import Document, composed, names, plain, words_in
from aimsciqa_assets.hopweaver.generic_names import COUNTRIES, GENERIC, is_generic

_MOST: Final = 40
_LONG: Final = 1000
"""A document of more words has to hold a name twice: methods sections tell nothing of what they name."""
_FEW: Final = 6
"""A name leads somewhere if so many documents hold it at most, or if one of them has it for a title."""
_CAPITAL: Final = r"[A-ZÀ-ÖØ-ÞČĐŁŃŌŘŚŞŠŻŽİ][\w'’-]*\w"
_JOINED: Final = r"(?: (?:(?:of|the|de|la|von|van|der|du|al) ){0,2}| (?:and|for) )"
_NAME: Final = re.compile(rf"\b{_CAPITAL}(?:{_JOINED}{_CAPITAL})*")
_OF: Final = re.compile(r" of (?:the )?")
_AND: Final = re.compile(r" (?:and|for) (?:the )?")
_JOINER_FIRST: Final = re.compile(r"^(?:(?:and|for|of|the) )+")
_BODIES: Final = frozenset(
    """
    Academy Administration Agency Association Board Bureau Center Centers Centre Centres Chamber College
    Commission Committee Conference Convention Council Court Department Faculty Foundation Fund Institute
    Institutes Institution Ministry Museum Office Organization Organisation Republic School Secretary Service
    Services Society Trust Union University
    """.split()
)
"""Words of the names of bodies, which may have "and" or "for" within them."""
_BRACKETS: Final = re.compile(r"\([^()]*\)")
_IN_BRACKETS: Final = re.compile(r"\s*\([^()]*\)\s*\Z")
_CODE: Final = re.compile(r"\b[A-Z]{2,6} (?!(?:1[89]|20)\d\d\b)\d{2,5}[A-Z]?\b")
"""A code of two words, such as breeders and collections give: ICMH 1201. With a year it is a citation."""
_STOCK: Final = re.compile(
    r"\b(?:accessions?|cultivars?|cv\.|ecotypes?|genotypes?|hybrids?|isolates?|landraces?|strains?|variet(?:y|ies))"
    rf" ['‘\"“]?(?P<name>{_CAPITAL}(?: {_CAPITAL})?)"
)
"""What is named as a cultivar, a strain or the like."""
_SITE: Final = re.compile(rf"(?P<name>{_CAPITAL}(?: {_CAPITAL})?), (?P<country>[A-Z][a-z]+)\b")
_SMALL: Final = re.compile(r"\b[a-z]{2,}\b")


class SharedNames:
    """Which names stand in several documents. Only hashes of those are kept."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        """`documents` are all that may be found, the sources among them. Each is read once."""
        hashes, alone, told, titles = [], [], [], set()
        self._particular: set[int] = set()
        for document_id in documents:
            document = documents[document_id]
            found = _names_in(document)
            hashes.append(_hashes(found))
            alone.append(_hashes(key for key in found if found[key].alone))
            told.append(_hashes(_told_of(document, found)))
            self._particular.update(hash(key) for key in found if found[key].particular)
            titles.add(hash(plain(without_brackets(document.title))))
        names_found, holders = np.unique(_joined(hashes), return_counts=True)
        self._shared = names_found[holders > 1]
        self._holders = holders[holders > 1]
        self._alone = np.isin(self._shared, _joined(alone))
        names_told, tellers = np.unique(_joined(told), return_counts=True)
        self._tellers = dict(zip(names_told.tolist(), tellers.tolist(), strict=True))
        self._titles = titles

    def of(self, document: Document) -> list[str]:
        """The names of a document that others hold, too, the rarest first, 40 at most; not its title's."""
        found = sorted(
            (count, place, one.name)
            for place, (key, one) in enumerate(_names_in(document).items())
            if not _CODE.fullmatch(one.name)
            if (count := self._count(hash(key))) and self._stands(one.name, key)
            if not names(document.title, one.name)
        )
        return [name for _, _, name in found[:_MOST]]

    def promising(self, document: Document) -> list[str]:
        """Those of them, 40 at most, that are likely to lead to another document; generic names do not.

        Those that another document has for a title come first, then the rarest of several words or with a
        number, and cultivars, strains and sites that some document introduces as such. Any other single word
        that is nobody's title is a first name or a surname, most often. Another document has to hold the name
        twice, or to be short.
        """
        found = []
        written = _names_in(document)
        own = _told_of(document, written)
        for place, (key, one) in enumerate(written.items()):
            name = one.name
            count, titled = self._count(hash(key)), hash(key) in self._titles
            told = self._tellers.get(hash(key), 0) > (key in own)
            specific = _is_specific(name) or hash(key) in self._particular
            leads = titled or (1 < count <= _FEW and told and specific and self._stands(name, key))
            common = key in GENERIC if titled else is_generic(name)
            if leads and not common and not names(document.title, name):
                found.append((not titled, count, place, name))
        return [name for *_, name in sorted(found)[:_MOST]]

    def _stands(self, name: str, key: str) -> bool:
        """Whether a shared name is a whole one.

        It stands somewhere outside brackets and not only as part of a longer name: suppliers' addresses and
        "Drug Administration" do not. Two names that are joined stand for themselves if both do elsewhere.
        """
        place = self._place(hash(key))
        if place is None or not self._alone[place]:
            return False
        places = [self._place(hash(plain(part))) for part in _AND.split(name)]
        return len(places) == 1 or not all(one is not None and self._alone[one] for one in places)

    def _count(self, key: int) -> int:
        place = self._place(key)
        return 0 if place is None else int(self._holders[place])

    def _place(self, key: int) -> int | None:
        """Where the hash of a name stands among the shared ones."""
        place = int(np.searchsorted(self._shared, key))
        return place if place < len(self._shared) and int(self._shared[place]) == key else None


def leading(shared: Iterable[str], titles: Container[str]) -> int:
    """How likely shared names lead on: 2 where one is a title, in its plain form; 1 with any name, else 0."""
    return max((1 + (plain(name) in titles) for name in shared), default=0)


def without_brackets(title: str) -> str:
    """A title without what tells it from others of the same name: "The Weir (film)"."""
    return _IN_BRACKETS.sub("", title)


def _is_specific(name: str) -> bool:
    """Whether a name has several words, a number, or a capital letter inside a word: "BRCA1", "McLeod"."""
    return " " in name or any(sign.isdigit() or sign.isupper() for sign in name[1:])


@dataclass(slots=True)
class _Written:
    """A name as a document writes it first; `alone`: somewhere in it, outside brackets, as a whole name.

    `times`: how often it stands there. `particular`: it is introduced as a cultivar, a strain or a site.
    """

    name: str
    alone: bool
    times: int = 0
    particular: bool = False


def _names_in(document: Document) -> dict[str, _Written]:
    """The names of a document, by their plain form."""
    found: dict[str, _Written] = {}
    for _, text in document.paragraphs:
        for name, alone in _written(composed(text)):
            one = found.setdefault(plain(name), _Written(name, alone))
            one.alone = one.alone or alone
            one.times += 1
        for key in map(plain, _particular(composed(text))):
            if key in found:
                found[key].particular = True
    return found


def _particular(text: str) -> Iterator[str]:
    """Cultivars, strains, and places with their country, of a paragraph; outside brackets."""
    bare = _BRACKETS.sub(" ", text)
    yield from (found["name"] for found in _STOCK.finditer(bare))
    yield from (found["name"] for found in _SITE.finditer(bare) if found["country"].lower() in COUNTRIES)


def _told_of(document: Document, found: Mapping[str, _Written]) -> frozenset[str]:
    """The names of which a document is likely to state something: a long one holds them twice."""
    fewest = 1 + (words_in(document.text) > _LONG)
    return frozenset(key for key, one in found.items() if one.times >= fewest)


def _written(text: str) -> Iterator[tuple[str, bool]]:
    """The names of a paragraph. What opens a sentence has a capital letter anyhow and may be no name."""
    yield from ((found[0], True) for found in _CODE.finditer(text))
    small = set(_SMALL.findall(text))
    bare = _BRACKETS.sub(lambda found: " " * len(found[0]), text)
    for match in _NAME.finditer(text):
        name = match[0].removesuffix("'s").removesuffix("’s")
        if match.start() == 0 or text[: match.start()].rstrip()[-1:] in ".!?:":
            first, _, rest = name.partition(" ")
            if not rest:
                continue
            name = _JOINER_FIRST.sub("", rest) if first.lower() in small or len(first) < 4 else name
        # "Ada Reed and Bo Lund" are two names, "Food and Drug Administration" is one.
        wholes = [name] if _BODIES & set(name.split()) and name.count(" and ") < 2 else _AND.split(name)
        for one in dict.fromkeys(part for whole in wholes for part in _parts(whole)):
            if len(one) > 2 and one[0].isupper():
                yield one, one in wholes and bare[match.start()] != " "


def _parts(name: str) -> Iterator[str]:
    """A name and those within it: "Ada Reed of the Lantern School" may be one name or two."""
    yield name
    yield from _OF.split(name)
    for one in _AND.split(name):
        yield one
        yield from _OF.split(one)


def _hashes(names_found: Iterable[str]) -> npt.NDArray[np.int64]:
    return np.fromiter(map(hash, names_found), dtype=np.int64)


def _joined(hashes: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    return np.concatenate([np.empty(0, np.int64), *hashes])
