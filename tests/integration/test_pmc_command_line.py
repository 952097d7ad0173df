"""`aimsciqa ingest` from PubMed Central, as users type it, with the services on the loopback."""

import gzip
import signal
import time

import pytest
from aimsciqa_resources.file_store import FileStore

from tests.pmc_server import Archive, PmcServer, SlowDrip, Status, always
from tests.pmc_server.archive import etag_of
from tests.shell import QuickShell

pytestmark = pytest.mark.slow


@pytest.fixture
def server():
    with PmcServer(Archive()) as server:
        for number in range(1, 9):
            server.archive.publish(
                f"PMC{number}",
                licence="CC BY" if number % 2 else "TDM",
                published=2015 + number,
                title=f"Zinc {number}",
                text=f"Zinc intake was {number} mg.",
            )
        server.archive.take_inventory()
        yield server


@pytest.fixture
def shell(server, tmp_path, tiny_encoder):
    quick = {"pmc_email": "somebody@example.org", "pmc_first_retry_seconds": "0.01"} | tiny_encoder
    shell = QuickShell(tmp_path / "home", **quick)
    for service in ("eutils", "bucket", "oai"):
        shell.environment[f"AIMSCIQA_PMC_{service}_URL".upper()] = getattr(server, f"{service}_url")
    return shell


def test_a_search_takes_in_what_it_finds_and_a_second_one_nothing(shell, server):
    output = shell("ingest", "--pmc", "zinc", "--years", "2016-2020", "--licence", "cc-by,cc0")
    assert "3 new papers" in output
    assert "3 files in 1 paper batches" in output
    assert shell.rows("select pmcid, licence, version from corpus.input_files order by pmcid") == [
        {"pmcid": "PMC1", "licence": "CC BY", "version": 1},
        {"pmcid": "PMC3", "licence": "CC BY", "version": 1},
        {"pmcid": "PMC5", "licence": "CC BY", "version": 1},
    ]
    asked = len(server.asked("bucket", "PMC"))
    assert "0 new files" in shell("ingest", "--pmc", "zinc", "--years", "2016-2020", "--licence", "cc-by,cc0")
    assert len(server.asked("bucket", "PMC")) == asked
    assert "papers" in shell("ingest", "--pmc", "zinc", "--limit", "5")
    assert shell.rows("select count(*) >= 5 as enough from corpus.input_files") == [{"enough": True}]


def test_ids_and_news(shell, server, tmp_path):
    ids = tmp_path / "ids.txt"
    ids.write_text("PMC2\n# a comment\n\nPMC4\nPMC6\n")
    assert "3 new papers" in shell("ingest", "--ids", str(ids))
    server.archive.revise("PMC2", "Zinc intake was 20 mg.")
    server.archive.retract("PMC4")
    server.archive.take_inventory()
    output = shell("ingest", "--news")
    assert "1 newer versions, 1 with another licence or retracted" in output
    assert "batch-0001" in output
    shell("run", "--quiet", "--only-items", "--batch", "batch-0001")
    assert shell.rows("select paper_id, licence, retracted from corpus.papers order by 1") == [
        {"paper_id": "PMC2", "licence": "TDM", "retracted": False},
        {"paper_id": "PMC4", "licence": "TDM", "retracted": True},
        {"paper_id": "PMC6", "licence": "TDM", "retracted": False},
    ]
    assert shell.rows("select rejection_reason from corpus.rejected_files") == [
        {"rejection_reason": "superseded"}
    ]
    ids.write_text("12345678\n10.1000/unknown\n")
    output = shell("ingest", "--ids", str(ids), fails=True)
    assert "2 of 2 lines" in output
    assert "aimsciqa ids" in output


REVIEW = """
<floats-group><table-wrap><caption><p>Characteristics of the included trials</p></caption>
<table><tr><td>A <xref ref-type="bibr" rid="r1">1</xref></td></tr><tr><td><xref rid="r2"/></td></tr>
<tr><td><xref ref-type="bibr" rid="r4"/><xref ref-type="bibr" rid="r5"/></td></tr></table></table-wrap>
</floats-group><back><ref-list>
<ref id="r1"><mixed-citation><pub-id pub-id-type="pmcid">PMC1</pub-id></mixed-citation></ref>
<ref id="r2"><mixed-citation><pub-id pub-id-type="doi">10.5555/Two</pub-id></mixed-citation></ref>
<ref id="r3"><mixed-citation><pub-id pub-id-type="pmid">33</pub-id></mixed-citation></ref>
<ref id="r4"><element-citation><name><surname>Jones</surname></name>
<article-title>A lost trial</article-title><year>2001</year></element-citation></ref>
<ref id="r5"><mixed-citation><pub-id pub-id-type="pmcid">PMC999</pub-id></mixed-citation></ref>
</ref-list></back>"""


