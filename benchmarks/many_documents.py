"""What a batch of HopWeaver costs before it asks anything: `python -m benchmarks.many_documents`.

For every batch, HopWeaver reads the documents of all batches and their vectors. Twenty made-up documents go
through the pipeline, and their rows are copied, with ids of their own and more text, until there are 200,000
documents of some 1,800 characters. Then a process of its own reads them as an attempt does: seconds, and the
memory that it takes beside the encoder. Figures go to the screen and to
`benchmarks/results/many_documents.json`.
"""

import argparse
import json
import multiprocessing
import tempfile
import time
from pathlib import Path
from typing import Any

import dagster as dg
from rich.console import Console

from aimsciqa_assets.cli.pipeline import Pipeline, resources_at
from aimsciqa_assets.hopweaver.reading import searching_among, usable_documents
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.steps import STEPS, StepRun
from benchmarks.environments import ROOT
from benchmarks.machine import machine, peak_memory_mb
from benchmarks.syntheses import BEFORE, brought_up, settings_for
from benchmarks.synthetic.documents import write_documents

RESULT = ROOT / "benchmarks" / "results" / "many_documents.json"
COPIED = 20
NOBODY = "http://127.0.0.1:9/v1"
IDS = {
    "corpus.papers": ("paper_id",),
    "corpus.sections": ("paper_id", "section_id"),
    "corpus.paragraphs": ("paper_id", "section_id", "paragraph_id"),
    "hopweaver.documents": ("paper_id",),
    "hopweaver.document_vectors": ("paper_id",),
}
_MORE_TEXT = "text || ' ' || repeat(md5(paragraph_id || copy), 20) as text"


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=200_000)
    parser.add_argument("--output", type=Path, default=RESULT)
    chosen = parser.parse_args()
    spawn = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder, spawn.Pool(1, maxtasksperchild=1) as workers:
        workers.apply(prepare, (Path(folder), chosen.documents))
        figures = workers.apply(measure, (Path(folder),))
    text = json.dumps(figures | {"machine": machine()}, indent=2)
    chosen.output.write_text(text + "\n")
    print(text)


def prepare(folder: Path, documents: int) -> None:
    """Make the home."""
    write_documents(folder / "weirs.jsonl", COPIED)
    pipeline = pipeline_at(folder)
    for batch in pipeline.ingest(folder / "weirs.jsonl").batches:
        for table in BEFORE:
            brought_up(pipeline, table, batch)
    with pipeline.warehouse.get_connection() as connection:
        connection.execute("set enable_progress_bar = false")
        for table, ids in IDS.items():
            changed = [f"{name} || '-' || copy as {name}" for name in ids]
            changed += [_MORE_TEXT] if table == "corpus.paragraphs" else []
            connection.execute(
                f"insert into {table} select rows.* replace ({', '.join(changed)}) "
                f"from {table} as rows, range({documents // COPIED - 1}) as copies(copy)"
            )


def measure(folder: Path) -> dict[str, Any]:
    """Read the documents and search once."""
    pipeline = pipeline_at(folder)
    (batch,) = pipeline.warehouse.read("select distinct batch from hopweaver.documents")["batch"]
    run = StepRun.of(STEPS["hopweaver.attempts"], batch, pipeline.resources)
    run.encoder.encode_queries(["what loads the encoder"])
    before = memory_mb()
    began = time.perf_counter()
    documents = usable_documents(run)
    read = time.perf_counter()
    search = searching_among(run, documents)
    opened = time.perf_counter()
    assert search.candidates("weirs of an engineer", next(iter(documents)), "", 5)
    return {
        "documents": len(documents),
        "characters": sum(len(one.text) for one in documents.values()) // len(documents),
        "seconds_to_read_the_documents": round(read - began, 1),
        "seconds_to_read_the_vectors": round(opened - read, 1),
        "memory_mb_of_the_encoder": before,
        "memory_mb_beside_it": memory_mb() - before,
        "peak_memory_mb_beside_it": peak_memory_mb() - before,
    }


def pipeline_at(folder: Path) -> Pipeline:
    """The pipeline of the home, with a model that is never asked."""
    home, settings = Home(folder / "home"), settings_for(NOBODY, 8, COPIED)
    return Pipeline(home, resources_at(home, settings), dg.DagsterInstance.ephemeral(), Console(quiet=True))


def memory_mb() -> int:
    """What this process holds, in 10^6 bytes."""
    return round(int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6)


if __name__ == "__main__":
    main()
