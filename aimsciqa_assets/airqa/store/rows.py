"""The contents of a paper -> rows of the eight tables, with AirQA's UUIDs and ordinals.

Boxes are [x, y, width, height] for figures and tables alike. Ordinals count from 0, those of chunks from 1;
they count on the page, those of sections and references in the paper.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from aimsciqa_assets.airqa.store.chunks import chunks_of
from aimsciqa_assets.airqa.uuids import (
    OnPage,
    on_page_uuid,
    page_uuid,
    paper_uuid,
    reference_uuid,
    section_uuid,
)
from aimsciqa_assets.reading.contents import Contents, Corners, Element

Row = dict[str, Any]
Count = Callable[[Sequence[str]], Sequence[int]]
"""How long each of some words is: tokens or characters."""

UNCATEGORIZED = "uncategorized"


@dataclass(frozen=True, slots=True)
class Publication:
    """Where a paper appeared, as far as it is known from outside the file; `uuid` if it has one."""

    conference_full: str | None = None
    conference: str = UNCATEGORIZED
    year: int | None = None
    volume: str | None = None
    download_url: str | None = None
    bibtex: str | None = None
    path: str = ""
    tldr: str | None = None
    tags: tuple[str, ...] = field(default=())
    uuid: str | None = None

    @property
    def venue(self) -> str:
        """Conference and year as one word, as in the id of the paper."""
        return f"{self.conference}{self.year or ''}"


def uuid_of(title: str, publication: Publication) -> str:
    """The id of a paper."""
    return publication.uuid or paper_uuid(title, publication.venue)


def rows_of(
    contents: Contents, publication: Publication, count: Count, chunk_size: int, *, printed: bool = True
) -> dict[str, list[Row]]:
    """The rows of one paper by table. `printed`: its pages are pages of paper, and can be counted."""
    paper = uuid_of(contents.title, publication)
    pages = {page.number: page_uuid(paper, page.number) for page in contents.pages}
    of_paper = {"ref_paper_id": paper}
    return {
        "metadata": [_metadata(contents, publication, paper, printed=printed)],
        "pages": [
            {
                "page_id": pages[page.number],
                "page_number": page.number,
                "page_width": page.width,
                "page_height": page.height,
                "page_content": page.text,
                "page_summary": page.summary,
                **of_paper,
            }
            for page in contents.pages
        ],
        "images": [
            {
                "image_id": key,
                "image_caption": one.caption,
                "image_summary": one.summary,
                "bounding_box": _box(one.box),
                "ordinal": ordinal,
                **of_paper,
                "ref_page_id": pages.get(one.page),
            }
            for key, ordinal, one in _numbered(paper, "image", contents.images)
        ],
        "chunks": [
            {
                "chunk_id": on_page_uuid(paper, page.number, "chunk", number),
                "text_content": chunk,
                "ordinal": number,
                **of_paper,
                "ref_page_id": pages[page.number],
            }
            for page in contents.pages
            for number, chunk in enumerate(chunks_of(page.text, chunk_size, count), 1)
        ],
        "tables": [
            {
                "table_id": key,
                "table_caption": one.caption,
                "table_content": one.content,
                "table_summary": one.summary,
                "bounding_box": _box(one.box),
                "ordinal": ordinal,
                **of_paper,
                "ref_page_id": pages.get(one.page),
            }
            for key, ordinal, one in _numbered(paper, "table", contents.tables)
        ],
        "sections": [
            {
                "section_id": section_uuid(paper, position),
                "section_title": section.title,
                "section_content": section.text,
                "section_summary": section.summary,
                "ordinal": position,
                "page_numbers": section.pages,
                **of_paper,
            }
            for position, section in enumerate(contents.sections)
        ],
        "equations": [
            {
                "equation_id": key,
                "equation_content": one.content,
                "ordinal": ordinal,
                **of_paper,
                "ref_page_id": pages.get(one.page),
            }
            for key, ordinal, one in _numbered(paper, "equation", contents.equations)
        ],
        "reference": [
            {
                "reference_id": reference_uuid(paper, number),
                "reference_content": entry.text,
                "ordinal": number - 1,
                **of_paper,
                "ref_page_id": pages.get(entry.page) if entry.page else None,
            }
            for number, entry in enumerate(contents.references, 1)
        ],
    }


def _metadata(contents: Contents, publication: Publication, paper: str, *, printed: bool) -> Row:
    return {
        "paper_id": paper,
        "title": contents.title,
        "abstract": contents.abstract,
        "num_pages": len(contents.pages) if printed else None,
        "conference_full": publication.conference_full,
        "conference_abbreviation": publication.conference,
        "pub_year": publication.year,
        "volume": publication.volume,
        "download_url": publication.download_url,
        "bibtex": publication.bibtex,
        "authors": contents.authors,
        "pdf_path": publication.path,
        "tldr": publication.tldr,
        "tags": list(publication.tags) or contents.keywords,
    }


def _numbered(paper: str, kind: OnPage, elements: Iterable[Element]) -> Iterator[tuple[str, int, Element]]:
    """Each element with its id and its ordinal on its page."""
    seen: Counter[int] = Counter()
    for element in elements:
        ordinal = seen[element.page]
        seen[element.page] += 1
        yield on_page_uuid(paper, element.page, kind, ordinal + 1), ordinal, element


def _box(corners: Corners | None) -> list[int] | None:
    if corners is None:
        return None
    x0, y0, x1, y1 = (round(value) for value in corners)
    return [x0, y0, x1 - x0, y1 - y0]
