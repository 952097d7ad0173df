"""Papers as models see them: sections, paragraphs marked P1, P2, ..., tables T1, ..., captions C1, ..."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from aimsciqa_resources.tokens import token_counts

from aimsciqa_assets.reading.paper_table import BETWEEN_CELLS

_LETTERS: Final = {"text": "P", "table": "T", "caption": "C"}


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, table or caption with its mark and the title of its section."""

    mark: str
    paragraph_id: str
    section: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Quote:
    """A quote that stands in a paper: `text` is the paragraph's text from `start` to `end`."""

    paragraph_id: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class MarkedPaper:
    """A paper as its blocks, in reading order."""

    paper_id: str
    title: str
    blocks: tuple[Block, ...]

    def text(self, blocks: Sequence[Block] | None = None) -> str:
        """Return blocks (all, if none are given) under the titles of their sections."""
        lines = list[str]()
        section = None
        for block in self.blocks if blocks is None else blocks:
            if block.section != section:
                section = block.section
                lines.append(f"# {section or 'Text'}")
            lines.append(f"[{block.mark}] {block.text}")
        return "\n".join(lines)

    def parts(self, tokens: int) -> Iterator[list[Block]]:
        """Yield consecutive blocks of at most so many tokens; a block with more is a part by itself."""
        part, size = list[Block](), 0
        for block, count in zip(
            self.blocks, token_counts([block.text for block in self.blocks]), strict=True
        ):
            if part and size + count > tokens:
                yield part
                part, size = [], 0
            part.append(block)
            size += count
        if part:
            yield part

    def find(self, quote: str, mark: str = "") -> Quote | None:
        """Return where a quote stands: in the block with the mark, else in the first that has it.

        Cells of one row of a table may be quoted with others between them; the quote is then the row from
        the first to the last of them.
        """
        wanted = mark.strip("[]() .")
        ordered = sorted(self.blocks, key=lambda block: block.mark != wanted)
        if not quote.strip():
            return None
        for block in ordered:
            start = block.text.find(quote)
            if start >= 0:
                return Quote(block.paragraph_id, quote, start, start + len(quote))
        for block in ordered:
            if block.kind == "table" and (span := _row_with(quote, block.text)):
                return Quote(block.paragraph_id, block.text[slice(*span)], *span)
        return None

    def mark_of(self, quote: str) -> str:
        """Return the mark of the block in which a quote stands; empty if it stands nowhere."""
        place = self.find(quote)
        paragraph = place.paragraph_id if place else None
        return next((block.mark for block in self.blocks if block.paragraph_id == paragraph), "")


def marked_papers(papers: Mapping[str, str], rows: Sequence[Mapping[str, Any]]) -> dict[str, MarkedPaper]:
    """Return papers by id, from their titles and rows of paragraphs in reading order.

    A row has `paper_id`, `paragraph_id`, `section` (its title), `kind` and `text`.
    """
    blocks: dict[str, list[Block]] = {paper: [] for paper in papers}
    counts: dict[tuple[str, str], int] = {}
    for row in rows:
        paper, kind = row["paper_id"], row["kind"]
        counts[paper, kind] = counts.get((paper, kind), 0) + 1
        mark = f"{_LETTERS[kind]}{counts[paper, kind]}"
        blocks[paper].append(Block(mark, row["paragraph_id"], row["section"], kind, row["text"]))
    return {paper: MarkedPaper(paper, title, tuple(blocks[paper])) for paper, title in papers.items()}


def _row_with(quote: str, table: str) -> tuple[int, int] | None:
    """Return where the line of a table is that has all cells of a quote, in their order."""
    cells = [cell.strip() for cell in quote.split(BETWEEN_CELLS.strip()) if cell.strip()]
    if len(cells) < 2 or "\n" in quote:
        return None
    line_start = 0
    for line in table.split("\n"):
        if span := _span_of(cells, line):
            return line_start + span[0], line_start + span[1]
        line_start += len(line) + 1
    return None


def _span_of(cells: Sequence[str], line: str) -> tuple[int, int] | None:
    start: int | None = None
    at = 0
    wanted = iter(cells)
    cell = next(wanted)
    for text in line.split(BETWEEN_CELLS):
        if text.strip() == cell:
            start = at if start is None else start
            end = at + len(text)
            following = next(wanted, None)
            if following is None:
                return start, end
            cell = following
        at += len(text) + len(BETWEEN_CELLS)
    return None
