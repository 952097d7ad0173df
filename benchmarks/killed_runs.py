"""`kill -9` in the middle of `aimsciqa run`, again and again: `python -m benchmarks.killed_runs`.

AIM-SciQA asks about some 300 paragraphs of the demo corpus; `--system findings` reads 40 small papers in
three batches. A model server on the loopback answers (50 ms a request, 16 in flight). Each trial has a home
of its own. The process is killed at a random moment while it asks, and the same command is given again. The
log of the server and the tables are compared with those of a run that nobody disturbed: requests beyond those
of that run were sent again. Figures go to `benchmarks/results/killed_runs.json` or `killed_findings.json`.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from benchmarks.environments import ROOT, model_server
from benchmarks.machine import machine
from tests.findings_model import write_field_papers

RESULTS = ROOT / "benchmarks" / "results"
IN_FLIGHT = 16
# How a reply came is told in ops.llm_calls, and differs between a run and its continuation.
NOT_COMPARED = {"ops.llm_calls", "ops.materializations"}


@dataclass(frozen=True)
class System:
    """A system with its settings. `papers` writes its corpus; `run` and `server` are words of commands."""

    result: str
    papers: Callable[[Path], None]
    settings: Mapping[str, str]
    run: tuple[str, ...] = ()
    server: tuple[str, ...] = ()


@dataclass(frozen=True)
class Undisturbed:
    """The tables of a run that nobody disturbed, and how often it sent each request."""

    tables: dict[str, list[Any]]
    sent: Counter[str]


def demo_papers(folder: Path) -> None:
    """Copy sixteen papers of the demo corpus."""
    folder.mkdir()
    for paper in sorted((ROOT / "examples" / "demo_corpus").glob("*.xml"))[:16]:
        shutil.copy(paper, folder)


SYSTEMS = {
    "aim_sciqa": System(
        "killed_runs.json",
        demo_papers,
        {"AIMSCIQA_SYSTEMS": "aim-sciqa", "AIMSCIQA_RELATIONS_CLUSTER_SIZE": "5"},
    ),
    "findings": System(
        "killed_findings.json",
        lambda folder: write_field_papers(folder, 40),
        {
            "AIMSCIQA_SYSTEMS": "findings",
            "AIMSCIQA_CORPUS_PAPERS_PER_BATCH": "14",
        },
        run=("--only-items",),
        server=("--findings",),
    ),
}


def main() -> None:
    """Run the trials, print and write what came of them."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--trials", type=int, default=20)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--system", choices=sorted(SYSTEMS), default="aim_sciqa")
    chosen = options.parse_args()
    system = SYSTEMS[chosen.system]
    dice = random.Random(chosen.seed)
    with tempfile.TemporaryDirectory() as folder:
        ingested = prepared(system, Path(folder))
        undisturbed = whole_run(system, ingested, Path(folder) / "undisturbed")
        trials = [
            trial(system, ingested, Path(folder) / f"trial-{number}", dice, undisturbed)
            for number in range(chosen.trials)
        ]
    result = {
        "requests": undisturbed.sent.total(),
        "in_flight": IN_FLIGHT,
        "trials": len(trials),
        "most_sent_again": max(one["sent_again"] for one in trials),
        "requests_lost": sum(one["lost"] for one in trials),
        "double_rows": sum(one["double_rows"] for one in trials),
        "trials_with_other_tables": sum(one["tables_differ"] for one in trials),
        "each": trials,
        "machine": machine(),
    }
    (RESULTS / system.result).write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps({name: value for name, value in result.items() if name != "each"}, indent=2))


def prepared(system: System, folder: Path) -> Path:
    """A home with the papers ingested."""
    papers = folder / "papers"
    system.papers(papers)
    home = folder / "ingested"
    subprocess.run(
        [*aimsciqa(), "ingest", papers], env=environment(system, home, ""), check=True, capture_output=True
    )
    return home


def whole_run(system: System, ingested: Path, home: Path) -> Undisturbed:
    """Run the command without a disturbance."""
    shutil.copytree(ingested, home)
    log = home.with_suffix(".log")
    with model_server("--latency-ms", "50", "--log", str(log), *system.server) as url:
        subprocess.run(run_command(system), env=environment(system, home, url), check=True, stdout=-3)
    return Undisturbed(tables(home), Counter(sent_keys(log)))


def trial(
    system: System, ingested: Path, home: Path, dice: random.Random, undisturbed: Undisturbed
) -> dict[str, Any]:
    """Kill a run after a random number of requests, and let the same command finish it."""
    kill_after = dice.randint(1, undisturbed.sent.total())
    shutil.copytree(ingested, home)
    log = home.with_suffix(".log")
    log.touch()
    with model_server("--latency-ms", "50", "--log", str(log), *system.server) as url:
        variables = environment(system, home, url)
        process = subprocess.Popen(run_command(system), env=variables, stdout=-3)
        while log.read_bytes().count(b"\n") < kill_after and process.poll() is None:
            time.sleep(0.01)
        # Half of the kills come at once, half perhaps when replies are encoded, clustered and stored.
        time.sleep(dice.uniform(0, dice.choice([0.05, 2])))
        process.kill()
        process.wait()
        # What the server still works on belongs to the killed run.
        time.sleep(0.2)
        before = set(sent_keys(log))
        subprocess.run(run_command(system), env=variables, check=True, stdout=-3)
    sent = Counter(sent_keys(log))
    finished = tables(home)
    result = {
        "killed_after": len(before),
        "sent_again": (sent - undisturbed.sent).total(),
        "lost": (undisturbed.sent - sent).total(),
        "double_rows": sum(len(rows) - len(set(map(repr, rows))) for rows in finished.values()),
        "tables_differ": finished != undisturbed.tables,
    }
    print(result, flush=True)
    shutil.rmtree(home)
    return result


def sent_keys(log: Path) -> list[str]:
    """A digest of every request that the server saw."""
    whole_lines = log.read_text().split("\n")[:-1]
    return [json.loads(line)["key"] for line in whole_lines]


def tables(home: Path) -> dict[str, list[Any]]:
    """All rows of all tables, in order, and the paragraphs and relations that were asked about."""
    with duckdb.connect(str(home / "warehouse.duckdb"), read_only=True) as connection:
        names = connection.execute("select schema_name || '.' || table_name from duckdb_tables()").fetchall()
        content = {
            name: connection.execute(f"select * from {name} order by all").fetchall()
            for (name,) in names
            if name not in NOT_COMPARED
        }
        content["asked"] = connection.execute(
            "select distinct key from ops.llm_calls where outcome = 'ok' order by 1"
        ).fetchall()
    return content


def aimsciqa() -> list[str]:
    """The command."""
    return [str(Path(sys.executable).with_name("aimsciqa"))]


def run_command(system: System) -> list[str]:
    """The command that is killed."""
    return [*aimsciqa(), "run", "--quiet", *system.run]


def environment(system: System, home: Path, url: str) -> dict[str, str]:
    """Its environment: a home, and the server as the model of all tasks."""
    variables = {**os.environ, **system.settings, "AIMSCIQA_HOME": str(home)}
    if url:
        variables |= {
            "AIMSCIQA_MODEL_BACKEND": "server",
            "AIMSCIQA_MODEL_NAME": "m",
            "AIMSCIQA_MODEL_BASE_URL": url,
            "AIMSCIQA_MODEL_IN_FLIGHT": str(IN_FLIGHT),
            "AIMSCIQA_MODEL_MOST_IN_FLIGHT": str(IN_FLIGHT),
        }
    return variables


if __name__ == "__main__":
    main()
