"""The pages of a PDF as plain values: printed lines, words, regions by kind, ruled lines, pictures.

Everything after this is pure. The kinds of regions come from the layout model inside pymupdf, which works
offline. A page whose text is turned is turned back before it is read, so that its words stand upright;
`Page.upright` keeps what is needed to tell where a box is on the page as printed.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from typing import Any, Literal

import pymupdf
import pymupdf.layout

from aimsciqa_assets.reading.paper import RejectedFileError
from aimsciqa_assets.reading.pdf.boxes import Box, Word
from aimsciqa_assets.reading.pdf.line_numbers import line_numbers
from aimsciqa_assets.reading.pdf.lines import TEXT_FLAGS, Line, printed_line

Kind = Literal[
    "title",
    "section-header",
    "text",
    "list-item",
    "footnote",
    "formula",
    "picture",
    "table",
    "caption",
    "page-header",
    "page-footer",
]
MAX_BYTES = 100 * 1024 * 1024
MAX_PAGES = 300
_FEWEST_LETTERS_PER_PAGE = 20
"""Pages that are images often carry a stamp or a page number as text."""
_THIN = 2.5
"""Drawings are ruled lines when they are at most so thick, in points."""
_MOST_DRAWINGS = 20_000
"""A plot of so many strokes rules no table."""


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a page that the layout model recognised."""

    kind: Kind
    box: Box


@dataclass(slots=True)
class Page:
    """What stands on a page, which counts from 1. `turned` is the angle by which it was turned to be read."""

    number: int
    width: float
    height: float
    lines: list[Line] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)
    rules: list[Box] = field(default_factory=list)
    pictures: list[Box] = field(default_factory=list)
    turned: int = 0

    def as_printed(self, box: Box) -> Box:
        """Where a box is on the page as it is shown, for a page that was turned to be read."""
        if self.turned == 90:
            return Box(box.y0, self.width - box.x1, box.y1, self.width - box.x0)
        if self.turned == 270:
            return Box(self.height - box.y1, box.x0, self.height - box.y0, box.x1)
        if self.turned == 180:
            return Box(self.width - box.x1, self.height - box.y1, self.width - box.x0, self.height - box.y0)
        return box


@dataclass(slots=True)
class Pages:
    """A whole PDF. `outline` are the bookmarks: (level from 1, title, page from 1)."""

    pages: list[Page]
    outline: list[tuple[int, str, int]] = field(default_factory=list)
    metadata: Mapping[str, str] = field(default_factory=dict)


def read_pages(data: bytes) -> Pages:
    """The pages of a PDF.

    Raises `RejectedFileError`: `empty_file`, `too_large`, `not_pdf`, `damaged_pdf`, `encrypted_pdf` (it wants
    a password) or `scanned_pdf` (no text on its pages: it needs OCR first).
    """
    if not data.strip():
        raise RejectedFileError("empty_file", "the file has no content")
    if len(data) > MAX_BYTES:
        raise RejectedFileError("too_large", f"{len(data):,} bytes")
    if b"%PDF-" not in data[:1024]:
        raise RejectedFileError("not_pdf", "it does not begin like a PDF, whatever its name says")
    mupdf: Any = pymupdf
    mupdf.TOOLS.mupdf_display_errors(False)
    mupdf.TOOLS.mupdf_display_warnings(False)
    try:
        with mupdf.open(stream=data, filetype="pdf") as document:
            return _pages(document)
    except Exception as error:
        raise pdf_failure(error) from error


def pdf_failure(error: Exception) -> Exception:
    """MuPDF's errors as ours; those of memory are "code=2: malloc (... bytes) failed"."""
    if isinstance(error, (RejectedFileError, MemoryError)):
        return error
    return (
        MemoryError(str(error)) if "alloc (" in str(error) else RejectedFileError("damaged_pdf", str(error))
    )


def _pages(document: Any) -> Pages:
    if document.needs_pass:
        raise RejectedFileError("encrypted_pdf", "it wants a password")
    count = document.page_count if document.is_pdf else 0
    if not count:
        raise RejectedFileError("damaged_pdf", "no page can be read")
    if count > MAX_PAGES:
        raise RejectedFileError("too_large", f"{count} pages")
    letters = sum(len(document.load_page(at).get_text()) for at in range(count))
    if letters < _FEWEST_LETTERS_PER_PAGE * count:
        if any(document.get_page_images(at) for at in range(count)):
            raise RejectedFileError("scanned_pdf", "its pages are images without text: it needs OCR first")
        raise RejectedFileError("no_text", "there is no text on its pages")
    upright = [_upright(document.load_page(at)) for at in range(count)]
    for (page, _), numbers in zip(upright, line_numbers([_words(page) for page, _ in upright]), strict=True):
        _erase(page, numbers)
    return Pages(
        [_page(page, at, turned) for at, (page, turned) in enumerate(upright, 1)],
        [(level, " ".join(title.split()), page) for level, title, page, *_ in document.get_toc()],
        {key: value for key, value in (document.metadata or {}).items() if value} | _published(document),
    )


