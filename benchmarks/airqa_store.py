"""Publication and search of a paper store of 7,000 papers: `python -m benchmarks.airqa_store FOLDER`.

The papers are made up: ten pages each, with sections and references, whose cells have random vectors of 384
dimensions, a million in all. The queries are runs of nine words from the questions of `examples/airqa_demo`,
encoded by the packaged encoder. Publication and search run in processes of their own, whose memory is told.
FOLDER, which needs 5 GB, keeps the store; with `--keep` it is searched again as it is. Figures go to the
screen and, with facts about the machine, to `benchmarks/results/airqa_store.json`.
"""

import argparse
import json
import multiprocessing
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from aimsciqa_resources.encoder import SentenceEncoder, Vectors

from aimsciqa_assets.airqa.store.batches import ROWS, batch_rows, encodable_cells
from aimsciqa_assets.airqa.store.chunks import characters
from aimsciqa_assets.airqa.store.publishing import (
    papers_file,
    publish_papers,
    publish_vectors,
    vectors_file,
)
from aimsciqa_assets.airqa.store.searching import Found, StoreSearch
from aimsciqa_assets.reading.contents import Contents, Entry, PageText, SectionText
from benchmarks.machine import machine, peak_memory_mb

RESULT = Path(__file__).parent / "results" / "airqa_store.json"
QUESTIONS = Path(__file__).parents[1] / "examples" / "airqa_demo" / "examples.jsonl"
PAPERS, DIMENSION = 7_000, 384
_IN_A_BATCH = 500
_PAGES, _SECTIONS, _REFERENCES = 10, 18, 65
_WORDS_ON_A_PAGE = 350
_SEED = 18
_LIMIT = 5
_FILTERED, _SINGLE, _TOGETHER = 200, 20, 64
_WARM = 5
_WORDS_OF_A_QUERY = 9


def main() -> None:
    """Measure, print, and keep the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--papers", type=int, default=PAPERS)
    parser.add_argument("--keep", action="store_true", help="search the store that is in FOLDER already")
    parser.add_argument("--output", type=Path, default=RESULT)
    chosen = parser.parse_args()
    figures: dict[str, Any] = {"papers": chosen.papers, "dimension": DIMENSION}
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        if not chosen.keep:
            figures["publication"] = pool.apply(publication, (chosen.folder, chosen.papers))
        figures["search"] = pool.apply(searching, (chosen.folder,))
    text = json.dumps(figures | {"machine": machine()}, indent=2)
    chosen.output.write_text(text + "\n")
    print(text)


def publication(home: Path, papers: int) -> dict[str, Any]:
    """Publishes the store batch by batch, as the platform does: seconds, sizes and memory."""
    encoder = SentenceEncoder()
    began = time.perf_counter()
    told = publish_papers(papers_file(home), (rows for rows in row_batches(papers)))
    wrote = time.perf_counter()
    made_by = {"encoder": encoder.name, "encoder_revision": encoder.revision}
    publish_vectors(vectors_file(home), told, lambda: vector_batches(papers, made_by))
    return {
        "rows": sum(one["store_rows"] for one in told),
        "vectors": sum(one["store_vectors"] for one in told),
        "papers_mb": round(papers_file(home).stat().st_size / 1e6),
        "vectors_mb": round(vectors_file(home).stat().st_size / 1e6),
        "papers_in_a_batch": _IN_A_BATCH,
        "seconds_for_papers_and_making_them_up": round(wrote - began, 1),
        "seconds_for_vectors_and_making_them_up": round(time.perf_counter() - wrote, 1),
        "peak_memory_mb": peak_memory_mb(),
    }


def searching(home: Path) -> dict[str, Any]:
    """Milliseconds of searches: in three papers, in all, and many of these at once."""
    encoder = SentenceEncoder()
    encoder.encode_queries(["warm"])
    began = time.perf_counter()
    search = StoreSearch.of_home(home, encoder)
    opened = time.perf_counter()
    before = peak_memory_mb()
    random = np.random.default_rng(_SEED)
    queries = questions(random)[: max(_FILTERED, _SINGLE, _TOGETHER) + _WARM]
    ids = [found.pdf_id for found in search.search([queries[0]], 1_000)[0]]

    def some() -> list[str]:
        return [ids[at] for at in random.integers(0, len(ids), 3)]

    encoding = timed(lambda query: encoder.encode_queries([query]), queries[:_FILTERED])
    filtered = timed(lambda query: search.search([query], _LIMIT, [some()]), queries[:_FILTERED])
    known = StoreSearch.of_home(home, Known(encoder, queries))
    searched = timed(lambda query: known.search([query], _LIMIT, [some()]), queries[:_FILTERED])
    single = timed(lambda query: search.search([query], _LIMIT), queries[:_SINGLE])
    asked = time.perf_counter()
    together = search.search(queries[:_TOGETHER], _LIMIT)
    seconds = time.perf_counter() - asked
    alone: list[list[Found]] = [search.search([query], _LIMIT)[0] for query in queries[:_WARM]]
    return {
        "words_of_a_query": _WORDS_OF_A_QUERY,
        "milliseconds_to_open": round(1000 * (opened - began)),
        "encoding_of_a_query": spread(encoding),
        "in_three_papers": spread(filtered),
        "in_three_papers_without_encoding": spread(searched),
        "in_all": spread(single),
        f"in_all_of_{_TOGETHER}_at_once_each": round(1000 * seconds / _TOGETHER, 1),
        "alone_and_at_once_agree": agree(alone, together[:_WARM]),
        "memory_mb_of_process_and_encoder": before,
        "peak_memory_mb_mapped_file_included": peak_memory_mb(),
        "peak_memory_mb_without_mapped_file": peak_memory_mb() - mapped_mb(),
    }


def questions(random: np.random.Generator) -> list[str]:
    """The runs of nine words in the questions of the demo, each once, shuffled."""
    asked = [json.loads(line)["question"].split() for line in QUESTIONS.read_text().splitlines()]
    runs = {
        " ".join(words[start : start + _WORDS_OF_A_QUERY]): None
        for words in asked
        for start in range(len(words) - _WORDS_OF_A_QUERY + 1)
    }
    return [str(run) for run in random.permutation(list(runs))]


def agree(some: list[list[Found]], others: list[list[Found]]) -> bool:
    """Whether the same cells were found: a text has slightly other vectors in a batch of longer ones."""
    return all(
        replace(one, score=other.score) == other and abs(one.score - other.score) < 5e-6
        for one, other in zip(chain(*some), chain(*others), strict=True)
    )


class Known:
    """An encoder that remembers the vectors of its queries."""

    def __init__(self, encoder: SentenceEncoder, queries: Sequence[str]) -> None:
        self.name, self.revision = encoder.name, encoder.revision
        self._vectors = dict(zip(queries, encoder.encode_queries(queries), strict=True))

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """The vectors of these queries, `(n_texts, dim)`."""
        return np.stack([self._vectors[text] for text in texts])


def mapped_mb() -> int:
    """The part of files that is mapped into the memory of this process now, in 10^6 bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    kibibytes = next(int(line.split()[1]) for line in lines if line.startswith("RssFile:"))
    return round(kibibytes * 1024 / 1e6)


