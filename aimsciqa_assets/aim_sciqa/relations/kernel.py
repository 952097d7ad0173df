"""The inner loops of section similarity (equations 4 and 5), compiled: no library does this in one pass.

A block of cosines comes from one matrix product. While it is in the cache, the rows of each section are
summed column by column (the compiler makes vector instructions of that), then the columns by section. Cosines
in float32 are slightly inexact: where that could change the result, two papers are marked as doubtful, and
`compare_exactly` compares them again.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
import numpy.typing as npt

# The BLAS of the compiled code. It is loaded at the start, so that a limit on its threads applies.
import scipy.linalg.cython_blas  # noqa: F401
from numba import njit

from aimsciqa_assets.aim_sciqa.relations.blocks import Block, Blocks

F = TypeVar("F", bound=Callable[..., Any])
Float32s = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]
Found = npt.NDArray[np.void]
SoFar = tuple[Any, Any]
Sums = npt.NDArray[np.float64]

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
"""A section pair of two papers; sections and questions are numbers in the index. Rank 0: no section pair."""

DOUBTFUL = -1
"""The first rank of two papers that must be compared exactly."""

# The order of summation changes the last bits of a sum: numbers that agree to nine digits are equal.
_EQUAL = 1e9


class Index(NamedTuple):
    """The arrays of a `QuestionIndex`."""

    vectors: Float32s
    section_starts: Integers
    paper_starts: Integers


class Rule(NamedTuple):
    """Cosines of at least `tau` count, each may be off by `close`, and the `top` section pairs are kept."""

    tau: float
    close: float
    top: int


class Space(NamedTuple):
    """The buffers of a thread: vectors of the rows and columns of a block, `(n, dim)` and `(m, dim)`, and
    their `cosines`, `(n * m,)`. Each has room for at least the largest paper.
    """

    rows: Float32s
    columns: Float32s
    cosines: Float32s


def compiled(function: F) -> F:
    """Compile a function. Its machine code is cached on disk if possible, and runs without the GIL."""
    try:
        return cast(F, njit(nogil=True, cache=True)(function))
    except RuntimeError:
        return cast(F, njit(nogil=True)(function))


@compiled
def gather(index: Index, papers: Integers, into: Float32s) -> int:
    """Copy the questions of some papers into `into`, `(at least n_questions, dim)`, one paper after another.

    Returns their number.
    """
    row = 0
    for paper in papers:
        first = index.section_starts[index.paper_starts[paper]]
        last = index.section_starts[index.paper_starts[paper + 1]]
        into[row : row + last - first] = index.vectors[first:last]
        row += last - first
    return row


@compiled
def sum_ranges(vectors: Float32s, starts: Integers) -> Sums:
    """Sums in float64 of the rows from each start up to the next, `(len(starts) - 1, dim)`."""
    sums = np.zeros((len(starts) - 1, vectors.shape[1]))
    for number in range(len(starts) - 1):
        for row in range(starts[number], starts[number + 1]):
            sums[number] += vectors[row]
    return sums


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
def exact_cosines_of(vectors: Float32s, left: Integers, right: Integers) -> Sums:
    """`exact_cosine` of the vectors with each two numbers, `(n,)`."""
    cosines = np.empty(len(left))
    for place in range(len(left)):
        cosines[place] = exact_cosine(vectors[left[place]], vectors[right[place]])
    return cosines


@compiled
def compare_blocks(blocks: Blocks, index: Index, rule: Rule, space: Space, found: Found) -> None:
    """Multiply and compare block after block, in float32 by BLAS, as `compare_block` does."""
    for b in range(len(blocks.row_starts) - 1):
        rows = blocks.rows[blocks.row_starts[b] : blocks.row_starts[b + 1]]
        columns = blocks.columns[blocks.column_starts[b] : blocks.column_starts[b + 1]]
        flat = blocks.pairs[blocks.pair_starts[b] : blocks.pair_starts[b + 1]]
        pairs = flat.reshape(len(rows), len(columns))
        n = gather(index, rows, space.rows)
        start = 0
        while start < len(columns):
            end = end_of_run(columns, start, index, len(space.columns))
            m = gather(index, columns[start:end], space.columns)
            cosines = space.cosines[: n * m].reshape(n, m)
            np.dot(space.rows[:n], space.columns[:m].T, cosines)
            part = Block(rows, columns[start:end], pairs[:, start:end])
            compare_block(cosines, part, index, rule, found)
            start = end


@compiled
def end_of_run(papers: Integers, start: int, index: Index, most: int) -> int:
    """The end of the longest run of papers from `start` on with at most `most` questions."""
    count = 0
    for place in range(start, len(papers)):
        sections = index.paper_starts[papers[place]], index.paper_starts[papers[place] + 1]
        count += index.section_starts[sections[1]] - index.section_starts[sections[0]]
        if count > most:
            return place
    return len(papers)


@compiled
def compare_block(cosines: Float32s, block: Block, index: Index, rule: Rule, found: Found) -> None:
    """Find the most similar sections of the papers of a block.

    `cosines` is `(questions of rows, questions of columns)`, `found` `(n_pairs, top)` FOUND. Two papers for
    which inexact cosines could give other sections are marked as DOUBTFUL.
    """
    column_starts = _starts(block.columns, index.section_starts[index.paper_starts])
    section_starts = _starts(block.columns, index.paper_starts)
    # For each column: the sum over a section of the source, and the smallest distance of a cosine from tau.
    total, nearest = np.empty(cosines.shape[1]), np.empty(cosines.shape[1], np.float32)
    nothing = np.full(cosines.shape[1], -2, np.float32)
    row = 0
    for i, source in enumerate(block.rows):
        sections = index.section_starts[index.paper_starts[source] : index.paper_starts[source + 1] + 1]
        sums = np.empty((len(sections) - 1, section_starts[-1]))
        nearest[:] = 2
        for s in range(len(sections) - 1):
            rows = cosines[row + sections[s] - sections[0] : row + sections[s + 1] - sections[0]]
            _sum_by_column(rows, nothing, np.float32(rule.tau), total, nearest)
            for j, target in enumerate(block.columns):
                if block.pairs[i, j] >= 0:
                    shift = column_starts[j] - index.section_starts[index.paper_starts[target]]
                    for t in range(index.paper_starts[target + 1] - index.paper_starts[target]):
                        section = index.paper_starts[target] + t
                        first = shift + index.section_starts[section]
                        last = shift + index.section_starts[section + 1]
                        sums[s, section_starts[j] + t] = _sum(total, first, last)
        rows = cosines[row : row + sections[-1] - sections[0]]
        for j, target in enumerate(block.columns):
            pair = block.pairs[i, j]
            if pair >= 0:
                first, last = column_starts[j], column_starts[j + 1]
                certain = not _reach(nearest, first, last, rule.close) and _best_section_pairs(
                    rows[:, first:last],
                    sums[:, section_starts[j] : section_starts[j + 1]],
                    source,
                    target,
                    index,
                    rule,
                    found[pair],
                )
                if not certain:
                    found[pair].rank[:] = DOUBTFUL
        row += sections[-1] - sections[0]


@compiled
def _starts(papers: Integers, starts: Integers) -> Integers:
    """Where papers start when they follow one another, and where the last one ends."""
    found = np.zeros(len(papers) + 1, np.int64)
    for place, paper in enumerate(papers):
        found[place + 1] = found[place] + starts[paper + 1] - starts[paper]
    return found


@compiled
def _sum_by_column(cosines: Float32s, nothing: Float32s, tau: Any, total: Sums, nearest: Float32s) -> None:
    total[:] = 0
    rows = cosines.shape[0]
    for row in range(0, rows, 4):
        # Four rows at a time stay in registers, and their sum in float32 is nearly exact.
        one = cosines[row]
        two = cosines[row + 1] if row + 1 < rows else nothing
        three = cosines[row + 2] if row + 2 < rows else nothing
        four = cosines[row + 3] if row + 3 < rows else nothing
        for column in range(len(one)):
            so_far = np.float32(0), nearest[column]
            so_far = _counted(two[column], tau, _counted(one[column], tau, so_far))
            so_far = _counted(four[column], tau, _counted(three[column], tau, so_far))
            total[column] += so_far[0]
            nearest[column] = so_far[1]


@compiled
def _counted(cosine: Any, tau: Any, so_far: SoFar) -> SoFar:
    total, nearest = so_far
    distance = abs(cosine - tau)
    return (
        total + (abs(cosine) if cosine >= tau else np.float32(0)),
        distance if distance < nearest else nearest,
    )


@compiled
def _sum(numbers: Sums, first: int, last: int) -> float:
    # Two independent sums, so that neither waits for the other.
    one, two = 0.0, 0.0
    for place in range(first, last - 1, 2):
        one += numbers[place]
        two += numbers[place + 1]
    return one + two + (numbers[last - 1] if (last - first) % 2 else 0.0)


@compiled
def _reach(distances: Float32s, first: int, last: int, close: float) -> bool:
    lowest = np.float32(2)
    for place in range(first, last):
        lowest = min(lowest, distances[place])
    return bool(lowest <= close)


@compiled
def _best_section_pairs(  # noqa: PLR0917
    cosines: Float32s, sums: Sums, source: int, target: int, index: Index, rule: Rule, found: Found
) -> bool:
    """Choose section pairs by Sim and find their core pairs. Returns whether the choice is certain.

    `sums` has Sim of each section pair of two papers; chosen ones are set to 0. The choice is not certain if
    slightly different cosines could change it.
    """
    first_source, first_target = index.paper_starts[source], index.paper_starts[target]
    rows = index.section_starts[first_source : index.paper_starts[source + 1] + 1]
    columns = index.section_starts[first_target : index.paper_starts[target + 1] + 1]
    for rank in range(rule.top):
        found[rank].rank = 0
    for rank in range(rule.top):
        best, s, t = 0.0, -1, -1
        for i in range(sums.shape[0]):
            for j in range(sums.shape[1]):
                if sums[i, j] > best:
                    best, s, t = sums[i, j], i, j
        if s < 0:
            break
        sums[s, t] = 0
        size = (rows[-1] - rows[0]) * (columns[-1] - columns[0])
        for i in range(sums.shape[0]):
            for j in range(sums.shape[1]):
                off = rule.close * _most_over_tau(best + sums[i, j], size, rule.tau)
                if sums[i, j] > 0 and sums[i, j] > best - off:
                    return False
        here = found[rank]
        here.rank, here.similarity = rank + 1, best
        here.source_section, here.target_section = first_source + s, first_target + t
        ours = cosines[rows[s] - rows[0] : rows[s + 1] - rows[0]]
        there = ours[:, columns[t] - columns[0] : columns[t + 1] - columns[0]]
        if not _core_pair(there, rows[s], columns[t], rule, here):
            return False
        here.strength = exact_cosine(index.vectors[here.core_source], index.vectors[here.core_target])
    return True


@compiled
def _most_over_tau(total: float, size: int, tau: float) -> float:
    """At most how many cosines that reach tau can be in a sum."""
    return min(total / tau, float(size)) if tau > 0 else float(size)


@compiled
def _core_pair(cosines: Float32s, first_row: int, first_column: int, rule: Rule, here: Any) -> bool:
    """Find the core pair of a section pair, and count the cosines that reach tau.

    Returns whether no other pair comes close to the core pair.
    """
    highest, count = np.float32(-2), 0
    for p in range(cosines.shape[0]):
        for q in range(cosines.shape[1]):
            if cosines[p, q] >= rule.tau:
                count += 1
            if cosines[p, q] > highest:
                highest = cosines[p, q]
                here.core_source, here.core_target = first_row + p, first_column + q
    here.pairs_over_tau = count
    limit, near = highest - 2 * rule.close, 0
    for p in range(cosines.shape[0]):
        for q in range(cosines.shape[1]):
            if cosines[p, q] >= limit:
                near += 1
    return near == 1


@compiled
def compare_exactly(source: int, target: int, index: Index, rule: Rule, found: Found) -> None:
    """Find the most similar sections of two papers in float64, into `found`, `(top,)` FOUND.

    Numbers that agree to nine digits are equal; of equal pairs, the first in the order of the index is taken.
    """
    ours = index.paper_starts[source : source + 2]
    theirs = index.paper_starts[target : target + 2]
    rows = index.section_starts[ours[0] : ours[1] + 1]
    columns = index.section_starts[theirs[0] : theirs[1] + 1]
    cosines = _exact_cosines(index.vectors[rows[0] : rows[-1]], index.vectors[columns[0] : columns[-1]])
    measured = np.zeros((len(rows) - 1, len(columns) - 1), found.dtype)
    for s in range(len(rows) - 1):
        of_section = cosines[rows[s] - rows[0] : rows[s + 1] - rows[0]]
        for t in range(len(columns) - 1):
            here = measured[s, t]
            here.source_section, here.target_section = ours[0] + s, theirs[0] + t
            there = of_section[:, columns[t] - columns[0] : columns[t + 1] - columns[0]]
            _sum_exactly(there, rows[s], columns[t], index, rule, here)
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
def _exact_cosines(left: Float32s, right: Float32s) -> Sums:
    """Products of unit vectors in float64, `(n, m)`, rounded to nine digits and summed in order."""
    cosines = np.zeros((len(left), len(right)))
    numbers = np.ascontiguousarray(right.T).astype(np.float64)
    for p in range(len(left)):
        for place in range(left.shape[1]):
            number = np.float64(left[p, place])
            for q in range(len(right)):
                cosines[p, q] += number * numbers[place, q]
        for q in range(len(right)):
            cosines[p, q] = np.rint(cosines[p, q] * _EQUAL) / _EQUAL
    return cosines


@compiled
def _sum_exactly(  # noqa: PLR0917
    cosines: Sums, first_row: int, first_column: int, index: Index, rule: Rule, here: Any
) -> None:
    """Fill in a FOUND whose sections are set already."""
    strongest = -2.0
    for p in range(cosines.shape[0]):
        for q in range(cosines.shape[1]):
            cosine = cosines[p, q]
            if cosine >= rule.tau:
                here.similarity += abs(cosine)
                here.pairs_over_tau += 1
            if cosine > strongest:
                strongest = cosine
                here.core_source, here.core_target = first_row + p, first_column + q
    here.similarity = np.rint(here.similarity * _EQUAL) / _EQUAL
    here.strength = exact_cosine(index.vectors[here.core_source], index.vectors[here.core_target])
