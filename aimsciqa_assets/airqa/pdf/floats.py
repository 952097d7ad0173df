"""Captions paired with tables and figures, each with its box on the page."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from aimsciqa_assets.airqa.pdf.block import Block
from aimsciqa_assets.airqa.pdf.captions import Caption, caption_of
from aimsciqa_assets.airqa.pdf.grid import table_html
from aimsciqa_assets.airqa.pdf.pages import Box, Page, around
from aimsciqa_assets.airqa.store.contents import Corners, Element

_FAR = 160.0
"""A float that is further from a caption, in points, is not the caption's."""
_NOTE_GAP = 22.0
_SMALLEST_PICTURE = 24.0


@dataclass(slots=True)
class Floats:
    """Tables and figures of a paper, and the blocks that are part of them, by identity."""

    tables: list[Element] = field(default_factory=list)
    images: list[Element] = field(default_factory=list)
    taken: set[int] = field(default_factory=set)


@dataclass(slots=True)
class _OnPage:
    """What a page has for its captions to take."""

    page: Page
    blocks: list[Block]
    tables: list[Block]
    pictures: list[Box]


def floats_of(pages: Sequence[Page], blocks: Sequence[Block], body_size: float) -> Floats:
    """Tables and figures in the order of their captions; what a later caption names again is added."""
    found = Floats()
    captions = _captions(blocks, body_size)
    found.taken.update(id(caption.block) for caption in captions)
    seen: dict[tuple[str, str], Element] = {}
    for page in pages:
        here = [block for block in blocks if block.page == page.number]
        on_page = _OnPage(
            page,
            here,
            [block for block in here if block.kind == "table"],
            _pictures(page, here),
        )
        mine = [caption for caption in captions if caption.block.page == page.number]
        for caption in sorted(mine, key=lambda one: one.kind != "table"):
            _take(caption, on_page, found, seen, body_size)
        _take_rest(on_page, found, body_size)
    return found


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


def _take(
    caption: Caption, on_page: _OnPage, found: Floats, seen: dict[tuple[str, str], Element], body_size: float
) -> None:
    key = (caption.kind, caption.number)
    page = on_page.page
    if caption.kind == "table":
        block = _nearest([one for one in on_page.tables if id(one) not in found.taken], caption.block.box)
        element = _table(caption.text, block, on_page, found, body_size, at=caption.block)
        into = found.tables
    else:
        box = _figure_box(caption.block, on_page, found, body_size)
        element = Element(page.number, "", caption.text, _corners(page, box))
        _take_inside(box, on_page, found, caption.block)
        into = found.images
    earlier = seen.get(key)
    if earlier is None:
        seen[key] = element
        into.append(element)
        return
    earlier.content = earlier.content + element.content
    if len(caption.text) > len(earlier.caption):
        earlier.caption = caption.text


def _table(
    caption: str, block: Block | None, on_page: _OnPage, found: Floats, body_size: float, *, at: Block
) -> Element:
    page = on_page.page
    if block is None:
        box = _table_box(at, on_page, found, body_size)
        if box is None:
            return Element(page.number, "", caption, _corners(page, at.box))
        _take_inside(box, on_page, found, at)
    else:
        box = block.box
        found.taken.add(id(block))
    notes = [one for one in on_page.blocks if id(one) not in found.taken and _is_note(one, box, body_size)]
    found.taken.update(id(note) for note in notes)
    html = table_html(page.words, page.rules, box, " ".join(note.text for note in notes))
    return Element(page.number, html, caption, _corners(page, box))


def _is_note(block: Block, table: Box, body_size: float) -> bool:
    """Small print right under a table."""
    below = -2 <= block.box.y0 - table.y1 <= _NOTE_GAP
    over = min(block.box.x1, table.x1) - max(block.box.x0, table.x0)
    is_small = 0 < block.size < body_size - 0.4
    return (
        below
        and is_small
        and over > 0.5 * block.box.width
        and block.kind in ("text", "footnote", "caption", "list-item")
    )


def _table_box(caption: Block, on_page: _OnPage, found: Floats, body_size: float) -> Box | None:
    """Where the table is that the layout model overlooked: between ruled lines, or in small print."""
    box = caption.box
    rules = [
        rule
        for rule in on_page.page.rules
        if rule.width > 60 and min(rule.x1, box.x1) > max(rule.x0, box.x0) and 0 < rule.y0 - box.y0 < 600
    ]
    rules = [rule for rule in rules if rule.y0 >= box.y1 - 2]
    if len(rules) >= 2:
        return around(rules)
    below = [
        one
        for one in sorted(on_page.blocks, key=lambda one: one.box.y0)
        if id(one) not in found.taken
        and one.box.y0 >= box.y1 - 1
        and min(one.box.x1, box.x1) > max(one.box.x0, box.x0)
    ]
    cells: list[Box] = []
    bottom = box.y1
    for one in below:
        if one.kind == "section-header" or one.size > body_size - 0.4 or one.box.y0 - bottom > 30:
            break
        cells.append(one.box)
        bottom = one.box.y1
    return around(cells) if cells else None


