"""Tables and figures of a paper with their captions, each with its box on the page."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from aimsciqa_assets.reading.contents import Corners, Element
from aimsciqa_assets.reading.pdf.block import Block
from aimsciqa_assets.reading.pdf.boxes import Box, around
from aimsciqa_assets.reading.pdf.captions import Caption, caption_of
from aimsciqa_assets.reading.pdf.figures import FigurePage, figure_boxes, figure_side
from aimsciqa_assets.reading.pdf.grid import table_html
from aimsciqa_assets.reading.pdf.pages import Page
from aimsciqa_assets.reading.pdf.pairing import paired, usual_side

_NOTE_GAP = 22.0
_CELL_GAP = 30.0
_SMALLEST_PICTURE = 24.0
_SHORTEST_RULE = 60.0


@dataclass(slots=True)
class Floats:
    """Tables and figures of a paper, and the blocks that are part of them, by identity."""

    tables: list[Element] = field(default_factory=list)
    images: list[Element] = field(default_factory=list)
    taken: set[int] = field(default_factory=set)


@dataclass(slots=True)
class _OnPage:
    """What a page has for its captions to take. `notes` are those printed under a table, by its identity."""

    page: Page
    blocks: list[Block]
    captions: list[Caption]
    tables: list[Block]
    figures: FigurePage
    notes: dict[int, list[Block]]

    def of_kind(self, kind: str) -> list[Caption]:
        """The captions of tables, or those of figures."""
        return [caption for caption in self.captions if caption.kind == kind]

    def whole(self, table: Block) -> Box:
        """A table with its notes."""
        return around([table.box, *(note.box for note in self.notes[id(table)])])


def floats_of(pages: Sequence[Page], blocks: Sequence[Block], body_size: float) -> Floats:
    """Tables and figures in the order of their captions; what a later caption names again is added."""
    captions = _captions(blocks, body_size)
    gathering = _Gathering([_on_page(page, blocks, captions, body_size) for page in pages], body_size)
    return gathering.floats()


def _captions(blocks: Sequence[Block], body_size: float) -> list[Caption]:
    captions: list[Caption] = []
    before: Block | None = None
    for block in blocks:
        caption = caption_of(block, before, body_size)
        if caption:
            captions.append(caption)
        elif block.kind == "text":
            before = block
    return captions


def _on_page(page: Page, blocks: Sequence[Block], captions: Sequence[Caption], body_size: float) -> _OnPage:
    here = [block for block in blocks if block.page == page.number]
    named = [caption for caption in captions if caption.block.page == page.number]
    of_captions = {id(caption.block) for caption in named}
    tables = [block for block in here if block.kind == "table"]
    others = [block for block in here if id(block) not in of_captions]
    notes = {id(table): _notes(table, others, body_size) for table in tables}
    in_notes = {id(note) for some in notes.values() for note in some}
    walls = [
        block.box
        for block in here
        if id(block) in of_captions or id(block) in in_notes or _is_wall(block, body_size)
    ]
    figures = FigurePage(
        page,
        [caption.block.box for caption in named if caption.kind == "figure"],
        _pictures(page, here, [caption.block.box for caption in named]),
        walls,
        [block.box for block in here],
    )
    return _OnPage(page, here, named, tables, figures, notes)


def _notes(table: Block, blocks: Sequence[Block], body_size: float) -> list[Block]:
    """The small print right under a table, block by block."""
    notes: list[Block] = []
    for block in sorted(blocks, key=lambda one: one.box.y0):
        above = around([table.box, *(note.box for note in notes)])
        if _is_note(block, above, body_size):
            notes.append(block)
    return notes


def _is_note(block: Block, table: Box, body_size: float) -> bool:
    below = -2 <= block.box.y0 - table.y1 <= _NOTE_GAP
    over = min(block.box.x1, table.x1) - max(block.box.x0, table.x0)
    is_small = 0 < block.size < body_size - 0.4
    return (
        below
        and is_small
        and over > 0.5 * block.box.width
        and block.kind in ("text", "footnote", "caption", "list-item")
    )


def _is_wall(block: Block, body_size: float) -> bool:
    """Whether figures end where this block is: running text, headings, other captions and tables."""
    if block.kind in ("picture", "formula"):
        return False
    if block.kind in ("table", "section-header", "title", "caption"):
        return True
    return block.size > body_size - 0.6 and len(block.text.split()) > 8


def _pictures(page: Page, blocks: Iterable[Block], captions: Iterable[Box]) -> list[Box]:
    """The pictures of a page; what the layout model took for one is cut at the captions inside."""
    boxes = [block.box for block in blocks if block.kind == "picture"]
    for caption in captions:
        middle = ((caption.x0 + caption.x1) / 2, (caption.y0 + caption.y1) / 2)
        boxes = [part for box in boxes for part in (_cut(box, caption) if box.holds(*middle) else (box,))]
    boxes += [box for box in page.pictures if _is_within(box, page)]
    return [box for box in boxes if min(box.width, box.height) >= _SMALLEST_PICTURE]


def _is_within(box: Box, page: Page) -> bool:
    """Whether an image is no background and does not run over the page's edge, where it is cropped."""
    edge = Box(-1, -1, page.width + 1, page.height + 1)
    return edge.shared(box) >= 0.99 * box.area and box.area < 0.95 * page.width * page.height


