"""Coarse search and choice of candidates among 200,000 documents: `python -m benchmarks.coarse_retrieval`.

The vectors are made up: 384 dimensions, with topics and subtopics. Queries come in batches. Each is answered
with the 15 nearest documents, of which five are chosen that repeat neither the source nor each other.
Encoding is not counted. That the search is exact is checked on the first batch, against all cosines, sorted.
Figures go to the screen and, with facts about the machine, to `benchmarks/results/coarse_retrieval.json`.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from aimsciqa_assets.retrieval.coarse import DenseCoarse, Hit
from aimsciqa_assets.retrieval.cosines import cosines
from aimsciqa_assets.retrieval.diversity import WEIGHTS, Selected, select_diverse
from benchmarks.machine import machine, peak_memory_mb
from benchmarks.synthetic.shape import SUBTOPICS, TOPICS
from benchmarks.synthetic.vectors import DIMENSION, VectorSpace

RESULT = Path(__file__).parent / "results" / "coarse_retrieval.json"
POOL, TOP_K = 15, 5
_SEED = 11
_SINGLE = 20
_VECTORS_AT_ONCE = 20_000


class Drawn:
    """An encoder that knows the vectors of its texts, which are numbers."""

    def __init__(self, vectors: np.ndarray) -> None:
        self._vectors = vectors

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        """The vectors of these numbers."""
        return self._vectors[[int(text) for text in texts]]

    def encode_documents(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> np.ndarray:
        """The same for documents."""
        if progress:
            progress(len(texts))
        return self.encode_queries(texts)


def main() -> None:
    """Measure, print, and keep the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=200_000)
    parser.add_argument("--batch", type=int, default=64, help="queries in a batch")
    parser.add_argument("--batches", type=int, default=10)
    parser.add_argument("--output", type=Path, default=RESULT)
    chosen = parser.parse_args()
    figures = measure(chosen.documents, chosen.batch, chosen.batches)
    text = json.dumps(figures | {"machine": machine()}, indent=2)
    chosen.output.write_text(text + "\n")
    print(text)


def measure(documents: int, batch: int, batches: int) -> dict[str, Any]:
    """Milliseconds a query, the median of the batches after a first one that only warms up."""
    random = np.random.default_rng(_SEED)
    vectors = drawn(random, documents)
    queries = drawn(random, batch * (batches + 1))
    ids = [f"{number:09d}" for number in range(documents)]
    coarse = DenseCoarse(ids, vectors, Drawn(queries))
    searching: list[float] = []
    choosing: list[float] = []
    for start in range(0, len(queries), batch):
        texts = [str(number) for number in range(start, start + batch)]
        began = time.perf_counter()
        found = coarse.search(texts, POOL)
        searched = time.perf_counter()
        # The first hit plays the source document.
        chosen = [candidates(coarse, hits) for hits in found]
        searching.append(1000 * (searched - began) / batch)
        choosing.append(1000 * (time.perf_counter() - searched) / batch)
        assert all(len(one) == TOP_K for one in chosen)
        if not start:
            check(found, queries[:batch], vectors, ids)
    together = [one + other for one, other in zip(searching[1:], choosing[1:], strict=True)]
    return {
        "documents": documents,
        "dimension": DIMENSION,
        "queries_in_a_batch": batch,
        "batches": batches,
        "pool": POOL,
        "chosen": TOP_K,
        "milliseconds_a_query": round(statistics.median(together), 2),
        "of_the_slowest_batch": round(max(together), 2),
        "of_the_search": round(statistics.median(searching[1:]), 2),
        "of_the_choice": round(statistics.median(choosing[1:]), 3),
        "of_the_search_of_a_single_query": round(single(coarse), 2),
        "peak_memory_mb": peak_memory_mb(),
    }


def single(coarse: DenseCoarse) -> float:
    """Milliseconds of a search for one query alone, the median of some."""
    taken = []
    for number in range(_SINGLE):
        began = time.perf_counter()
        coarse.search([str(number)], POOL)
        taken.append(1000 * (time.perf_counter() - began))
    return statistics.median(taken)


def drawn(random: np.random.Generator, count: int) -> np.ndarray:
    """So many unit vectors."""
    space = VectorSpace()
    blocks = []
    for start in range(0, count, _VECTORS_AT_ONCE):
        some = min(_VECTORS_AT_ONCE, count - start)
        topics, subtopics = random.integers(0, TOPICS, some), random.integers(0, SUBTOPICS, some)
        noise = random.integers(0, 2**62, some, dtype=np.uint64)
        blocks.append(space.vectors(topics, subtopics, noise))
    return np.concatenate(blocks)


def candidates(coarse: DenseCoarse, hits: Sequence[Hit]) -> list[Selected]:
    """The chosen candidates of a query."""
    vectors = coarse.vectors([hit.document_id for hit in hits])
    return select_diverse(hits, vectors, vectors[0], WEIGHTS["paper"], TOP_K, exclude=hits[0].document_id)


def check(
    found: Sequence[Sequence[Hit]], queries: np.ndarray, vectors: np.ndarray, ids: Sequence[str]
) -> None:
    """Raises `AssertionError` where the hits are not those of all cosines, sorted."""
    for query, hits in zip(queries, found, strict=True):
        scores = cosines(query[None], vectors)[0]
        nearest = np.argsort(-scores, kind="stable")[:POOL].tolist()
        assert [(hit.document_id, hit.score) for hit in hits] == [(ids[one], scores[one]) for one in nearest]


if __name__ == "__main__":
    main()