def _published(document: Any) -> dict[str, str]:
    """Where a paper appeared, as publishers write it into the XMP of a file (PRISM's names)."""
    told = document.get_xml_metadata() or ""
    fields = {"publication": "publicationName", "volume": "volume", "year": "coverDate", "doi": "doi"}
    found = {
        key: re.search(rf"prism:{name}\b[^<>]*>\s*([^<>]{{1,200}}?)\s*<", told)
        for key, name in fields.items()
    }
    values = {key: unescape(match[1]) for key, match in found.items() if match}
    if year := re.match(r"(?:19|20)\d\d", values.pop("year", "")):
        values["year"] = year[0]
    return values


def _upright(page: Any) -> tuple[Any, int]:
    """The page with its text upright, and the angle by which it was turned for that."""
    _lay_upright(page)
    turned = _turned(page.get_text("dict", flags=TEXT_FLAGS))
    if turned:
        page.set_rotation(turned)
        _lay_upright(page)
    return page, turned


def _lay_upright(page: Any) -> None:
    """Turn the contents of a page instead of the page; MuPDF does so within the sheet, not what is shown."""
    if page.rotation:
        shown, top = page.cropbox, page.mediabox.y1
        page.set_mediabox((shown.x0, top - shown.y1, shown.x1, top - shown.y0))
        page.remove_rotation()


def _words(page: Any) -> list[Word]:
    return [Word(word[4], Box(*word[:4])) for word in page.get_text("words", flags=TEXT_FLAGS)]


def _erase(page: Any, boxes: Sequence[Box]) -> None:
    """Remove words from a page, so that the layout model does not see them; drawings and images stay."""
    for box in boxes:
        page.add_redact_annot((box.x0, box.y0 + box.height / 4, box.x1, box.y1 - box.height / 4))
    if boxes:
        page.apply_redactions(images=0, graphics=0)


def _page(page: Any, number: int, turned: int) -> Page:
    raw = page.get_text("dict", flags=TEXT_FLAGS)
    page.get_layout()
    pieces = (printed_line(line, number - 1) for block in raw["blocks"] for line in block.get("lines", ()))
    return Page(
        number,
        page.rect.width,
        page.rect.height,
        [piece for piece in pieces if piece is not None],
        _words(page),
        [Region(kind, Box(*box)) for *box, kind in page.layout_information or ()],
        list(_rules(page)),
        [Box(*image["bbox"]) for image in page.get_image_info()],
        turned,
    )


def _turned(raw: Mapping[str, Any]) -> int:
    """The angle by which the page is to be turned so that most of its letters stand upright."""
    letters: Counter[int] = Counter()
    for block in raw["blocks"]:
        for line in block.get("lines", ()):
            across, down = line["dir"]
            angle = 180 if across < -0.9 else 90 if down < -0.9 else 270 if down > 0.9 else 0
            letters[angle] += sum(len(span["text"]) for span in line["spans"])
    return max(letters, key=lambda angle: (letters[angle], -angle)) if letters else 0


def _rules(page: Any) -> Iterator[Box]:
    """Thin straight drawings, and the edges of drawn frames."""
    drawings = page.get_drawings()
    for drawing in drawings if len(drawings) <= _MOST_DRAWINGS else ():
        for item in drawing["items"]:
            if item[0] == "l":
                (x0, y0), (x1, y1) = item[1], item[2]
                box = Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
                if min(box.width, box.height) <= _THIN:
                    yield box
            elif item[0] == "re":
                box = Box(*item[1])
                if min(abs(box.width), abs(box.height)) <= _THIN:
                    yield box
                elif drawing.get("color"):
                    yield Box(box.x0, box.y0, box.x1, box.y0)
                    yield Box(box.x0, box.y1, box.x1, box.y1)
                    yield Box(box.x0, box.y0, box.x0, box.y1)
                    yield Box(box.x1, box.y0, box.x1, box.y1)