def _cut(box: Box, caption: Box) -> tuple[Box, Box]:
    return Box(box.x0, box.y0, box.x1, caption.y0), Box(box.x0, caption.y1, box.x1, box.y1)


class _Gathering:
    """Goes through the pages once, knowing on which side the paper prints its captions."""

    def __init__(self, pages: Sequence[_OnPage], body_size: float) -> None:
        self._pages, self._body_size = pages, body_size
        self._found = Floats()
        self._found.taken.update(id(caption.block) for here in pages for caption in here.captions)
        self._seen: dict[tuple[str, str], Element] = {}
        self._side_of_tables = usual_side(
            [
                ([one.block.box for one in here.of_kind("table")], [here.whole(one) for one in here.tables])
                for here in pages
            ]
        )
        self._side_of_figures = figure_side([here.figures for here in pages])

    def floats(self) -> Floats:
        """Everything that was found."""
        for here in self._pages:
            self._take_tables(here)
            self._take_figures(here)
            self._take_rest(here)
        return self._found

    def _take_tables(self, here: _OnPage) -> None:
        captions = here.of_kind("table")
        boxes = [caption.block.box for caption in captions]
        pairs = paired(boxes, [here.whole(one) for one in here.tables], self._side_of_tables)
        for at, caption in enumerate(captions):
            block = here.tables[pairs[at]] if at in pairs else None
            element = self._table(caption.text, block, here) if block else self._overlooked(caption, here)
            self._keep(caption, element, self._found.tables)

    def _take_figures(self, here: _OnPage) -> None:
        captions = here.of_kind("figure")
        for caption, box in zip(captions, figure_boxes(here.figures, self._side_of_figures), strict=True):
            self._take_inside(box, here, caption.block)
            element = Element(here.page.number, "", caption.text, _corners(here.page, box))
            self._keep(caption, element, self._found.images)

    def _keep(self, caption: Caption, element: Element, into: list[Element]) -> None:
        key = (caption.kind, caption.number)
        earlier = self._seen.get(key)
        if earlier is None:
            self._seen[key] = element
            into.append(element)
            return
        earlier.content += element.content
        if len(caption.text) > len(earlier.caption):
            earlier.caption = caption.text

    def _table(self, caption: str, block: Block, here: _OnPage) -> Element:
        notes = [note for note in here.notes[id(block)] if id(note) not in self._found.taken]
        self._found.taken.update(id(one) for one in (block, *notes))
        return _element(caption, block.box, here.page, notes)

    def _overlooked(self, caption: Caption, here: _OnPage) -> Element:
        """A table that the layout model overlooked: between ruled lines, in small print, or a picture."""
        box = self._table_box(caption.block, here)
        if box is not None:
            self._take_inside(box, here, caption.block)
            others = [one for one in here.blocks if id(one) not in self._found.taken]
            notes = [one for one in others if _is_note(one, box, self._body_size)]
            self._found.taken.update(id(note) for note in notes)
            return _element(caption.text, box, here.page, notes)
        pictures = here.figures.beyond(caption.block.box, self._side_of_tables)
        box = around(pictures) if pictures else caption.block.box
        return Element(here.page.number, "", caption.text, _corners(here.page, box))

    def _table_box(self, caption: Block, here: _OnPage) -> Box | None:
        box = caption.box
        top, bottom = here.figures.limits(box)
        low, high = (box.y1 - 2, bottom) if self._side_of_tables == "above" else (top, box.y0 + 2)
        rules = [
            rule
            for rule in here.page.rules
            if rule.width > _SHORTEST_RULE
            and min(rule.x1, box.x1) > max(rule.x0, box.x0)
            and low <= rule.y0 <= high
        ]
        if len(rules) >= 2:
            return around(rules)
        cells: list[Box] = []
        end = box.y1 if self._side_of_tables == "above" else box.y0
        towards = 1 if self._side_of_tables == "above" else -1
        for one in sorted(here.blocks, key=lambda one: towards * one.box.y0):
            gap = one.box.y0 - end if towards > 0 else end - one.box.y1
            if id(one) in self._found.taken or gap < -1 or min(one.box.x1, box.x1) <= max(one.box.x0, box.x0):
                continue
            if one.kind == "section-header" or one.size > self._body_size - 0.4 or gap > _CELL_GAP:
                break
            cells.append(one.box)
            end = one.box.y1 if towards > 0 else one.box.y0
        return around(cells) if cells else None

    def _take_rest(self, here: _OnPage) -> None:
        """Tables without a caption: what goes on from the last table belongs to it, others stand alone."""
        for block in here.tables:
            if id(block) in self._found.taken:
                continue
            element = self._table("", block, here)
            whole = next((one for one in self._found.tables if _has_same_head(one, element)), None)
            last = self._found.tables[-1] if self._found.tables else None
            at_top = block.box.y0 < 0.2 * here.page.height
            goes_on = last is not None and last.page == here.page.number - 1 and at_top
            if whole is not None:
                whole.content = _in_order(whole, element)
            elif last is not None and (goes_on or _touches(last, element)):
                last.content += element.content
            elif "<tr>" in element.content:
                self._found.tables.append(element)

    def _take_inside(self, box: Box, here: _OnPage, caption: Block) -> None:
        for block in here.blocks:
            middle = ((block.box.x0 + block.box.x1) / 2, (block.box.y0 + block.box.y1) / 2)
            if block is not caption and box.holds(*middle):
                self._found.taken.add(id(block))


