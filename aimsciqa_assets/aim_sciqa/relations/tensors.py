"""Section similarity on a GPU: what `kernel.compare_block` does, for all pairs of a block at once.

Neither vectors nor cosines leave the GPU: the cosines of a block would take longer over the bus than to
compute. The rules are those of the kernel, and so are the results but for the last bits of sums.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from aimsciqa_assets.aim_sciqa.relations.blocks import Block, runs
from aimsciqa_assets.aim_sciqa.relations.kernel import (
    DOUBTFUL,
    Found,
    Index,
    Integers,
    Rule,
    Sums,
    exact_cosines_of,
)

if TYPE_CHECKING:
    from torch import Tensor

# Cosines at a time: 128 MiB in float32, and a few times that for what is made of them.
_COSINES = 1 << 25
# Numbers at a time that are looked up in rectangles of unequal sizes, padded to the largest.
_PADDED = 1 << 22


class Layout(NamedTuple):
    """The questions and sections of some papers, one paper after another, by their numbers in the index.

    `questions_of_sections` and `first_questions` say how many questions each of the `sections` has and where
    the first stands in `questions`; `sections_of_papers` and `first_sections` say so of papers.
    """

    questions: Integers
    sections: Integers
    questions_of_sections: Integers
    first_questions: Integers
    questions_of_papers: Integers
    sections_of_papers: Integers
    first_sections: Integers

    @classmethod
    def of(cls, papers: Integers, index: Index) -> "Layout":
        """Lay out some papers of an index."""
        first, last = index.paper_starts[papers], index.paper_starts[papers + 1]
        sections = _ranges(first, last)
        starts, ends = index.section_starts[sections], index.section_starts[sections + 1]
        return cls(
            questions=_ranges(starts, ends),
            sections=sections,
            questions_of_sections=ends - starts,
            first_questions=_firsts(ends - starts),
            questions_of_papers=index.section_starts[last] - index.section_starts[first],
            sections_of_papers=last - first,
            first_sections=_firsts(last - first),
        )


class Rectangles(NamedTuple):
    """Parts of a table of numbers, `(n,)` each: first row and column, height and width."""

    row: Integers
    column: Integers
    height: Integers
    width: Integers

    def alike(self) -> Iterator[Integers]:
        """Their numbers in groups of about the same size, none so large that padding it needs much memory."""
        sides = np.maximum(self.height, self.width)
        order = np.argsort(sides, kind="stable")
        start = 0
        while start < len(order):
            padded = np.arange(1, len(order) - start + 1) * sides[order[start:]] ** 2
            end = start + max(1, int(np.searchsorted(padded, _PADDED, side="right")))
            yield order[start:end]
            start = end

    def read(self, table: "Tensor", some: Integers, nothing: float) -> "Tensor":
        """Those with these numbers, `(n, height * width)` of the largest, filled up with `nothing`."""
        import torch

        row, column, height, width = (_there(one[some], table)[:, None, None] for one in self)
        down = torch.arange(int(height.max()), device=table.device)[None, :, None]
        along = torch.arange(int(width.max()), device=table.device)[None, None, :]
        inside = (down < height) & (along < width)
        place = (row + down) * table.stride(0) + (column + along) * table.stride(1)
        # `take` would read a transposed table into a new one first.
        flat = table.as_strided((table.numel(),), (1,))
        return flat[place.where(inside, 0)].masked_fill_(~inside, nothing).flatten(1)


@dataclass(frozen=True, slots=True)
class Chosen:
    """Section pairs of pairs of papers, `(n_pairs, top)` each: Sim (0: none), cosines that reach tau, and
    places of the sections and core questions in their layouts. `doubtful`, `(n_pairs,)`, must be compared
    exactly.
    """

    doubtful: npt.NDArray[np.bool_]
    similarity: Sums
    count: Integers
    sections: tuple[Integers, Integers]
    core: tuple[Integers, Integers]

    @classmethod
    def nothing(cls, pairs: int, top: int) -> "Chosen":
        """To be filled in."""
        places = [np.zeros((pairs, top), np.int64) for _ in range(4)]
        return cls(
            doubtful=np.zeros(pairs, np.bool_),
            similarity=np.zeros((pairs, top)),
            count=np.zeros((pairs, top), np.int64),
            sections=(places[0], places[1]),
            core=(places[2], places[3]),
        )


class TensorIndex:
    """The vectors of an index on a device of torch. `compare_block` is what `kernel.compare_block` is."""

    def __init__(self, index: Index, device: str, precision: str) -> None:
        import torch

        self._index = index
        self._questions_of_papers = np.diff(index.section_starts[index.paper_starts])
        self._vectors = torch.tensor(index.vectors, dtype=getattr(torch, precision), device=device)
        # What several threads have on the GPU at the same time would need several times the memory.
        self._one_at_a_time = threading.Lock()

    def compare_block(self, block: Block, rule: Rule, found: Found) -> None:
        """Find the most similar sections of the papers of a block, into `found`, `(n_pairs, top)` FOUND.

        Two papers for which inexact cosines could give other sections are marked as DOUBTFUL.
        """
        rows = Layout.of(block.rows, self._index)
        questions = self._questions_of_papers[block.columns]
        for start, end in runs(questions, max(1, _COSINES // len(rows.questions))):
            pairs = block.pairs[:, start:end]
            columns = Layout.of(block.columns[start:end], self._index)
            i, j = np.nonzero(pairs >= 0)
            with self._one_at_a_time:
                chosen = self._choose(rows, columns, i, j, rule)
            self._record(chosen, rows, columns, pairs[i, j], found)

    def _choose(self, rows: Layout, columns: Layout, i: Integers, j: Integers, rule: Rule) -> Chosen:
        """The section pairs of papers `i` of the rows and `j` of the columns."""
        left, right = (self._vectors[_there(side.questions, self._vectors)] for side in (rows, columns))
        with _whole_float32():
            cosines = (left @ right.T).float()
        chosen = Chosen.nothing(len(i), rule.top)
        distances = (cosines - rule.tau).abs_()
        nearest = _reduced(distances, rows.questions_of_papers, columns.questions_of_papers, "min")
        chosen.doubtful[:] = (nearest[_there(i, nearest), _there(j, nearest)] <= rule.close).cpu().numpy()
        del distances
        counted = cosines.double().abs_().mul_(cosines >= rule.tau)
        sums = _reduced(counted, rows.questions_of_sections, columns.questions_of_sections, "sum")
        del counted
        sizes = rows.questions_of_papers[i] * columns.questions_of_papers[j]
        of_papers = (rows.first_sections[i], columns.first_sections[j])
        sections = Rectangles(*of_papers, rows.sections_of_papers[i], columns.sections_of_papers[j])
        _choose_sections(sums, sections, sizes, rule, chosen)
        _find_core_pairs(cosines, rows, columns, rule, chosen)
        return chosen

    def _record(self, chosen: Chosen, rows: Layout, columns: Layout, pairs: Integers, found: Found) -> None:
        """Write what was chosen for pairs with these numbers."""
        found["rank"][pairs[chosen.doubtful]] = DOUBTFUL
        here, rank = np.nonzero((chosen.similarity > 0) & ~chosen.doubtful[:, None])
        s, t = (places[here, rank] for places in chosen.sections)
        p, q = (places[here, rank] for places in chosen.core)
        sources, targets = rows.questions[p], columns.questions[q]
        columns_of_found = {
            "rank": rank + 1,
            "similarity": chosen.similarity[here, rank],
            "source_section": rows.sections[s],
            "target_section": columns.sections[t],
            "core_source": sources,
            "core_target": targets,
            "pairs_over_tau": chosen.count[here, rank],
            "strength": exact_cosines_of(self._index.vectors, sources, targets),
        }
        for name, values in columns_of_found.items():
            found[name][pairs[here], rank] = values


def _choose_sections(
    sums: "Tensor", sections: Rectangles, sizes: Integers, rule: Rule, chosen: Chosen
) -> None:
    """Choose section pairs by Sim, as `kernel._best_section_pairs` does.

    `sections` are those of each pair of papers in `sums`, `sizes` is how many pairs of questions each has.
    """
    import torch

    for some in sections.alike():
        table = sections.read(sums, some, 0.0)
        numbers = torch.arange(table.shape[1], device=table.device)
        most = _there(sizes[some], table)[:, None].double()
        for rank in range(rule.top):
            best = table.max(1, keepdim=True).values
            # Of equal ones the first, which `max` does not promise.
            first = torch.where(table == best, numbers, table.shape[1]).min(1, keepdim=True).values
            table.scatter_(1, first, 0.0)
            counted = torch.minimum((best + table) / rule.tau, most) if rule.tau > 0 else most
            close = ((table > 0) & (table > best - rule.close * counted)).any(1) & (best[:, 0] > 0)
            chosen.doubtful[some] |= close.cpu().numpy()
            chosen.similarity[some, rank] = best[:, 0].cpu().numpy()
            s, t = np.divmod(first[:, 0].cpu().numpy(), int(sections.width[some].max()))
            chosen.sections[0][some, rank] = sections.row[some] + s
            chosen.sections[1][some, rank] = sections.column[some] + t


def _find_core_pairs(cosines: "Tensor", rows: Layout, columns: Layout, rule: Rule, chosen: Chosen) -> None:
    """Find the core pairs of the chosen section pairs, as `kernel._core_pair` does."""
    pair, rank = np.nonzero((chosen.similarity > 0) & ~chosen.doubtful[:, None])
    s, t = (places[pair, rank] for places in chosen.sections)
    firsts = (rows.first_questions[s], columns.first_questions[t])
    questions = Rectangles(*firsts, rows.questions_of_sections[s], columns.questions_of_sections[t])
    for some in questions.alike():
        read = questions.read(cosines, some, -np.inf)
        highest, core = read.max(1, keepdim=True)
        several = ((read >= highest - 2 * rule.close).sum(1) > 1).cpu().numpy()
        p, q = np.divmod(core[:, 0].cpu().numpy(), int(questions.width[some].max()))
        chosen.core[0][pair[some], rank[some]] = firsts[0][some] + p
        chosen.core[1][pair[some], rank[some]] = firsts[1][some] + q
        chosen.count[pair[some], rank[some]] = (read >= rule.tau).sum(1).cpu().numpy()
        chosen.doubtful[pair[some][several]] = True


def _reduced(table: "Tensor", heights: Integers, widths: Integers, how: str) -> "Tensor":
    """The sum or minimum of each rectangle of a table that is divided into `heights` and `widths`."""
    import torch

    rows = torch.segment_reduce(table, how, lengths=_there(heights, table), axis=0, unsafe=True)
    turned = rows.T.contiguous()
    return torch.segment_reduce(turned, how, lengths=_there(widths, table), axis=0, unsafe=True).T


@contextmanager
def _whole_float32() -> Iterator[None]:
    """Products in float32 as such: a language model in this process may have asked for TF32, which is off by
    a thousandth.
    """
    import torch

    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("highest")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


def _there(numbers: Integers, beside: "Tensor") -> "Tensor":
    import torch

    return torch.from_numpy(numbers).to(beside.device)


def _firsts(lengths: Integers) -> Integers:
    return np.cumsum(lengths) - lengths


def _ranges(starts: Integers, ends: Integers) -> Integers:
    """The numbers from each start up to its end, one range after another."""
    lengths = ends - starts
    return np.repeat(starts - _firsts(lengths), lengths) + np.arange(lengths.sum())
