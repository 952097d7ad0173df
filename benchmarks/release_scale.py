"""Time and memory of a large release: `python -m benchmarks.release_scale`.

Makes a warehouse with a million made-up items that may all be released, 200,000 papers and clusters of
30 papers; decides what is released, writes the release and verifies it, each in a process of its own. The
figures go to the screen and to `benchmarks/results/release_scale.json`.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.platform.writing import create_tables
from benchmarks.machine import machine

ROOT = Path(__file__).resolve().parents[1]
RESULT = ROOT / "benchmarks" / "results" / "release_scale.json"
ITEMS_OF_A_SOURCE = 5
PARAGRAPHS = 3
PAIRS_OF_A_PARAGRAPH = 2
SENTENCES = 8

DECIDE = """
import sys
from aimsciqa_assets.settings import Settings
from aimsciqa_resources.warehouse import Warehouse, Write
from aimsciqa_assets.platform.frames import as_declared
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.tables import TABLES
warehouse, query, table = Warehouse(database=sys.argv[1]), query_of("release.items"), "release.items"
rows = as_declared(table, warehouse.read(query.text, query.parameters(Settings.preset_of("demo", {}))))
warehouse.replace([Write(table, TABLES[table].ddl(), rows, {})])
assert rows["released"].all()
"""
WRITE = """
import sys
from pathlib import Path
from aimsciqa_assets.settings import Settings
from aimsciqa_resources.warehouse import Warehouse
from aimsciqa_assets.release.writing import write_release
write_release(Warehouse(database=sys.argv[1]), Settings.preset_of("demo", {}), Path(sys.argv[2]))
"""
VERIFY = """
import sys
from pathlib import Path
from aimsciqa_assets.release.verifying import verify
problems = verify(Path(sys.argv[1])).problems
sys.exit("; ".join(problems) or 0)
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, help="where to work; default: a temporary folder")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        result = measure(Path(folder), arguments.items)
    result["machine"] = machine()
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))


def measure(folder: Path, items: int) -> dict[str, Any]:
    """Make a warehouse in a folder, and the figures of its release."""
    database, release = folder / "warehouse.duckdb", folder / "releases" / "aimsciqa-release"
    fill(Warehouse(database=str(database)), items)
    result: dict[str, Any] = {"items": items, "database_mib": mib(database)}
    result["deciding what is released"] = measured(DECIDE, str(database))
    result["writing"] = measured(WRITE, str(database), str(release))
    result["release_mib"] = sum(mib(file) for file in release.rglob("*") if file.is_file())
    result["verifying"] = measured(VERIFY, str(release))
    return result


# Asked of the process itself: what the kernel tells its parent includes what the parent had when it forked.
PEAK = """
import atexit
from benchmarks.machine import peak_memory_mb
atexit.register(lambda: print(peak_memory_mb(), flush=True))
"""


def measured(code: str, *arguments: str) -> dict[str, float]:
    """Wall time and peak memory of a Python process; raises `RuntimeError` when it fails."""
    start = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-c", PEAK + code, *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    told = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"ended with {os.waitstatus_to_exitcode(status)}:{code}")
    return {
        "wall_seconds": round(time.monotonic() - start, 1),
        "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 1),
        "peak_memory_mb": int(told.split()[-1]),
    }


def mib(file: Path) -> int:
    """Size of a file."""
    return round(file.stat().st_size / 2**20)


