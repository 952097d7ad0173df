"""A PDF of a paper -> `Paper`, for papers that have no JATS.

A PDF only says where letters stand. Title, headings, paragraphs and references are told from font size,
weight, spacing and wording, so this reader is a fallback: it leaves a field empty rather than guess, and it
finds no in-text markers. pymupdf must not be used from several threads at once.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pymupdf

from aimsciqa_assets.reading.identifiers import find_doi
from aimsciqa_assets.reading.matching import title_key
from aimsciqa_assets.reading.paper import Paper, RejectedFileError
from aimsciqa_assets.reading.pdf.blocks import Block, blocks_of
from aimsciqa_assets.reading.pdf.layout import Line, reading_order
from aimsciqa_assets.reading.pdf.outline import outline
from aimsciqa_assets.reading.pdf.references import references_of

MAX_BYTES = 100 * 1024 * 1024
MAX_PAGES = 300
_FEWEST_LETTERS_PER_PAGE = 20
"""Pages that are images often carry a stamp or a page number as text."""

_PUBLICATION_YEAR = re.compile(
    r"(?:published(?: online)?|publication date|copyright|©|\(c\))"
    r"\D{0,30}(?:\d{1,2}\D{1,12})?((?:19|20)\d\d)\b",
    re.I,
)
_USELESS_TITLE = re.compile(r"untitled|microsoft word|\.(?:docx?|pdf|indd|tex|qxd|dvi|fm)\b", re.I)


def parse_pdf(data: bytes) -> Paper:
    """The paper in a PDF, with `source = "pdf"`.

    Raises `RejectedFileError`: `too_large` (more than `MAX_BYTES` or `MAX_PAGES`), `damaged_pdf`,
    `encrypted_pdf`, `scanned_pdf` (page images without text) or `no_text` (no paragraph found).
    """
    if len(data) > MAX_BYTES:
        raise RejectedFileError("too_large", f"{len(data)} bytes")
    lines, metadata = _read(data)
    blocks = blocks_of(lines)
    title, behind_title = _title(blocks, metadata.get("title") or "")
    contents = outline(blocks[behind_title:])
    if not any(section.paragraphs for section in contents.sections):
        raise RejectedFileError("no_text", "no paragraph found")
    listed = set(contents.reference_lines)
    front = [line for line in lines if line.page == 0 and line not in listed]
    return Paper(
        source="pdf",
        title=title,
        doi=find_doi("\n".join(line.text for line in front)) or find_doi(metadata.get("subject") or ""),
        year=_year(front),
        sections=contents.sections,
        keywords=contents.keywords,
        references=references_of(contents.reference_lines),
        captions=contents.captions,
        tables=contents.tables,
    )


def _read(data: bytes) -> tuple[list[Line], Mapping[str, str | None]]:
    """Lines and metadata; MuPDF's complaints about damage, which go to stderr, are silenced."""
    mupdf: Any = pymupdf
    mupdf.TOOLS.mupdf_display_errors(False)
    mupdf.TOOLS.mupdf_display_warnings(False)
    try:
        document = mupdf.open(stream=data, filetype="pdf")
    except Exception as error:
        raise pdf_failure(error) from error
    with document:
        try:
            if document.needs_pass:
                raise RejectedFileError("encrypted_pdf")
            pages = document.page_count if document.is_pdf else 0
            if not pages:
                raise RejectedFileError("damaged_pdf", "no PDF pages")
            if pages > MAX_PAGES:
                raise RejectedFileError("too_large", f"{pages} pages")
            lines = reading_order(document)
            pages_with_images = sum(bool(document.get_page_images(n)) for n in range(pages))
            metadata = dict(document.metadata or {})
        except Exception as error:
            raise pdf_failure(error) from error
        letters = sum(len(line.text) for line in lines)
        if letters < _FEWEST_LETTERS_PER_PAGE * pages and pages_with_images:
            raise RejectedFileError("scanned_pdf")
    return lines, metadata


def pdf_failure(error: Exception) -> Exception:
    """MuPDF's errors as ours; those of memory are "code=2: malloc (... bytes) failed"."""
    if isinstance(error, (RejectedFileError, MemoryError)):
        return error
    return (
        MemoryError(str(error)) if "alloc (" in str(error) else RejectedFileError("damaged_pdf", str(error))
    )


def _title(blocks: Sequence[Block], metadata_title: str) -> tuple[str, int]:
    """The title, and the number of blocks up to its end.

    Metadata is believed where the first page shows the same words; else the largest print of the upper part
    of the first page counts, and metadata only in the absence of both.
    """
    metadata_title = " ".join(metadata_title.split())
    wanted = None if _USELESS_TITLE.search(metadata_title) else title_key(metadata_title)
    first_page = [(at, block) for at, block in enumerate(blocks) if block.lines[0].page == 0]
    for at, block in first_page:
        if wanted and wanted in (title_key(block.text) or ""):
            return metadata_title, at + 1
    lowest = max((line.y1 for _, block in first_page for line in block.lines), default=0.0)
    candidates = [
        (at, block)
        for at, block in first_page
        if block.lines[0].y0 < 0.6 * lowest and len(block.text.split()) >= 3 and 15 <= len(block.text) < 400
    ]
    if candidates:
        body = _body_size(blocks)
        at, block = max(candidates, key=lambda candidate: (candidate[1].size, -candidate[0]))
        if block.size > body + 0.75 or (block.bold and at == candidates[0][0]):
            return block.text, at + 1
    return (metadata_title if wanted else ""), 0


def _body_size(blocks: Sequence[Block]) -> float:
    """The font size of most letters."""
    letters: Counter[float] = Counter()
    for block in blocks:
        letters[block.size] += len(block.text)
    return max(letters, key=lambda size: (letters[size], size))


def _year(front: Sequence[Line]) -> int | None:
    """The year of publication, when the first page states exactly one."""
    years = {int(year) for line in front for year in _PUBLICATION_YEAR.findall(line.text)}
    return years.pop() if len(years) == 1 else None
