"""What a parser makes of one file: a `Paper` with its sections, paragraphs, markers and references.

All readers (JATS, PDF, documents) return these; nothing else of a file is used afterwards.
"""

from dataclasses import dataclass, field
from typing import Final, Literal

from aimsciqa_assets.reading.paper_table import PaperTable
from aimsciqa_assets.tables.vocabulary import Retraction, SectionKind

KeywordOrigin = Literal["author", "subject", "extracted"]

MANUSCRIPT: Final = "manuscript"
"""The article type of a version of a reviewed paper: other systems do not ask about it."""


class RejectedFileError(Exception):
    """A file that cannot become a paper.

    `reason` is a short fixed word for counting (`not_well_formed`, `too_large`, ...), `detail` says more.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail


@dataclass(slots=True)
class Marker:
    """An in-text citation as it stands in a paragraph.

    `text[start:end]` of the paragraph is what a reader sees of it ("[3]-[7]", "Smith et al., 2010", "3,4").
    Numbers come with their brackets ("[3,5,7-9]", one marker for the list), names and years without.
    `reference_keys` are the `Reference.key`s it names, ranges expanded, in order, without repetition;
    empty when it points to nothing in the bibliography.
    """

    start: int
    end: int
    reference_keys: tuple[str, ...]


@dataclass(slots=True)
class Paragraph:
    """One paragraph as a person would read it. `subsection` is the path of titles below the section."""

    text: str
    subsection: str = ""
    markers: list[Marker] = field(default_factory=list)


@dataclass(slots=True)
class Section:
    """A top-level section of the body, or the abstract (`kind = "abstract"`, always first)."""

    title: str
    kind: SectionKind
    paragraphs: list[Paragraph] = field(default_factory=list)


@dataclass(slots=True)
class Caption:
    """The label and caption of a figure; never part of a paragraph."""

    label: str
    text: str
    section_position: int | None = None


@dataclass(slots=True)
class Keyword:
    """A keyword as written; `origin` says who chose it."""

    text: str
    origin: KeywordOrigin


@dataclass(slots=True)
class Reference:
    """One entry of the bibliography. `key` is unique in the paper (the XML id, suffixed where needed)."""

    key: str
    position: int
    label: str = ""
    text: str = ""
    title: str = ""
    first_author: str = ""
    year: int | None = None
    journal: str = ""
    volume: str = ""
    first_page: str = ""
    doi: str | None = None
    pmid: str | None = None
    pmcid: str | None = None


@dataclass(slots=True)
class Paper:
    """A parsed paper. Ids are normalised (`PMC123`, digits, lower-case DOI without resolver) or None.

    `document_id` and `url` are those of a document that came as a line of JSON, and empty for papers.
    `repairs` says what had to be mended in the file before it could be read; empty for a sound file.
    """

    source: Literal["jats", "pdf", "document"]
    title: str
    document_id: str = ""
    url: str = ""
    pmcid: str | None = None
    pmid: str | None = None
    doi: str | None = None
    journal: str = ""
    year: int | None = None
    published: str = ""
    volume: str = ""
    first_page: str = ""
    first_author: str = ""
    article_type: str = ""
    language: str = ""
    licence: str = ""
    licence_url: str = ""
    retraction: Retraction | None = None
    sections: list[Section] = field(default_factory=list)
    keywords: list[Keyword] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    captions: list[Caption] = field(default_factory=list)
    tables: list[PaperTable] = field(default_factory=list)
    repairs: list[str] = field(default_factory=list)

    @property
    def abstract(self) -> str:
        """The abstract's paragraphs, joined by blank lines; empty when there is none."""
        return "\n\n".join(
            paragraph.text
            for section in self.sections
            if section.kind == "abstract"
            for paragraph in section.paragraphs
        )

    @property
    def has_full_text(self) -> bool:
        """Whether there is at least one paragraph outside the abstract."""
        return any(section.paragraphs for section in self.sections if section.kind != "abstract")
