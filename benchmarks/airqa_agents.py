"""AirQA's agents beside plain requests: `python -m benchmarks.airqa_agents [--examples 100]`.

Each example is a dialogue of the baseline agentic_hybrid over a small paper store: two searches, two SQL
statements in the sandbox, and the answer, five requests in all; no two examples do the same. At the same
time, from a process of its own and to a server of its own, as many plain requests are sent through the same
client. Both servers reply after 50 ms and have so few slots that two cores can follow, so that what counts is
whether an action holds up other dialogues. Queries are encoded by their words: `--encoder packaged` takes the
packaged encoder, which needs more of a processor than all the rest.

What counts is the throughput of the agents over that of the plain requests, at least 85 %, and that memory
does not grow with the examples: compare with `--examples 100`. A few examples go before, so that processes
run and libraries are loaded. The time ends when the last row is written. Figures go to the screen; those of
all 1,000 go to `benchmarks/results/airqa_agents.json`.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import dagster as dg
from rich.console import Console

from aimsciqa_assets.cli.pipeline import Pipeline, resources_at
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.settings.airqa_runs import runs_of
from benchmarks.beside import Way, options_of, run_beside, tell
from benchmarks.environments import ROOT
from benchmarks.syntheses import brought_up, busy_server, model_variables, plain
from benchmarks.synthetic.agent_server import TURNS
from tests.airqa_home import examples as three_examples
from tests.airqa_home import publish, uuids
from tests.fakes import WordEncoder
from tests.paper_stores import insert

RESULT = ROOT / "benchmarks" / "results" / "airqa_agents.json"
EXAMPLES = 1000
WARM_UP = 8
SERVER = "benchmarks.synthetic.agent_server"


def main() -> int:
    """Measure, print and write; 1 where agents are too slow."""
    chosen = options()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        work: dict[str, Way] = {
            "agents": lambda url: (agents, folder, chosen, url),
            "plain": lambda url: (plain, folder, chosen.examples * TURNS, url, chosen.slots),
        }
        server = partial(busy_server, chosen.slots, chosen.latency, module=SERVER)
        sides = run_beside(work, server, chosen.slots)
    facts = {
        "examples": chosen.examples,
        "slots": chosen.slots,
        "encoder": chosen.encoder,
        "seconds_of_a_request": chosen.latency,
    }
    return tell(facts, sides, chosen.output or (RESULT if chosen.examples == EXAMPLES else None))


def options() -> argparse.Namespace:
    """What the command line says."""
    parser = options_of(__doc__, "examples", EXAMPLES, (0.05, 0.05))
    parser.add_argument("--slots", type=int, default=8, help="of each server")
    parser.add_argument("--encoder", choices=("words", "packaged"), default="words")
    return parser.parse_args()


@contextmanager
def agents(folder: Path, chosen: argparse.Namespace, url: str) -> Iterator[Callable[[], dict[str, Any]]]:
    """Work that has agents answer so many examples, as `aimsciqa airqa run` does."""
    examples = chosen.examples
    first, run_id = asking(folder / "warm-up", range(examples, examples + WARM_UP), chosen, url)
    brought_up(first, "airqa.answers", run_id)
    pipeline, run_id = asking(folder / "home", range(examples), chosen, url)

    def work() -> dict[str, Any]:
        brought_up(pipeline, "airqa.answers", run_id)
        counted = "select status, count(*)::int, sum(turns)::int from airqa.answers group by all order by 1"
        made = pipeline.warehouse.read(counted).rows()
        assert made == [("answered", examples, examples * TURNS)], made
        return {"answered": examples, "requests": examples * TURNS}

    yield work


def asking(folder: Path, numbers: range, chosen: argparse.Namespace, url: str) -> tuple[Pipeline, str]:
    """A home with a small store and an example for each number, and the run that answers them."""
    folder.mkdir()
    variables = model_variables(url, chosen.slots) | {"AIMSCIQA_AIRQA_BASELINES": "agentic_hybrid"}
    home, settings = Home(folder), Settings.preset_of("demo", variables)
    resources = resources_at(home, settings)
    if chosen.encoder == "words":
        resources |= {"encoder": WordEncoder()}
    pipeline = Pipeline(home, resources, dg.DagsterInstance.ephemeral(), Console(quiet=True))
    create_tables(pipeline.warehouse)
    stored = publish(folder, pipeline.resources["encoder"])
    _, about_two, _ = three_examples(uuids(folder))
    asked = [
        about_two | {"example_id": f"e{number:05d}", "question": f"What grew in cohort {number}?"}
        for number in numbers
    ]
    insert(pipeline.warehouse, {"airqa.store": stored, "airqa.examples": asked})
    return pipeline, next(iter(runs_of(settings)))


if __name__ == "__main__":
    sys.exit(main())
