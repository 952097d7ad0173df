"""EXTRACTOR beside plain requests: `python -m benchmarks.extractor [--examples 1000]`.

As many examples are made from a made-up store of as many papers, of all kinds, with their trajectories: an
explorer and a tracker are asked about each try, then the actor once without tools and for three turns. At the
same time, from a process of its own and to a server of its own, as many plain requests of the same lengths
are sent through the same client, none of which waits for another. Both servers, again processes of their own,
reply after 50 ms and have so few slots that two cores can follow.

What counts is the throughput of EXTRACTOR over that of the plain requests, at least 85 %, and that memory
does not grow with the examples: the peak is told after the making, and after a tenth, half and all of the
trajectories. The time begins before the store is read and ends when the last row is written. Papers are few
rows each, queries are encoded by their words. Figures go to the screen; those of all 10,000 go to
`benchmarks/results/extractor.json`.
"""

import argparse
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from aimsciqa_resources.language_model import Message, ModelRequest

from aimsciqa_assets.airqa.extractor.acting import TRAJECTORIES
from aimsciqa_assets.airqa.extractor.rows import EXAMPLES as MADE
from aimsciqa_assets.platform.running import bring_up_to_date
from aimsciqa_assets.platform.steps import STEPS, StepRun
from benchmarks.beside import Way, options_of, run_beside, tell
from benchmarks.environments import ROOT
from benchmarks.machine import peak_memory_mb
from benchmarks.syntheses import busy_server, plain
from benchmarks.workload import prose
from tests.extractor_home import make, resources_at
from tests.extractor_model import ScriptedModel
from tests.model_server import ModelServer
from tests.model_server.steps import text_of

RESULT = ROOT / "benchmarks" / "results" / "extractor.json"
EXAMPLES = 10_000
PAPERS_OF_A_BATCH = 500
WARM_UP = 24
TASKS = ("EXTRACTOR", "TRACKER", "ACTOR")

Lengths = Sequence[tuple[int, ...]]
"""The characters of each message, for some requests."""


def main() -> int:
    """Measure, print and write; 1 where EXTRACTOR is too slow."""
    chosen = options()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        lengths = lengths_of_requests(folder / "lengths")
        requests = chosen.examples * len(lengths) // WARM_UP
        of_lengths = partial(plain_requests, lengths=lengths)
        work: dict[str, Way] = {
            "extractor": lambda url: (extractor, folder, chosen.examples, url, chosen.slots),
            "plain": lambda url: (plain, folder, requests, url, chosen.slots, of_lengths),
        }
        module = "benchmarks.synthetic.extractor_server"
        server = partial(busy_server, chosen.slots, chosen.latency, module=module)
        sides = run_beside(work, server, chosen.slots)
    facts = {
        "examples": chosen.examples,
        "papers": chosen.examples,
        "papers_of_a_batch": PAPERS_OF_A_BATCH,
        "slots": chosen.slots,
        "seconds_of_a_request": chosen.latency,
    }
    return tell(facts, sides, chosen.output or (RESULT if chosen.examples == EXAMPLES else None))


def options() -> argparse.Namespace:
    """What the command line says."""
    parser = options_of(__doc__, "examples", EXAMPLES, (0.05, 0.05))
    parser.add_argument("--slots", type=int, default=8, help="of each server")
    return parser.parse_args()


def lengths_of_requests(folder: Path) -> Lengths:
    """The lengths of what a few examples ask: kinds and turns have the shares that a large run has."""
    folder.mkdir()
    with ModelServer(answer=ScriptedModel()) as server:
        make(resources_at(folder, server.url, papers=WARM_UP, examples=WARM_UP))
        return [tuple(len(text_of(message)) for message in seen.body["messages"]) for seen in server.seen]


@contextmanager
def extractor(folder: Path, examples: int, url: str, slots: int) -> Iterator[Callable[[], dict[str, Any]]]:
    """Work that makes so many examples and their trajectories, as `aimsciqa extractor make` does."""
    batches = [f"b{number:03d}" for number in range(max(2, examples // PAPERS_OF_A_BATCH))]
    settings = {
        f"AIMSCIQA_{task}_MODEL_{name}": slots for task in TASKS for name in ("IN_FLIGHT", "MOST_IN_FLIGHT")
    }
    (folder / "warm-up").mkdir()
    make(resources_at(folder / "warm-up", url, papers=WARM_UP, examples=WARM_UP, **settings))
    (folder / "home").mkdir()
    of_home = partial(
        resources_at, folder / "home", url, papers=examples, batches=batches, examples=examples, **settings
    )
    # In a process of its own: what the making of the store takes is not what is measured.
    filling = multiprocessing.get_context("spawn").Process(target=of_home)
    filling.start()
    filling.join()
    resources = of_home()

    def up_to_date(table: str, part: str) -> None:
        bring_up_to_date(STEPS[table], StepRun.of(STEPS[table], part, resources))

    def work() -> dict[str, Any]:
        peaks = {"before": peak_memory_mb()}
        began = time.perf_counter()
        up_to_date(MADE, "")
        making = time.perf_counter() - began
        peaks["making"] = peak_memory_mb()
        told = {max(1, len(batches) // 10): "a tenth", len(batches) // 2: "half", len(batches): "all"}
        for number, batch in enumerate(batches, 1):
            up_to_date(TRAJECTORIES, batch)
            if number in told:
                peaks[told[number]] = peak_memory_mb()
        read = resources["warehouse"].read
        counted = read("select count(*)::int, sum(score)::int, sum(turns)::int from extractor.trajectories")
        missing = read("select sum(missing)::int from extractor.quotas").item()
        requests = read("select count(*)::int from ops.llm_calls where not from_journal").item()
        (trajectories, correct, turns) = counted.row(0)
        assert (trajectories, missing) == (examples, 0), (trajectories, missing)
        return {
            "trajectories": trajectories,
            "correct": correct,
            "turns": turns,
            "requests": requests,
            "seconds_of_making": round(making, 2),
            "peak_memory_mb_after": peaks,
        }

    yield work


def plain_requests(count: int, lengths: Lengths) -> Iterator[ModelRequest]:
    """So many requests of such lengths, all different, made when they are sent."""
    system = prose("system", max(one[0] for one in lengths))
    roles = ("user", "assistant")
    for number, (first, *others) in enumerate(islice(cycle(lengths), count)):
        told = [Message(role="system", content=system[:first])]
        for place, (role, length) in enumerate(zip(cycle(roles), others)):
            told.append(Message(role=role, content=prose(f"plain request {number} {place}", length)))
        yield ModelRequest("benchmark", str(number), {}, tuple(told))


if __name__ == "__main__":
    sys.exit(main())
