"""Section similarity by question embeddings (section 4.3, equations 4 and 5).

Pairs of papers are compared in dense blocks (`blocks.py`), each by one thread: a matrix product, then one
pass over its cosines (`kernel.py`), or both on a GPU (`tensors.py`). Two papers are compared once for both
directions. The result does not depend on the blocks: what float32 cannot decide is decided in float64, and of
equal pairs the first by id is taken.
"""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt
import polars as pl
from aimsciqa_resources.cores import threads_of_process
from threadpoolctl import threadpool_limits

from aimsciqa_assets.aim_sciqa.relations.blocks import Block, Blocks, PaperPairs, dense_blocks
from aimsciqa_assets.aim_sciqa.relations.question_index import QuestionIndex

if TYPE_CHECKING:
    from aimsciqa_assets.aim_sciqa.relations.kernel import Index, Rule, Space

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]
Precision = Literal["float32", "bfloat16"]
Way = Callable[["Blocks", "Index", "Rule", "Space", npt.NDArray[np.void]], None]

# How far a product of two unit vectors may be off, with room to spare. bfloat16 is not corrected.
_CLOSE = {"float32": 2e-6, "bfloat16": 0.0}
# Devices of CUDA, of CUDA under Windows, and of ROCm.
_GPU_DRIVERS = ("nvidiactl", "dxg", "kfd")
# Questions that are compared at a time: enough for a fast product, few enough for the cache.
_ROWS, _COLUMNS = 512, 512
# A GPU needs many at a time, and blocks with fewer pairs of questions than so many are not worth the way.
_ROWS_ON_GPU = 4096
_WORTH_A_GPU = 1 << 22


@dataclass(frozen=True, slots=True)
class Comparison:
    """How sections are compared: questions with a cosine of at least `tau` are similar, and two papers give
    their `top` section pairs.

    With `precision` bfloat16 cosines are off by up to 0.01, which changes sums and core pairs. `threads` 0
    means this process's share of the cores. `device` is one of torch's (`cpu`, `cuda`); empty means a GPU if
    there is one, else the processor.
    """

    tau: float
    top: int = 1
    precision: Precision = "float32"
    device: str = ""
    threads: int = 0

    @property
    def rule(self) -> "Rule":
        """The rule as the kernel takes it."""
        from aimsciqa_assets.aim_sciqa.relations.kernel import Rule

        return Rule(self.tau, _CLOSE[self.precision], self.top)


def compare(
    pairs: PaperPairs,
    index: QuestionIndex,
    how: Comparison,
    advance: Callable[[int], None] = lambda _pairs: None,
) -> pl.DataFrame:
    """The section pairs of pairs of papers, the most similar ones of each.

    Returns `pair` (the row of `pairs`), `rank`, `source_section, target_section, core_source, core_target`
    (numbers in the index), `similarity` (eq. 5), `pairs_over_tau` and `strength` (eq. 4), by pair and rank. A
    section pair without a question pair that reaches tau is no relation, and gives no row. `advance` gets the
    number of pairs of papers that were compared.
    """
    from aimsciqa_assets.aim_sciqa.relations.kernel import FOUND

    either = EitherWay.of(pairs)
    found = np.zeros((len(either.pairs), how.top), dtype=FOUND)
    _compare_blocks(either, index, how, found, advance)
    return _directed(either, pairs, index, how, found)


@dataclass(frozen=True, slots=True)
class EitherWay:
    """Pairs of papers without their direction, so that each is compared once.

    For each directed pair, `numbers` is its row of `pairs`, and `turned` says that its source comes second
    there. For each row, `times` is the number of its directed pairs.
    """

    pairs: PaperPairs
    numbers: Integers
    turned: npt.NDArray[np.bool_]
    times: Integers

    @classmethod
    def of(cls, pairs: PaperPairs) -> "EitherWay":
        """Put the paper with the lower number first."""
        turned = pairs.sources > pairs.targets
        first, second = np.where(turned, (pairs.targets, pairs.sources), (pairs.sources, pairs.targets))
        key = first * (int(second.max(initial=0)) + 1) + second
        _, where, numbers, times = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
        return cls(PaperPairs(first[where], second[where], pairs.groups[where]), numbers, turned, times)


def _compare_blocks(
    either: EitherWay,
    index: QuestionIndex,
    how: Comparison,
    found: npt.NDArray[np.void],
    advance: Callable[[int], None],
) -> None:
    """Fill `found`. Each thread takes the next blocks until there are none."""
    from aimsciqa_assets.aim_sciqa.relations.kernel import Space

    questions, dimension = index.questions_of_papers, index.vectors.shape[1]
    most_rows = _ROWS if device_of(how) == "cpu" else _ROWS_ON_GPU
    rows, columns = (max(most, int(questions.max(initial=0))) for most in (most_rows, _COLUMNS))
    waiting = dense_blocks(either.pairs, questions, rows)
    compare_blocks = way_of(how, index.arrays)
    taking = threading.Lock()

    def work() -> None:
        space = Space(
            rows=np.empty((rows, dimension), np.float32),
            columns=np.empty((columns, dimension), np.float32),
            cosines=np.empty(rows * columns, np.float32),
        )
        while True:
            with taking:
                blocks = next(waiting, None)
            if blocks is None:
                return
            compare_blocks(blocks, index.arrays, how.rule, space, found)
            with taking:
                advance(int(either.times[blocks.pairs[blocks.pairs >= 0]].sum()))

    threads = how.threads or threads_of_process()
    # One thread per product: several threads in one product wait for each other.
    with threadpool_limits(1), ThreadPoolExecutor(threads) as pool:
        for worker in [pool.submit(work) for _ in range(threads)]:
            worker.result()


