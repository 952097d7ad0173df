"""Abstract and body of a JATS article: top-level sections with their paragraphs, and the captions."""

import re
from collections.abc import Iterable
from operator import itemgetter

from lxml import etree

from aimsciqa_assets.reading.jats.inline import FLOATS, InlineText
from aimsciqa_assets.reading.jats.tables import read_table
from aimsciqa_assets.reading.jats.tree import language_of, local_name
from aimsciqa_assets.reading.paper import Caption, Marker, Paragraph, Section
from aimsciqa_assets.reading.paper_table import PaperTable
from aimsciqa_assets.reading.section_kinds import (
    is_always_back_matter,
    is_back_matter,
    plain_title,
    section_kind,
)

_SECTIONS = frozenset(("sec", "taxon-treatment", "treatment-sec", "app"))
_BLOCKS = frozenset((
    "p", "list", "def-list", "disp-quote", "statement", "verse-group", "speech", "preformat", "code",
    "disp-formula", "disp-formula-group", "chem-struct-wrap",
))  # fmt: skip
_CONTINUING = _BLOCKS - {"p", "statement"}
_NO_TEXT = frozenset((
    "title", "label", "object-id", "sec-meta", "fn-group", "fn", "supplementary-material", "media",
    "graphic", "ref-list", "notes", "glossary", "ack", "bio", "sig-block", "related-article",
    "related-object", "alt-title", "subtitle", "caption", "permissions", "kwd-group", "attrib",
    "alt-text", "long-desc", "nomenclature", "table", "sub-article", "response",
))  # fmt: skip
_MINOR_ABSTRACT_TYPE = re.compile(
    r"(?:abridged|asset|author highlights|author summary|capsule|digest|editor|editors|executive|graphic"
    r"|graphical|highlights?|impact|in brief|key|lay|object|plain|precis|short|significance|statement"
    r"|stereochemical|synopsis|teaser|toc|video|visual|web|what is known)\b"
)
_MINOR_ABSTRACT_TITLE = re.compile(
    r"(?:graphical|authors? (?:s )?summary|highlights|key points|key messages|lay\b|plain language|editor"
    r"|significance|teaser|digest|in brief|video abstract|visual abstract|what is known)"
)
_LANGUAGE_OF_HEADING = {
    "resumen": "es", "resumo": "pt", "r sum": "fr", "zusammenfassung": "de", "riassunto": "it",
}  # fmt: skip
"""Headings of abstracts ("Résumé") as `plain_title` writes them."""
_INTRODUCED_BY = frozenset(("methods", "results", "results_discussion", "discussion", "conclusion"))
_CONCLUDING = frozenset(("results_discussion", "discussion", "conclusion"))
_STUDY = frozenset(("methods", "results"))
_ONLY_DOI = re.compile(r"(?:doi:?\s*)?(?:https?://(?:dx\.)?doi\.org/)?10\.\d{4,9}/\S+", re.I)
_LONG_ITEM = 300
_LONGEST_TITLE = 300
_LONGEST_CONTINUED = 100_000
_LONGEST_PATH = 500


