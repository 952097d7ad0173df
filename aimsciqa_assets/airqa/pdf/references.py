"""The blocks of a bibliography -> its entries."""

import re
from collections.abc import Sequence

from aimsciqa_assets.airqa.pdf.block import Block
from aimsciqa_assets.airqa.store.contents import Entry
from aimsciqa_assets.reading.pdf.blocks import Joiner
from aimsciqa_assets.reading.pdf.layout import Line
from aimsciqa_assets.reading.pdf.references import printed_entries

_ENDS = re.compile(r"[.\])\d/][\s”\"’']*\Z")
_NAME = re.compile(r"[^\W\d_a-z][\w'’-]+,? ")
_NAME_AND_YEAR = re.compile(r"[^\W\d_a-z][\w'’-]+,? (?:[A-Z]\.?[ -]?){1,3}[,;&(].{0,120}?\(?(?:18|19|20)\d\d")
_FEW = 0.5


def entries_of(blocks: Sequence[Block]) -> list[Entry]:
    """The entries in order, each with the page on which it begins.

    Where the lines hardly tell entries apart, short last lines and the blocks of the layout model do.
    """
    lines = [line for block in blocks for line in block.lines]
    if not lines:
        return []
    of_lines = [Entry(text, page + 1) for text, page in printed_entries(lines)]
    others = _by_starts(blocks)
    return others if len(of_lines) < _FEW * len(others) else of_lines


def _by_starts(blocks: Sequence[Block]) -> list[Entry]:
    """Entries that begin with a name, after the end of a block or after a short line."""
    entries: list[list[Line]] = []
    before: Line | None = None
    for block in blocks:
        for at, line in enumerate(block.lines):
            ended = before is None or _ENDS.search(before.text)
            apart = before is None or at == 0 or before.ends_early
            is_start = _NAME.match(line.text) if apart else _NAME_AND_YEAR.match(line.text)
            if not entries or (ended and is_start):
                entries.append([])
            entries[-1].append(line)
            before = line
    joiner = Joiner([line for entry in entries for line in entry])
    return [Entry(joiner.text(entry), entry[0].page + 1) for entry in entries]
