"""What a lake costs beside a DuckDB file: `python -m benchmarks.lake`, in the environment of the cluster.

The sample run: `aimsciqa ingest` and `aimsciqa run --preset demo` on papers of a folder, in turns on a DuckDB
file, on a lake with its rows in a folder, and on one with them on S3. Postgres and the server of S3 (moto)
run on this machine. Each round measures all sides, every second one in the other direction.

The publication: six processes replace 2,000 vectors of 384 numbers each, at once, four times over; with the
lock, and without it. What was in conflict is tried again.

Both go to `benchmarks/results/lake.json`.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks.lake_writers import publication
from benchmarks.machine import machine
from tests.lake.servers import new_database, postgres_server
from tests.s3_server import access_to, requests_in, s3_server

ROOT = Path(__file__).resolve().parents[1]
RESULT = ROOT / "benchmarks" / "results" / "lake.json"
BUCKET = "rows"
FILE = "file"
SIDES = (FILE, "lake, folder", "lake, S3")
COMMANDS = {
    "ingest": "ingest {papers}",
    "run up to the items": "run --preset demo --quiet --only-items",
    "benchmark, release and report": "run --preset demo --quiet",
}
MOST = 1.5
"""How many times as long as on a file the sample may take."""
_TABLES = ("corpus.papers", "single_hop.qa_pairs", "relations.candidate_relations", "multi_hop.items")
_NO_ITEMS = 1
"""The exit code of a run whose papers gave no item, as a few papers may; the rows are compared."""
_CLOCK_TICK = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure, print and write; exits with 1 when a lake takes too long."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpora" / "sample")
    parser.add_argument("--papers", type=int, help="so many of them, evenly over their names; default: all")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument(
        "--only", choices=("sample", "publication"), help="one of the two; the other stays as it was"
    )
    options = parser.parse_args()
    if not options.corpus.is_dir():
        sys.exit(f"There is no folder {options.corpus}; give one with --corpus.")
    measured: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="lake") as folder, ExitStack() as servers:
        work = Path(folder)
        postgres = servers.enter_context(postgres_server(work / "pg"))
        s3 = servers.enter_context(s3_server(work, BUCKET))
        if options.only != "publication":
            papers = chosen_papers(options.corpus, options.papers, work / "papers")
            measured["sample"] = {"papers": papers} | sample(work, postgres, s3, options.rounds)
        if options.only != "sample":
            measured["publication"] = publication(work, postgres)
    measured |= {f"machine, {part}": machine() for part in measured}
    earlier = json.loads(RESULT.read_text()) if options.only and RESULT.exists() else {}
    RESULT.write_text(json.dumps(earlier | measured, indent=2) + "\n")
    print(json.dumps(measured, indent=2))
    sys.exit(any(ratio > MOST for ratio in measured.get("sample", {}).get("ratio_of_cpu", {}).values()))


def chosen_papers(corpus: Path, number: int | None, folder: Path) -> int:
    """Put so many papers of a corpus into a folder, evenly over their names; returns how many."""
    files = sorted(corpus.rglob("*.xml"))
    number = min(number or len(files), len(files))
    folder.mkdir()
    for position in range(number):
        file = files[position * len(files) // number]
        (folder / file.name).symlink_to(file.absolute())
    return number


def sample(work: Path, postgres: str, s3: str, rounds: int) -> dict[str, Any]:
    """Wall and CPU seconds of every side and round, and their ratios to those of the file."""
    runs: dict[str, list[dict[str, Any]]] = {side: [] for side in SIDES}
    rows = set()
    for number in range(rounds):
        for side in SIDES if number % 2 == 0 else reversed(SIDES):
            with (
                tempfile.TemporaryDirectory(dir=work) as folder,
                new_database(postgres, f"sample_{number}_{SIDES.index(side)}") as catalogue,
            ):
                home = Path(folder)
                settings = settings_of(side, home, catalogue, s3, f"round{number}")
                run = run_of(home, settings, work / "papers", postmaster_of(work / "pg"))
                if side == SIDES[2]:
                    run["s3_requests"] = _requests(work)
                rows.add(tuple(run.pop("rows")))
            runs[side].append(run)
            print(f"{side}: {json.dumps(run)}", file=sys.stderr, flush=True)
    file = runs[FILE]
    return {
        "commands": list(COMMANDS),
        "runs": runs,
        "same_rows": len(rows) == 1,
        "rows": dict(zip(_TABLES, min(rows), strict=True)),
        **{
            f"ratio_of_{what}": {
                side: round(_median(runs[side], of) / _median(file, of), 3) for side in SIDES if side != FILE
            }
            for what, of in {
                "wall": "wall_seconds",
                "cpu": "cpu_seconds",
                "cpu_with_servers": "all_cpu",
            }.items()
        },
    }


def settings_of(side: str, home: Path, catalogue: str, s3: str, prefix: str) -> dict[str, str]:
    """The environment in which the commands of a side run."""
    settings = {**os.environ, "AIMSCIQA_HOME": str(home / "home"), "DAGSTER_DISABLE_TELEMETRY": "1"}
    if side == FILE:
        return settings
    on_s3 = side == SIDES[2]
    return {
        **settings,
        **(access_to(s3) if on_s3 else {}),
        "AIMSCIQA_WAREHOUSE": f"ducklake:postgres:{catalogue}",
        "AIMSCIQA_WAREHOUSE_DATA": f"s3://{BUCKET}/{prefix}" if on_s3 else str(home / "rows"),
    }


def run_of(home: Path, settings: Mapping[str, str], papers: Path, postmaster: int) -> dict[str, Any]:
    """What the commands took in a fresh home, and how many rows came of it."""
    aimsciqa = Path(sys.executable).with_name("aimsciqa")
    load = os.getloadavg()[0]
    by_command, before = {}, _servers_cpu(postmaster)
    for name, words in COMMANDS.items():
        began, cpu_began = time.monotonic(), _cpu_of_children()
        done = subprocess.run(
            [aimsciqa, *words.format(papers=papers).split()],
            env=settings,
            check=False,
            stdout=subprocess.DEVNULL,
        )
        if done.returncode > _NO_ITEMS:
            sys.exit(f"{name} failed with {done.returncode}")
        by_command[name] = {
            "wall": round(time.monotonic() - began, 1),
            "cpu": round(_cpu_of_children() - cpu_began, 1),
        }
    cpu = sum(of["cpu"] for of in by_command.values())
    query = " union all by name ".join(
        f"select {number} as place, count(*) as n from {table}" for number, table in enumerate(_TABLES)
    )
    told = subprocess.run(
        [aimsciqa, "sql", f"select n from ({query}) order by place", "--format", "json"],
        env=settings,
        check=True,
        capture_output=True,
    ).stdout
    return {
        "wall_seconds": round(sum(of["wall"] for of in by_command.values()), 1),
        "cpu_seconds": round(cpu, 1),
        "all_cpu": round(cpu + _servers_cpu(postmaster) - before, 1),
        "by_command": by_command,
        "load_before": round(load, 1),
        "rows": [row["n"] for row in json.loads(told)],
    }


def _median(runs: list[dict[str, Any]], of: str) -> float:
    return statistics.median(float(run[of]) for run in runs)


def _requests(folder: Path) -> dict[str, int]:
    methods = [method for method, _ in requests_in(folder)]
    return {method: methods.count(method) for method in sorted(set(methods))}


def _cpu_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def postmaster_of(folder: Path) -> int:
    """The process of a Postgres, by the folder of its data."""
    return int((folder / "postmaster.pid").read_text().split()[0])


def _servers_cpu(postmaster: int) -> float:
    """CPU seconds of Postgres and, the only child of this process between two commands, the server of S3."""
    return tree_cpu(postmaster) + sum(map(tree_cpu, _children(os.getpid())))


def tree_cpu(process: int) -> float:
    """CPU seconds of a process, of its living children, and of those that it waited for."""
    return sum(map(_cpu, (process, *_children(process))))


def _children(process: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def _cpu(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return 0.0  # it has just ended
    return sum(map(int, fields[11:15])) / _CLOCK_TICK


if __name__ == "__main__":
    main()
