"""The command line as users type it: the demo, reruns, kills, two runs at once, bad input."""

import csv
import json
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest
from aimsciqa_resources.warehouse import Warehouse

from tests.fakes import write_corpus, write_id_map
from tests.shell import ROOT, QuickShell, Shell, documented_queries
from tests.small_home import copy_of

pytestmark = pytest.mark.slow

SIDES = ("source", "target")
BATCHES = ("--batch", "batch-0001", "--batch", "batch-0002")
"""Named one by one: then a run without an accepted item is no failure."""


def content(home: Path, *, up_to_items: bool = False) -> dict[str, tuple[int, int]]:
    """Row count and hash of every table; or without what comes after the items, and the records of these."""
    later = "'^(benchmark|quality|release|extractor)[.]|^airqa[.](scores|comparisons)$'"
    with duckdb.connect(str(home / "warehouse.duckdb"), read_only=True) as connection:
        tables = connection.execute("select schema_name || '.' || table_name from duckdb_tables()").fetchall()
        found = {}
        for (table,) in sorted(tables):
            if table == "ops.schema_versions":
                continue  # it has the time at which a program was there first
            rows = f"select count(*), bit_xor(hash(t)) from {table} as t"
            if up_to_items and table.startswith(("benchmark.", "quality.", "release.")):
                continue
            if up_to_items and table == "ops.materializations":
                rows += f" where not regexp_matches(table_name, {later})"
            found[table] = connection.execute(rows).fetchall()[0]
        return found


@pytest.fixture(scope="module")
def demo(tmp_path_factory) -> QuickShell:
    """The demo corpus, run to the end as `make demo` runs it."""
    home = tmp_path_factory.mktemp("demo") / "home"
    home.mkdir()
    shutil.copy(ROOT / "examples" / "demo.toml", home / "aimsciqa.toml")
    shutil.copy(ROOT / "examples" / "demo_recordings.jsonl", home)
    by_process = Shell(home)
    by_process("ingest", "examples/demo_corpus", "--preset", "demo")
    shell = QuickShell(home)
    shell.output = by_process("run", "--preset", "demo")
    return shell


@pytest.fixture(scope="module")
def small(tiny_encoder) -> dict[str, str]:
    return {"systems": "aim-sciqa", "relations_cluster_size": "3"} | tiny_encoder


@pytest.fixture(scope="module")
def six(small, tmp_path_factory) -> QuickShell:
    """Six papers of the demo corpus, taken in; to be copied."""
    folder = tmp_path_factory.mktemp("six")
    (folder / "papers").mkdir()
    for paper in sorted((ROOT / "examples" / "demo_corpus").glob("*.xml"))[:6]:
        shutil.copy(paper, folder / "papers")
    shell = QuickShell(folder / "home", **small)
    shell("ingest", str(folder / "papers"))
    return shell


@pytest.fixture(scope="module")
def undisturbed(six, small, tmp_path_factory) -> QuickShell:
    """The same six papers, run to the end without a kill."""
    shell = QuickShell(copy_of(six.home, tmp_path_factory.mktemp("undisturbed") / "home"), **small)
    shell("run", "--quiet")
    return shell


@pytest.fixture(scope="module")
def papers(tmp_path_factory) -> Path:
    """Twelve papers, enough for two batches of six."""
    folder = tmp_path_factory.mktemp("twelve") / "papers"
    write_corpus(folder, 12)
    return folder


@pytest.fixture(scope="module")
def two_batches(tiny_encoder) -> dict[str, str]:
    return {"corpus_papers_per_batch": "6", "relations_cluster_size": "5"} | tiny_encoder


@pytest.fixture(scope="module")
def one_after_another(papers, two_batches, tmp_path_factory) -> QuickShell:
    """The two batches, made one after another by one process."""
    shell = QuickShell(tmp_path_factory.mktemp("one-after-another") / "home", **two_batches)
    shell("ingest", str(papers))
    shell("run", "--quiet", "--only-items", *BATCHES)
    return shell


@pytest.mark.long
def test_the_demo_ends_with_a_summary_for_people(demo):
    for expected in ("corpus.papers", "kept", "low_alignment", "Question", "Target", "evidence", "make ui"):
        assert expected in demo.output
    assert "30 papers" in demo.output
    assert re.search(r"bm25 +im cluster +0\.\d\d \(\.\d\d-(\.\d\d|1\.00)\)", demo.output)
    assert re.search(r"extractive +im oracle +0\.\d\d .* lexical", demo.output)
    assert (demo.home / "report.html").exists()
    assert "is sound" in demo("release", "verify")
    assert "Traceback" not in demo.output


