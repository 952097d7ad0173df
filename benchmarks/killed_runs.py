"""`kill -9` in the middle of `aimsciqa run`, again and again: `python -m benchmarks.killed_runs`.

Some 300 paragraphs of the demo corpus are asked about at a model server on the loopback (50 ms a request,
16 in flight). In every trial, in a home of its own, the process is killed at a random moment while it asks,
and the same command is given again. The server's log tells what was sent twice; the tables are compared with
those of a run that nobody disturbed. Figures go to `benchmarks/results/killed_runs.json`.
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
from pathlib import Path
from typing import Any

import duckdb

from benchmarks.environments import ROOT, model_server
from benchmarks.machine import machine

RESULT = ROOT / "benchmarks" / "results" / "killed_runs.json"
IN_FLIGHT = 16
PAPERS = 16
# How a reply came is told in ops.llm_calls, and differs between a run and its continuation.
NOT_COMPARED = {"ops.llm_calls", "ops.materializations"}


def main() -> None:
    """Run the trials, print and write what came of them."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--trials", type=int, default=20)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    dice = random.Random(chosen.seed)
    with tempfile.TemporaryDirectory() as folder:
        ingested = prepared(Path(folder))
        undisturbed, sent = whole_run(ingested, Path(folder) / "undisturbed")
        trials = [
            trial(ingested, Path(folder) / f"trial-{number}", dice.uniform(1, sent), undisturbed)
            for number in range(chosen.trials)
        ]
    result = {
        "requests": sent,
        "in_flight": IN_FLIGHT,
        "trials": len(trials),
        "most_sent_again": max(one["sent_again"] for one in trials),
        "requests_lost": sum(one["lost"] for one in trials),
        "double_rows": sum(one["double_rows"] for one in trials),
        "trials_with_other_tables": sum(one["tables_differ"] for one in trials),
        "each": trials,
        "machine": machine(),
    }
    RESULT.write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps({name: value for name, value in result.items() if name != "each"}, indent=2))


def prepared(folder: Path) -> Path:
    """A home with the papers ingested."""
    papers = folder / "papers"
    papers.mkdir()
    for paper in sorted((ROOT / "examples" / "demo_corpus").glob("*.xml"))[:PAPERS]:
        shutil.copy(paper, papers)
    home = folder / "ingested"
    subprocess.run(
        [*aimsciqa(), "ingest", papers], env=environment(home, ""), check=True, capture_output=True
    )
    return home


def whole_run(ingested: Path, home: Path) -> tuple[dict[str, list[Any]], int]:
    """The tables of an undisturbed run, and how many requests it sent."""
    shutil.copytree(ingested, home)
    log = home.with_suffix(".log")
    with model_server("--latency-ms", "50", "--log", str(log)) as url:
        subprocess.run([*aimsciqa(), "run", "--quiet"], env=environment(home, url), check=True, stdout=-3)
    return tables(home), len(sent_keys(log))


def trial(ingested: Path, home: Path, kill_after: float, undisturbed: dict[str, list[Any]]) -> dict[str, Any]:
    """Kill a run when the server has seen so many requests, and let the same command finish it."""
    shutil.copytree(ingested, home)
    log = home.with_suffix(".log")
    log.touch()
    with model_server("--latency-ms", "50", "--log", str(log)) as url:
        process = subprocess.Popen([*aimsciqa(), "run", "--quiet"], env=environment(home, url), stdout=-3)
        while len(sent_keys(log)) < int(kill_after) and process.poll() is None:
            time.sleep(0.002)
        time.sleep(0.05 * (kill_after % 1))
        process.kill()
        process.wait()
        # What the server still works on belongs to the killed run.
        time.sleep(0.2)
        before = set(sent_keys(log))
        subprocess.run([*aimsciqa(), "run", "--quiet"], env=environment(home, url), check=True, stdout=-3)
    sent = Counter(sent_keys(log))
    finished = tables(home)
    result = {
        "killed_after": len(before),
        "sent_again": sum(count - 1 for count in sent.values()),
        "lost": len({row[0] for row in undisturbed["asked"]} - {row[0] for row in finished["asked"]}),
        "double_rows": sum(len(rows) - len(set(map(repr, rows))) for rows in finished.values()),
        "tables_differ": finished != undisturbed,
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


def environment(home: Path, url: str) -> dict[str, str]:
    """Its environment: a home, and the server as the model of all tasks."""
    variables = os.environ | {"AIMSCIQA_HOME": str(home), "AIMSCIQA_RELATIONS_CLUSTER_SIZE": "5"}
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
