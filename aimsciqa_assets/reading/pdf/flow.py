"""Pages -> blocks in reading order, without running heads and page numbers.

A block is what the layout model takes for one thing, with its printed lines; lines that it overlooked form
blocks of their own, so that no text is lost.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from aimsciqa_assets.reading.pdf.block import FLOATS, PROSE, Block
from aimsciqa_assets.reading.pdf.boxes import Box, around
from aimsciqa_assets.reading.pdf.columns import in_columns, usual_gutters
from aimsciqa_assets.reading.pdf.formulas import formula_text
from aimsciqa_assets.reading.pdf.headings import is_well_known
from aimsciqa_assets.reading.pdf.joining import Joiner
from aimsciqa_assets.reading.pdf.lines import (
    STRETCHED_GAP,
    Line,
    is_in_margin,
    joined_rows,
    running_lines,
)
from aimsciqa_assets.reading.pdf.pages import Kind, Page, Region

_RUNNING: tuple[Kind, ...] = ("page-header", "page-footer")
_LABEL = re.compile(r"(?i:fig(?:ure|\.)?|table|scheme)\s*\d|\[?\d{1,3}[.)\]]\s*\Z")
"""A caption or the number of a reference, also where it is like a line in the margin of another page."""
_PLAIN_CAPTION = re.compile(
    r"(?:Fig(?:ure|\.)?|FIG(?:URE|\.)?|Table|TABLE|Scheme)\s*(?:[A-Z]?\d{1,3}|[IVX]{1,5})\s*[.:|]"
)
_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")
_LARGER = 1.4
"""So many points larger than running text is the title of a paper."""
_WORDS_OF_TEXT = 10
_CONTAINED = 0.8
_WIDE = 0.6
"""A picture so wide, as a share of the page, stands across the columns."""
_FEWEST_ROWS = 2
_PARAGRAPH = 200
"""So many characters are a paragraph, and no remark in the margin."""


def blocks_in_order(pages: Sequence[Page]) -> list[Block]:
    """All blocks of a paper as a person would read them, floats included, running heads left out."""
    running = running_lines([page.lines for page in pages], [page.height for page in pages])
    body_size = _usual_size(pages)
    of_pages = []
    for page in pages:
        lines = [line for line in page.lines if line not in running or _LABEL.match(line.text)]
        of_pages.append(list(_blocks(page, lines, body_size)))
    edges = _text_edges([block for blocks in of_pages for block in blocks])
    ordered: list[Block] = []
    column = 0
    for blocks in of_pages:
        for block in blocks:
            block.beside = edges is not None and (block.box.x1 < edges[0] or block.box.x0 > edges[1])
    usual = usual_gutters(of_pages)
    for blocks in of_pages:
        for number, block in in_columns(blocks, usual):
            block.lines = [replace(line, column=column + number) for line in block.lines]
            ordered.append(block)
        column += len(blocks)
    joiner = Joiner([line for block in ordered for line in block.lines])
    by_number = {page.number: page for page in pages}
    for block in ordered:
        block.text = printed_text(joiner, block.lines)
        if block.kind == "formula":
            page = by_number[block.page]
            block.text = formula_text(page.words, page.rules, block.box) or block.text
    return ordered


def printed_text(joiner: Joiner, lines: Sequence[Line]) -> str:
    """Lines as running text, with plain hyphens and without what no table can hold."""
    text = joiner.text(lines) if lines else ""
    return _UNWANTED.sub("", text.replace("\u2011", "-").replace("\u2010", "-"))


def _usual_size(pages: Sequence[Page]) -> float:
    """The font size of most letters."""
    letters: Counter[float] = Counter()
    for page in pages:
        for line in page.lines:
            letters[line.size] += len(line.text)
    return max(letters, key=lambda size: letters[size], default=0.0)


def _blocks(page: Page, lines: Sequence[Line], body_size: float) -> Iterator[Block]:
    """The blocks of a page in no order; running heads are left out."""
    regions = _not_nested(page.regions)
    members: dict[int, list[Line]] = {at: [] for at in range(len(regions))}
    orphans: list[Line] = []
    for line in lines:
        at = _region_of(line, regions)
        (orphans if at is None else members[at]).append(line)
    orphans = _attached(orphans, members)
    for at, region in enumerate(regions):
        rows = joined_rows(_top_down(members[at]), STRETCHED_GAP)
        if region.kind in _RUNNING:
            yield from _mistaken(rows, page, body_size)
        elif rows:
            yield from _of_region(region, page.number, rows)
        elif region.kind in FLOATS:
            yield Block(region.kind, page.number, region.box)
    for box in page.pictures:
        if (
            _WIDE * page.width < box.width
            and box.height < _WIDE * page.height
            and not _is_covered(box, regions)
        ):
            yield Block("picture", page.number, box)
    for group in _grouped(joined_rows(orphans, STRETCHED_GAP)):
        yield Block("text", page.number, around([_box(line) for line in group]), group)


def _mistaken(rows: Sequence[Line], page: Page, body_size: float) -> Iterator[Block]:
    """The blocks of what the layout model took for a running head: text below the margin, and the title."""
    text = [row for row in rows if not is_in_margin(row, page.height) or _reads_as_text(row, body_size)]
    for group in _grouped(text):
        yield Block("text", page.number, around([_box(line) for line in group]), group)
    largest = max((line.size for line in page.lines), default=0.0)
    title = [row for row in rows if row.size == largest > body_size + _LARGER and row not in text]
    is_marked = any(region.kind == "title" for region in page.regions)
    if title and page.number == 1 and not is_marked:
        yield Block("title", page.number, around([_box(row) for row in title]), title)


def _reads_as_text(row: Line, body_size: float) -> bool:
    return abs(row.size - body_size) < 0.3 and len(row.text.split()) >= _WORDS_OF_TEXT


def _is_covered(box: Box, regions: Iterable[Region]) -> bool:
    return any(region.box.shared(box) > 0.1 * min(box.area, region.box.area) for region in regions)


def _of_region(region: Region, page: int, rows: list[Line]) -> Iterator[Block]:
    """The block of a region; captions inside floats and headings over their paragraph are split off."""
    if region.kind in FLOATS:
        caption = _caption_inside(region.kind, rows)
        if caption:
            frame = around([_box(row) for row in caption])
            yield Block("caption", page, frame, caption)
            yield from _around_caption(region, page, [row for row in rows if row not in caption], frame)
        else:
            yield Block(region.kind, page, region.box, rows)
        return
    head = _heading_over(rows) if region.kind == "text" else 0
    foot = _caption_below(rows)
    if head:
        yield Block("section-header", page, around([_box(row) for row in rows[:head]]), rows[:head])
    is_cut = region.kind == "section-header" and rows[-1].text.endswith("-") and not rows[-1].bold
    for kind, part in _parted("text" if is_cut else region.kind, rows[head:foot]):
        yield Block(kind, page, around([_box(row) for row in part]), part)
    if rows[foot:]:
        yield Block("caption", page, around([_box(row) for row in rows[foot:]]), rows[foot:])


def _parted(kind: Kind, rows: list[Line]) -> Iterator[tuple[Kind, list[Line]]]:
    """The rows of a region, cut at well-known titles that stand alone on a row, in another print."""
    part: list[Line] = []
    for row in rows:
        if kind in PROSE and len(rows) > 1 and _is_lone_title(row, rows):
            if part:
                yield kind, part
            yield "section-header", [row]
            part = []
        else:
            part.append(row)
    if part:
        yield kind, part


def _is_lone_title(row: Line, rows: Sequence[Line]) -> bool:
    beside = [line for line in rows if line is not row]
    differs = (
        row.text.isupper()
        or (row.bold and not all(line.bold for line in beside))
        or all(abs(row.size - line.size) > 0.4 for line in beside)
    )
    return differs and is_well_known(row.text)


def _around_caption(region: Region, page: int, rows: Sequence[Line], caption: Box) -> Iterator[Block]:
    """The float at a caption: the larger side of it, or two tables that the layout model took for one."""
    box = region.box
    upper = Box(box.x0, box.y0, box.x1, caption.y0), [row for row in rows if row.y0 < caption.y0]
    lower = Box(box.x0, caption.y1, box.x1, box.y1), [row for row in rows if row.y0 >= caption.y0]
    sides = (upper, lower) if upper[0].height > lower[0].height else (lower, upper)
    are_two = region.kind == "table" and min(len(upper[1]), len(lower[1])) >= _FEWEST_ROWS
    for side, inside in sides if are_two else sides[:1]:
        yield Block(region.kind, page, side, inside if are_two else list(rows))


def _caption_below(rows: Sequence[Line]) -> int:
    """Where a caption begins that the layout model took for the end of the text above: its print differs."""
    for at, row in enumerate(rows[1:], 1):
        above = rows[at - 1]
        differs = abs(row.size - above.size) > 0.4 or (bool(row.lead) and not above.lead)
        if differs and _PLAIN_CAPTION.match(row.text):
            return at
    return len(rows)


def _caption_inside(kind: Kind, rows: Sequence[Line]) -> list[Line]:
    """The caption at the top or at the bottom of a float that the layout model took for a part of it."""
    at = next((n for n, row in enumerate(rows) if _PLAIN_CAPTION.match(row.text)), None)
    if at is None:
        return []
    caption = [rows[at]]
    for row in rows[at + 1 :] if kind == "picture" else ():
        if not (abs(row.size - caption[0].size) < 0.6 and -1 < row.y0 - caption[-1].y1 < row.size):
            break
        caption.append(row)
    return caption


def _heading_over(rows: Sequence[Line]) -> int:
    """How many lines at the start of a paragraph are its heading, by their print: 0, 1 or 2."""
    if len(rows) < 3:
        return 0
    rest = rows[-1]
    head = 0
    while head < 2 and (abs(rows[head].size - rest.size) > 0.6 or (rows[head].bold and not rest.bold)):
        head += 1
    body = rows[head:]
    same = all(abs(row.size - rest.size) < 0.6 for row in body) and len(body) >= 2
    text = " ".join(row.text for row in rows[:head])
    plain = text[:1].isupper() or text[:1].isdigit()
    short = 0 < len(text.split()) <= 15 and not text.endswith((".", ",", ";", ":", "-"))
    below = head > 0 and body[0].y0 >= rows[head - 1].y0 + 0.5 * rows[head - 1].size
    return head if same and plain and short and below else 0


def _attached(orphans: Sequence[Line], members: dict[int, list[Line]]) -> list[Line]:
    """Give labels that stand close in front of a region's line (numbers of references) to it; the rest."""
    left = []
    for orphan in orphans:
        for lines in members.values():
            at = next((n for n, line in enumerate(lines) if _stands_before(orphan, line)), None)
            if at is not None:
                lines.insert(at, orphan)
                break
        else:
            left.append(orphan)
    return left


