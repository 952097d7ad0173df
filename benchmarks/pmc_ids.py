"""Time, memory and disk of loading NLM's map of ids: `python -m benchmarks.pmc_ids`.

Writes a file like `PMC-ids.csv.gz` with ten million made-up articles, loads it twice by `aimsciqa ids` in a
fresh home, publishes `inspect.duckdb`, and counts the accessible citations of as many papers as the method
starts from, 50 references each. Every step is a process of its own; the figures go to the screen and to
`benchmarks/results/pmc_ids.json`.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.machine import machine

ROOT = Path(__file__).resolve().parents[1]
RESULT = ROOT / "benchmarks" / "results" / "pmc_ids.json"
HEADER = "Journal Title,ISSN,eISSN,Year,Volume,Issue,Page,DOI,PMCID,PMID,Manuscript Id,Release Date\n"
LINES_AT_ONCE = 10_000

# Papers whose references have an id in the map in two of three cases.
REFERENCES = """
import sys
from aimsciqa_resources.warehouse import Warehouse
warehouse = Warehouse(database=sys.argv[1])
with warehouse.get_connection() as connection:
    connection.execute("set memory_limit = '1GB'")
    connection.execute('''
        insert into corpus.papers by name
        select 'p' || n as paper_id, 'batch-0001' as batch, 'jats' as source, '' as file_name,
        '' as content_hash, '' as title, 'A.' as abstract, '' as journal, '' as published, '' as first_author,
        '' as article_type, '' as language, '' as licence, '' as licence_url, '' as url, false as retracted,
        true as has_full_text, [] as repairs, [] as warnings from range(20281) as papers(n)''')
    connection.execute('''
        insert into corpus.references by name
        select 'r' || n as reference_id, 'batch-0001' as batch, 'p' || n % 20281 as paper_id, '' as key,
        0 as position, '' as label, '' as text, '' as title, '' as first_author, '' as journal, '' as volume,
        '' as first_page, case when n % 3 = 0 then doi end as doi, case when n % 3 = 1 then pmid end as pmid
        from (select doi, pmid, row_number() over () as n from corpus.pmc_ids limit 20281 * 50)''')
"""
COUNT = """
import sys
from aimsciqa_assets.settings import Settings
from aimsciqa_resources.warehouse import Warehouse
from aimsciqa_assets.orchestration.sql_assets import query_of
query = query_of("corpus.source_papers")
settings = Settings.preset_of("paper", {"AIMSCIQA_SELECTION_SCOPE": "pmc"})
rows = Warehouse(database=sys.argv[1]).read(query.text, query.parameters(settings))
assert rows.height == 20281 and rows["accessible_citations"].sum() > 10 * rows.height
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--articles", type=int, default=10_000_000)
    articles = parser.parse_args().articles
    aimsciqa = str(Path(sys.executable).with_name("aimsciqa"))
    with tempfile.TemporaryDirectory() as folder:
        file, home = Path(folder) / "PMC-ids.csv.gz", Path(folder) / "home"
        database = home / "warehouse.duckdb"
        write_map(file, articles)
        os.environ["AIMSCIQA_HOME"] = str(home)
        result: dict[str, Any] = {"articles": articles, "file_mib": mib(file)}
        for step in ("loading", "loading again"):
            result[step] = measured(aimsciqa, "ids", str(file)) | {"database_mib": mib(database)}
        result["publishing inspect.duckdb"] = measured(aimsciqa, "inspect")
        measured(sys.executable, "-c", REFERENCES, str(database))
        result["source papers, 1,014,050 references"] = measured(sys.executable, "-c", COUNT, str(database))
    result["machine"] = machine()
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))


def measured(*words: str) -> dict[str, float]:
    """Wall time and peak memory of a process; raises `RuntimeError` when it fails."""
    start = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"{words} ended with {os.waitstatus_to_exitcode(status)}")
    return {
        "wall_seconds": round(time.monotonic() - start, 1),
        "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 1),
        "peak_memory_mib": round(usage.ru_maxrss / 2**10),
    }


def mib(file: Path) -> int:
    """Size of a file."""
    return round(file.stat().st_size / 2**20)


def write_map(file: Path, articles: int) -> None:
    """Write the map piece by piece: five in six articles have a DOI, nine in ten a PMID."""
    packer = zlib.compressobj(1, wbits=31)
    with file.open("wb") as packed:
        packed.write(packer.compress(HEADER.encode()))
        for lines in pieces(articles):
            packed.write(packer.compress("".join(lines).encode()))
        packed.write(packer.flush())


def pieces(articles: int) -> Iterator[list[str]]:
    """Lines of the map."""
    chance = random.Random(20241)
    journals = [
        (f'"Journal of Studies, Part {n}"' if n % 5 == 0 else f"Annals of Field {n}")
        + f",{1000 + n}-{n % 10_000:04d},"
        for n in range(5000)
    ]
    for first in range(0, articles, LINES_AT_ONCE):
        lines = []
        for n in range(first, min(first + LINES_AT_ONCE, articles)):
            share = chance.random()
            doi = f"10.{1000 + int(share * 8999)}/S{n * 7919 % 99_999_999:08d}.{n % 977}" if n % 6 else ""
            pmid = f"{10_000_000 + n * 3 + int(share * 3)}" if n % 10 else ""
            lines.append(
                f"{journals[int(share * 5000)]},{1990 + n * 35 // articles},{n % 200},{n % 12},e{n % 3000},"
                f"{doi},PMC{13_900 + n + n // 4},{pmid},{f'NIHMS{n}' if n % 9 == 0 else ''},live\n"
            )
        yield lines


if __name__ == "__main__":
    main()
