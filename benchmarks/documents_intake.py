"""Time and memory of taking in documents: `python -m benchmarks.documents_intake`.

Writes a file of made-up documents of 2,000 characters, takes it in by `aimsciqa ingest` in a fresh home,
takes it in once more, and makes the tables of the corpus of every batch. Every step is a process of its own;
the figures go to the screen and to `benchmarks/results/documents_intake.json`.
"""

import argparse
import gzip
import json
import os
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.machine import machine
from benchmarks.pmc_ids import measured, mib

ROOT = Path(__file__).resolve().parents[1]
RESULT = ROOT / "benchmarks" / "results" / "documents_intake.json"
CHARACTERS = 2000
INGEST = "import sys; from aimsciqa_assets.cli import main; sys.exit(main())"
READ = """
import sys
from pathlib import Path
from aimsciqa_assets.corpus.assets import PARSED
from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.running import bring_up_to_date
from aimsciqa_assets.platform.steps import STEPS, StepRun
from aimsciqa_assets.settings import Settings
resources = build_resources(Home(Path(sys.argv[1])), Settings.of_environment(None, asking=False))
warehouse = resources["warehouse"]
for batch in warehouse.read("select distinct batch from corpus.input_files order by 1")["batch"]:
    bring_up_to_date(STEPS[PARSED[0]], StepRun.of(STEPS[PARSED[0]], batch, resources))
papers = warehouse.read("select count(*) as n, count(distinct paper_id) as ids from corpus.papers").row(0)
assert papers == (int(sys.argv[2]),) * 2, papers
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--result", type=Path, default=RESULT, help="where the figures go")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file, home = Path(folder) / "documents.jsonl.gz", Path(folder) / "home"
        write_documents(file, options.documents)
        os.environ["AIMSCIQA_HOME"] = str(home)
        result: dict[str, Any] = {
            "documents": options.documents,
            "characters": CHARACTERS,
            "file_mib": mib(file),
        }
        for step in ("taking in", "taking in again"):
            result[step] = measured(sys.executable, "-c", INGEST, "ingest", str(file))
        store = [path for path in (home / "files").rglob("*") if path.is_file()]
        result["files_in_the_store"] = len(store)
        result["store_mib"] = round(sum(path.stat().st_size for path in store) / 2**20)
        result["tables of the corpus"] = measured(
            sys.executable, "-c", READ, str(home), str(options.documents)
        ) | {"database_mib": mib(home / "warehouse.duckdb")}
    result["machine"] = machine()
    options.result.write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))


def write_documents(file: Path, documents: int) -> None:
    """Write documents of some four paragraphs."""
    chance = random.Random(20251)
    syllables = [first + second for first in "bdfgklmnprstvz" for second in ("a", "el", "in", "or", "u")]
    words = ["".join(chance.choices(syllables, k=chance.randint(1, 4))) for _ in range(5000)]
    with gzip.open(file, "wt", compresslevel=1) as lines:
        for number in range(documents):
            title = " ".join(chance.choices(words, k=3)).title()
            text = " ".join(chance.choices(words, k=CHARACTERS // 4))[:CHARACTERS]
            quarter = CHARACTERS // 4
            paragraphs = [text[at : at + quarter].strip() for at in range(0, CHARACTERS, quarter)]
            contents = "\n".join([title, *paragraphs])
            lines.write(json.dumps({"id": number, "title": title, "contents": contents}) + "\n")


if __name__ == "__main__":
    main()