def timed(ask: Callable[[str], Any], queries: Sequence[str]) -> list[float]:
    """Milliseconds of each, after a few that only warm up."""
    found = []
    for query in queries:
        began = time.perf_counter()
        ask(query)
        found.append(1000 * (time.perf_counter() - began))
    return found[_WARM:]


def spread(milliseconds: Sequence[float]) -> dict[str, float]:
    """Median, the slowest of twenty, and the slowest."""
    return {
        "median_ms": round(statistics.median(milliseconds), 1),
        "of_twenty_slowest_ms": round(float(np.quantile(milliseconds, 0.95)), 1),
        "slowest_ms": round(max(milliseconds), 1),
    }


def row_batches(papers: int) -> Iterator[pl.DataFrame]:
    """Rows of made-up papers, a frame for each batch, always the same."""
    for start in range(0, papers, _IN_A_BATCH):
        random = np.random.default_rng([_SEED, start])
        numbers = range(start, min(papers, start + _IN_A_BATCH))
        batch = f"b{start // _IN_A_BATCH:03}"
        files = [
            {"file_id": f"f{number}", "file_name": f"{number}.pdf", "batch": batch, "paper_id": None}
            for number in numbers
        ]
        read = (("pdf", _paper(random, number)) for number in numbers)
        yield pl.DataFrame(batch_rows(files, read, {}, characters, 512)[ROWS])


def vector_batches(papers: int, made_by: dict[str, str]) -> Iterator[pl.DataFrame]:
    """Random vectors of their cells."""
    for number, rows in enumerate(row_batches(papers)):
        names = pl.DataFrame([names for names, _ in encodable_cells(rows.iter_rows(named=True))])
        random = np.random.default_rng([_SEED, 1, number])
        vectors = random.standard_normal((names.height, DIMENSION), dtype=np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        yield names.with_columns(
            pl.Series("vector", vectors).arr.to_list().cast(pl.List(pl.Float64())),
            **{name: pl.lit(value) for name, value in made_by.items()},
        )


def _paper(random: np.random.Generator, number: int) -> Contents:
    pages = [PageText(page, _text(random, _WORDS_ON_A_PAGE), 595, 842) for page in range(1, _PAGES + 1)]
    return Contents(
        f"Paper {number} on {_text(random, 4)}",
        abstract=_text(random, 150),
        pages=pages,
        sections=[
            SectionText(f"{at} {_text(random, 3)}", _text(random, 190), [1 + at * _PAGES // (_SECTIONS + 1)])
            for at in range(1, _SECTIONS + 1)
        ],
        references=[Entry(_text(random, 20), _PAGES) for _ in range(_REFERENCES)],
    )


def _text(random: np.random.Generator, words: int) -> str:
    return " ".join(f"w{word:x}" for word in random.zipf(1.3, words) % 20_000)


if __name__ == "__main__":
    main()
