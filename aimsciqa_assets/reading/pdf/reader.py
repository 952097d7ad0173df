"""A PDF -> its contents, and the paper in them. `contents_of` and `paper_of` are pure.

A PDF only says where letters stand, so that a field is left empty rather than guessed. There are no markers.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from aimsciqa_assets.reading.contents import Contents, Element, PageText, SectionText
from aimsciqa_assets.reading.matching import title_key
from aimsciqa_assets.reading.paper import Caption, Keyword, Paper, Paragraph, RejectedFileError, Section
from aimsciqa_assets.reading.paper_table import PaperTable, laid_out, rows_of_html
from aimsciqa_assets.reading.pdf.block import Block
from aimsciqa_assets.reading.pdf.captions import label_and_text
from aimsciqa_assets.reading.pdf.floats import Floats, floats_of
from aimsciqa_assets.reading.pdf.flow import blocks_in_order
from aimsciqa_assets.reading.pdf.front import abstract_parts, front_of, is_imprint
from aimsciqa_assets.reading.pdf.headings import (
    REFERENCES,
    behind_references,
    bold_run_in_title,
    goes_on_below,
    heading_level,
    heading_sizes,
    is_heading,
    names_part,
    number_of,
    run_in_title,
    titles_in,
)
from aimsciqa_assets.reading.pdf.imprint import doi_of, imprint_of, licence_of
from aimsciqa_assets.reading.pdf.joining import Joiner
from aimsciqa_assets.reading.pdf.keywords import keywords_of
from aimsciqa_assets.reading.pdf.lines import Line
from aimsciqa_assets.reading.pdf.pages import Page, Pages, read_pages
from aimsciqa_assets.reading.pdf.references import entries_at_end, entries_of, reference_of
from aimsciqa_assets.reading.retractions import retraction_in_title
from aimsciqa_assets.reading.section_kinds import is_back_matter, plain_title, section_kind

_PROSE = ("text", "list-item")
_FEWEST_WORDS = 8
_NOWHERE = 99
_UNFINISHED = re.compile(r"[\w,;(–-]\Z")
_ABBREVIATION = re.compile(r"\b(?:al|figs?|eqs?|refs?|e\.g|i\.e|vs|ca|cf|approx|resp|nos?)\.\Z", re.I)
_ENUMERATED = re.compile(r"(?:[ivx]{1,4}|[a-z])[.)]\s")


def parse_pdf(data: bytes) -> Paper:
    """Return the paper in a PDF, with `source = "pdf"`. Raises `RejectedFileError` as `read_pdf` does."""
    return paper_of(read_pdf(data))


def read_pdf(data: bytes) -> Contents:
    """Return the contents of a PDF.

    Raises `RejectedFileError`: `no_text` if no paragraph can be read, and the reasons of `read_pages`.
    """
    return contents_of(read_pages(data))


def paper_of(contents: Contents) -> Paper:
    """Return the paper in the contents of a PDF: its abstract, and top-level sections without back matter.

    Captions, keywords and references are not part of them.
    """
    sections, positions = _paper_sections(contents)
    return Paper(
        source="pdf",
        title=contents.title,
        doi=contents.doi,
        licence=contents.licence,
        retraction=retraction_in_title(contents.title),
        # Names are printed as "Jane Doe"; papers are matched by surname.
        first_author=contents.authors[0].split()[-1] if contents.authors else "",
        year=contents.year,
        sections=sections,
        keywords=[Keyword(word, "author") for word in contents.keywords],
        references=[reference_of(entry.text, at) for at, entry in enumerate(contents.references)],
        captions=[
            Caption(*label_and_text(element.caption), positions.get(element.section))
            for element in contents.images
        ],
        tables=[_table(element, positions.get(element.section)) for element in contents.tables],
    )


def _table(element: Element, section: int | None) -> PaperTable:
    """Return a table of a PDF with its cells; one of too many cells has none."""
    label, caption = label_and_text(element.caption)
    try:
        table = laid_out(label, caption, rows_of_html(element.content))
    except ValueError:
        table = laid_out(label, caption, [])
    table.section_position = section
    return table


def _paper_sections(contents: Contents) -> tuple[list[Section], dict[int | None, int]]:
    """The sections of a paper, and for each section of the contents the number of the one that has it."""
    sections = _abstract(contents.abstract)
    positions: dict[int | None, int] = {}
    path: list[SectionText] = []
    behind = _NOWHERE
    for at, printed in enumerate(contents.sections):
        path = [*(above for above in path if above.level < printed.level), printed]
        is_last = not any(names_part(later.title) for later in contents.sections[at:])
        if is_back_matter(printed.title) and (printed.level == 1 or is_last):
            behind = min(behind, printed.level)
        elif names_part(printed.title) or printed.level < behind or printed.level == 1:
            behind = _NOWHERE
        if behind != _NOWHERE:
            continue
        if len(path) == 1:
            sections.append(Section(printed.title, section_kind(printed.title)))
        below = " > ".join(above.title for above in path[1:])
        sections[-1].paragraphs += [Paragraph(text, below) for text in printed.text.split("\n\n") if text]
        positions[at] = len(sections) - 1
    kept = [section for section in sections if section.paragraphs]
    places = {id(section): place for place, section in enumerate(kept)}
    return kept, {
        at: places[id(sections[old])] for at, old in positions.items() if id(sections[old]) in places
    }


def _abstract(text: str) -> list[Section]:
    """The abstract as a section, the titles of its parts as subsections."""
    paragraphs = [Paragraph(text, part) for part, text in abstract_parts(text)]
    return [Section("Abstract", "abstract", paragraphs)] if paragraphs else []


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
    keywords = keywords_of(blocks, pages.metadata)
    joiner = Joiner([line for block in blocks for line in block.lines])
    is_headed = any(REFERENCES.fullmatch(plain_title(block.text)) for block in blocks)
    walk = _Walk(floats, outlined, body_size, joiner, [] if is_headed else entries_at_end(blocks))
    for block in blocks[front.body_at :]:
        if id(block) not in front.taken | keywords.taken:
            walk.take(block)
    walk.finish()
    is_readable = 2 * sum(bool(page.lines) for page in pages.pages) >= len(pages.pages)
    if not front.abstract and not any(
        section.text and (section.title or is_readable) for section in walk.sections
    ):
        raise RejectedFileError("no_text", "neither an abstract nor a section can be read: is it damaged?")
    imprint = imprint_of(pages.pages, blocks[front.body_at :], walk.references, body_size, pages.metadata)
    texts = [block for block in blocks if id(block) in front.of_abstract or id(block) not in front.taken]
    return Contents(
        title=front.title,
        abstract=front.abstract,
        authors=front.authors,
        year=imprint.year,
        doi=doi_of(pages.pages, texts, pages.metadata),
        licence=licence_of(pages.pages, texts),
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
    is_across = page.turned in (90, 270)
    width, height = (page.height, page.width) if is_across else (page.width, page.height)
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


def _without_title(lines: list[Line]) -> list[Line]:
    """The lines of a bibliography without its title, if this stands before the first entry."""
    if REFERENCES.fullmatch(plain_title(lines[0].text)):
        return lines[1:]
    return [replace(lines[0], text=behind_references(lines[0].text) or lines[0].text), *lines[1:]]


class _Walk:
    """Goes through the body once: sections with their text, and the blocks of the bibliography."""

    def __init__(
        self,
        floats: Floats,
        outlined: frozenset[str],
        body_size: float,
        joiner: Joiner,
        entries: Sequence[Block],
    ) -> None:
        self._joiner = joiner
        self._entries = {id(block) for block in entries}
        self.sections: list[SectionText] = []
        self.references: list[Block] = []
        self._floats, self._outlined, self._body_size = floats, outlined, body_size
        self._in_references = False
        self._headings: list[Block] = []
        self._of_references: list[Block] = []
        self._in_line: set[int] = set()
        self._number: tuple[int, ...] = ()
        self._last: Block | None = None

    def take(self, block: Block) -> None:
        """Take the next block in reading order."""
        if id(block) in self._floats.taken or block.kind in ("picture", "table"):
            self._place_caption(block)
            return
        if id(block) in self._entries or behind_references(block.text):
            self._in_references = True
            block.lines = _without_title(block.lines)
            self.references.append(block)
            return
        run_in = None
        if not self._in_references:
            run_in = run_in_title(block.text, self._number) or self._bold_run_in(block)
        if run_in:
            self._in_line.add(len(self.sections))
            self._open(run_in[0], block)
            self._take_text(block, run_in[1])
        elif self._goes_on_heading(block):
            self.sections[-1].title += f" {block.text}"
            self._headings[-1] = block
        elif self._is_heading(block):
            self._take_heading(block)
        elif self._in_references:
            if block.kind in ("text", "list-item", "footnote", "section-header", "title"):
                self.references.append(block)
        elif block.kind != "footnote" and not block.beside and not is_imprint(block, self._body_size):
            self._take_text(block, block.text)

    def _is_heading(self, block: Block) -> bool:
        """Whether a block is a heading: in the bibliography, a well-known one or one printed like others."""
        if not is_heading(block, self._outlined, self._body_size, self._number):
            return False
        if not self._in_references or names_part(block.text) or is_back_matter(block.text):
            return True
        return any(
            abs(above.size - block.size) < 0.3 and above.bold == block.bold
            for above in (*self._headings, *self._of_references)
        )

    def _place_caption(self, block: Block) -> None:
        for element in (*self._floats.tables, *self._floats.images):
            if self.sections and element.caption == block.text:
                element.section = len(self.sections) - 1

    def _bold_run_in(self, block: Block) -> tuple[str, str] | None:
        """A bold title with its text; inside of back matter such words are the names of roles and funders."""
        run_in = bold_run_in_title(block)
        at_back = bool(self.sections) and is_back_matter(self.sections[-1].title)
        return run_in if run_in and (is_back_matter(run_in[0]) or not at_back) else None

    def finish(self) -> None:
        """Set the levels of the sections by the print of their headings.

        If a usual part has no text of its own, the headings in its print belong to it. A usual part
        whose title is in the line is as high as other usual parts.
        """
        sizes = heading_sizes(self._headings)
        for section, block in zip(self.sections, self._headings, strict=True):
            section.level = heading_level(section.title, block.size, sizes)
        uppermost = min((section.level for section in self.sections if names_part(section.title)), default=1)
        shift = 0
        for at, section in enumerate(self.sections):
            if at in self._in_line and names_part(section.title):
                section.level = uppermost
            if names_part(section.title) or is_back_matter(section.title):
                shift = 0 if section.text or number_of(section.title) else section.level
                continue
            section.level += shift > 0 and section.level >= shift and not number_of(section.title)

    def _take_heading(self, block: Block) -> None:
        if REFERENCES.fullmatch(plain_title(block.text)):
            self._in_references = True
            self._of_references.append(block)
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
            self._open("", block)
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