def way_of(how: Comparison, index: "Index") -> Way:
    """The function that compares blocks: on a GPU, or compiled; in bfloat16 with products by torch."""
    from aimsciqa_assets.aim_sciqa.relations import kernel

    if (device := device_of(how)) != "cpu":
        return _on_device(index, device, how.precision)
    return kernel.compare_blocks if how.precision == "float32" else _with_products_in_bfloat16


def device_of(how: Comparison) -> str:
    """Where sections are compared."""
    return how.device or ("cuda" if has_gpu() else "cpu")


def _on_device(index: "Index", device: str, precision: Precision) -> Way:
    """Large blocks go to the device, small ones are done before they would be there."""
    from aimsciqa_assets.aim_sciqa.relations import kernel
    from aimsciqa_assets.aim_sciqa.relations.tensors import TensorIndex

    tensors = TensorIndex(index, device, precision)
    questions = np.diff(index.section_starts[index.paper_starts])
    below = kernel.compare_blocks if precision == "float32" else _with_products_in_bfloat16

    def compare_blocks(
        blocks: Blocks, index: "Index", rule: "Rule", space: "Space", found: npt.NDArray[np.void]
    ) -> None:
        if _sizes(blocks, questions).max() < _WORTH_A_GPU:
            below(blocks, index, rule, space, found)
            return
        for block in blocks.each():
            tensors.compare_block(block, rule, found)

    return compare_blocks


def _sizes(blocks: Blocks, questions: Integers) -> Integers:
    """How many pairs of questions each block has."""
    rows = np.add.reduceat(questions[blocks.rows], blocks.row_starts[:-1])
    return rows * np.add.reduceat(questions[blocks.columns], blocks.column_starts[:-1])


def _with_products_in_bfloat16(
    blocks: Blocks, index: "Index", rule: "Rule", space: "Space", found: npt.NDArray[np.void]
) -> None:
    import torch

    from aimsciqa_assets.aim_sciqa.relations import kernel

    for block in blocks.each():
        n = kernel.gather(index, block.rows, space.rows)
        left = torch.from_numpy(space.rows[:n]).to(torch.bfloat16)
        start = 0
        while start < len(block.columns):
            end = kernel.end_of_run(block.columns, start, index, len(space.columns))
            m = kernel.gather(index, block.columns[start:end], space.columns)
            right = torch.from_numpy(space.columns[:m]).to(torch.bfloat16)
            cosines = space.cosines[: n * m].reshape(n, m)
            torch.from_numpy(cosines).copy_(left @ right.T)
            part = Block(block.rows, block.columns[start:end], block.pairs[:, start:end])
            kernel.compare_block(cosines, part, index, rule, found)
            start = end


def has_gpu() -> bool:
    """Whether torch sees a GPU. Without a GPU driver in the system, torch is not imported."""
    if not has_gpu_driver():
        return False
    import torch

    return torch.cuda.is_available()


def has_gpu_driver() -> bool:
    """Whether the system has a driver for GPUs."""
    return any(Path("/dev", name).exists() for name in _GPU_DRIVERS)


def _directed(
    either: EitherWay, pairs: PaperPairs, index: QuestionIndex, how: Comparison, found: npt.NDArray[np.void]
) -> pl.DataFrame:
    """The section pairs of directed pairs. Doubtful ones are compared exactly, each in its direction."""
    from aimsciqa_assets.aim_sciqa.relations.kernel import DOUBTFUL, compare_exactly

    ranks = found["rank"][either.numbers]
    pair, rank = np.nonzero(ranks > 0)
    certain = _frame(found[either.numbers[pair], rank], pair, either.turned[pair])
    doubtful = np.flatnonzero(ranks[:, 0] == DOUBTFUL)
    exact = np.zeros((len(doubtful), how.top), dtype=found.dtype)
    for place, number in enumerate(doubtful):
        compare_exactly(pairs.sources[number], pairs.targets[number], index.arrays, how.rule, exact[place])
    places, rank = np.nonzero(exact["rank"])
    decided = _frame(exact[places, rank], doubtful[places], np.zeros(len(places), dtype=np.bool_))
    return pl.concat([certain, decided]).sort("pair", "rank")


def _frame(found: npt.NDArray[np.void], pair: Integers, turned: npt.NDArray[np.bool_]) -> pl.DataFrame:
    """Section pairs with their pairs of papers; where a pair was turned, source and target are swapped."""
    columns = {name: found[name] for name in found.dtype.names or ()}
    for source, target in (("source_section", "target_section"), ("core_source", "core_target")):
        columns[source], columns[target] = (
            np.where(turned, columns[target], columns[source]),
            np.where(turned, columns[source], columns[target]),
        )
    return pl.DataFrame({"pair": pair} | columns)
