"""A PDF -> the contents of the paper store. `contents_of` is pure; `read_pdf` opens the file."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from aimsciqa_assets.airqa.pdf.block import Block
from aimsciqa_assets.airqa.pdf.floats import Floats, floats_of
from aimsciqa_assets.airqa.pdf.flow import blocks_in_order
from aimsciqa_assets.airqa.pdf.front import front_of
from aimsciqa_assets.airqa.pdf.headings import (
    REFERENCES,
    bold_run_in_title,
    goes_on_below,
    heading_level,
    heading_sizes,
    is_heading,
    number_of,
    run_in_title,
    titles_in,
)
from aimsciqa_assets.airqa.pdf.imprint import imprint_of
from aimsciqa_assets.airqa.pdf.keywords import keywords_of
from aimsciqa_assets.airqa.pdf.pages import Page, Pages, read_pages
from aimsciqa_assets.airqa.pdf.references import entries_of
from aimsciqa_assets.airqa.store.contents import Contents, Element, PageText, SectionText
from aimsciqa_assets.reading.identifiers import find_doi
from aimsciqa_assets.reading.matching import title_key
from aimsciqa_assets.reading.paper import RejectedFileError
from aimsciqa_assets.reading.pdf.blocks import Joiner
from aimsciqa_assets.reading.section_kinds import is_back_matter, plain_title

_PROSE = ("text", "list-item")
_FEWEST_WORDS = 8
_UNFINISHED = re.compile(r"[\w,;(–-]\Z")
_ABBREVIATION = re.compile(r"\b(?:al|figs?|eqs?|refs?|e\.g|i\.e|vs|ca|cf|approx|resp|nos?)\.\Z", re.I)
_ENUMERATED = re.compile(r"(?:[ivx]{1,4}|[a-z])[.)]\s")


def read_pdf(data: bytes) -> dict[str, Any]:
    """The contents of a PDF as JSON can hold them, for a reading process; raises `RejectedFileError`."""
    return contents_of(read_pages(data)).as_json()


def contents_of(pages: Pages) -> Contents:
    """The paper on these pages. Raises `RejectedFileError` (`no_text`) when they hold no paragraph."""
    blocks = blocks_in_order(pages.pages)
    prose = [block for block in blocks if block.kind in _PROSE and len(block.text.split()) >= _FEWEST_WORDS]
    if not prose:
        raise RejectedFileError("no_text", "no paragraph of text can be read")
    body_size = _body_size(prose)
    front = front_of(blocks, pages.metadata, body_size)
    floats = floats_of(pages.pages, blocks, body_size)
    outlined = frozenset(key for _, title, _ in pages.outline if (key := title_key(title)))
    imprint = imprint_of(pages.pages, blocks[front.body_at :], body_size, pages.metadata)
    keywords = keywords_of(blocks, pages.metadata)
    joiner = Joiner([line for block in blocks for line in block.lines])
    walk = _Walk(floats, outlined, body_size, joiner)
    for block in blocks[front.body_at :]:
        if id(block) not in front.taken | keywords.taken:
            walk.take(block)
    walk.finish()
    if not front.abstract and not any(section.text for section in walk.sections):
        raise RejectedFileError("no_text", "neither an abstract nor a section can be read: is it damaged?")
    on_first = " ".join(block.text for block in blocks if block.page == 1)
    return Contents(
        title=front.title,
        abstract=front.abstract,
        authors=front.authors,
        year=imprint.year,
        doi=find_doi(on_first),
        venue=imprint.venue,
        abbreviation=imprint.abbreviation,
        volume=imprint.volume,
        keywords=keywords.words,
        pages=[_page_text(page, blocks) for page in pages.pages],
        sections=walk.sections,
        tables=floats.tables,
        images=floats.images,
        equations=_equations(pages.pages, blocks, floats),
        references=entries_of(walk.references),
    )


def _body_size(prose: Sequence[Block]) -> float:
    letters: Counter[float] = Counter()
    for block in prose:
        letters[block.size] += len(block.text)
    return max(letters, key=lambda size: (letters[size], size))


def _page_text(page: Page, blocks: Sequence[Block]) -> PageText:
    text = "\n\n".join(block.text for block in blocks if block.page == page.number and block.text)
    width, height = (page.height, page.width) if page.turned else (page.width, page.height)
    return PageText(page.number, text, round(width), round(height))


def _equations(pages: Sequence[Page], blocks: Sequence[Block], floats: Floats) -> list[Element]:
    by_number = {page.number: page for page in pages}
    found = []
    for block in blocks:
        if (
            block.kind == "formula"
            and id(block) not in floats.taken
            and not re.fullmatch(r"\W*\(?[\d.]+[a-z]?\)?\W*", block.text)
        ):
            printed = by_number[block.page].as_printed(block.box)
            found.append(
                Element(block.page, block.text, "", (printed.x0, printed.y0, printed.x1, printed.y1))
            )
    return found


class _Walk:
    """Goes through the body once: sections with their text, and the blocks of the bibliography."""

    def __init__(self, floats: Floats, outlined: frozenset[str], body_size: float, joiner: Joiner) -> None:
        self._joiner = joiner
        self.sections: list[SectionText] = []
        self.references: list[Block] = []
        self._floats, self._outlined, self._body_size = floats, outlined, body_size
        self._in_references = False
        self._headings: list[Block] = []
        self._number: tuple[int, ...] = ()
        self._last: Block | None = None

    def take(self, block: Block) -> None:
        """Take the next block in reading order."""
        if id(block) in self._floats.taken or block.kind in ("picture", "table"):
            return
        run_in = None
        if not self._in_references:
            run_in = run_in_title(block.text, self._number) or self._bold_run_in(block)
        if run_in:
            self._open(run_in[0], block)
            self._take_text(block, run_in[1])
        elif self._goes_on_heading(block):
            self.sections[-1].title += f" {block.text}"
            self._headings[-1] = block
        elif is_heading(block, self._outlined, self._body_size, self._number):
            self._take_heading(block)
        elif self._in_references:
            if block.kind in ("text", "list-item", "footnote", "section-header", "title"):
                self.references.append(block)
        elif block.kind != "footnote" and not block.beside:
            self._take_text(block, block.text)

    def _bold_run_in(self, block: Block) -> tuple[str, str] | None:
        """A bold title with its text; inside of back matter such words are the names of roles and funders."""
        run_in = bold_run_in_title(block)
        at_back = bool(self.sections) and is_back_matter(self.sections[-1].title)
        return run_in if run_in and (is_back_matter(run_in[0]) or not at_back) else None

    def finish(self) -> None:
        """Set the levels of the sections by the print of their headings."""
        sizes = heading_sizes(self._headings)
        for section, block in zip(self.sections, self._headings, strict=True):
            section.level = heading_level(section.title, block.size, sizes)

    def _take_heading(self, block: Block) -> None:
        if REFERENCES.fullmatch(plain_title(block.text)):
            self._in_references = True
            return
        self._in_references = False
        for title in titles_in(block, self._outlined):
            self._open(title, block)

    def _goes_on_heading(self, block: Block) -> bool:
        """Whether a block is the rest of the heading before it."""
        is_header = block.kind in ("section-header", "title") and bool(block.text) and not block.beside
        waiting = bool(self.sections) and not self.sections[-1].text and not self._in_references
        return is_header and waiting and goes_on_below(self._headings[-1], block)

    def _open(self, title: str, block: Block) -> None:
        self._in_references = False
        self.sections.append(SectionText(" ".join(title.split()), "", [block.page]))
        self._headings.append(block)
        self._number = number_of(title) or self._number

    def _take_text(self, block: Block, text: str) -> None:
        if not self.sections:
            return
        section = self.sections[-1]
        if section.text and self._goes_on(block, text):
            section.text = self._joiner.continued(section.text, text)
        else:
            section.text += ("\n\n" if section.text else "") + text
        self._last = block
        if block.page not in section.pages:
            section.pages.append(block.page)

    def _goes_on(self, block: Block, text: str) -> bool:
        """Whether a block is the rest of the paragraph before, cut by the end of a column or by a float."""
        last = self._last
        before = self.sections[-1].text
        if text[:1].islower() and (_UNFINISHED.search(before) or _ABBREVIATION.search(before)):
            return not _ENUMERATED.match(text)
        if (
            last is None
            or last.kind not in _PROSE
            or block.kind != "text"
            or not (last.lines and block.lines)
        ):
            return False
        elsewhere = last.lines[-1].column != block.lines[0].column
        in_full = not last.lines[-1].ends_early and not block.lines[0].is_indented
        alike = abs(last.size - block.size) < 0.3 and last.bold == block.bold
        return elsewhere and in_full and alike and bool(_UNFINISHED.search(before))
