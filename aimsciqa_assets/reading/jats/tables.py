"""Tables of a JATS article: a `table-wrap` becomes a `PaperTable`."""

from collections.abc import Iterator

from lxml import etree

from aimsciqa_assets.reading.jats.inline import InlineText
from aimsciqa_assets.reading.jats.tree import local_name
from aimsciqa_assets.reading.paper_table import PaperTable, SourceCell, SourceRow, laid_out

_CELLS = frozenset(("td", "th"))
_TEXTS = frozenset(("p", "list-item", "def-item", "disp-quote", "preformat", "verse-line"))
_OUTSIDE = frozenset(
    ("caption", "table-wrap-foot", "label", "permissions", "object-id", "alt-text", "long-desc")
)


def read_table(wrap: etree._Element, label: str, caption: str, inline: InlineText) -> PaperTable:
    """Return the table of a `table-wrap`, without cells if it is an image or has too many of them."""
    footnotes = list(_footnotes(wrap, inline))
    try:
        return laid_out(label, caption, list(_rows(wrap, inline)), footnotes)
    except ValueError:
        return laid_out(label, caption, [], footnotes)
    finally:
        inline.floats, inline.mentioned = [], []


def _rows(wrap: etree._Element, inline: InlineText) -> Iterator[SourceRow]:
    """Yield the rows of all tables of the wrap; of one without markup, each text as a row of one cell."""
    rows = [row for row in wrap.iter("tr") if not _is_nested(row, wrap)]
    for row in rows:
        parent = row.getparent()
        is_head = parent is not None and local_name(parent) == "thead"
        cells = [_cell(cell, inline) for cell in row if local_name(cell) in _CELLS]
        yield SourceRow(cells, is_head)
    if not rows:
        for text in _loose_texts(wrap, inline):
            yield SourceRow([SourceCell(text)])


def _is_nested(row: etree._Element, wrap: etree._Element) -> bool:
    """Say whether a row is of a table within a cell, or of another `table-wrap`."""
    for above in row.iterancestors():
        if above is wrap:
            return False
        if local_name(above) in _CELLS or local_name(above) == "table-wrap":
            return True
    return False


def _cell(cell: etree._Element, inline: InlineText) -> SourceCell:
    text = inline.cell(cell)
    nested = [inline.cell(inner) for inner in cell.iter("td", "th") if inner is not cell]
    return SourceCell(
        " ".join(filter(None, (text, *nested))),
        _span(cell, "rowspan"),
        _span(cell, "colspan"),
        local_name(cell) == "th",
    )


def _span(cell: etree._Element, name: str) -> int:
    """Return a span; 1 where it is not a number. Names of attributes may be in capitals."""
    value = cell.get(name) or cell.get(name.upper()) or "1"
    return int(value) if value.isascii() and value.isdigit() and len(value) < 6 else 1


def _loose_texts(wrap: etree._Element, inline: InlineText) -> Iterator[str]:
    for element in wrap:
        if local_name(element) in _TEXTS:
            yield from filter(None, [inline.plain(element)])
        elif local_name(element) not in _OUTSIDE:
            yield from _loose_texts(element, inline)


def _footnotes(wrap: etree._Element, inline: InlineText) -> Iterator[str]:
    """Yield each footnote with its mark in front, and each other text below the table."""
    for foot in wrap.iter("table-wrap-foot"):
        for part in foot:
            notes = list(part.iter("fn")) if local_name(part) == "fn-group" else [part]
            for note in notes:
                label = inline.plain(note.find("label"))
                text = inline.plain(note)
                if text:
                    yield " ".join(filter(None, (label, text)))
