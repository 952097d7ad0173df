"""The single-hop stage over a folder of papers at a model server: `python -m benchmarks.single_hop_stage`.

All papers are one batch. The server on the loopback answers after 50 ms with three triplets a paragraph. The
memory of the process is read while the replies come in: it should not grow with their number. Then the step
is run once more with its rows forgotten: the journal answers. Figures go to
`benchmarks/results/single_hop_stage.json`.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dagster as dg
from aimsciqa_resources.language_model.journal_places import journal_size
from rich.console import Console

from aimsciqa_assets.aim_sciqa.single_hop import assets as single_hop
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.corpus import assets as corpus
from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.progress import Advance, reported_by
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.settings import Settings
from benchmarks.environments import ROOT, model_server
from benchmarks.machine import machine

RESULT = ROOT / "benchmarks" / "results" / "single_hop_stage.json"
IN_FLIGHT = 64


class MemoryReporter:
    """Reads the memory of this process after every twentieth of a piece of work."""

    def __init__(self) -> None:
        self.mebibytes: dict[str, list[float]] = {}
        self.seconds: dict[str, float] = {}

    @contextmanager
    def task(self, label: str, total: int | None) -> Iterator[Advance]:
        """Read it while the work goes on."""
        readings = self.mebibytes.setdefault(label, [])
        done, step, start = 0, max((total or 0) // 20, 1), time.perf_counter()

        def advance(count: int, detail: str = "") -> None:
            nonlocal done
            done += count
            if done // step > len(readings):
                readings.append(resident_mebibytes())

        yield advance
        self.seconds[label] = time.perf_counter() - start


def main() -> None:
    """Run the stage twice, print and write the figures."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpora" / "sample")
    folder = options.parse_args().corpus
    if not folder.is_dir():
        sys.exit(f"There is no folder {folder}; give one with --corpus.")
    with tempfile.TemporaryDirectory() as home, model_server("--latency-ms", "50") as url:
        pipeline = pipeline_at(Path(home), url)
        batch = pipeline.ingest(folder).batches[0]
        create_tables(pipeline.warehouse)
        materialized(pipeline, batch, corpus.parsed_papers)
        first = materialized(pipeline, batch, single_hop.extractions)
        counts = pipeline.warehouse.read(
            "select count(*) as requests, sum(from_journal::int)::int as from_journal from ops.llm_calls"
        ).row(0, named=True)
        with pipeline.warehouse.get_connection() as connection:
            connection.execute("delete from ops.materializations where table_name = 'single_hop.extractions'")
        again = materialized(pipeline, batch, single_hop.extractions)
        journal = journal_size(Home(Path(home)).journal) / 2**20
    readings = first["mebibytes"]
    result = {
        "requests": counts["requests"],
        "in_flight": IN_FLIGHT,
        "seconds": round(first["seconds"], 1),
        "requests_per_second": round(counts["requests"] / first["seconds"]),
        "memory_mib_after_a_tenth": readings[1],
        "memory_mib_at_the_end": readings[-1],
        "memory_mib": readings,
        "journal_mib": round(journal, 1),
        "again_from_the_journal_seconds": round(again["seconds"], 1),
        "again_requests_per_second": round(counts["requests"] / again["seconds"]),
        "machine": machine(),
    }
    RESULT.write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))


def pipeline_at(home: Path, url: str) -> Pipeline:
    """A pipeline whose single-hop model is the server."""
    settings = Settings.preset_of(
        "demo",
        {
            "AIMSCIQA_MODEL_BACKEND": "server",
            "AIMSCIQA_MODEL_NAME": "m",
            "AIMSCIQA_MODEL_BASE_URL": url,
            "AIMSCIQA_MODEL_IN_FLIGHT": str(IN_FLIGHT),
            "AIMSCIQA_MODEL_MOST_IN_FLIGHT": str(IN_FLIGHT),
        },
    )
    return Pipeline(
        Home(home),
        build_resources(Home(home), settings),
        dg.DagsterInstance.ephemeral(),
        Console(quiet=True),
    )


def materialized(pipeline: Pipeline, batch: str, asset: dg.AssetsDefinition) -> dict[str, Any]:
    """Run one asset; memory and seconds of its longest piece of work."""
    watch = MemoryReporter()
    with reported_by(watch):
        dg.materialize(
            [asset],
            partition_key=batch,
            resources=pipeline.resources,
            instance=pipeline.instance,
            run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
        )
    label = max(watch.seconds, key=lambda name: watch.seconds[name])
    return {"mebibytes": watch.mebibytes[label], "seconds": watch.seconds[label]}


def resident_mebibytes() -> float:
    """The memory that this process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return round(pages * 4096 / 2**20, 1)


if __name__ == "__main__":
    main()
