"""The bibliography of a JATS article: every citation of every `ref`, whichever element it is written in."""

import re
from collections.abc import Iterator
from functools import partial

from lxml import etree

from aimsciqa_assets.reading.identifiers import (
    find_doi,
    find_pmcid,
    find_pmid,
    normalise_doi,
    normalise_pmcid,
    normalise_pmid,
)
from aimsciqa_assets.reading.jats.inline import tidy
from aimsciqa_assets.reading.jats.markers import MOST_CITATIONS
from aimsciqa_assets.reading.jats.tree import link_target
from aimsciqa_assets.reading.paper import Reference

_all_text = partial(etree.tostring, method="text", encoding="unicode", with_tail=False)
_CITATIONS = frozenset(("element-citation", "mixed-citation", "nlm-citation", "citation"))
_STRUCTURED_FIRST = ("element-citation", "nlm-citation", "citation", "mixed-citation")
_LISTED_AUTHORS = 6
_PARSED_LENGTH = 3000

_STRAY_BLANK = re.compile(r" (?=[,;.:](?:\s|$)|\))|(?<=\() ")
_YEAR = re.compile(r"(?<![\d.:/–-])(1[5-9]\d\d|20\d\d)(?!\d|[.:/–-]\d)")
_VISIT = re.compile(r"\b(?:accessed|retrieved|cited|viewed|last visited|available)\b", re.I)
_YEAR_IN_BRACKETS = re.compile(r"\(((?:1[5-9]|20)\d\d)[a-z]?[,)]")
_VOLUME_AND_PAGE = re.compile(
    r"(?<![\d.])(\d{1,4})\s*(?:\(\s*[^()]{1,20}\)|,\s*no\.?\s*\d+)?\s*[:,]\s*(?:pp?\.?\s*)?([A-Za-z]{0,2}\d{1,7})"
    r"(?:\s*[-–—−‐]\s*[A-Za-z]{0,2}\d{1,7})?(?!\d)"
)
_FIRST_SURNAME = re.compile(
    r"^[\s\d.)\]\[(]*(?:(?:[A-Z]\.[\s-]*){1,3}\s*)?"
    r"((?:(?:van|von|de|der|den|del|di|da|le|la|el|al|ter)\s+)*[^\W\d_][^\W\d_]+(?:[-'’][^\W\d_]+)*)", re.I
)  # fmt: skip
_INITIALS = re.compile(r"(?:[A-Z]\.?-?){1,2}|(?:[A-Z]\.-?){3}")
_FAMILY_NAME = re.compile(
    r"(?:\b(?:van|von|de|der|den|del|di|da|dos|das|do|le|la|el|al|ter|bin)\s+)*\S*$", re.I
)


class _Entry:
    """What the children of one citation element say, gathered in one pass."""

    __slots__ = ("doi", "fields", "label", "pmcid", "pmid")

    def __init__(self) -> None:
        self.fields: dict[str, str] = {}
        self.label = ""
        self.doi: str | None = None
        self.pmid: str | None = None
        self.pmcid: str | None = None


def read_references(article: etree._Element) -> tuple[list[Reference], dict[str, tuple[str, ...]]]:
    """References in order, and for every XML id of a `ref` or citation the keys it stands for.

    A `ref` with several citations gives one reference each, keyed `id`, `id#2`, ...; its id names them all.
    References of a `sub-article` or `response` are not the paper's.
    """
    references: list[Reference] = []
    keys_by_id: dict[str, tuple[str, ...]] = {}
    taken: dict[str, int] = {}
    for ref in _own_refs(article):
        label, citations = _parts_of(ref)
        ref_id = ref.get("id") or citations[0].get("id") or f"ref{len(references) + 1}"
        keys = []
        for number, citation in enumerate(citations, start=1):
            key = _free_key(ref_id if number == 1 else f"{ref_id}#{number}", taken)
            reference = _reference(citation, key, len(references))
            own_label = "" if citation is ref else reference.label
            reference.label = label + own_label if len(citations) > 1 else label or own_label
            references.append(reference)
            keys.append(key)
            if citation is not ref and (citation_id := citation.get("id")):
                keys_by_id.setdefault(citation_id, (key,))
        if len(keys) > 1 or ref_id not in keys_by_id:
            keys_by_id[ref_id] = tuple(keys[:MOST_CITATIONS])
    return references, keys_by_id


def _own_refs(article: etree._Element) -> Iterator[etree._Element]:
    for part in article:
        if part.tag in {"back", "body", "floats-group", "front", "ref-list"}:
            yield from part.iter("ref")