@pytest.mark.long
def test_the_demo_makes_items_of_both_variants_and_states_its_rejections(demo):
    accepted = demo.rows(
        "select variant, count(*) as items from multi_hop.items where status = 'accepted' group by 1"
    )
    counts = {row["variant"]: row["items"] for row in accepted}
    assert counts.keys() == {"im", "cim"}
    assert (
        demo.rows("select * from multi_hop.items where status != 'accepted' and rejection_reason is null")
        == []
    )
    citing = "select count(*) as papers from corpus.source_papers where accessible_citations >= 3"
    assert demo.rows(citing)[0]["papers"] >= 15


@pytest.mark.long
def test_the_demo_has_a_recorded_reply_to_all_that_it_asks(demo):
    made = "select kind, status, count(*) as items from hopweaver.items group by all order by all"
    assert [tuple(row.values()) for row in demo.rows(made)] == [
        ("bridge", "accepted", 2),
        ("bridge", "rejected", 10),
        ("comparison", "accepted", 10),
        ("comparison", "rejected", 2),
    ]
    assert "not_recorded" not in str(demo.rows("from hopweaver.replies where rejection_reason is not null"))
    tried = demo.rows("select variant, reading, rejection_reason from quality.trials")
    assert {row["variant"] for row in tried} == {"bridge", "comparison"}
    assert [row for row in tried if row["rejection_reason"]] == []
    assert "Nothing that can be asked now" in demo("record", "requests", str(demo.home / "requests.jsonl"))
    assert demo.rows("select distinct model from hopweaver.items") == [{"model": "recorded:claude"}]


@pytest.mark.long
def test_a_second_demo_does_nothing_twice_and_changes_nothing(demo):
    before = content(demo.home)
    assert "0 new files" in demo("ingest", "examples/demo_corpus")
    output = demo("run", "--preset", "demo")
    assert "asking about paragraphs" not in output
    assert "encoding" not in output
    assert content(demo.home) == before


@pytest.mark.long
def test_a_run_that_is_killed_twice_goes_on_to_the_same_tables(six, small, undisturbed, tmp_path):
    shell = QuickShell(copy_of(six.home, tmp_path / "killed"), **small)
    for stage in ("encoding texts of QA pairs", "ranking papers"):
        process = shell.start("run", "--preset", "demo", "--evaluate")
        for line in process.stdout:
            if stage in line:
                break
        time.sleep(0.2)
        process.kill()
        assert process.wait() == -signal.SIGKILL
    shell("run", "--preset", "demo", "--evaluate")
    made = content(shell.home)
    assert made == content(undisturbed.home)
    assert made["multi_hop.items"][0] > 0


def test_an_interrupted_run_stops_at_once_and_goes_on_later(six, small, undisturbed, tmp_path):
    shell = Shell(copy_of(six.home, tmp_path / "home"), **small)
    process = shell.start("run", "--preset", "demo", "--only-items")
    for line in process.stdout:
        if "asking about paragraphs" in line:
            break
    process.send_signal(signal.SIGINT)
    rest = process.stdout.read()
    assert process.wait() == 130
    assert "goes on from there" in rest
    assert "composing" not in rest
    QuickShell(shell.home, **small)("run", "--preset", "demo", "--only-items")
    assert content(shell.home, up_to_items=True) == content(undisturbed.home, up_to_items=True)


@pytest.mark.long
def test_two_batches_at_once_on_one_file(papers, two_batches, one_after_another, tmp_path):
    shell = QuickShell(tmp_path / "home", **two_batches)
    assert "2 paper batches" in shell("ingest", str(papers))
    other = shell.start("run", "--only-items", "--batch", "batch-0002")
    for line in other.stdout:
        if "reading papers" in line:
            break
    shell("run", "--quiet", "--only-items", "--batch", "batch-0001")
    output, _ = other.communicate()
    assert other.returncode == 0, output
    counted = shell.rows("select batch, count(*) as n from corpus.papers group by 1 order by 1")
    assert counted == [{"batch": "batch-0001", "n": 6}, {"batch": "batch-0002", "n": 6}]
    shell("run", "--quiet", "--only-items", *BATCHES)
    ours, theirs = content(shell.home), content(one_after_another.home)
    assert {t: rows for t, rows in ours.items() if t != "ops.materializations"} == {
        t: rows for t, rows in theirs.items() if t != "ops.materializations"
    }


