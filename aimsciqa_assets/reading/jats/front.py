"""What the front matter of a JATS article says: ids, title, dates, first author, licence, keywords."""

import re
from collections.abc import Iterator

from lxml import etree

from aimsciqa_assets.reading.identifiers import normalise_doi, normalise_pmcid, normalise_pmid
from aimsciqa_assets.reading.jats.inline import InlineText
from aimsciqa_assets.reading.jats.references import surname_in
from aimsciqa_assets.reading.jats.tree import language_of, link_target, local_name
from aimsciqa_assets.reading.keywords import extract_keywords, normalise_keyword
from aimsciqa_assets.reading.licences import granted_licence, licence_name
from aimsciqa_assets.reading.paper import Keyword, KeywordOrigin, Paper
from aimsciqa_assets.reading.retractions import retraction_in_title, retraction_in_words
from aimsciqa_assets.tables.vocabulary import Retraction

_ID_FIELDS = {
    "doi": ("doi", normalise_doi),
    "pmid": ("pmid", normalise_pmid),
    "pmcid": ("pmcid", normalise_pmcid),
    "pmc": ("pmcid", normalise_pmcid),
    "pmcid-ver": ("pmcid", normalise_pmcid),
}
_NOT_PUBLICATION = re.compile(
    r"pmc-release|hwp|correct|retract|received|accepted|rev-|preprint|nihms|test|release|submit", re.I
)
_PUBLICATION = re.compile(r"epub|ppub|collection|pub|issue|online|print|publication|version-of-record", re.I)
_MONTHS = {
    name: number for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)
}
_ISO_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_PART_OF_ARTICLE = re.compile(r"data|fig|table|image|suppl|software|code", re.I)
_FOREIGN_KEYWORDS = re.compile(
    r"abbr|acronym|organism|jel|msc|pacs|classif|code|ocis|mesh-qual|custom|heading|highlight", re.I
)
_WORD = re.compile(r"[^\W\d_]+")
_ARTICLE_KINDS = frozenset(
    """a abstract abstracts access advance advances an analysis and article articles brief case clinical
    comment commentaries commentary comments communication communications conference contribution
    contributions correction correspondence corrigendum data descriptor editorial editorials education
    erratum essay essays feature features focus for forum from full general guideline guidelines
    hypothesis in insight insights investigation investigations invited issue length letter letters meta
    method methodology methods mini minireview miscellaneous news note notes of on open opinion opinions
    original other others paper papers perspective perspectives policy practice primer proceedings
    protocol protocols publication rapid registered regular replication report reports research resource
    resources review reviewed reviews section series short software special statement studies study
    synthesis systematic technical the theory to tool tools trial trials tutorial view viewpoint
    viewpoints views world""".split()
)


def read_front(article: etree._Element, paper: Paper, inline: InlineText) -> None:
    """Fill the metadata of `paper`; keywords need `read_keywords`, once the abstract is known."""
    paper.article_type = article.get("article-type", "")
    paper.language = language_of(article)
    front = article.find("front")
    meta = front.find("article-meta") if front is not None else None
    if front is not None:
        paper.journal = _journal(front.find("journal-meta"), inline)
    if meta is None:
        return
    for element in meta.iterchildren("article-id"):
        name, normalise = _ID_FIELDS.get(element.get("pub-id-type", "").lower(), ("", None))
        if normalise and getattr(paper, name) is None:
            setattr(paper, name, normalise("".join(map(str, element.itertext()))))
    paper.title = _title(meta.find("title-group"), inline)
    paper.year, paper.published = _published(meta)
    paper.volume = _text_of(meta.find("volume"))
    paper.first_page = _text_of(meta.find("fpage")) or _text_of(meta.find("elocation-id"))
    paper.first_author = _first_author(meta)
    paper.licence, paper.licence_url = _licence(meta.findall("permissions"))
    paper.retraction = _retraction(article, meta, paper.title)


def _text_of(element: etree._Element | None) -> str:
    return " ".join("".join(map(str, element.itertext())).split()) if element is not None else ""


def _journal(meta: etree._Element | None, inline: InlineText) -> str:
    if meta is None:
        return ""
    for path in (
        "journal-title-group/journal-title",
        "journal-title",
        "journal-title-group/abbrev-journal-title",
    ):
        if title := inline.plain(meta.find(path)):
            return title
    ids = {
        element.get("journal-id-type", ""): _text_of(element) for element in meta.iterchildren("journal-id")
    }
    for kind in ("nlm-ta", "iso-abbrev", "publisher-id"):
        if any(map(str.isalpha, ids.get(kind, ""))):
            return ids[kind]
    return ""