def _take_rest(on_page: _OnPage, found: Floats, body_size: float) -> None:
    """Tables without a caption: what goes on from the last table belongs to it, others stand alone."""
    for block in on_page.tables:
        if id(block) in found.taken:
            continue
        element = _table("", block, on_page, found, body_size, at=block)
        last = found.tables[-1] if found.tables else None
        at_top = block.box.y0 < 0.2 * on_page.page.height
        goes_on = last is not None and last.page == on_page.page.number - 1 and at_top
        if last is not None and (goes_on or _touches(last, element)):
            last.content += element.content
        elif "<tr>" in element.content:
            found.tables.append(element)


def _touches(table: Element, other: Element) -> bool:
    """Whether a region without a caption is the lower part of the table right above it."""
    if table.page != other.page or table.box is None or other.box is None:
        return False
    over = min(table.box[2], other.box[2]) - max(table.box[0], other.box[0])
    return over > 0 and abs(other.box[1] - table.box[3]) < _NOTE_GAP


def _pictures(page: Page, blocks: Iterable[Block]) -> list[Box]:
    boxes = [block.box for block in blocks if block.kind == "picture"]
    boxes += [box for box in page.pictures if box.area < 0.95 * page.width * page.height]
    return [box for box in boxes if min(box.width, box.height) >= _SMALLEST_PICTURE]


def _nearest(blocks: Sequence[Block], caption: Box) -> Block | None:
    """The table nearest to a caption: above or below it, or beside a caption in the margin."""
    scored = [
        (distance, at)
        for at, block in enumerate(blocks)
        if (distance := _distance(block.box, caption)) < _FAR
    ]
    return blocks[min(scored)[1]] if scored else None


def _distance(box: Box, caption: Box) -> float:
    over = min(box.x1, caption.x1) - max(box.x0, caption.x0)
    if over > 0:
        below, above = box.y0 - caption.y1, caption.y0 - box.y1
        # Captions of tables stand above more often than below.
        return max(0.0, below) if below > -20 else max(0.0, above) + 8 if above > -20 else 0.0
    beside = max(box.x0 - caption.x1, caption.x0 - box.x1)
    level = min(box.y1, caption.y1) - max(box.y0, caption.y0)
    return beside + 40 if level > 0 and beside < 30 else _FAR


def _figure_box(caption: Block, on_page: _OnPage, found: Floats, body_size: float) -> Box:
    """The pictures above a caption up to the text over them, else below or beside it, else free space."""
    box, page = caption.box, on_page.page
    in_line = [one for one in on_page.pictures if min(one.x1, box.x1) - max(one.x0, box.x0) > 0]
    walls = [
        one.box
        for one in on_page.blocks
        if one is not caption
        and _is_wall(one, found, body_size)
        and min(one.box.x1, box.x1) > max(one.box.x0, box.x0)
    ]
    top = max((wall.y1 for wall in walls if wall.y1 <= box.y0 + 2), default=0.06 * page.height)
    above = [
        one for one in in_line if (one.y0 + one.y1) / 2 < box.y0 and one.y1 > top + 5 and one.y1 < box.y1 + 2
    ]
    if above:
        return around(above)
    bottom = min((wall.y0 for wall in walls if wall.y0 >= box.y1 - 2), default=0.94 * page.height)
    below = [one for one in in_line if (one.y0 + one.y1) / 2 > box.y1 and one.y0 < bottom - 5]
    if below:
        return around(below)
    beside = [one for one in on_page.pictures if min(one.y1, box.y1) > max(one.y0, box.y0)]
    if beside:
        return around(beside)
    inside = [
        one.box
        for one in on_page.blocks
        if one is not caption
        and top <= one.box.y0
        and one.box.y1 <= box.y0 + 2
        and min(one.box.x1, box.x1) > max(one.box.x0, box.x0)
    ]
    free = Box(box.x0, top, box.x1, box.y0)
    return around([free, *inside]) if free.height > 20 else box


def _is_wall(block: Block, found: Floats, body_size: float) -> bool:
    """Whether figures end where this block is: running text, headings, other captions and tables."""
    if block.kind in ("picture", "formula"):
        return False
    if block.kind in ("table", "section-header", "title", "caption") or id(block) in found.taken:
        return True
    return block.size > body_size - 0.6 and len(block.text.split()) > 8


def _take_inside(box: Box, on_page: _OnPage, found: Floats, caption: Block) -> None:
    for block in on_page.blocks:
        middle = ((block.box.x0 + block.box.x1) / 2, (block.box.y0 + block.box.y1) / 2)
        if block is not caption and box.holds(*middle):
            found.taken.add(id(block))


def _corners(page: Page, box: Box) -> Corners:
    printed = page.as_printed(box)
    return (printed.x0, printed.y0, printed.x1, printed.y1)