@pytest.mark.long
def test_the_queries_of_the_docs_answer_their_questions(demo):
    queries = documented_queries()
    assert len(queries) == 10
    warehouse = Warehouse(database=str(demo.home / "warehouse.duckdb"))
    answers = {question: warehouse.ask(query) for question, query in queries.items()}
    assert [question for question, rows in answers.items() if rows.is_empty()] == []

    licences = answers["Which papers may not be passed on?"]
    assert licences.rows() == [("CC BY", True, None, 38), ("CC0", True, None, 6)]
    (batch,) = answers["What is missing, batch by batch?"].rows(named=True)
    assert (batch["batch"], batch["files"], batch["missing"]) == ("batch-0001", 44, None)
    rejections = answers["Where do rejections come from?"]
    assert rejections.filter(table_name="single_hop.qa_pairs")["rejection_reason"].to_list() == [
        "low_alignment"
    ]
    items = answers["What do the items look like, beside the paragraphs they come from?"].rows(named=True)
    assert len(items) == 10
    assert all(item[f"{side}_evidence"] in item[f"{side}_paragraph"] for item in items for side in SIDES)
    relations = answers["How strong are the relations?"]
    counted = demo.rows("select count(*) as n from relations.candidate_relations")
    assert relations["im"].sum() + relations["cim"].sum() == counted[0]["n"]


def test_sql_prints_table_csv_and_json(undisturbed):
    query = "select paper_id, year, has_full_text from corpus.papers order by paper_id limit 2"
    assert [row["paper_id"] for row in undisturbed.rows(query)] == ["PMC999990001", "PMC999990002"]
    lines = undisturbed("sql", query, "--format", "csv").splitlines()
    assert lines[0] == "paper_id,year,has_full_text"
    assert len(lines) == 3
    assert "PMC999990001" in undisturbed("sql", query)
    assert undisturbed("sql", "-- a number\nselect 1 as n", "--format", "json") == '[{"n": 1}]\n'
    lists = "select markers from corpus.citation_mentions where len(markers) > 1 limit 1"
    cell = list(csv.reader(undisturbed("sql", lists, "--format", "csv").splitlines()))[1][0]
    assert len(json.loads(cell)) > 1
    odd = "select {'a': 1, 'b': [date '2020-01-01', null]} as s, 'x'::blob as b, 'nan'::double as n"
    (row,) = undisturbed.rows(odd)
    assert row == {"s": {"a": 1, "b": ["2020-01-01", None]}, "b": "78", "n": None}
    assert "2020-01-01" in undisturbed("sql", odd, "--format", "csv")


def test_sql_cannot_change_anything_and_says_what_is_wrong(undisturbed):
    assert "read-only" in undisturbed("sql", "drop table corpus.papers", fails=True)
    for query in ("copy (select 1) to 'x.csv'", "attach 'x.duckdb'", "select 1; select 2", " ; "):
        assert "SELECT" in undisturbed("sql", query, fails=True)
    assert "disabled" in undisturbed("sql", "select * from read_text('README.md')", fails=True)
    assert "3 days" in undisturbed("sql", "select interval 3 day")
    message = undisturbed("sql", "select nothing from corpus.papers", fails=True)
    assert "nothing" in message
    assert "Traceback" not in message


def test_the_id_map_is_loaded_and_stays_when_papers_are_forgotten(tmp_path):
    shell = QuickShell(tmp_path / "home")
    write_id_map(tmp_path / "ids.csv.gz", "PMC1,11,10.1/A", "PMC2,,10.1/B", 'PMC3,"unfinished')
    message = shell("ids", str(tmp_path / "ids.csv.gz"), fails=True)
    assert "2 articles in PubMed Central, 2 with a DOI, 1 with a PMID" in message
    assert "1 lines could not be read and were left out: 4" in message
    write_id_map(tmp_path / "ids.csv.gz", "PMC1,11,10.1/A")
    assert "AIMSCIQA_SELECTION_SCOPE=pmc aimsciqa run" in shell("ids", str(tmp_path / "ids.csv.gz"))
    shell("reset", "--from", "corpus", "--yes")
    assert shell.rows("from corpus.pmc_ids") == [{"pmcid": "PMC1", "doi": "10.1/a", "pmid": "11"}]
    recorded = "select count(*) as n from ops.materializations where table_name = 'corpus.pmc_ids'"
    assert shell.rows(recorded) == [{"n": 1}]
    assert "does not exist" in shell("ids", str(tmp_path / "nowhere.csv.gz"), fails=2)
    (tmp_path / "ids.csv.gz").write_text("PMCID,PMID,DOI")
    message = shell("ids", str(tmp_path / "ids.csv.gz"), fails=True)
    assert "Download it again" in message
    assert "Traceback" not in message
    assert [path.name for path in shell.home.glob("warehouse.duckdb.*")] == ["warehouse.duckdb.lock"]


def test_status_and_inspect(undisturbed):
    assert re.search(r"batch-0001\s+6\s+6\s+0\s", undisturbed("status"))
    assert "Everything is up to date" in undisturbed("status", "--why")
    assert "inspect.duckdb" in undisturbed("inspect")
    with duckdb.connect(str(undisturbed.home / "inspect.duckdb"), read_only=True) as connection:
        assert connection.execute("select count(*) from corpus.papers").fetchall() == [(6,)]


