"""Time and memory of the whole pipeline on a folder of papers: `python -m benchmarks.sample_run`.

Runs `aimsciqa ingest` and `aimsciqa run --preset demo` in a fresh home, as a user would, and writes wall
time, peak memory of the largest process and row counts to `benchmarks/results/sample_run.json`.
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
union all select 'accepted items, ' || variant, count(*) from multi_hop.items
where status = 'accepted' group by variant
"""


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
        for words in (["ingest", corpus], ["run", "--preset", "demo", "--quiet"]):
            subprocess.run([aimsciqa, *words], env=environment, check=True)
        wall = time.monotonic() - start
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
        rows = subprocess.run(
            [aimsciqa, "sql", COUNTS, "--format", "json"], env=environment, check=True, capture_output=True
        )
    result = {
        "wall_seconds": round(wall, 1),
        "peak_memory_gib": round(peak, 2),
        "rows": {row["what"]: row["rows"] for row in json.loads(rows.stdout)},
        "machine": machine(),
    }
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