def _parts_of(ref: etree._Element) -> tuple[str, list[etree._Element]]:
    """The label and the citations of a `ref`: of alternatives the most structured; itself if it has none."""
    label = ""
    citations = []
    for child in ref:
        name = child.tag
        if name in _CITATIONS:
            citations.append(child)
        elif name == "label":
            label = _text(child).strip(" .")
        elif name == "citation-alternatives":
            versions = [version for version in child if version.tag in _CITATIONS]
            citations += sorted(versions, key=lambda version: _STRUCTURED_FIRST.index(version.tag))[:1]
        elif name == "note":
            citations += child.iter(*_STRUCTURED_FIRST)
    return label, citations or [ref]


def _text(element: etree._Element) -> str:
    """Text of a part of a reference; sub- and superscripts joined plainly, for titles are compared."""
    return " ".join((_all_text(element) if len(element) else element.text or "").split())


def _free_key(wanted: str, taken: dict[str, int]) -> str:
    """`wanted`, or with the next number behind it; `taken` counts for every key how often it was wanted."""
    key = wanted
    while key in taken:
        taken[wanted] += 1
        key = f"{wanted}#{taken[wanted]}"
    taken[key] = 1
    return key


def _reference(citation: etree._Element, key: str, position: int) -> Reference:
    entry = _Entry()
    _gather(citation, entry)
    fields = entry.fields
    text = _prose(citation) if _is_prose(citation) else _composed(citation, entry) or _prose(citation)
    title = fields.get("article-title") or fields.get("chapter-title") or fields.get("data-title") or ""
    source = fields.get("source", "")
    reference = Reference(
        key=key,
        position=position,
        label=entry.label,
        text=text,
        title=(title or source).rstrip(" .,"),
        first_author=_first_author(citation),
        year=_year(fields.get("year", "")),
        journal=source.rstrip(" ,;") if title else "",
        volume=fields.get("volume", "").strip(" ,;:()"),
        first_page=(fields.get("fpage") or fields.get("elocation-id") or "").strip(" ,;:"),
        doi=entry.doi,
        pmid=entry.pmid,
        pmcid=entry.pmcid,
    )
    _complete_from_text(reference, text[:_PARSED_LENGTH])
    return reference


def _prose(citation: etree._Element) -> str:
    """A citation that carries its own punctuation."""
    surname = next(citation.iter("surname"), None)
    if surname is not None:
        name = surname.getparent()
        if not surname.tail or (name is not None and not (name.tail or "").strip()):
            _set_names_apart(citation)
    text = tidy(_all_text(citation))
    return (
        _STRAY_BLANK.sub("", text) if " ," in text or " ." in text or "( " in text or " )" in text else text
    )


def _set_names_apart(citation: etree._Element) -> None:
    """Put a blank inside and a comma between names that only the markup separates."""
    for part in citation.iter("surname", "name", "string-name"):
        if part.tail and not part.tail.isspace():
            continue
        if part.tag == "surname":
            part.tail = " "
        elif (following := part.getnext()) is not None and following.tag in _PEOPLE:
            part.tail = ", "


def _gather(parent: etree._Element, entry: _Entry) -> None:
    """Fill `entry` from the children, the first of each kind; set right what would mar the running text."""
    fields = entry.fields
    for child in parent:
        tag = child.tag
        if tag in _FIELDS:
            if tag not in fields:
                fields[tag] = _text(child)
            if tag == "comment" and len(child):
                _take_links_in(child, entry)
        elif tag == "pub-id":
            _take_pub_id(child, entry)
            before = child.getprevious()
            if before is not None and (not before.tail or before.tail[-1] == "."):
                child.text = f" {child.text or ''}"  # else glued to the page: "37:417-419.19216002"
        elif tag in _LINKS:
            _take_link(link_target(child) or _all_text(child), entry)
        elif tag == "label":
            entry.label = _text(child).strip(" .")
            child.text = None  # it is no part of the text
        elif tag not in _PEOPLE and len(child):
            _take_links_in(child, entry)


def _take_links_in(element: etree._Element, entry: _Entry) -> None:
    for link in element.iter("ext-link", "uri", "pub-id"):
        if link.tag == "pub-id":
            _take_pub_id(link, entry)
        else:
            _take_link(link_target(link) or (link.text or ""), entry)


_FIELDS = frozenset((
    "article-title", "chapter-title", "data-title", "part-title", "trans-title", "source", "year",
    "volume", "issue", "fpage", "lpage", "elocation-id", "publisher-name", "publisher-loc", "edition",
    "conf-name", "page-range", "comment", "date",
))  # fmt: skip
_PEOPLE = frozenset(
    ("person-group", "name", "string-name", "collab", "etal", "name-alternatives", "institution")
)
_LINKS = frozenset(("ext-link", "uri", "object-id", "self-uri"))


def _first_author(citation: etree._Element) -> str:
    """Surname of the first person, or the first group."""
    for names in (("surname", "collab"), ("name", "string-name", "given-names", "institution")):
        for people in (*citation.iterchildren("person-group"), citation):
            if people.get("person-group-type", "author") != "author":
                continue
            for part in people.iter(*names):
                if name := _text(part):
                    return surname_in(name) if part.tag == "string-name" else name
    return ""


