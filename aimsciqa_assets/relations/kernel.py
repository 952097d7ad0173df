"""The inner loops of section similarity (equations 4 and 5), compiled: no library does this in one pass.

A block of cosines comes from one matrix product. While it is in the cache, the rows of each section are
summed up column by column (the compiler makes vector instructions of that), and the columns then by section.
Cosines in float32 are a little off: where that could change an answer, two papers are marked as doubtful,
and `compare_exactly` compares them once more.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
import numpy.typing as npt
from numba import njit

from aimsciqa_assets.relations.blocks import Block

F = TypeVar("F", bound=Callable[..., Any])
Float32s = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]
Found = npt.NDArray[np.void]
SoFar = tuple[Any, Any, Any, Any]

FOUND = np.dtype(
    [
        ("source_section", np.int32),
        ("target_section", np.int32),
        ("core_source", np.int32),
        ("core_target", np.int32),
        ("pairs_over_tau", np.int32),
        ("rank", np.int32),
        ("similarity", np.float64),
        ("strength", np.float64),
    ]
)
"""A section pair of two papers; sections and questions are numbers in the index. Rank 0: there is none."""

DOUBTFUL = -1
"""The first rank of two papers that must be compared exactly."""

# Sums of the same numbers in another order differ in the last bits: what agrees to nine digits is equal.
_EQUAL = 1e9


class Index(NamedTuple):
    """The arrays of a `QuestionIndex`."""

    vectors: Float32s
    section_starts: Integers
    paper_starts: Integers


class Rule(NamedTuple):
    """What counts: cosines from `tau` on, which may be off by `close`; `top` section pairs are looked for."""

    tau: float
    close: float
    top: int


class Sums(NamedTuple):
    """Of some cosines: sum and number of those that reach tau, the highest, and the least distance to tau.

    By column `(n_columns,)`, or by section pair `(n_sections, n_other_sections)`.
    """

    total: npt.NDArray[Any]
    number: npt.NDArray[Any]
    highest: npt.NDArray[Any]
    nearest: npt.NDArray[Any]


def compiled(function: F) -> F:
    """Machine code, kept on disk where that can be written to; other threads go on while it runs."""
    try:
        return cast(F, njit(nogil=True, cache=True)(function))
    except RuntimeError:
        return cast(F, njit(nogil=True)(function))


@compiled
def gather(index: Index, papers: Integers, into: Float32s) -> None:
    """Copy the questions of some papers into `into`, `(n_questions, dim)`, one paper after another."""
    row = 0
    for paper in papers:
        first = index.section_starts[index.paper_starts[paper]]
        last = index.section_starts[index.paper_starts[paper + 1]]
        into[row : row + last - first] = index.vectors[first:last]
        row += last - first


@compiled
def exact_cosine(left: Float32s, right: Float32s) -> float:
    """Product of two unit vectors in float64, summed in the same order on every machine."""
    whole = len(left) - len(left) % 4
    one, two, three, four = 0.0, 0.0, 0.0, 0.0
    for place in range(0, whole, 4):
        one += np.float64(left[place]) * np.float64(right[place])
        two += np.float64(left[place + 1]) * np.float64(right[place + 1])
        three += np.float64(left[place + 2]) * np.float64(right[place + 2])
        four += np.float64(left[place + 3]) * np.float64(right[place + 3])
    total = (one + two) + (three + four)
    for place in range(whole, len(left)):
        total += np.float64(left[place]) * np.float64(right[place])
    return total


@compiled
def compare_block(cosines: Float32s, block: Block, index: Index, rule: Rule, found: Found) -> None:
    """Find the most similar sections of the papers of a block.

    `cosines` is `(questions of rows, questions of columns)`, `found` `(n_pairs, top)` FOUND. Papers of which
    cosines that are a little off could give other sections are marked as DOUBTFUL.
    """
    column_starts = _starts(block.columns, index.section_starts[index.paper_starts])
    section_starts = _starts(block.columns, index.paper_starts)
    by_column = Sums(
        np.empty(cosines.shape[1]),
        np.empty(cosines.shape[1], np.float32),
        np.empty(cosines.shape[1], np.float32),
        np.empty(cosines.shape[1], np.float32),
    )
    row = 0
    for i, source in enumerate(block.rows):
        sections = index.section_starts[index.paper_starts[source] : index.paper_starts[source + 1] + 1]
        shape = (len(sections) - 1, section_starts[-1])
        by_section = Sums(
            np.empty(shape),
            np.empty(shape, np.int64),
            np.empty(shape, np.float32),
            np.empty(shape, np.float32),
        )
        for s in range(len(sections) - 1):
            start, end = row + sections[s] - sections[0], row + sections[s + 1] - sections[0]
            _sum_by_column(cosines[start:end], np.float32(rule.tau), by_column)
            for j, target in enumerate(block.columns):
                if block.pairs[i, j] >= 0:
                    shift = column_starts[j] - index.section_starts[index.paper_starts[target]]
                    for t in range(index.paper_starts[target + 1] - index.paper_starts[target]):
                        section = index.paper_starts[target] + t
                        first = shift + index.section_starts[section]
                        last = shift + index.section_starts[section + 1]
                        _add_columns(by_column, first, last, by_section, s, section_starts[j] + t)
        for j, target in enumerate(block.columns):
            pair = block.pairs[i, j]
            if pair >= 0:
                there = slice(section_starts[j], section_starts[j + 1])
                sums = Sums(
                    by_section.total[:, there],
                    by_section.number[:, there],
                    by_section.highest[:, there],
                    by_section.nearest[:, there],
                )
                rows = cosines[row : row + sections[-1] - sections[0]]
                of_papers = rows[:, column_starts[j] : column_starts[j + 1]]
                if not (
                    _best_section_pairs(sums, rule, found[pair])
                    and _core_pairs(of_papers, sums, source, target, index, rule, found[pair])
                ):
                    found[pair].rank[:] = DOUBTFUL
        row += sections[-1] - sections[0]


@compiled
def _starts(papers: Integers, starts: Integers) -> Integers:
    """Where papers start when they stand one after another, and where the last one ends."""
    found = np.zeros(len(papers) + 1, np.int64)
    for place, paper in enumerate(papers):
        found[place + 1] = found[place] + starts[paper + 1] - starts[paper]
    return found


@compiled
def _sum_by_column(cosines: Float32s, tau: Any, sums: Sums) -> None:
    total, number, highest, nearest = sums.total, sums.number, sums.highest, sums.nearest
    total[:], number[:], highest[:], nearest[:] = 0, 0, -2, 2
    zero, whole = np.float32(0), cosines.shape[0] - cosines.shape[0] % 4
    for row in range(0, whole, 4):
        # Four rows in a turn stay in the registers; their sum is as good as exact in float32.
        one, two, three, four = cosines[row], cosines[row + 1], cosines[row + 2], cosines[row + 3]
        for column in range(len(one)):
            so_far = zero, number[column], highest[column], nearest[column]
            so_far = _counted(two[column], tau, _counted(one[column], tau, so_far))
            so_far = _counted(four[column], tau, _counted(three[column], tau, so_far))
            total[column] += so_far[0]
            number[column], highest[column], nearest[column] = so_far[1:]
    for row in range(whole, cosines.shape[0]):
        last = cosines[row]
        for column in range(len(last)):
            so_far = _counted(last[column], tau, (zero, number[column], highest[column], nearest[column]))
            total[column] += so_far[0]
            number[column], highest[column], nearest[column] = so_far[1:]


@compiled
def _counted(cosine: Any, tau: Any, so_far: SoFar) -> SoFar:
    total, number, highest, nearest = so_far
    over = cosine >= tau
    distance = abs(cosine - tau)
    return (
        total + (abs(cosine) if over else np.float32(0)),
        number + (np.float32(1) if over else np.float32(0)),
        cosine if cosine > highest else highest,
        distance if distance < nearest else nearest,
    )


@compiled
def _add_columns(columns: Sums, first: int, last: int, sections: Sums, s: int, t: int) -> None:  # noqa: PLR0917
    total, number, highest, nearest = 0.0, np.float32(0), np.float32(-2), np.float32(2)
    for column in range(first, last):
        total += columns.total[column]
        number += columns.number[column]
        highest = max(highest, columns.highest[column])
        nearest = min(nearest, columns.nearest[column])
    sections.total[s, t], sections.number[s, t] = total, np.int64(number)
    sections.highest[s, t], sections.nearest[s, t] = highest, nearest


@compiled
def _is_near_tau(sums: Sums, rule: Rule) -> bool:
    for s in range(sums.nearest.shape[0]):
        for t in range(sums.nearest.shape[1]):
            if sums.nearest[s, t] <= rule.close:
                return True
    return False


@compiled
def _best_section_pairs(sums: Sums, rule: Rule, found: Found) -> bool:
    """Choose by Sim; sections are counted from the first of their paper. Returns whether that is certain."""
    for rank in range(rule.top):
        found[rank].rank = 0
    ours, theirs = sums.total.shape
    if _is_near_tau(sums, rule):
        return False
    taken = np.zeros((ours, theirs), np.bool_)
    for rank in range(rule.top):
        best, s, t = 0.0, -1, -1
        for i in range(ours):
            for j in range(theirs):
                if not taken[i, j] and sums.total[i, j] > best:
                    best, s, t = sums.total[i, j], i, j
        if s < 0:
            break
        taken[s, t] = True
        for i in range(ours):
            for j in range(theirs):
                off = rule.close * (sums.number[i, j] + sums.number[s, t])
                if not taken[i, j] and sums.total[i, j] > best - off:
                    return False
        here = found[rank]
        here.rank, here.source_section, here.target_section = rank + 1, s, t
        here.pairs_over_tau, here.similarity = sums.number[s, t], best
    return True


@compiled
def _core_pairs(  # noqa: PLR0917
    cosines: Float32s, sums: Sums, source: int, target: int, index: Index, rule: Rule, found: Found
) -> bool:
    """Find the core pair of each section pair and measure it exactly. Returns whether it is the only one."""
    first_source, first_target = index.paper_starts[source], index.paper_starts[target]
    rows = index.section_starts[first_source : index.paper_starts[source + 1] + 1]
    columns = index.section_starts[first_target : index.paper_starts[target + 1] + 1]
    for rank in range(rule.top):
        here = found[rank]
        if here.rank == 0:
            break
        s, t = here.source_section, here.target_section
        limit = sums.highest[s, t] - 2 * rule.close
        seen = 0
        for p in range(rows[s] - rows[0], rows[s + 1] - rows[0]):
            for q in range(columns[t] - columns[0], columns[t + 1] - columns[0]):
                if cosines[p, q] >= limit:
                    seen += 1
                    here.core_source, here.core_target = rows[0] + p, columns[0] + q
        if seen != 1:
            return False
        here.source_section, here.target_section = first_source + s, first_target + t
        here.strength = exact_cosine(index.vectors[here.core_source], index.vectors[here.core_target])
    return True


@compiled
def compare_exactly(source: int, target: int, index: Index, rule: Rule, found: Found) -> None:
    """Find the most similar sections of two papers in float64, into `found`, `(top,)` FOUND.

    What agrees to nine digits is equal, and of equals the first in the order of the index is taken.
    """
    ours = index.paper_starts[source : source + 2]
    theirs = index.paper_starts[target : target + 2]
    measured = np.zeros((ours[1] - ours[0], theirs[1] - theirs[0]), found.dtype)
    for s in range(ours[0], ours[1]):
        for t in range(theirs[0], theirs[1]):
            here = measured[s - ours[0], t - theirs[0]]
            here.source_section, here.target_section = s, t
            _sum_exactly(index, rule, here)
    for rank in range(rule.top):
        best, chosen_s, chosen_t = 0.0, -1, -1
        for s in range(measured.shape[0]):
            for t in range(measured.shape[1]):
                if measured[s, t].rank == 0 and measured[s, t].similarity > best:
                    best, chosen_s, chosen_t = measured[s, t].similarity, s, t
        found[rank].rank = 0
        if chosen_s >= 0:
            measured[chosen_s, chosen_t].rank = rank + 1
            found[rank] = measured[chosen_s, chosen_t]


@compiled
def _sum_exactly(index: Index, rule: Rule, here: Any) -> None:
    """Fill a FOUND whose sections are given."""
    strongest = -2.0
    for p in range(index.section_starts[here.source_section], index.section_starts[here.source_section + 1]):
        for q in range(
            index.section_starts[here.target_section], index.section_starts[here.target_section + 1]
        ):
            cosine = np.rint(exact_cosine(index.vectors[p], index.vectors[q]) * _EQUAL) / _EQUAL
            if cosine >= rule.tau:
                here.similarity += abs(cosine)
                here.pairs_over_tau += 1
            if cosine > strongest:
                strongest = cosine
                here.core_source, here.core_target = p, q
    here.similarity = np.rint(here.similarity * _EQUAL) / _EQUAL
    here.strength = exact_cosine(index.vectors[here.core_source], index.vectors[here.core_target])
