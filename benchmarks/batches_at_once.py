"""Four paper batches at once, beside the same work without a database.

`python -m benchmarks.batches_at_once`. The papers of a folder are put into four batches. What is timed is
everything of a batch up to its filtered QA pairs: reading, asking, encoding, filtering. Once as
`aimsciqa run --at-once 4` does it, with Dagster, DuckDB, checks and records; once as the same functions in
four processes that keep their rows in memory. In turns, several rounds; the medians and their ratio go to
`benchmarks/results/batches_at_once.json`.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.language_model import converse
from rich.console import Console

from aimsciqa_assets.aim_sciqa.single_hop.extraction import extractions_of, paragraph_dialogues
from aimsciqa_assets.aim_sciqa.single_hop.pairs import (
    embedding_frame,
    encode_pairs,
    exact_pairs,
    filter_pairs,
    similarity_frame,
    triplet_frame,
)
from aimsciqa_assets.cli.phases import Failure
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.cli.workers import share_cores, worker_processes
from aimsciqa_assets.corpus.parsing import parse_batch
from aimsciqa_assets.platform.home import Home
from benchmarks.machine import machine

ROOT = Path(__file__).resolve().parents[1]
RESULT = ROOT / "benchmarks" / "results" / "batches_at_once.json"
BATCHES = 4
PHASES = (0, 1)
"""Papers and questions; the alignment filter."""


def with_database(home: Home) -> tuple[float, int]:
    """Seconds, and kept pairs, of the real thing; exits when anything failed."""
    pipeline = Pipeline.at(home, "demo", Console(quiet=True))
    batches = pipeline.warehouse.read("select distinct batch from corpus.input_files order by 1")["batch"]
    start = time.monotonic()
    failures: list[Failure] = []
    with worker_processes(partial(Pipeline.at, home, "demo", refresh=False), BATCHES) as crew:
        for phase in PHASES:
            for _, failed in crew(phase, batches.to_list()):
                failures += failed
    seconds = time.monotonic() - start
    if failures:
        sys.exit("\n".join(map(str, failures)))
    kept = pipeline.warehouse.read("select count(*) as n from single_hop.qa_pairs where status = 'kept'")
    return seconds, kept["n"][0]


def without_database(home: Home) -> tuple[float, int]:
    """Seconds, and kept pairs, of the same functions without anything around them."""
    files = Pipeline.at(home, "demo", Console(quiet=True)).warehouse.read("select * from corpus.input_files")
    batches = [batch.to_dicts() for batch in files.partition_by("batch")]
    start = time.monotonic()
    with ProcessPoolExecutor(BATCHES, get_context("spawn"), share_cores, (BATCHES,)) as workers:
        kept = sum(workers.map(in_memory, [home] * len(batches), batches))
    return time.monotonic() - start, kept


def in_memory(home: Home, files: list[dict[str, Any]]) -> int:
    """The work of one batch; returns its kept pairs."""
    pipeline = Pipeline.at(home, "demo", Console(quiet=True))
    settings, encoder = pipeline.settings, pipeline.resources["encoder"]
    papers = parse_batch(files, FileStore(folder=str(home.files)).get)
    paragraphs = papers["corpus.paragraphs"].sort("paper_id", "section_id", "position")
    model = pipeline.resources["language_models"].open(settings.models["single_hop"])
    dialogues = paragraph_dialogues(
        paragraphs, papers["corpus.sections"], papers["corpus.papers"], papers["corpus.keywords"]
    )
    extractions = extractions_of(converse(model, dialogues), paragraphs, model)
    texts = dict(paragraphs.select("paragraph_id", "text").iter_rows())
    triplets = triplet_frame(extractions, texts)
    exact = exact_pairs(triplets)
    vectors = encode_pairs(exact, encoder.encode)
    similarities = similarity_frame(exact, vectors, encoder)
    embedding_frame(exact, vectors, encoder)
    fraction = settings.single_hop.alignment_fraction
    pairs = filter_pairs(triplets, similarities, fraction)
    return pairs.filter(pairs["status"] == "kept").height


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpora" / "sample")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if not options.corpus.is_dir():
        sys.exit(f"There is no folder {options.corpus}; give one with --corpus.")
    papers = sum(path.suffix == ".xml" for path in options.corpus.rglob("*"))
    os.environ["AIMSCIQA_CORPUS_PAPERS_PER_BATCH"] = str(-(-papers // BATCHES))
    seconds: dict[str, list[float]] = {"with": [], "without": []}
    kept = set()
    for _ in range(options.rounds):
        for name, work in (("with", with_database), ("without", without_database)):
            with tempfile.TemporaryDirectory() as folder:
                home = Home(Path(folder))
                Pipeline.at(home, "demo", Console(quiet=True)).ingest(options.corpus)
                taken, pairs = work(home)
            seconds[name].append(round(taken, 1))
            kept.add(pairs)
            print(f"{name} a database: {taken:.1f} s, {pairs:,} kept pairs", flush=True)
    medians = {name: statistics.median(taken) for name, taken in seconds.items()}
    result = {
        "papers": papers,
        "seconds": seconds,
        "ratio_of_medians": round(medians["with"] / medians["without"], 3),
        "same_pairs": len(kept) == 1,
        "machine": machine(),
    }
    RESULT.write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
