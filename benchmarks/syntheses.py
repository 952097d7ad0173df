"""Syntheses of HopWeaver beside plain requests: `python -m benchmarks.syntheses [--syntheses 500]`.

Half as many made-up documents as syntheses: of each a bridge question and a comparison are made, then
polished, which takes seven or eight requests each, one after the other. At the same time, from a process of
its own and to a server of its own, as many plain requests are sent through the same client. Both servers have
the slots of an engine and take half a second to two seconds for a request.

What counts is the throughput of the syntheses over that of the plain requests: at least 85 %. Their time
begins before documents and vectors are read, and ends when the last item is written. What comes before, the
corpus and the vectors of its documents, is not part of it. Figures go to the screen; those of all 10,000 go
to `benchmarks/results/syntheses.json`.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import dagster as dg
from aimsciqa_resources.language_model import Message, ModelRequest, converse, once
from aimsciqa_resources.language_model.opening import LanguageModels
from aimsciqa_resources.language_model.settings import ModelSettings
from rich.console import Console

from aimsciqa_assets.cli.pipeline import Pipeline, resources_at
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.running import bring_up_to_date
from aimsciqa_assets.platform.steps import STEPS, StepRun
from aimsciqa_assets.settings import Settings
from benchmarks.beside import Way, options_of, run_beside, tell
from benchmarks.environments import ROOT
from benchmarks.synthetic.documents import write_documents
from benchmarks.workload import prompts

RESULT = ROOT / "benchmarks" / "results" / "syntheses.json"
SYNTHESES = 10_000
SLOTS, SYNTHESES_OF_A_SLOT = 64, 16
BEFORE = ("corpus.papers", "hopweaver.documents", "hopweaver.document_vectors")
MEASURED = ("hopweaver.attempts", "hopweaver.items")


def main() -> int:
    """Measure, print and write; 1 where syntheses are too slow."""
    chosen = options()
    slots = chosen.slots or max(16, min(SLOTS, chosen.syntheses // SYNTHESES_OF_A_SLOT))
    with tempfile.TemporaryDirectory() as folder:
        sides = side_by_side(Path(folder), chosen, slots)
    facts = {
        "syntheses": chosen.syntheses,
        "documents": documents_of(chosen.syntheses),
        "documents_in_a_batch": chosen.in_a_batch,
        "slots": slots,
        "seconds_of_a_request": chosen.latency,
    }
    return tell(facts, sides, chosen.output or (RESULT if chosen.syntheses == SYNTHESES else None))


def options() -> argparse.Namespace:
    """What the command line says."""
    parser = options_of(__doc__, "syntheses", SYNTHESES, (0.5, 2.0))
    parser.add_argument("--in-a-batch", type=int, default=500, help="documents of a paper batch")
    parser.add_argument(
        "--slots", type=int, default=0, help="of each server; default: 64, fewer for few syntheses"
    )
    return parser.parse_args()


def documents_of(syntheses: int) -> int:
    """Of each document there are two syntheses."""
    return max(20, syntheses // 2)


def side_by_side(folder: Path, chosen: argparse.Namespace, slots: int) -> dict[str, dict[str, Any]]:
    """What each way took."""
    count = documents_of(chosen.syntheses)
    work: dict[str, Way] = {
        "syntheses": lambda url: (syntheses, folder, count, chosen.in_a_batch, url, slots),
        "plain": lambda url: (plain, folder, requests_of(count), url, slots),
    }
    return run_beside(work, partial(busy_server, slots, chosen.latency), slots)


def requests_of(documents: int) -> int:
    """About as many as two syntheses of each document need."""
    return 15 * documents


@contextmanager
def syntheses(
    folder: Path, documents: int, in_a_batch: int, url: str, slots: int
) -> Iterator[Callable[[], dict[str, Any]]]:
    """Work that makes two syntheses of each document, batch by batch, as `aimsciqa run` does."""
    file = folder / "weirs.jsonl"
    write_documents(file, documents)
    home, settings = Home(folder / "home"), settings_for(url, slots, in_a_batch)
    pipeline = Pipeline(
        home, resources_at(home, settings), dg.DagsterInstance.ephemeral(), Console(quiet=True)
    )
    batches = pipeline.ingest(file).batches
    for table in BEFORE:
        for batch in batches:
            brought_up(pipeline, table, batch)

    def work() -> dict[str, Any]:
        seconds = dict.fromkeys(MEASURED, 0.0)
        for batch in batches:
            for table in MEASURED:
                began = time.perf_counter()
                brought_up(pipeline, table, batch)
                seconds[table] += time.perf_counter() - began
        counted = "select kind, count(*) as syntheses, (count(*) filter (status = 'accepted')) as accepted"
        made = pipeline.warehouse.read(f"{counted} from hopweaver.items group by kind order by kind")
        return {
            "batches": len(batches),
            "of_kind": {kind: {"syntheses": n, "accepted": good} for kind, n, good in made.rows()},
            "seconds_of_step": {table: round(one, 2) for table, one in seconds.items()},
        }

    yield work


def settings_for(url: str, slots: int, in_a_batch: int) -> Settings:
    """The settings of such a run: both kinds, and the defaults for most of the rest."""
    return Settings.preset_of(
        "demo",
        model_variables(url, slots)
        | {
            "AIMSCIQA_CORPUS_PAPERS_PER_BATCH": str(in_a_batch),
            "AIMSCIQA_HOPWEAVER_KINDS": "bridge comparison",
            # The model is asked about every candidate, so that a synthesis has its seven or eight calls.
            "AIMSCIQA_HOPWEAVER_UNMENTIONED": "asked",
            # The made-up documents differ in names alone, and all are weirs: rules on names would find them.
            "AIMSCIQA_HOPWEAVER_FIRST_HOP": "segment",
            "AIMSCIQA_HOPWEAVER_MASKED_RANK": "0",
            "AIMSCIQA_HOPWEAVER_QUESTION_RANK": "0",
            "AIMSCIQA_HOPWEAVER_LISTED_ONLY": "asked",
            "AIMSCIQA_HOPWEAVER_KIN": "asked",
            "AIMSCIQA_HOPWEAVER_DRAWS": "any",
            # Figures of before stay comparable: seven or eight calls.
            "AIMSCIQA_HOPWEAVER_READER": "false",
        },
    )


def model_variables(url: str, slots: int) -> dict[str, str]:
    """The server as the model of all tasks."""
    return {
        "AIMSCIQA_MODEL_BACKEND": "server",
        "AIMSCIQA_MODEL_NAME": "m",
        "AIMSCIQA_MODEL_BASE_URL": url,
        "AIMSCIQA_MODEL_IN_FLIGHT": str(slots),
        "AIMSCIQA_MODEL_MOST_IN_FLIGHT": str(slots),
    }


def brought_up(pipeline: Pipeline, table: str, batch: str) -> None:
    """Run the step that writes a table, for a batch."""
    step = STEPS[table]
    bring_up_to_date(step, StepRun.of(step, batch, pipeline.resources))


def plain_requests(count: int) -> Iterator[ModelRequest]:
    """So many requests of the lengths that prompts have, made when they are sent."""
    for number in range(count):
        (chat,) = prompts(1, f"plain request {number}")
        yield ModelRequest("benchmark", str(number), {}, tuple(Message(**message) for message in chat))


@contextmanager
def plain(
    folder: Path,
    requests: int,
    url: str,
    slots: int,
    made: Callable[[int], Iterator[ModelRequest]] = plain_requests,
) -> Iterator[Callable[[], dict[str, Any]]]:
    """Work that asks so many requests, none of which waits for another; `made` makes them."""
    settings = ModelSettings(backend="server", name="m", base_url=url, in_flight=slots, most_in_flight=slots)
    model = LanguageModels(folder / "plain.sqlite").open(settings)

    def work() -> dict[str, Any]:
        answered = sum(bool(reply.text) for reply in converse(model, map(once, made(requests))))
        assert answered == requests, answered
        return {}

    yield work


@contextmanager
def busy_server(
    slots: int,
    latency: tuple[float, float],
    told: dict[str, Any],
    module: str = "benchmarks.synthetic.hop_server",
) -> Iterator[str]:
    """The URL of a server in a process of its own; `told` gets what it says in the end."""
    command = [sys.executable, "-m", module, "--slots", str(slots), "--latency"]
    with subprocess.Popen(
        [*command, *map(str, latency)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
            told |= json.loads(process.stdout.readline() or "{}")


if __name__ == "__main__":
    sys.exit(main())
