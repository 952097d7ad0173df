"""Time and memory of importing review threads: `python -m benchmarks.reviews_import`.

Writes a file of made-up notes in an order drawn at random, imports it by `aimsciqa reviews import` in a fresh
home, and imports it once more. Every step is a process of its own; the figures go to the screen and to
`benchmarks/results/reviews_import.json`.
"""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.machine import machine
from benchmarks.pmc_ids import measured, mib
from benchmarks.synthetic.review_threads import write_threads

ROOT = Path(__file__).resolve().parents[1]
RESULT = ROOT / "benchmarks" / "results" / "reviews_import.json"
COMMAND = "import sys; from aimsciqa_assets.cli import main; sys.exit(main())"
COUNT = """
import sys
from aimsciqa_resources.warehouse import Warehouse
counted = Warehouse(database=sys.argv[1]).read(
    "select (select count(*) from scidqa.forums), (select sum(notes) from scidqa.forums)::bigint, "
    "(select count(distinct note_id) from scidqa.notes)"
).row(0)
assert counted == (int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[3])), counted
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--forums", type=int, default=20_000)
    parser.add_argument("--notes", type=int, default=200_000)
    parser.add_argument("--result", type=Path, default=RESULT, help="where the figures go")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file, home = Path(folder) / "notes.jsonl.gz", Path(folder) / "home"
        write_threads(file, options.forums, options.notes)
        os.environ["AIMSCIQA_HOME"] = str(home)
        result: dict[str, Any] = {
            "forums": options.forums,
            "notes": options.notes,
            "file_mib": mib(file),
        }
        for step in ("importing", "importing again"):
            result[step] = measured(sys.executable, "-c", COMMAND, "reviews", "import", str(file))
        database = home / "warehouse.duckdb"
        result["database_mib"] = mib(database)
        measured(sys.executable, "-c", COUNT, str(database), str(options.forums), str(options.notes))
    result["machine"] = machine()
    options.result.write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
