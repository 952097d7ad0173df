"""The blocks of a bibliography -> its entries."""

from collections.abc import Sequence

from aimsciqa_assets.airqa.pdf.flow import Block
from aimsciqa_assets.airqa.store.contents import Entry
from aimsciqa_assets.reading.pdf.references import printed_entries


def entries_of(blocks: Sequence[Block]) -> list[Entry]:
    """The entries in order, each with the page on which it begins."""
    lines = [line for block in blocks for line in block.lines]
    return [Entry(text, page + 1) for text, page in printed_entries(lines)] if lines else []