def _stands_before(label: Line, line: Line) -> bool:
    level = min(label.y1, line.y1) - max(label.y0, line.y0)
    near = -1 <= line.x0 - label.x1 < 2 * line.size
    return near and level > 0.6 * min(label.y1 - label.y0, line.y1 - line.y0) and len(label.text) <= 8


def _not_nested(regions: Sequence[Region]) -> list[Region]:
    """Regions without those inside of others; a caption inside a float counts on its own."""
    kept: list[Region] = []
    for region in sorted(regions, key=lambda one: -one.box.area):
        inside = [
            other
            for other in kept
            if region.box.area and region.box.shared(other.box) > _CONTAINED * region.box.area
        ]
        if not inside or (region.kind == "caption" and all(other.kind in FLOATS for other in inside)):
            kept.append(region)
    return kept


def _region_of(line: Line, regions: Sequence[Region]) -> int | None:
    box = _box(line)
    shares = [
        (region.box.shared(box), -region.box.area, at)
        for at, region in enumerate(regions)
        if region.box.shared(box) >= 0.5 * box.area
    ]
    if not shares:
        x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
        shares = [(0.0, -region.box.area, at) for at, region in enumerate(regions) if region.box.holds(x, y)]
    captions = [share for share in shares if regions[share[2]].kind == "caption"]
    return max(captions or shares)[2] if shares else None