def surname_in(name: str) -> str:
    """Return the surname of a name without markup: "Oku, Ana", "Oku A.", "A. Oku", "Ana Oku"."""
    family, comma, _ = name.partition(",")
    words = family.split()
    names = [word for word in words if not _INITIALS.fullmatch(word)] or words[:1]
    if comma or len(names) < len(words):
        return " ".join(names)
    last = _FAMILY_NAME.search(family)
    return last[0] if last else family


def _people(citation: etree._Element) -> str:
    """The authors as listed ("Owens J, Smith KL"), the first few of many; else the editors."""
    groups = citation.findall("person-group")
    if len(groups) > 1:
        groups = [group for group in groups if group.get("person-group-type") == "author"] or groups
    names: list[str] = []
    for part in (groups[0] if groups else citation).iter("surname", "given-names", "collab", "etal"):
        if part.tag == "given-names" and names:
            names[-1] += f" {part.text or ''}"
        elif part.tag == "etal" or len(names) == _LISTED_AUTHORS:
            names.append("et al.")
            break
        else:
            names.append((_all_text(part) if len(part) else part.text) or "")
    return " ".join(", ".join(filter(None, names)).split()) or (_text(groups[0]) if groups else "")


def _take_pub_id(element: etree._Element, entry: _Entry) -> None:
    kind = element.get("pub-id-type", "").lower()
    text = _all_text(element) if len(element) else element.text or ""
    if kind == "doi":
        entry.doi = entry.doi or normalise_doi(text)
    elif kind in {"pmid", "medline", "pubmed"}:
        entry.pmid = entry.pmid or normalise_pmid(text)
    elif kind in {"pmcid", "pmc"}:
        entry.pmcid = entry.pmcid or normalise_pmcid(text)
    else:
        _take_link(text, entry)


def _take_link(target: str, entry: _Entry) -> None:
    target = target[:1000]
    entry.doi = entry.doi or find_doi(target)
    entry.pmid = entry.pmid or find_pmid(target)
    entry.pmcid = entry.pmcid or find_pmcid(target)


def _is_prose(citation: etree._Element) -> bool:
    """Whether the citation carries its own punctuation, so that its text reads as it stands."""
    if citation.tag == "element-citation":
        return False
    if citation.text and not citation.text.isspace():
        return True
    return any(child.tail and not child.tail.isspace() for child in citation) or not len(citation)


def _composed(citation: etree._Element, entry: _Entry) -> str:
    """A line for a citation without punctuation of its own: who (when). Title. Source volume: pages."""
    field = entry.fields.get
    year, volume, issue, pages = (
        field("year"),
        field("volume", ""),
        field("issue"),
        field("fpage") or field("elocation-id"),
    )
    if issue:
        volume += f"({issue})"
    if pages and (last := field("lpage")) and last != pages:
        pages = f"{pages}–{last}"
    where = f"{field('source', '')} {volume}".strip()
    if pages:
        where = f"{where}: {pages}" if volume else f"{where} {pages}".strip()
    parts = [field("article-title"), field("chapter-title"), field("data-title"), where]
    parts += [field("publisher-name"), field("publisher-loc"), field("comment")]
    line = _people(citation) + (f" ({year})." if year else "")
    for part in parts:
        if part and (part := part.strip(" .,")):
            line += f" {part}."
    return line.strip()


def _year(text: str) -> int | None:
    if len(text) == 4 and text.isdecimal() and text[:2] in {"19", "20"}:
        return int(text)
    found = re.search(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)", text)
    return int(found.group(1)) if found else None


def _complete_from_text(reference: Reference, text: str) -> None:
    """Ids, and for citations without any markup the year, volume, page and first surname, out of the text."""
    lower = text.lower()
    if reference.doi is None and "10." in text:
        reference.doi = find_doi(text)
    if reference.pmid is None and ("pmid" in lower or "pubmed" in lower):
        reference.pmid = find_pmid(text)
    if reference.pmcid is None and "pmc" in lower:
        reference.pmcid = find_pmcid(text)
    if reference.year is None:
        printed = _VISIT.split(text, maxsplit=1)[0]
        found = _YEAR_IN_BRACKETS.search(printed) or _YEAR.search(printed)
        reference.year = int(found.group(1)) if found else None
    if not reference.first_author and not reference.title:
        found = _FIRST_SURNAME.match(text)
        reference.first_author = found.group(1) if found else ""
    if not reference.volume and not reference.first_page and not reference.title:
        found = _VOLUME_AND_PAGE.search(text)
        if found:
            reference.volume, reference.first_page = found.group(1), found.group(2)
