"""Groups pairs of papers into blocks, each of which one matrix product compares.

A product is fast when it is large and nearly all of its results are needed. Papers that share a keyword are
all compared with each other, so they make dense blocks. The other pairs are taken source by source.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]

# Pairs of a smaller group are taken source by source.
_PAIRS_OF_A_GROUP = 64
# How many of the pairs that are taken source by source go to a thread at a time.
_PAIRS_AT_A_TIME = 512
# The share of a block's pairs that must be needed. A sparser block is split.
_DENSE = 0.85


class Block(NamedTuple):
    """Papers `rows` to be compared with papers `columns`.

    `pairs[i, j]` is the number of the pair of `rows[i]` and `columns[j]`, or -1 where no comparison is
    needed.
    """

    rows: Integers
    columns: Integers
    pairs: npt.NDArray[np.int64]


class Blocks(NamedTuple):
    """Blocks one after another, for a compiled loop.

    Block `b` owns the rows from `row_starts[b]` up to `row_starts[b + 1]`, and the columns from
    `column_starts[b]` on; its table of pairs is flat in `pairs` from `pair_starts[b]` on.
    """

    rows: Integers
    columns: Integers
    pairs: Integers
    row_starts: Integers
    column_starts: Integers
    pair_starts: Integers

    @classmethod
    def of_one(cls, rows: Integers, columns: Integers, pairs: npt.NDArray[np.int64]) -> "Blocks":
        """A single block."""
        starts = (np.array([0, many.size]) for many in (rows, columns, pairs))
        return cls(rows, columns, pairs.ravel(), *starts)

    def each(self) -> Iterator[Block]:
        """The blocks, one after another."""
        for b in range(len(self.row_starts) - 1):
            rows = self.rows[self.row_starts[b] : self.row_starts[b + 1]]
            columns = self.columns[self.column_starts[b] : self.column_starts[b + 1]]
            flat = self.pairs[self.pair_starts[b] : self.pair_starts[b + 1]]
            yield Block(rows, columns, flat.reshape(len(rows), len(columns)))


@dataclass(frozen=True, slots=True)
class PaperPairs:
    """Pairs of papers, by their numbers in the index: `sources[k]` with `targets[k]`.

    Pairs of one group have many papers in common, because all of them share a keyword; -1 is no group.
    """

    sources: Integers
    targets: Integers
    groups: Integers

    def __len__(self) -> int:
        return len(self.sources)


def dense_blocks(pairs: PaperPairs, questions: Integers, most_rows: int) -> Iterator[Blocks]:
    """Nearly full blocks, which together hold every pair once.

    `questions` is the number of questions of each paper. The rows of a block have at most `most_rows`
    questions together, unless they are a single paper.
    """
    _, group, count = np.unique(pairs.groups, return_inverse=True, return_counts=True)
    alone = (count[group] < _PAIRS_OF_A_GROUP) | (pairs.groups < 0) if len(pairs) else np.zeros(0, np.bool_)
    order = np.lexsort((pairs.targets, pairs.sources, group))
    in_groups = order[~alone[order]]
    for one in np.split(in_groups, _changes(group[in_groups])):
        if len(one):
            yield from _blocks_of_group(pairs, one, questions, most_rows)
    yield from _one_source_each(pairs, np.flatnonzero(alone))


def _one_source_each(pairs: PaperPairs, numbers: Integers) -> Iterator[Blocks]:
    """A block for each source, with its targets."""
    numbers = numbers[np.lexsort((pairs.targets[numbers], pairs.sources[numbers]))]
    for start in range(0, len(numbers), _PAIRS_AT_A_TIME):
        some = numbers[start : start + _PAIRS_AT_A_TIME]
        first = np.concatenate([[0], _changes(pairs.sources[some])])
        starts = np.append(first, len(some))
        sources = pairs.sources[some]
        yield Blocks(sources[first], pairs.targets[some], some, np.arange(len(starts)), starts, starts)


def _blocks_of_group(
    pairs: PaperPairs, group: Integers, questions: Integers, most_rows: int
) -> Iterator[Blocks]:
    by_source = np.split(group, _changes(pairs.sources[group]))
    papers = pairs.sources[[of_source[0] for of_source in by_source]]
    for start, end in runs(questions[papers], most_rows):
        yield from _split_until_dense(pairs, by_source[start:end])


def _split_until_dense(pairs: PaperPairs, by_source: list[Integers]) -> Iterator[Blocks]:
    numbers = np.concatenate(by_source)
    rows = pairs.sources[[one[0] for one in by_source]]
    # The targets of one source are sorted and distinct.
    columns, column = pairs.targets[numbers], np.arange(len(numbers))
    if len(rows) > 1:
        columns, column = np.unique(columns, return_inverse=True)
        if len(numbers) < _DENSE * len(rows) * len(columns):
            half = len(rows) // 2
            yield from _split_until_dense(pairs, by_source[:half])
            yield from _split_until_dense(pairs, by_source[half:])
            return
    table = np.full((len(rows), len(columns)), -1, dtype=np.int64)
    table[np.repeat(np.arange(len(rows)), [len(one) for one in by_source]), column] = numbers
    yield Blocks.of_one(rows, columns, table)


def runs(sizes: Integers, most: int) -> Iterator[tuple[int, int]]:
    """Ranges of consecutive papers, none with more than `most` questions unless it is a single paper.

    `sizes` is the number of questions of each, `(n_papers,)`.
    """
    ends = np.cumsum(sizes)
    start = 0
    while start < len(sizes):
        before = ends[start - 1] if start else 0
        end = max(start + 1, int(np.searchsorted(ends, before + most, side="right")))
        yield start, end
        start = end


def _changes(values: Integers) -> Integers:
    """Where a value differs from the one before."""
    return np.flatnonzero(np.diff(values)) + 1
