"""Pairs of papers, put together into blocks that one matrix product compares.

A product is fast when it is large and nearly all of it is wanted. Papers that share a keyword are all wanted
with each other: they make dense blocks. What is left is taken paper by paper.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]

# A group of fewer pairs is left to the rows of its papers.
_PAIRS_OF_A_GROUP = 64
# At least so much of a block must be wanted, or it is taken in smaller parts.
_DENSE = 0.8


class Block(NamedTuple):
    """Papers to be compared with papers; `pairs[i, j]` is the number of the pair of `rows[i]` and
    `columns[j]`, -1 where it is not wanted.
    """

    rows: Integers
    columns: Integers
    pairs: npt.NDArray[np.int64]


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


def dense_blocks(
    pairs: PaperPairs, questions: Integers, most_rows: int, most_columns: int
) -> Iterator[Block]:
    """Blocks in which every pair stands once, nearly full ones.

    `questions` is the number of questions of each paper. Blocks have about `most_rows` by `most_columns`
    questions at most, but at least one paper by one.
    """
    if not len(pairs):
        return
    groups = _groups_worth_a_block(pairs)
    order = np.lexsort((pairs.targets, pairs.sources, groups))
    for one in np.split(order, _changes(groups[order])):
        yield from _blocks_of_group(pairs, one, questions, most_rows, most_columns)


def _groups_worth_a_block(pairs: PaperPairs) -> Integers:
    """The groups, where small ones give way to one group for each source."""
    _, group, count = np.unique(pairs.groups, return_inverse=True, return_counts=True)
    alone = (count[group] < _PAIRS_OF_A_GROUP) | (pairs.groups < 0)
    return np.where(alone, -1 - pairs.sources, group)


def _blocks_of_group(
    pairs: PaperPairs, group: Integers, questions: Integers, most_rows: int, most_columns: int
) -> Iterator[Block]:
    by_source = np.split(group, _changes(pairs.sources[group]))
    papers = pairs.sources[[of_source[0] for of_source in by_source]]
    for start, end in runs(questions[papers], most_rows):
        yield from _split_until_dense(pairs, by_source[start:end], questions, most_columns)


def _split_until_dense(
    pairs: PaperPairs, by_source: list[Integers], questions: Integers, most_columns: int
) -> Iterator[Block]:
    numbers = np.concatenate(by_source)
    rows = pairs.sources[[one[0] for one in by_source]]
    # The targets of one source are in order, and each stands there once.
    columns, column = pairs.targets[numbers], np.arange(len(numbers))
    if len(rows) > 1:
        columns, column = np.unique(columns, return_inverse=True)
        if len(numbers) < _DENSE * len(rows) * len(columns):
            half = len(rows) // 2
            yield from _split_until_dense(pairs, by_source[:half], questions, most_columns)
            yield from _split_until_dense(pairs, by_source[half:], questions, most_columns)
            return
    table = np.full((len(rows), len(columns)), -1, dtype=np.int64)
    table[np.repeat(np.arange(len(rows)), [len(one) for one in by_source]), column] = numbers
    for start, end in runs(questions[columns], most_columns):
        yield Block(rows, columns[start:end], table[:, start:end])


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
