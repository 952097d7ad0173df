"""What a reader makes of one paper, whatever it came as: the common form of PDF, JATS and MinerU's JSON."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

Corners = tuple[float, float, float, float]
"""x0, y0, x1, y1 in points from the top left corner of the page."""


@dataclass(slots=True)
class PageText:
    """A page; `width` and `height` are null when nothing was printed (a paper that came as XML)."""

    number: int
    text: str
    width: int | None = None
    height: int | None = None
    summary: str | None = None


@dataclass(slots=True)
class Element:
    """A table (`content` is HTML), a figure (no content) or an equation (LaTeX, or as printed).

    `section` counts the section of a PDF in which the caption stands, from 0.
    """

    page: int
    content: str = ""
    caption: str = ""
    box: Corners | None = None
    summary: str | None = None
    section: int | None = None


@dataclass(slots=True)
class SectionText:
    """A heading and the text up to the next one; `level` is 1 for the uppermost."""

    title: str
    text: str = ""
    pages: list[int] = field(default_factory=list)
    level: int = 1
    summary: str | None = None


@dataclass(slots=True)
class Entry:
    """An entry of the bibliography; `page` is null when it is not known."""

    text: str
    page: int | None = None


_PLAIN: Final = (
    "title",
    "abstract",
    "authors",
    "year",
    "doi",
    "licence",
    "venue",
    "abbreviation",
    "volume",
    "keywords",
)


@dataclass(slots=True)
class Contents:
    """A paper as its rows need it.

    `year`, `doi`, `venue` with its `abbreviation`, `volume` and `keywords` are what the file itself tells.
    Summaries are null unless somebody wrote them. `published` is where it appeared, for files that tell it:
    the fields of `Publication`.
    """

    title: str
    abstract: str = ""
    authors: list[str] = field(default_factory=list)
    year: int | None = None
    doi: str | None = None
    licence: str = ""
    venue: str = ""
    abbreviation: str = ""
    volume: str = ""
    keywords: list[str] = field(default_factory=list)
    pages: list[PageText] = field(default_factory=list)
    sections: list[SectionText] = field(default_factory=list)
    tables: list[Element] = field(default_factory=list)
    images: list[Element] = field(default_factory=list)
    equations: list[Element] = field(default_factory=list)
    references: list[Entry] = field(default_factory=list)
    published: dict[str, Any] | None = None

    def as_json(self) -> dict[str, Any]:
        """The contents as JSON can hold them."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Contents":
        """The contents that `as_json` gave."""
        return cls(
            **{key: values[key] for key in _PLAIN},
            pages=[PageText(**one) for one in values["pages"]],
            sections=[SectionText(**one) for one in values["sections"]],
            tables=[_element(one) for one in values["tables"]],
            images=[_element(one) for one in values["images"]],
            equations=[_element(one) for one in values["equations"]],
            references=[Entry(**one) for one in values["references"]],
            published=values.get("published"),
        )


def _element(values: Mapping[str, Any]) -> Element:
    box = values["box"]
    return Element(**{**values, "box": None if box is None else tuple(box)})