def _title(group: etree._Element | None, inline: InlineText) -> str:
    """The article's title with its subtitle; an alternative or translated title only where it has none."""
    if group is None:
        return ""
    for path in ("article-title", "alt-title", "trans-title", "trans-title-group/trans-title"):
        title = inline.plain(group.find(path)).strip(" *†‡§¶")
        if not title:
            continue
        if path == "article-title":
            for subtitle in group.iterchildren("subtitle"):
                if addition := inline.plain(subtitle).strip(" *†‡§¶"):
                    title = (
                        f"{title.rstrip(':')}: {addition}"
                        if title[-1] not in "?!."
                        else f"{title} {addition}"
                    )
        return title
    return ""


def _published(meta: etree._Element) -> tuple[int | None, str]:
    """Year of the earliest publication date, and that date as far as known.

    Within a year a full date is preferred to a month, a month to the bare year. Online, print, issue and
    collection dates count alike; deposit in PMC, receipt, acceptance and corrections only where nothing else
    is known.
    """
    dates: dict[bool, list[tuple[int, int, int]]] = {True: [], False: []}
    for element in (
        *meta.iterchildren("pub-date"),
        *meta.iterfind("history/date"),
        *meta.iterfind("pub-history//date"),
    ):
        kind = " ".join((element.get("pub-type", ""), element.get("date-type", ""))).strip()
        date = _date(element)
        if date is None:
            continue
        counts = not _NOT_PUBLICATION.search(kind) and (
            element.tag == "pub-date" or _PUBLICATION.search(kind) is not None
        )
        if counts or element.tag == "pub-date":
            dates[counts].append(date)
    known = dates[True] or dates[False]
    if not known:
        return None, ""
    year, month, day = min(known)
    return year, f"{year}" + (f"-{month:02}" if month < 13 else "") + (f"-{day:02}" if day < 32 else "")


def _date(element: etree._Element) -> tuple[int, int, int] | None:
    """(year, month, day); an unknown month is 13, an unknown day 32, so that known ones come first."""
    iso = _ISO_DATE.match(element.get("iso-8601-date", ""))
    written = {part.tag: _text_of(part) for part in element}
    year = _YEAR.search(
        written.get("year", "") or written.get("string-date", "") or (iso.group(1) if iso else "")
    )
    if year is None:
        return None
    month_text = written.get("month", "") or (iso.group(2) or "" if iso else "")
    month = int(month_text) if _is_small_number(month_text) else _MONTHS.get(month_text[:3].lower(), 13)
    if not 1 <= month <= 12:
        return int(year.group()), 13, 32
    day_text = written.get("day", "") or (iso.group(3) or "" if iso else "")
    day = int(day_text) if _is_small_number(day_text) and 1 <= int(day_text) <= 31 else 32
    return int(year.group()), month, day


def _is_small_number(text: str) -> bool:
    return text.isdecimal() and len(text) <= 2


def _first_author(meta: etree._Element) -> str:
    for contributor in meta.iter("contrib"):
        if contributor.get("contrib-type", "author") not in {"author", "collab", "group"}:
            continue
        for part in contributor.iter("name", "string-name", "collab", "surname", "anonymous"):
            surnames = part.iter("surname") if part.tag != "collab" else ()
            for named in (*surnames, part):
                if name := " ".join("".join(_own_text(named)).split()):
                    return surname_in(name) if named.tag == "string-name" else name
    return ""


def _own_text(name: etree._Element) -> Iterator[str]:
    """Text of a name without its notes, and without the members listed in that of a group."""
    yield name.text or ""
    for child in name:
        if child.tag not in {"contrib-group", "xref", "email", "fn", "aff", "address", "sup"}:
            yield "".join(map(str, child.itertext()))
        yield child.tail or ""


def _licence(permissions: list[etree._Element]) -> tuple[str, str]:
    """Short name and URL of the article's licence.

    The address of a licence is trusted first, then its `license_ref`, then its type; of the prose only a
    sentence that licenses the article.
    """
    licences = [part for block in permissions for part in block.iter("license") if _is_of_article(part)]
    references = [part for block in permissions for part in block.iter("{*}license_ref", "ali:license_ref")]
    addresses = [link_target(licence).strip() for licence in licences]
    addresses += [_text_of(part) for part in references if _is_of_article(part)]
    for address in addresses:
        if name := licence_name(address):
            return name, address
    address = next(filter(None, addresses), "")
    links = [link_target(link).strip() for part in licences for link in part.iter("ext-link", "uri")]
    types = (licence_name(licence.get("license-type", "")) for licence in licences)
    name = next(filter(None, types), "") or granted_licence("\n\n".join(_statements(permissions, licences)))
    return name, next((link for link in links if name and licence_name(link) == name), address)


