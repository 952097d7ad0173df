"""Pairs made of review threads, without model time: `python -m benchmarks.reviews_extraction`.

Imports made-up notes by `aimsciqa reviews import` in a fresh home. A second process then filters the
discussions, has a model in the same process find pairs in them, judge and rewrite them, and at last runs
whatever `aimsciqa run` does besides. The model replies at once; its replies go through the journal as those
of a server do. Figures go to the screen; those of all 20,000 forums go to
`benchmarks/results/reviews_extraction.json`.
"""

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import dagster as dg
from aimsciqa_resources.language_model.durable import DurableModel
from aimsciqa_resources.language_model.opening import OneModel
from rich.console import Console

from aimsciqa_assets.cli.pipeline import Pipeline, resources_at
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.settings import Settings
from benchmarks.machine import machine, peak_memory_mb
from benchmarks.pmc_ids import measured, mib
from benchmarks.reviews_import import COMMAND, ROOT
from benchmarks.syntheses import brought_up
from benchmarks.synthetic.review_model import InstantEngine
from benchmarks.synthetic.review_threads import write_threads
from benchmarks.workload import cpu_seconds

RESULT = ROOT / "benchmarks" / "results" / "reviews_extraction.json"
FORUMS, NOTES_OF_A_FORUM = 20_000, 10
STEPS = {
    "discussions": "scidqa.discussions",
    "extraction": "scidqa.extractions",
    "editing": "scidqa.qa_pairs",
}
COUNTED = """
select
    (select count(*) from scidqa.discussions) as discussions,
    (select count(*) from scidqa.requests) as requests,
    (select count(*) from scidqa.qa_pairs) as pairs,
    (select count(*) from scidqa.qa_pairs where status = 'accepted') as accepted,
    (select count(*) from ops.llm_calls) as model_calls
"""


def main() -> None:
    """Measure, print and write."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--forums", type=int, default=FORUMS)
    options.add_argument("--output", type=Path, help="default: the file of results for all forums")
    chosen = options.parse_args()
    notes = NOTES_OF_A_FORUM * chosen.forums
    result: dict[str, Any] = {"forums": chosen.forums, "notes": notes}
    with tempfile.TemporaryDirectory() as folder:
        file, home = Path(folder) / "notes.jsonl.gz", Path(folder) / "home"
        write_threads(file, chosen.forums, notes)
        os.environ["AIMSCIQA_HOME"] = str(home)
        result["importing"] = measured(sys.executable, "-c", COMMAND, "reviews", "import", str(file))
        result |= in_a_process_of_its_own(home)
        result["database_mib"] = mib(home / "warehouse.duckdb")
    result["machine"] = machine()
    text = json.dumps(result, indent=2)
    if output := chosen.output or (RESULT if chosen.forums == FORUMS else None):
        output.write_text(text + "\n")
    print(text)


def in_a_process_of_its_own(home: Path) -> dict[str, Any]:
    """What `extracted` tells of a home."""
    spawn = multiprocessing.get_context("spawn")
    told = spawn.Queue()
    process = spawn.Process(target=extracted, args=(home, told))
    process.start()
    process.join()
    if process.exitcode:
        raise RuntimeError(f"the extraction ended with {process.exitcode}")
    result: dict[str, Any] = told.get()
    return result


def extracted(folder: Path, told: Any) -> None:
    """Make discussions and pairs of a home, batch by batch; tell the time and the peak of each step."""
    pipeline = pipeline_at(Home(folder))
    batches = pipeline.batches()
    steps = {name: made(pipeline, table, batches) for name, table in STEPS.items()}
    began, cpu_began = time.perf_counter(), cpu_seconds()
    assert pipeline.run() == []
    steps["everything else of a run"] = {
        "wall_seconds": round(time.perf_counter() - began, 1),
        "cpu_seconds": round(cpu_seconds() - cpu_began, 1),
        "peak_memory_mb": peak_memory_mb(),
    }
    counted = pipeline.warehouse.read(COUNTED).row(0, named=True)
    told.put(
        {
            "batches": len(batches),
            **counted,
            "steps": steps,
            "cpu_seconds_of_extracting": round(cpu_seconds()),
        }
    )


def made(pipeline: Pipeline, table: str, batches: list[str]) -> dict[str, Any]:
    """Make a table of all batches; the peak of memory is told after a tenth, after half and after all."""
    began, cpu_began = time.perf_counter(), cpu_seconds()
    told = {max(1, len(batches) // 10): "a tenth", max(1, len(batches) // 2): "half", len(batches): "all"}
    peaks = {}
    for number, batch in enumerate(batches, 1):
        brought_up(pipeline, table, batch)
        if number in told:
            peaks[told[number]] = peak_memory_mb()
    return {
        "wall_seconds": round(time.perf_counter() - began, 1),
        "cpu_seconds": round(cpu_seconds() - cpu_began, 1),
        "peak_memory_mb_after": peaks,
    }


def pipeline_at(home: Home) -> Pipeline:
    """The pipeline of a home whose model is the instant one, behind the journal that servers have."""
    settings = Settings.preset_of(
        "demo",
        {
            "AIMSCIQA_SYSTEMS": "",
            "AIMSCIQA_SCIDQA_EXTRACTION": "true",
            "AIMSCIQA_SCIDQA_MODEL_BACKEND": "server",
            "AIMSCIQA_SCIDQA_MODEL_NAME": "instant",
            "AIMSCIQA_SCIDQA_MODEL_BASE_URL": "http://localhost",
        },
    )
    model = DurableModel(settings.scidqa_model, {"instant": InstantEngine()}, home.journal)
    resources = resources_at(home, settings) | {"language_models": OneModel(model)}
    return Pipeline(home, resources, dg.DagsterInstance.ephemeral(), Console(quiet=True))


if __name__ == "__main__":
    main()