class BodyReader:
    """Walks one article and gathers its `sections`, `captions` of figures, and `tables`."""

    def __init__(self, inline: InlineText) -> None:
        self.sections: list[Section] = []
        self.captions: list[Caption] = []
        self.tables: list[PaperTable] = []
        self._inline = inline
        self._home: list[tuple[Caption | PaperTable, Section | None, str]] = []
        self._mentioned_in: dict[str, Section] = {}
        self._back_matter: list[etree._Element] = []

    def read(self, article: etree._Element) -> None:
        """Abstract first, then the body; floats outside the body belong where they are first named."""
        meta = article.find("front/article-meta")
        abstract = _main_abstract(meta, _language(article), self._inline) if meta is not None else None
        if abstract is not None:
            self._back_matter = self._closing(list(abstract))
            self._read_section(Section("Abstract", "abstract"), abstract)
        for body in article.iterchildren("body"):
            self._read_body(body)
        for group in article.iterchildren("floats-group"):
            for element in group:
                self._take_float(element, None, "")
        positions = {id(section): position for position, section in enumerate(self.sections)}
        for part, section, element_id in self._home:
            home = section or self._mentioned_in.get(element_id)
            part.section_position = positions.get(id(home)) if home else None

    def _read_body(self, body: etree._Element) -> None:
        """Each `sec` is a section; what stands outside is an untitled one, an introduction if it opens."""
        first = len(self.sections)
        loose: list[etree._Element] = []
        lead = body.text or ""
        parts = _unwrapped(body)
        self._back_matter = self._closing(parts)
        for part in parts:
            if local_name(part) not in _SECTIONS:
                loose.append(part)
                continue
            self._read_loose(loose, lead)
            loose, lead = [], ""
            title = self._title(part)
            if not self._is_back_matter(part, title):
                self._read_section(Section(title, section_kind(title, part.get("sec-type", ""))), part)
        self._read_loose(loose, lead)
        opening, later = self.sections[first : first + 1], self.sections[first + 1 :]
        untitled = bool(opening and later) and not opening[0].title and later[0].kind != "introduction"
        if untitled and any(section.kind in _INTRODUCED_BY for section in later):
            opening[0].kind = "introduction"

    def _closing(self, parts: list[etree._Element]) -> list[etree._Element]:
        """Return the sections titled like back matter that close a body, an abstract or a section.

        They follow the last discussion or conclusion, or nothing but back matter follows them. Inside methods
        and results there are none: "Funding" or "Appendix" is about the subject there. A title that has no
        other meaning needs no such place.
        """
        kinds = [section_kind(self._title(part), part.get("sec-type", "")) for part in parts]
        titled = [is_back_matter(self._title(part), part.get("sec-type", "")) for part in parts]
        body = [
            not back and local_name(part) not in _NO_TEXT for part, back in zip(parts, titled, strict=True)
        ]
        last = max((at for at, is_body in enumerate(body) if is_body), default=-1)
        concluded = max((at for at, kind in enumerate(kinds) if kind in _CONCLUDING), default=last)
        closing = [part for at, part in enumerate(parts) if titled[at] and at > min(last, concluded)]
        if last >= 0 and local_name(parts[last]) in _SECTIONS and kinds[last] not in _STUDY:
            closing += self._closing(list(parts[last]))
        self._inline.floats, self._inline.mentioned = [], []  # of titles that are read again
        return closing

    def _is_back_matter(self, section: etree._Element, title: str) -> bool:
        return is_always_back_matter(title, section.get("sec-type", "")) or section in self._back_matter

    def _read_loose(self, elements: list[etree._Element], lead: str) -> None:
        section = Section("", "other")
        self._fill(section, elements, "", [lead] if lead.strip() else [])
        if section.paragraphs:
            self.sections.append(section)

    def _read_section(self, section: Section, element: etree._Element) -> None:
        self._fill_from(section, element, "")
        if section.paragraphs:
            self.sections.append(section)

    def _fill_from(self, section: Section, element: etree._Element, path: str) -> None:
        stray: list[etree._Element | str] = [element.text] if element.text and element.text.strip() else []
        self._fill(section, element, path, stray)

    def _fill(
        self,
        section: Section,
        elements: Iterable[etree._Element],
        path: str,
        stray: list[etree._Element | str] | None = None,
    ) -> None:
        """Add the paragraphs of `elements` to the section; text outside any block (broken files) as well."""
        stray = stray or []
        for child in elements:
            name = local_name(child)
            if name in _BLOCKS:
                self._flush(section, path, stray)
                self._add_block(section, path, child, name)
            elif name in _SECTIONS:
                self._flush(section, path, stray)
                self._read_subsection(section, path, child)
            elif name in FLOATS:
                self._take_float(child, section, path)
            elif name and name not in _NO_TEXT:
                if next(child.iter("p", "sec"), None) is not None:
                    self._flush(section, path, stray)
                    self._fill_from(section, child, path)
                else:
                    stray.append(child)
            if child.tail and not child.tail.isspace():
                stray.append(child.tail)
        self._flush(section, path, stray)

    def _flush(self, section: Section, path: str, stray: list[etree._Element | str]) -> None:
        if stray:
            self._add(section, path, stray)
            stray.clear()

    def _read_subsection(self, section: Section, path: str, element: etree._Element) -> None:
        title = self._title(element)
        if not self._is_back_matter(element, title):
            self._fill_from(section, element, _deeper(path, title))

    def _title(self, element: etree._Element) -> str:
        title = element.find("title")
        if title is None:
            title = next((child for child in element if local_name(child) in {"title", "nomenclature"}), None)
        return self._inline.plain(title)[:_LONGEST_TITLE].rstrip(" :.") if title is not None else ""

    def _add_block(self, section: Section, path: str, element: etree._Element, name: str) -> None:
        if name == "list":
            items = [item for item in element if local_name(item) == "list-item"]
            if any(_length(item) > _LONG_ITEM for item in items):
                for item in items:
                    self._fill_from(section, item, path)
                return
        self._add(section, path, [element], continues=name in _CONTINUING)

    def _add(
        self, section: Section, path: str, parts: list[etree._Element | str], *, continues: bool = False
    ) -> None:
        """One more paragraph; a list or formula that a sentence leads up to goes on with that paragraph."""
        text, markers = self._inline.paragraph(*parts)
        if text and any(map(str.isalnum, text)) and not _ONLY_DOI.fullmatch(text):
            last = section.paragraphs[-1] if section.paragraphs else None
            if continues and last is not None and _goes_on(last, path):
                shift = len(last.text) + 1
                last.text = f"{last.text} {text}"
                last.markers += [Marker(m.start + shift, m.end + shift, m.reference_keys) for m in markers]
            else:
                section.paragraphs.append(Paragraph(text, path, markers))
        for element_id in self._inline.mentioned:
            self._mentioned_in.setdefault(element_id, section)
        floats, self._inline.floats, self._inline.mentioned = self._inline.floats, [], []
        for element in floats:
            self._take_float(element, section, path)

    def _take_float(self, element: etree._Element, section: Section | None, path: str) -> None:
        name = local_name(element)
        if name == "boxed-text":
            self._take_box(element, section, path)
            return
        if name in {"fig-group", "table-wrap-group"}:
            for part in element:
                self._take_float(part, section, path)
        if name not in FLOATS:
            return
        label = self._inline.plain(element.find("label")).rstrip(" .:")
        text = self._caption_text(element)
        if name == "table-wrap":
            table = read_table(element, label, text, self._inline)
            if table.text:
                self.tables.append(table)
                self._home.append((table, section, element.get("id", "")))
        elif text or label:
            self.captions.append(Caption(label, text))
            self._home.append((self.captions[-1], section, element.get("id", "")))

    def _caption_text(self, element: etree._Element) -> str:
        texts = [self._inline.plain(part) for caption in element.iterchildren("caption") for part in caption]
        if not texts:
            texts = [self._inline.plain(caption) for caption in element.iterchildren("caption")]
        self._inline.floats, self._inline.mentioned = [], []
        texts = [text for text in texts if text and not _ONLY_DOI.fullmatch(text)]
        return " ".join(
            text if text[-1] in ".!?:;" or position == len(texts) else f"{text}."
            for position, text in enumerate(texts, 1)
        )

    def _take_box(self, element: etree._Element, section: Section | None, path: str) -> None:
        """A box is read where it stands; its label and title head its paragraphs."""
        if section is None:
            return
        caption = element.find("caption/title")
        heading = ": ".join(
            filter(
                None,
                (
                    self._inline.plain(element.find("label")).rstrip(" .:"),
                    self._inline.plain(caption) or self._title(element),
                ),
            )
        )
        is_back = is_always_back_matter if section.kind in _STUDY else is_back_matter
        if not is_back(heading, element.get("content-type", "")):
            self._fill_from(section, element, _deeper(path, heading[:_LONGEST_TITLE]))


