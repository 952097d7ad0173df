"""The whole pipeline at the paper's size, but for model and encoder: `python -m benchmarks.paper_scale`.

Made-up JATS files are ingested and run to the release as `aimsciqa run` does it, with the paper's preset, in
one process. The model and the encoder answer at once (`benchmarks/synthetic/services.py`): the rest of their
steps is measured with everything else. Growing corpora give the exponent; then 100 papers are added, three
times, of which the median counts. Part of `benchmarks.scale`.
"""

import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from aimsciqa_resources.language_model.opening import OneModel
from rich.console import Console

from aimsciqa_assets.cli import phases
from aimsciqa_assets.cli.pipeline import Pipeline, open_instance
from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.steps import Step
from aimsciqa_assets.settings import Settings
from benchmarks.environments import ROOT
from benchmarks.machine import peak_memory_mb
from benchmarks.synthetic.papers import write_papers
from benchmarks.synthetic.services import MadeUpEncoder, MadeUpModel
from benchmarks.synthetic.shape import PAPERS

SIZES = (1000, 2000, 4000, PAPERS)
ADDED = 100
NIGHTS = 3
# Every paper is a source, as the 8,211 of the paper are; the encoders of the benchmark would cost their time.
SETTINGS = {
    "AIMSCIQA_SELECTION_MIN_ACCESSIBLE_CITATIONS": "0",
    "AIMSCIQA_REPRODUCTION_NAMED_MODELS": "any",
    "AIMSCIQA_BENCHMARK_RETRIEVERS": "bm25",
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="papers, from few to many")
    parser.add_argument("--added", type=int, default=ADDED, help="papers that are added to the most")
    parser.add_argument("--nights", type=int, default=NIGHTS, help="how often they are added")
    parser.add_argument("--only", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help="where to work; default: a temporary folder")
    chosen = parser.parse_args()
    if chosen.only:
        with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
            print(json.dumps(measure(Path(folder), chosen.only, chosen.added, chosen.nights)))
        return
    print(json.dumps(grown(chosen.sizes, chosen.added, chosen.nights, chosen.folder), indent=2))


def grown(sizes: list[int], added: int, nights: int, folder: Path | None) -> dict[str, Any]:
    """The figures of each size, each in a process of its own, and how they grow."""
    runs = []
    for size in sizes:
        command = [sys.executable, "-m", "benchmarks.paper_scale", "--only", str(size)]
        command += ["--added", str(added if size == max(sizes) else 0), "--nights", str(nights)]
        command += ["--folder", str(folder)] if folder else []
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(done.stdout + done.stderr)
        runs.append(json.loads(done.stdout.splitlines()[-1]))
        print(f"{size} papers: {runs[-1]['seconds']} s", file=sys.stderr, flush=True)
    first, last = runs[0], runs[-1]
    doublings = math.log(last["papers"] / first["papers"])
    growth = math.log(last["seconds"] / first["seconds"]) / doublings if doublings else None
    return {
        "growth_exponent": growth and round(growth, 2),
        "runs": runs,
    }


def measure(folder: Path, papers: int, added: int, nights: int) -> dict[str, Any]:
    """Figures of one corpus, from its files to its release."""
    write_papers(folder / "papers", range(papers))
    pipeline = pipeline_at(Home(folder / "home"))
    with seconds_by_step() as by_step:
        items = seconds_of(lambda: ingest_and_run(pipeline, folder / "papers"))
        evaluation = seconds_of(lambda: finish(pipeline))
    figures = {
        "papers": papers,
        "seconds": round(items + evaluation, 1),
        "seconds_up_to_the_items": round(items, 1),
        "seconds_by_step": {
            step: round(taken, 1) for step, taken in sorted(by_step.items(), key=lambda one: -one[1])
        },
        "rows": rows(pipeline),
        "database_mib": round(pipeline.home.database.stat().st_size / 2**20),
        "peak_memory_mb": peak_memory_mb(),
    }
    if added:
        each = [add(pipeline, folder, papers + night * added, added) for night in range(nights)]
        more = statistics.median(each)
        figures["status_seconds"] = round(seconds_of(lambda: status(pipeline.home)), 2)
        figures["added_papers"] = added
        figures["added_seconds"] = round(more, 1)
        figures["added_seconds_of_each_night"] = [round(one, 1) for one in each]
        figures["added_share_of_the_items_run"] = round(more / items, 4)
        figures["added_share_of_the_whole_run"] = round(more / (items + evaluation), 4)
    return figures


def add(pipeline: Pipeline, folder: Path, first: int, papers: int) -> float:
    """Seconds that new papers take, numbered from `first` on."""
    new = folder / f"added_{first}"
    write_papers(new, range(first, first + papers))
    return seconds_of(lambda: ingest_and_run(pipeline, new))


def pipeline_at(home: Home) -> Pipeline:
    """The pipeline of the command line, with another model and another encoder."""
    settings = Settings.preset_of("paper", SETTINGS).with_refresh(False)
    resources = build_resources(
        home, settings, encoder=MadeUpEncoder(), language_models=OneModel(MadeUpModel())
    )
    return Pipeline(home, resources, open_instance(home), Console(quiet=True), "paper")


def ingest_and_run(pipeline: Pipeline, folder: Path) -> None:
    """What happens every night; exits when anything failed."""
    pipeline.ingest(folder)
    if failures := pipeline.run(evaluate=False):
        sys.exit("\n".join(map(str, failures)))


def finish(pipeline: Pipeline) -> None:
    """Benchmark, release and report; exits when anything failed."""
    if failures := pipeline.run():
        sys.exit("\n".join(map(str, failures)))


def status(home: Home) -> None:
    """`aimsciqa status`."""
    command = [Path(sys.executable).with_name("aimsciqa"), "status"]
    subprocess.run(command, env={"AIMSCIQA_HOME": str(home.folder)}, check=True, capture_output=True)


@contextmanager
def seconds_by_step() -> Iterator[defaultdict[str, float]]:
    """Seconds of each step over all its parts, by the first table that it writes."""
    seconds: defaultdict[str, float] = defaultdict(float)
    run = phases.bring_up_to_date

    def timed(step: Step, *arguments: Any) -> bool:
        start = time.perf_counter()
        try:
            return run(step, *arguments)
        finally:
            seconds[step.writes[0]] += time.perf_counter() - start

    with mock.patch.object(phases, "bring_up_to_date", timed):
        yield seconds


def rows(pipeline: Pipeline) -> dict[str, int]:
    """How many rows the tables of the method have."""
    tables = (
        "corpus.papers",
        "corpus.paragraphs",
        "single_hop.qa_pairs",
        "relations.section_pairs",
        "relations.candidate_relations",
        "relations.clusters",
        "multi_hop.items",
    )
    return {table: pipeline.warehouse.read(f"select count(*) as n from {table}")["n"][0] for table in tables}


def seconds_of(work: Callable[[], object]) -> float:
    """Seconds of a call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