def fill(warehouse: Warehouse, items: int) -> None:
    """Papers, pairs and items that fit together; those of every hundredth source are in test.

    A target has the same number as its source modulo 100, so that test and dev share no evidence.
    """
    create_tables(warehouse)
    papers = max(200, items // ITEMS_OF_A_SOURCE)
    with warehouse.get_connection() as connection:
        connection.execute("set memory_limit = '2GB'")
        connection.execute("set preserve_insertion_order = false")
        for statement in _STATEMENTS:
            connection.execute(statement.replace("{papers}", str(papers)).replace("{items}", str(items)))


_SENTENCE = (
    "format('Cohort {:08d} had a mean intake of {:06d} mg per day after week {:03d} of arm {:02d}. ', "
    "{n}, ({n} * 7919 + {s} * 31) % 1000000, {s} * 13, {s})"
)


def _sentence(number: str, place: str) -> str:
    """A sentence of a paragraph in SQL; all are of the same length."""
    return _SENTENCE.replace("{n}", number).replace("{s}", place)


_LENGTH = "length(" + _sentence("0", "0") + ")"
_MODEL = "'made up' as model, '1' as model_revision, '1' as prompt_version"
_STATEMENTS = (
    # A tenth of the papers besides may not be released, and are in clusters only.
    """insert into corpus.papers by name
    select 'P' || n as paper_id, 'b' as batch, 'jats' as source, '' as file_name,
    sha256(n::varchar) as content_hash,
    'Intake in cohort ' || n || ' and what became of it over the years' as title,
    'Cohort ' || n || repeat(' was followed for years.', 40) as abstract,
    'Journal' as journal, '' as published, 'Author' as first_author, '' as article_type, 'en' as language,
    case when n < {papers} then 'CC BY' else '' end as licence,
    'https://creativecommons.org/licenses/by/4.0/' as licence_url, '' as url, false as retracted,
    true as has_full_text,
    [] as repairs, [] as warnings from range({papers} + {papers} // 10) as numbers(n)""",
    """insert into corpus.releasable_papers by name
    select paper_id, licence, licence <> '' as releasable,
    case when licence = '' then 'licence_unknown' end as rejection_reason from corpus.papers""",
    """insert into corpus.sections by name
    select 'S' || n as section_id, 'b' as batch, 'P' || n as paper_id, 0 as position, 'Results' as title,
    'results' as kind from range({papers}) as numbers(n)""",
    f"""insert into corpus.paragraphs by name
    select 'T' || n as paragraph_id, 'b' as batch, 'P' || n // {PARAGRAPHS} as paper_id,
    'S' || n // {PARAGRAPHS} as section_id, (n % {PARAGRAPHS})::integer as position, 'text' as kind,
    '' as subsection,
    trim({" || ".join(_sentence("n", str(place)) for place in range(SENTENCES))}) as text
    from range({{papers}} * {PARAGRAPHS}) as numbers(n)""",
    f"""insert into single_hop.qa_pairs by name
    select 'Q' || n as qa_id, 'b' as batch, 'P' || n // {PARAGRAPHS * PAIRS_OF_A_PARAGRAPH} as paper_id,
    'S' || n // {PARAGRAPHS * PAIRS_OF_A_PARAGRAPH} as section_id,
    'T' || n // {PAIRS_OF_A_PARAGRAPH} as paragraph_id,
    (n % {PAIRS_OF_A_PARAGRAPH})::integer as position,
    'What was the mean intake of cohort ' || n || ' after some weeks?' as question,
    'It was so many mg per day, as measured after some weeks in ' || n || '.' as answer,
    trim({_sentence(f"(n // {PAIRS_OF_A_PARAGRAPH})", f"(n % {PAIRS_OF_A_PARAGRAPH})")}) as evidence,
    ((n % {PAIRS_OF_A_PARAGRAPH}) * {_LENGTH})::integer as evidence_start,
    ((n % {PAIRS_OF_A_PARAGRAPH} + 1) * {_LENGTH} - 1)::integer as evidence_end,
    true as normalised_match, 0.8 as question_answer_similarity, 0.7 as question_evidence_similarity,
    0.1 as alignment, 'kept' as status, {_MODEL}
    from range({{papers}} * {PARAGRAPHS * PAIRS_OF_A_PARAGRAPH}) as numbers(n)""",
    f"""create temp table drafts as
    select n, md5(n::varchar)[:16] as id, n // {ITEMS_OF_A_SOURCE} % {{papers}} as source,
    (n // {ITEMS_OF_A_SOURCE} + 100 * (1 + n % {ITEMS_OF_A_SOURCE})) % ({{papers}} // 100 * 100) as target
    from range({{items}}) as numbers(n)""",
    """insert into relations.candidate_relations by name
    select 'R' || id as relation_id, 'b' as batch, 'im' as variant, 'P' || source as source_paper_id,
    'P' || target as target_paper_id, 'S' || source as source_section_id, 'S' || target as target_section_id,
    '' as core_source_qa_id, '' as core_target_qa_id, 1.5 as similarity, 0.8 as strength, 1 as rank
    from drafts""",
    """insert into relations.clusters by name
    select 'b' as batch, 'R' || id as relation_id, 'im' as variant, 'P' || source as source_paper_id,
    'P' || member as paper_id, case when member = target then 'target' else 'distractor' end as role,
    'random' as origin, j::integer as position, 30 as cluster_size
    from (
        select drafts.*, j, (target + j * 101) % ({papers} + {papers} // 10) as member
        from drafts, range(30) as places(j)
    ) where member <> source""",
    f"""insert into multi_hop.items by name
    select id as item_id, 'b' as batch, 'im' as variant, 'R' || id as relation_id,
    'P' || source as source_paper_id, 'P' || target as target_paper_id,
    'Q' || source * {PARAGRAPHS * PAIRS_OF_A_PARAGRAPH} + n % 6 as core_source_qa_id,
    'Q' || target * {PARAGRAPHS * PAIRS_OF_A_PARAGRAPH} + n % 6 as core_target_qa_id,
    'Q' || target * {PARAGRAPHS * PAIRS_OF_A_PARAGRAPH} + (n + 3) % 6 as retrieval_qa_id,
    'Which paper followed cohort ' || target || ' and says what became of it?' as retrieval_question,
    'Identified target paper: ' || target as retrieval_answer,
    repeat('How does the intake compare between the two cohorts? ', 4) || n as inter_document_question,
    repeat('The source reports one intake, the target another. ', 4) || n as inter_document_answer,
    repeat('In the paper on the cohort, how does the intake compare? ', 5) || n as merged_question,
    repeat('It is the paper on the cohort, which reports another intake. ', 5) || n as merged_answer,
    'accept' as fluency, 'accept' as completeness, 'accept' as cross_reference_necessity,
    'accept' as relational_appropriateness, 'accept' as decision, 'accept' as decision_by_model,
    'accepted' as status, {_MODEL} from drafts""",
    """insert into multi_hop.splits by name
    select id as item_id, 'im' as variant, 'P' || source as source_paper_id,
    case when source % 100 = 0 then 'test' else 'dev' end as split from drafts""",
    """insert into benchmark.gates by name
    select id as item_id, 'no_duplicate' as gate, 'pass' as verdict, '' as detail from drafts""",
)


if __name__ == "__main__":
    main()