def test_help_names_every_command(tmp_path):
    output = Shell(tmp_path)("--help")
    for command in (
        "ingest",
        "ids",
        "run",
        "status",
        "sql",
        "inspect",
        "audit",
        "record",
        "release",
        "reset",
    ):
        assert re.search(rf"\b{command}\b", output)


def test_before_any_paper_every_command_says_what_to_do(tmp_path):
    for words in (("run",), ("status",), ("sql", "select 1"), ("inspect",)):
        message = QuickShell(tmp_path / words[0])(*words, fails=True)
        assert "aimsciqa ingest" in message
        assert "Traceback" not in message


def test_bad_input_gets_a_message_that_helps(tmp_path):
    shell = QuickShell(tmp_path / "home")
    (tmp_path / "empty").mkdir()
    assert "nothing to ingest" in shell("ingest", str(tmp_path / "empty"), fails=True)
    assert "There is no folder" in shell("ingest", str(tmp_path / "nowhere"), fails=True)
    write_corpus(tmp_path / "papers", 2)
    shell("ingest", str(tmp_path / "papers"))
    assert "batch-0001" in shell("run", "--batch", "batch-0099", fails=True)
    assert "aim-sciqa, paper, demo" in shell("run", "--preset", "large", fails=True)
    shell.environment["AIMSCIQA_RELATIONS_TAU"] = "high"
    assert "AIMSCIQA_RELATIONS_TAU" in shell("run", fails=True)


def test_a_file_that_cannot_be_read_does_not_hold_up_the_others(tmp_path):
    write_corpus(tmp_path / "papers", 2)
    (tmp_path / "papers" / "paper-000.xml").symlink_to("/proc/self/mem")
    shell = QuickShell(tmp_path / "home")
    message = shell("ingest", str(tmp_path / "papers"), fails=True)
    assert "not read paper-000.xml" in message
    assert shell.rows("select count(*) as n from corpus.input_files") == [{"n": 2}]


def test_a_damaged_warehouse_is_named(tmp_path):
    shell = QuickShell(tmp_path / "home")
    shell.home.mkdir()
    (shell.home / "warehouse.duckdb").write_text("no database " * 1000)
    for words in (("status",), ("sql", "select 1"), ("run",), ("inspect",)):
        message = shell(*words, fails=True)
        assert "Move it and warehouse.duckdb.wal away" in message
        assert "Traceback" not in message


def test_reset_forgets_a_stage_or_everything(tmp_path, tiny_encoder):
    write_corpus(tmp_path / "papers", 3)
    shell = QuickShell(tmp_path / "home", **tiny_encoder)
    shell("ingest", str(tmp_path / "papers"))
    shell("run", "--quiet", "--only-items", "--batch", "batch-0001")
    assert shell.rows("select count(*) as n from single_hop.extractions") == [{"n": 9}]
    shell("reset", "--from", "single_hop", "--yes")
    assert shell.rows("select count(*) as n from single_hop.extractions") == [{"n": 0}]
    assert shell.rows("select count(*) as n from corpus.papers") == [{"n": 3}]
    shell("reset", "--yes")
    assert "aimsciqa ingest" in shell("status", fails=True)


HOLDER = """
import sys, time, duckdb
connection = duckdb.connect(sys.argv[1])
print("open", flush=True)
time.sleep(3)
"""


def test_a_corpus_in_use_by_another_program_is_waited_for(tmp_path):
    write_corpus(tmp_path / "papers", 2)
    shell = QuickShell(tmp_path / "home")
    shell("ingest", str(tmp_path / "papers"))
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            HOLDER,
            str(shell.home / "warehouse.duckdb"),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout.readline() == "open\n"
    assert shell.rows("select count(*) as n from corpus.input_files") == [{"n": 2}]
    holder.wait()


@pytest.mark.long
def test_several_batches_at_once_make_what_one_after_another_makes(
    papers, two_batches, one_after_another, tmp_path
):
    shell = Shell(tmp_path / "home", **two_batches)
    QuickShell(shell.home, **two_batches)("ingest", str(papers))
    assert "leaked" not in shell("run", "--at-once", "2", "--quiet", "--only-items", *BATCHES)
    assert content(shell.home) == content(one_after_another.home)


@pytest.mark.long
def test_killing_a_run_of_several_batches_leaves_no_process_behind(papers, tmp_path):
    shell = QuickShell(tmp_path / "home", corpus_papers_per_batch="3")
    shell("ingest", str(papers))
    process = shell.start("run", "--at-once", "2", "--quiet")
    while "asking" not in (line := process.stdout.readline()) and line:
        pass
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    assert len(children) >= 2
    process.kill()
    process.wait()
    give_up = time.monotonic() + 30
    while any(Path(f"/proc/{child}").exists() for child in children) and time.monotonic() < give_up:
        time.sleep(0.5)
    assert not [child for child in children if Path(f"/proc/{child}").exists()]
