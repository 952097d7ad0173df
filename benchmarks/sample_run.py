"""Time and memory of the whole pipeline on a folder of papers: `python -m benchmarks.sample_run`.

Runs `aimsciqa ingest`, `aimsciqa run --preset demo` and `aimsciqa release verify` in a fresh home, as a user
would, and writes wall time, peak memory of the largest process, row counts and the tables of the benchmark to
`benchmarks/results/sample_run.json`.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.machine import machine

ROOT = Path(__file__).resolve().parents[1]
RESULT = ROOT / "benchmarks" / "results" / "sample_run.json"
COUNTS = """
select 'papers' as what, count(*) as rows from corpus.papers
union all select 'rejected files', count(*) from corpus.rejected_files
union all select 'paragraphs', count(*) from corpus.paragraphs
union all select 'citation edges', count(*) from corpus.citation_edges
union all select 'kept QA pairs', count(*) from single_hop.qa_pairs where status = 'kept'
union all select 'candidate items, ' || variant, count(*) from multi_hop.items group by variant
union all select 'accepted items, ' || variant, count(*) filter (where status = 'accepted')
from multi_hop.items group by variant
order by what
"""
COMMANDS = {
    "ingest": "ingest",
    "run up to the items": "run --preset demo --quiet --only-items",
    "benchmark, release and report": "run --preset demo --quiet",
    "release verify": "release verify",
}
SCORES = {
    "retrieval": "select * exclude (low, high), [low, high] as interval from benchmark.retrieval_scores "
    "where measure in ('Hit@1', 'Hit@3', 'MRR@5', 'Hit@50', 'MRR@50') order by all",
    "answering": "select * exclude (low, high), [low, high] as interval from benchmark.answering_scores "
    "where measure in ('accuracy', 'token_f1', 'rouge_l', 'found_target') order by all",
    "gates": "select gate, verdict, count(*) as items from benchmark.gates group by all order by all",
    "release": "select released, rejection_reason, count(*) as items from release.items "
    "group by all order by all",
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpora" / "sample")
    corpus = parser.parse_args().corpus
    if not corpus.is_dir():
        sys.exit(f"There is no folder {corpus}; give one with --corpus.")
    aimsciqa = Path(sys.executable).with_name("aimsciqa")
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"AIMSCIQA_HOME": home}
        start = time.monotonic()
        seconds = {}
        for name, words in COMMANDS.items():
            before = time.monotonic()
            subprocess.run(
                [aimsciqa, *words.split(), *([corpus] if name == "ingest" else [])],
                env=environment,
                check=True,
            )
            seconds[name] = round(time.monotonic() - before, 1)
        wall = time.monotonic() - start
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
        tables = {
            name: json.loads(
                subprocess.run(
                    [aimsciqa, "sql", query, "--format", "json"],
                    env=environment,
                    check=True,
                    capture_output=True,
                ).stdout
            )
            for name, query in {"rows": COUNTS, **SCORES}.items()
        }
    rows = {row["what"]: row["rows"] for row in tables.pop("rows")}
    result = {
        "wall_seconds": round(wall, 1),
        "seconds": seconds,
        "peak_memory_gib": round(peak, 2),
        "rows": rows,
        **tables,
        "machine": machine(),
    }
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