def _is_of_article(licence: etree._Element) -> bool:
    """Whether a licence says nothing of being that of data, figures, or supplements only."""
    return not _PART_OF_ARTICLE.search(f"{licence.get('specific-use', '')} {licence.get('content-type', '')}")


def _statements(permissions: list[etree._Element], licences: list[etree._Element]) -> Iterator[str]:
    """The paragraphs of licences, then what else the permissions state."""
    for licence in licences:
        for paragraph in list(licence.iter("license-p", "p")) or [licence]:
            yield " ".join("".join(_text_with_addresses(paragraph)).split())
    for block in permissions:
        for statement in (*block.iterchildren("license-p"), *block.iterchildren("copyright-statement")):
            yield " ".join("".join(_text_with_addresses(statement)).split())


def _text_with_addresses(element: etree._Element) -> Iterator[str]:
    """Text with the address of each link behind it, and without any `license_ref`."""
    yield element.text or ""
    for child in element:
        if local_name(child) != "license_ref":
            yield from _text_with_addresses(child)
            yield f" ({target}) " if (target := link_target(child)) else ""
        yield child.tail or ""


def _retraction(article: etree._Element, meta: etree._Element, title: str) -> Retraction | None:
    """What happened to the paper, or to that of which it is the notice; its title decides, if it says so."""
    headings = (
        text
        for group in meta.iterfind("article-categories/subj-group")
        for text in map(_text_of, group.iterchildren("subject"))
        if group.get("subj-group-type") == "heading" or " " in text  # "Withdrawal" may be the subject
    )
    labels = [
        article.get("article-type", ""),
        *(element.get("related-article-type", "") for element in meta.iter("related-article")),
        *(element.get("event-type", "") for element in meta.iterfind("pub-history//event")),
        *(element.get("date-type", "") for element in meta.iterfind(".//date")),
    ]
    announced = map(retraction_in_title, (title, *headings))
    return retraction_in_words([*filter(None, announced), *labels])


def read_keywords(article: etree._Element, paper: Paper, inline: InlineText) -> list[Keyword]:
    """Author keywords; without any, subject terms; without any, phrases of title and abstract."""
    meta = article.find("front/article-meta")
    if meta is not None:
        if words := _distinct(_author_keywords(meta, paper.language, inline), "author"):
            return words
        if words := _distinct(_subjects(meta, inline), "subject"):
            return words
    return _distinct(extract_keywords(paper.title, paper.abstract), "extracted")


def _distinct(words: list[str], origin: KeywordOrigin) -> list[Keyword]:
    by_form: dict[str, str] = {}
    for word in words:
        form = normalise_keyword(word)
        if form and len(form) < 150:
            by_form.setdefault(form, word)
    return [Keyword(word, origin) for word in by_form.values()]


def _author_keywords(meta: etree._Element, language: str, inline: InlineText) -> list[str]:
    words: list[str] = []
    for group in meta.iterchildren("kwd-group"):
        group_language = language_of(group)
        if group_language and language and group_language != language:
            continue
        titles = [inline.plain(group.find(name)) for name in ("title", "label")]
        heading = " ".join((group.get("kwd-group-type", ""), *titles))
        if _FOREIGN_KEYWORDS.search(heading):
            continue
        written = [
            _keyword_text(kwd, inline)
            for kwd in group.iter("kwd", "compound-kwd")
            if kwd.find("nested-kwd") is None
        ]
        words += [part for text in written for part in _split(text, alone=len(written) == 1)]
    return words


def _keyword_text(kwd: etree._Element, inline: InlineText) -> str:
    if kwd.tag == "kwd":
        return inline.plain(kwd)
    parts = [
        part for part in kwd if part.get("content-type", "") not in {"code", "abbrev", "abbreviation", "id"}
    ]
    return " ".join(filter(None, map(inline.plain, parts)))


def _split(text: str, *, alone: bool) -> list[str]:
    """A `kwd` that holds a whole list: parted at semicolons, a lone one without them at commas."""
    separator = (
        ";" if ";" in text else "," if alone and "," in text else "·" if "·" in text and alone else None
    )
    parts = text.split(separator) if separator else [text]
    return [part.strip(" .,;:") for part in parts if part.strip(" .,;:")]


def _subjects(meta: etree._Element, inline: InlineText) -> list[str]:
    """Topical subjects of the article's categories; kinds of article ("Research Article") are none."""
    categories = meta.find("article-categories")
    if categories is None:
        return []
    subjects = [inline.plain(subject) for subject in categories.iter("subject", "compound-subject-part")]
    return [subject for subject in subjects if not _ARTICLE_KINDS.issuperset(_WORD.findall(subject.lower()))]