def _element(caption: str, box: Box, page: Page, notes: Sequence[Block]) -> Element:
    html = table_html(page.words, page.rules, box, " ".join(note.text for note in notes))
    return Element(page.number, html, caption, _corners(page, box))


def _has_same_head(table: Element, other: Element) -> bool:
    """Whether a region on the same page or the next prints the head of a table again: it is a part of it."""
    first = table.content.partition("</tr>")[0]
    return other.page - table.page in (0, 1) and "</t" in first and other.content.startswith(first)


def _in_order(table: Element, part: Element) -> str:
    """The contents of a table and of its part on the left or on a later page."""
    is_before = table.page == part.page and table.box and part.box and part.box[2] <= table.box[0]
    return part.content + table.content if is_before else table.content + part.content


def _touches(table: Element, other: Element) -> bool:
    """Whether a region without a caption is the lower part of the table right above it."""
    if table.page != other.page or table.box is None or other.box is None:
        return False
    over = min(table.box[2], other.box[2]) - max(table.box[0], other.box[0])
    return over > 0 and abs(other.box[1] - table.box[3]) < _NOTE_GAP


def _corners(page: Page, box: Box) -> Corners:
    printed = page.as_printed(box)
    return (printed.x0, printed.y0, printed.x1, printed.y1)
