"""What requests gave: on the page, and by `aimsciqa yield`."""

import json

import duckdb
import pytest
from aimsciqa_resources.warehouse import Warehouse
from typer.testing import CliRunner

from aimsciqa_assets.cli.commands import app
from aimsciqa_assets.platform.writing import create_tables
from tests.report_reading import lines
from tests.report_warehouse import empty_warehouse, insert, page_of

pytestmark = pytest.mark.slow


def called(number: int, table: str, task: str, **columns) -> dict:
    given = {"call_id": f"c{number}", "table_name": table, "task": task, "outcome": "ok", "replaced": False}
    tokens = {"prompt_tokens": 1000, "reply_tokens": 100, "cost": 0.5, "answered_at": f"2026-01-0{number}"}
    return given | tokens | columns


def fill(connection) -> None:
    """Two papers, 4 requests of Findings that count, and one accepted item of three drafts."""
    papers = [{"paper_id": f"p{number}", "article_type": "research-article"} for number in (1, 2)]
    insert(connection, "corpus.papers", *papers)
    insert(connection, "findings.papers", *({**paper, "status": "kept"} for paper in papers))
    insert(
        connection,
        "ops.llm_calls",
        called(1, "findings.papers", "findings_reading"),
        called(2, "findings.papers", "findings_reading"),
        called(3, "findings.drafts", "findings_drafting", cost=None, outcome="timeout", reply_tokens=0),
        called(4, "findings.items", "findings_challenge", cost=None),
        called(5, "findings.items", "findings_challenge", replaced=True),
        called(6, "findings.items", "findings_challenge", outcome="not_recorded"),
        called(7, "multi_hop.items", "multi_hop", cost=None),
        called(8, "benchmark.answers", "answering"),
    )
    insert(connection, "findings.findings", *({"finding_id": f"f{n}", "status": "kept"} for n in range(5)))
    insert(connection, "findings.groups", {"group_id": "g"}, {"group_id": "h"})
    drafts = [{"draft_id": f"d{number}", "group_id": "g", "type": "bridge"} for number in range(3)]
    none = {"draft_id": "none", "group_id": "h", "rejection_reason": "no_question"}
    insert(connection, "findings.drafts", *drafts, none)
    insert(connection, "findings.challenges", *({"draft_id": f"d{n}", "round": 1} for n in range(2)))
    insert(connection, "findings.readings", *({"draft_id": "d0", "round": n, "reader": 1} for n in (1, 2)))
    insert(connection, "findings.items", {"item_id": "i", "type": "bridge", "status": "accepted"})
    reasons = [
        ("findings.drafts", "no_question", 1),
        ("findings.items", "dropped_by_challenge", 3),
        *(("findings.findings", f"reason_{number:02}", 2) for number in range(12)),
        ("multi_hop.items", "one_document", 7),
    ]
    names = ("table_name", "rejection_reason", "rows")
    insert(connection, "ops.rejections", *(dict(zip(names, row, strict=True)) for row in reasons))


@pytest.fixture(scope="module")
def page() -> str:
    with empty_warehouse() as connection:
        fill(connection)
        return page_of(connection)


def test_requests_of_replaced_prompts_and_without_a_recording_do_not_count(page):
    assert lines(page, "yield-systems")[1:] == [
        ["AIM-SciQA", "1", "1,000", "100", "no price", "0", "0.0", "0.00"],
        ["Findings", "4", "4,000", "300", "1.00", "1", "250.0", "0.50"],
    ]
    assert lines(page, "yield-tasks")[3:] == [
        ["Findings"],
        ["findings reading", "2", "2,000", "200", "1.00"],
        ["findings drafting", "1", "1,000", "0", "no price"],
        ["findings challenge", "1", "1,000", "100", "no price"],
    ]


def test_a_draft_in_two_rounds_of_reading_is_one_draft(page):
    assert lines(page, "yield-funnel")[1:] == [
        ["papers read", "", "2"],
        ["findings kept", "", "5"],
        ["groups", "", "2"],
        ["questions drafted", "", "3"],
        ["challenged", "", "2"],
        ["read strictly", "", "1"],
        ["items accepted", "", "1"],
    ]


def test_the_ten_most_frequent_reasons_of_each_system_are_shown(page):
    assert lines(page, "yield-reasons")[1:] == [
        ["AIM-SciQA"],
        ["one document", "multi_hop.items", "", "7"],
        ["Findings"],
        ["dropped by challenge", "findings.items", "", "3"],
        *([f"reason {number:02}", "findings.findings", "", "2"] for number in range(9)),
    ]


def test_a_page_of_a_home_that_asked_no_model_has_no_yield():
    with empty_warehouse() as connection:
        assert "yield-systems" not in page_of(connection)


def test_the_command_tells_the_same(tmp_path, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_HOME", str(tmp_path))
    warehouse = Warehouse(str(tmp_path / "warehouse.duckdb"))
    create_tables(warehouse)
    nothing = CliRunner().invoke(app, ["yield"])
    assert nothing.exit_code == 1
    with duckdb.connect(warehouse.database) as connection:
        fill(connection)
    told = CliRunner().invoke(app, ["yield", "--format", "json"])
    of_findings = json.loads(told.output)[1]
    assert (of_findings["accepted"], of_findings["per_1000_requests"]) == (1, 250)
    assert of_findings["funnel"][3] == {"step": "questions drafted", "rows": 3}
    shown = CliRunner().invoke(app, ["yield"])
    assert "dropped_by_challenge" in shown.output