def _unwrapped(body: etree._Element) -> list[etree._Element]:
    """The parts of the body; of one untitled `sec` around everything, its parts."""
    parts = list(body)
    while (
        len(parts) == 1
        and parts[0].tag == "sec"
        and parts[0].find("title") is None
        and len(parts[0].findall("sec")) > 1
    ):
        parts = list(parts[0])
    return parts


def _goes_on(paragraph: Paragraph, path: str) -> bool:
    """Whether a list or formula belongs to the paragraph before it."""
    open_ended = paragraph.text[-1] not in ".!?" and len(paragraph.text) < _LONGEST_CONTINUED
    return open_ended and paragraph.subsection == path


def _deeper(path: str, title: str) -> str:
    if not title:
        return path
    return (f"{path} > {title}" if path else title)[:_LONGEST_PATH]


def _length(element: etree._Element) -> int:
    return sum(len(text) for text in element.itertext())


def _language(article: etree._Element) -> str:
    """Return the language of an article: its own, else that of its title, else English as in the DTD."""
    title = article.find("front/article-meta/title-group/article-title")
    return language_of(article) or (language_of(title) if title is not None else "") or "en"


def _main_abstract(meta: etree._Element, language: str, inline: InlineText) -> etree._Element | None:
    """Return the abstract proper, in the language of the article if there is one.

    It is neither graphical, nor highlights, nor a summary for other readers. A translation counts only if it
    is into the language of the article.
    """
    ranked: list[tuple[tuple[bool, ...], etree._Element]] = []
    for abstract in meta.iterchildren("abstract", "trans-abstract"):
        is_translated = abstract.tag == "trans-abstract"
        stated = _abstract_language(abstract, inline)
        is_foreign = stated != language and (is_translated or stated != "")
        is_empty = not "".join(map(str, abstract.itertext())).strip()
        if is_empty or (is_translated and is_foreign) or _is_minor(abstract, inline):
            continue
        ranked.append(
            ((is_foreign, is_translated, bool(abstract.get("abstract-type")), not stated), abstract)
        )
    return min(ranked, key=itemgetter(0), default=(None, None))[1]


def _abstract_language(abstract: etree._Element, inline: InlineText) -> str:
    """Return the language that an abstract, its first part with one, or its heading states."""
    parts = (abstract, *abstract.iterchildren("sec", "p"))
    stated = next(filter(None, map(language_of, parts)), "")
    return stated or _LANGUAGE_OF_HEADING.get(plain_title(inline.plain(abstract.find("title"))), "")


def _is_minor(abstract: etree._Element, inline: InlineText) -> bool:
    if _MINOR_ABSTRACT_TYPE.match(plain_title(abstract.get("abstract-type", ""))):
        return True
    return _MINOR_ABSTRACT_TITLE.match(plain_title(inline.plain(abstract.find("title")))) is not None