def test_the_studies_of_a_review_are_taken_in_and_what_pmc_lacks_is_named(shell, server, tmp_path):
    server.archive.publish("PMC100", title="Zinc: a systematic review", back=REVIEW)
    ids = tmp_path / "PMC-ids.csv.gz"
    ids.write_bytes(gzip.compress(b"DOI,PMCID,PMID\n10.5555/two,PMC2,22\n10.5555/three,PMC3,33\n"))
    shell("ids", str(ids))
    output = " ".join(shell("ingest", "--included-in", "PMC100").split())
    assert "cites 4 papers in its tables of included studies; 3 lead to PubMed Central" in output
    assert "without an article there: Jones. 2001. A lost trial" in output
    assert "not taken in: PMC999 (no open file)" in output
    assert "2 papers of the corpus are included in PMC100" in output
    assert "5 papers in its reference list" in " ".join(shell("ingest", "--cited-by", "PMC100").split())
    assert "2 papers of the corpus are included" in shell("ingest", "--included-in", "PMC100")
    taken = shell.rows("select relation, paper_id from corpus.cited_papers order by all")
    assert [(row["relation"], row["paper_id"]) for row in taken] == [
        *(("cited", "PMC1"), ("cited", "PMC2"), ("cited", "PMC3")),
        *(("included", "PMC1"), ("included", "PMC2")),
    ]
    assert "None of the 0 references" in " ".join(shell("ingest", "--cited-by", "PMC1", fails=True).split())
    assert "no JATS file of PMC77" in " ".join(shell("ingest", "--cited-by", "PMC77", fails=True).split())


def test_what_cannot_be_had_is_told_and_had_the_next_time(shell, server):
    server.plan = always("PMC3.1.xml", Status(500))
    output = shell("ingest", "--pmc", "zinc", "--licence", "cc-by", fails=True)
    assert "3 new papers" in output
    assert "PMC3" in output
    assert "tries them again" in output
    server.plan = lambda _seen: None
    assert "1 new papers" in shell("ingest", "--pmc", "zinc", "--licence", "cc-by")


@pytest.mark.parametrize(
    ("words", "code", "complaint"),
    [
        ((), 2, "give a folder, or one of --pmc"),
        (("papers", "--news"), 2, "give a folder, or one of"),
        (("--pmc", "zinc", "--licence", "cc-bx"), 1, "there is no licence 'cc-bx'"),
        (("--pmc", "zinc", "--years", "later"), 1, "'later' are no years"),
        (("--pmc", "(zinc"), 1, "do not close"),
        (("--ids", "nowhere.txt"), 1, "There is no file"),
        (("--news", "--limit", "3"), 2, "give --pmc"),
    ],
)
def test_bad_options_get_a_clear_message(shell, words, code, complaint):
    output = shell("ingest", *words, fails=code)
    assert complaint in " ".join(output.replace("│", " ").split())
    assert "Traceback" not in output


def test_a_service_that_is_away_and_a_missing_address_are_told(shell, server):
    server.plan = lambda _seen: Status(503)
    output = shell("ingest", "--pmc", "zinc", fails=True)
    assert "503" in output
    assert "Traceback" not in output
    del shell.environment["AIMSCIQA_PMC_EMAIL"]
    assert "AIMSCIQA_PMC_EMAIL" in shell("ingest", "--pmc", "zinc", fails=True)


def test_a_killed_ingest_goes_on_and_downloads_nothing_twice(shell, server):
    server.plan = always("PMC7.1.xml", SlowDrip(60))
    process = shell.start("ingest", "--pmc", "zinc", "--licence", "cc-by")
    give_up = time.monotonic() + 60
    store = FileStore(folder=str(shell.home / "files"))
    newest = server.archive.newest()
    others = [etag_of(newest[pmcid].jats) for pmcid in ("PMC1", "PMC3", "PMC5")]
    while time.monotonic() < give_up and not (
        server.asked("bucket", "PMC7.1/PMC7.1.xml") and all(map(store.find, others))
    ):
        time.sleep(0.1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    server.plan = lambda _seen: None
    assert "4 new papers" in shell("ingest", "--pmc", "zinc", "--licence", "cc-by")
    downloads = [seen.target for seen in server.asked("bucket", ".xml")]
    assert sorted(downloads) == [f"PMC{number}.1/PMC{number}.1.xml" for number in (1, 3, 5, 7, 7)]