def _box(line: Line) -> Box:
    return Box(line.x0, line.y0, line.x1, line.y1)


def _top_down(lines: list[Line]) -> list[Line]:
    """Pieces of lines in the order of the file, unless that jumps up the page: then from top to bottom."""
    jumps = sum(b.y0 < a.y0 - 1.5 * a.size for a, b in pairwise(lines))
    if not jumps:
        return lines
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda one: (one.y0 + one.y1) / 2):
        middle = (line.y0 + line.y1) / 2
        if rows and rows[-1][0].y0 <= middle <= rows[-1][0].y1:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [line for row in rows for line in sorted(row, key=lambda one: one.x0)]


def _grouped(lines: Sequence[Line]) -> Iterator[list[Line]]:
    group: list[Line] = []
    for line in lines:
        if group and not _continues(group[-1], line):
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _continues(above: Line, below: Line) -> bool:
    overlap = min(above.x1, below.x1) - max(above.x0, below.x0)
    near = -0.5 * above.size < below.y0 - above.y1 < 0.8 * above.size
    return near and overlap > 0 and abs(above.size - below.size) < 0.6 and above.bold == below.bold


def _text_edges(blocks: Sequence[Block]) -> tuple[float, float] | None:
    """Left and right edge of what is running text in the whole paper."""
    widths: list[tuple[float, float, int]] = []
    for block in blocks:
        if block.kind in PROSE and sum(len(line.text) for line in block.lines) > _PARAGRAPH:
            widths += [(line.x0, line.x1, len(line.text)) for line in block.lines]
    letters = sum(count for *_, count in widths)
    if not letters:
        return None
    return _quantile([(x0, n) for x0, _, n in widths], 0.04), _quantile(
        [(x1, n) for _, x1, n in widths], 0.96
    )


def _quantile(weighted: list[tuple[float, int]], share: float) -> float:
    total, seen = sum(n for _, n in weighted), 0
    for x, n in sorted(weighted):
        seen += n
        if seen >= share * total:
            return x
    return weighted[-1][0]
