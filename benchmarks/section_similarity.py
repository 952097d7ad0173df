"""Section similarity beside the bare matrix product: `python -m benchmarks.section_similarity`.

A made-up corpus of 8,211 papers and about 411,409 questions is compared in two ways: the candidates by
keywords, and every paper with every other. Beside each stands a matrix product of the same floating-point
work, by the faster of NumPy and torch on all cores, before and after. A slice is compared by a loop over
section pairs with scikit-learn, too, and must give the same. Part of `benchmarks.scale`.
"""

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import polars as pl

from aimsciqa_assets.aim_sciqa.relations.blocks import PaperPairs
from aimsciqa_assets.aim_sciqa.relations.candidates import keyword_candidates
from aimsciqa_assets.aim_sciqa.relations.question_index import QuestionIndex
from aimsciqa_assets.aim_sciqa.relations.similarity import Comparison, compare
from benchmarks.machine import peak_memory_mb
from benchmarks.synthetic.questions import questions_and_keywords
from benchmarks.synthetic.shape import PAPERS

T = TypeVar("T")
TAU = 0.3
DIMENSION = 384
HOW = Comparison(TAU, device="cpu")
_SIDE = 4096
_PAIRS_AT_ONCE = 1_000_000
_KEPT = 3
_ENOUGH = 1e13


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--papers", type=int, default=PAPERS)
    parser.add_argument("--naive-pairs", type=int, default=150, help="pairs of papers for scikit-learn")
    parser.add_argument("--without-all-pairs", action="store_true")
    chosen = parser.parse_args()
    figures = measure(chosen.papers, chosen.naive_pairs, all_pairs=not chosen.without_all_pairs)
    print(json.dumps(figures, indent=2))


def measure(papers: int, naive_pairs: int, *, all_pairs: bool) -> dict[str, Any]:
    """All figures for a corpus of so many papers."""
    index, keywords = questions_and_keywords(papers, DIMENSION)
    pairs, seconds = timed(lambda: pairs_of_candidates(index, keywords))
    compile_all()
    figures: dict[str, Any] = {
        "papers": papers,
        "questions": len(index.vectors),
        "sections": len(index.section_ids),
        "dimension": DIMENSION,
        "candidate_pairs": len(pairs),
        "finding_candidates_seconds": round(seconds, 2),
        "candidates": beside_product(*work_of(pairs, index), lambda: compare(pairs, index, HOW).height),
        "peak_memory_mb": peak_memory_mb(),
        "naive": beside_naive(pairs, index, naive_pairs),
        "bfloat16": beside_float32(pairs, index, 100 * naive_pairs),
    }
    if all_pairs:
        questions = index.questions_of_papers
        products = int(questions.sum() ** 2 - (questions**2).sum()) // 2
        figures["all_pairs"] = beside_product(
            papers * (papers - 1) // 2, products, lambda: strongest_of_all(papers, index)
        )
        figures["peak_memory_with_all_pairs_mb"] = peak_memory_mb()
    return figures


def pairs_of_candidates(index: QuestionIndex, keywords: pl.DataFrame) -> PaperPairs:
    """The pairs of papers that share a keyword (`paper_id, keyword`)."""
    candidates = keyword_candidates(index.paper_ids, keywords)
    return PaperPairs(
        index.numbers(candidates["source_paper_id"]).cast(pl.Int64).to_numpy(),
        index.numbers(candidates["target_paper_id"]).cast(pl.Int64).to_numpy(),
        candidates["group"].cast(pl.Int64).to_numpy(),
    )


def compile_all() -> None:
    """Have everything compiled before it is measured: equal questions are decided exactly, too."""
    vectors = np.ones((4, DIMENSION), np.float32) / np.float32(np.sqrt(DIMENSION))
    rows = pl.DataFrame({"paper_id": ["a", "a", "b", "b"], "section_id": [*"aabb"], "qa_id": [*"1234"]})
    index = QuestionIndex.of(rows, vectors)
    pair = PaperPairs(*(np.array([number]) for number in (0, 1, 0)))
    for how in (HOW, replace(HOW, precision="bfloat16")):
        assert compare(pair, index, how)["pairs_over_tau"].to_list() == [4]


def work_of(pairs: PaperPairs, index: QuestionIndex) -> tuple[int, int]:
    """Pairs of papers, and products of their questions: two papers are compared once for both directions."""
    questions = index.questions_of_papers
    first, second = np.minimum(pairs.sources, pairs.targets), np.maximum(pairs.sources, pairs.targets)
    once = np.unique(first * len(questions) + second)
    return len(once), int((questions[once // len(questions)] * questions[once % len(questions)]).sum())


def beside_product(pairs: int, products: int, run: Callable[[], int]) -> dict[str, Any]:
    """Seconds of a comparison of so many pairs of papers, and of the bare product of the same work."""
    work = 2.0 * DIMENSION * products
    names = {"numpy": _numpy_product, "torch": _torch_product}
    fastest = min(names, key=lambda name: names[name](work / 20))
    # A minute of it says how long all of it takes.
    share = min(1.0, _ENOUGH / work)
    before = names[fastest](work * share) / share
    rows, seconds = timed(run)
    after = names[fastest](work * share) / share
    bare = (before + after) / 2
    return {
        "pairs_of_papers": pairs,
        "section_pairs_found": rows,
        "gigaflop": round(work / 1e9),
        "seconds": round(seconds, 2),
        "gflop_per_second": round(work / seconds / 1e9, 1),
        "bare_product": fastest,
        "bare_product_seconds": [round(before, 2), round(after, 2)],
        "bare_gflop_per_second": round(work / bare / 1e9, 1),
        "ratio": round(seconds / bare, 3),
    }


def beside_naive(pairs: PaperPairs, index: QuestionIndex, count: int) -> dict[str, Any]:
    """Pairs of papers per second, ours and with scikit-learn; raises `AssertionError` when they differ."""
    some = _first(pairs, count)
    expected, seconds = timed(
        lambda: [naive(index, *pair) for pair in zip(some.sources, some.targets, strict=True)]
    )
    found = compare(some, index, HOW)
    columns = ("source_section", "target_section", "core_source", "core_target", "pairs_over_tau")
    assert found.select("pair", *columns).rows() == [
        (pair, *row[:5]) for pair, row in enumerate(expected) if row[4]
    ]
    sums = np.array([row[5] for row in expected if row[4]])
    difference = float(np.abs(found["similarity"].to_numpy() - sums).max())
    assert difference < 1e-5
    many = _first(pairs, 400 * count)
    _, ours = timed(lambda: compare(many, index, HOW))
    return {
        "pairs_of_papers": count,
        "pairs_per_second": round(count / seconds, 1),
        "our_pairs_per_second": round(len(many) / ours, 1),
        "times_faster": round(len(many) / ours / (count / seconds)),
        "largest_difference_of_a_sum": difference,
    }


def beside_float32(pairs: PaperPairs, index: QuestionIndex, count: int) -> dict[str, Any]:
    """What products in bfloat16 cost and how far they are off."""
    some = _first(pairs, count)
    exact, seconds = timed(lambda: compare(some, index, HOW))
    half, taken = timed(lambda: compare(some, index, replace(HOW, precision="bfloat16")))
    both = exact.join(half, on="pair", suffix="_half")
    off = (both["similarity"] - both["similarity_half"]).abs() / both["similarity"]
    same = pl.all_horizontal(
        pl.col(name) == pl.col(f"{name}_half") for name in ("core_source", "core_target")
    )
    return {
        "pairs_of_papers": len(some),
        "times_float32": round(taken / seconds, 2),
        "error_of_a_sum": {"mean": float(off.mean() or 0), "largest": float(off.max() or 0)},
        "same_core_pair": float(both.select(same.mean()).item()),
    }


def naive(index: QuestionIndex, source: int, target: int) -> tuple[int, int, int, int, int, float]:
    """The most similar sections of two papers and their core pair, by the book."""
    from sklearn.metrics.pairwise import cosine_similarity

    best = (0, 0, 0, 0, 0, 0.0)
    for s in range(index.paper_starts[source], index.paper_starts[source + 1]):
        for t in range(index.paper_starts[target], index.paper_starts[target + 1]):
            rows = slice(index.section_starts[s], index.section_starts[s + 1])
            columns = slice(index.section_starts[t], index.section_starts[t + 1])
            cosines = cosine_similarity(index.vectors[rows], index.vectors[columns])
            over = cosines >= TAU
            similarity = float(np.abs(cosines[over]).sum(dtype=np.float64))
            if similarity > best[5]:
                row, column = np.unravel_index(int(cosines.argmax()), cosines.shape)
                core = (rows.start + int(row), columns.start + int(column))
                best = (s, t, *core, int(over.sum()), similarity)
    return best


def strongest_of_all(papers: int, index: QuestionIndex) -> int:
    """Every paper with every other, symmetric; of each the strongest relations are kept, as in the method."""
    kept = pl.DataFrame()
    for first, second, groups in every_pair(papers):
        found = compare(PaperPairs(first, second, groups), index, HOW).select(
            "pair", "source_section", "target_section", "core_source", "core_target", "strength"
        )
        forth = found.with_columns(paper=pl.Series(first).gather(found["pair"]))
        back = found.with_columns(paper=pl.Series(second).gather(found["pair"]))
        kept = (
            pl.concat([kept, forth, back], how="diagonal")
            .sort("strength", descending=True)
            .group_by("paper", maintain_order=True)
            .head(_KEPT)
        )
    return kept.height


def every_pair(papers: int) -> Iterator[tuple[npt.NDArray[np.int64], ...]]:
    """Each two papers once, in parts that fit into memory."""
    first = 0
    while first < papers - 1:
        last = first
        count = 0
        while last < papers - 1 and (not count or count + papers - 1 - last <= _PAIRS_AT_ONCE):
            count += papers - 1 - last
            last += 1
        sources = np.repeat(np.arange(first, last), papers - 1 - np.arange(first, last))
        targets = np.concatenate([np.arange(source + 1, papers) for source in range(first, last)])
        yield sources, targets, np.zeros(len(sources), dtype=np.int64)
        first = last


def _first(pairs: PaperPairs, count: int) -> PaperPairs:
    return PaperPairs(pairs.sources[:count], pairs.targets[:count], pairs.groups[:count])


def _numpy_product(work: float) -> float:
    """Seconds of so much floating-point work as products of two large matrices."""
    left, right = (np.random.default_rng(1).random((_SIDE, DIMENSION), dtype=np.float32) for _ in range(2))
    filled = np.empty((_SIDE, _SIDE), np.float32)
    return _repeated(lambda: np.matmul(left, right.T, out=filled), work)


def _torch_product(work: float) -> float:
    import torch

    torch.set_num_threads(len(os.sched_getaffinity(0)))
    left, right = torch.rand(_SIDE, DIMENSION), torch.rand(_SIDE, DIMENSION)
    filled = torch.empty(_SIDE, _SIDE)
    return _repeated(lambda: torch.mm(left, right.T, out=filled), work)


def _repeated(product: Callable[[], object], work: float) -> float:
    product()
    once = 2.0 * DIMENSION * _SIDE * _SIDE
    times = max(1, round(work / once))
    start = time.perf_counter()
    for _ in range(times):
        product()
    return (time.perf_counter() - start) * work / (times * once)


def timed(run: Callable[[], T]) -> tuple[T, float]:
    """What a call gives, and its seconds."""
    start = time.perf_counter()
    given = run()
    return given, time.perf_counter() - start


if __name__ == "__main__":
    main()
