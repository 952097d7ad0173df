"""Findings from papers to items, by the scripted model, through the tables."""

from collections import Counter

import pytest

from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.platform.queries import Query, queries_in
from tests.findings_model import GOOD, FindingsModel, write_field_papers
from tests.some_steps import run_some
from tests.two_batches import CLUSTER, pipeline_at

pytestmark = pytest.mark.slow

ON = CLUSTER | {
    "AIMSCIQA_CORPUS_SINGLE_HOP": "false",
    "AIMSCIQA_CORPUS_PAPERS_PER_BATCH": "4",
    "AIMSCIQA_FINDINGS_ENABLED": "true",
    "AIMSCIQA_FINDINGS_SHARE_OF_PAPER": "1",
    "AIMSCIQA_MODEL_BACKEND": "server",
    "AIMSCIQA_MODEL_NAME": "sentences",
    "AIMSCIQA_MODEL_BASE_URL": "http://localhost:9/v1",
}
PAPER = "doi:10.5555/field."


def between(first: int, second: int) -> str:
    return GOOD.format(first=first, second=second)


def pipeline_of(folder, model: FindingsModel) -> Pipeline:
    return pipeline_at(folder / "home", model=model, environment=ON)


def add(pipeline: Pipeline, folder, papers: int, first: int = 1) -> None:
    write_field_papers(folder / "papers", papers, first)
    pipeline.ingest(folder / "papers")
    assert run_some(pipeline, "findings.splits") == []


def rows(pipeline: Pipeline, query: str) -> list[tuple]:
    return pipeline.warehouse.read(query).rows()


def asked(model: FindingsModel) -> dict[str, int]:
    return dict(Counter(request.task.removeprefix("findings_") for request in model.asked))


EDITED = {
    "reason": "the year is missing",
    "failed": [2],
    "action": "edit",
    "question": "How does grain zinc in 2001 compare between the fields of village 1 and village 3?",
    "answer": "It was 21 mg per kg in village 1 and 23 mg per kg in village 3.",
    "facts": [
        {
            "paper": "A",
            "statement": "s",
            "value": "21",
            "quote": "Grain zinc was 21 mg per kg",
            "place": "P1",
        },
        {"paper": "B", "statement": "s", "value": "23", "quote": "Grain zinc | 23 mg per kg"},
    ],
}


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> tuple[Pipeline, FindingsModel]:
    model = FindingsModel(
        challenges={between(1, 2): {"reason": "no such field", "action": "drop"}},
        readings={
            between(1, 3): EDITED,
            between(2, 3): {"reason": "nobody asks", "failed": [1], "action": "keep"},
        },
    )
    folder = tmp_path_factory.mktemp("findings")
    pipeline = pipeline_of(folder, model)
    add(pipeline, folder, 4)
    return pipeline, model


def test_a_paper_is_read_into_grounded_findings(made):
    pipeline, _ = made
    query = f"""
        select number, evidence, status, rejection_reason, cited from findings.findings
        where paper_id = '{PAPER}2' order by number
    """
    assert rows(pipeline, query) == [
        (1, "Grain zinc was 22 mg per kg in village 2.", "kept", None, ""),
        (2, "Grain zinc was 21 mg per kg in earlier work [1].", "kept", None, "[1]"),
        (3, "Grain zinc was 22 mg per kg.", "kept", None, ""),
        (4, "Grain zinc | 22 mg per kg", "kept", None, ""),
        (5, "Yield | 2 t per ha", "kept", None, ""),
        (6, "This stands nowhere.", "rejected", "evidence_not_found", ""),
    ]


def test_groups_share_a_measure_a_citation_or_all_that_two_near_papers_found(made):
    pipeline, _ = made
    groups = "select kind, label, papers, count(*) from findings.groups group by all order by all"
    assert rows(pipeline, groups) == [
        ("citation", "grain zinc, cited", 2, 3),
        ("measure", "grain zinc", 4, 1),
        ("measure", "yield", 4, 1),
        ("pair", "all findings of two near papers", 2, 5),
    ]


def test_a_draft_passes_challenge_and_two_readers_or_is_rejected_with_the_reason(made):
    pipeline, _ = made
    fates = dict(rows(pipeline, "select question, rejection_reason from findings.items"))
    assert fates[between(1, 2)] == "dropped_by_challenge"
    assert fates[between(2, 3)] == "criterion_failed"
    assert fates[between(4, 1)] is None
    # The edited question passed two readers of a second round.
    assert fates[EDITED["question"]] is None
    turns = f"""
        select round, reader, action from findings.readings join findings.items using (draft_id)
        where items.question = '{EDITED["question"]}' order by 1, 2
    """
    assert rows(pipeline, turns) == [(1, 1, "edit"), (2, 1, "keep"), (2, 2, "keep")]


def test_an_item_has_its_facts_with_exact_quotes_and_its_computations(made):
    pipeline, _ = made
    facts = f"""
        select facts.position, facts.role, facts.value, facts.evidence, paragraphs.kind
        from findings.facts join findings.items using (item_id)
        join corpus.paragraphs on facts.paragraph_id = paragraphs.paragraph_id
        where items.question = '{EDITED["question"]}'
            and facts.evidence
            = substring(paragraphs.text, evidence_start + 1, evidence_end - evidence_start)
        order by 1
    """
    assert rows(pipeline, facts) == [
        (1, "first", 21.0, "Grain zinc was 21 mg per kg", "text"),
        (2, "second", 23.0, "Grain zinc | 23 mg per kg", "table"),
    ]
    computed = f"""
        select expression, result from findings.computations join findings.items using (item_id)
        where items.question = '{between(4, 1)}'
    """
    assert rows(pipeline, computed) == [("f2 - f1", "-3")]


def test_items_reach_the_common_form(made):
    pipeline, _ = made
    accepted = rows(pipeline, "select count(*) from findings.items where status = 'accepted'")[0][0]
    query = Query("test", "select count(distinct item_id), count(*) from item_quotes").text
    assert rows(pipeline, query) == [(accepted, 2 * accepted)]
    assert rows(pipeline, queries_in("tests")["findings_facts_are_exact_quotes"].text) == []


def test_a_later_batch_asks_about_its_papers_and_the_groups_that_it_changes(tmp_path):
    model = FindingsModel()
    pipeline = pipeline_of(tmp_path, model)
    add(pipeline, tmp_path, 4)
    before = asked(model)
    assert before["reading"] == 4
    earlier = rows(pipeline, "select * from findings.groups order by all")
    model.asked.clear()
    add(pipeline, tmp_path, 2, first=5)
    after = asked(model)
    assert after["reading"] == 2
    new = rows(pipeline, "select * from findings.groups where batch = 'batch-0001' order by all")
    assert new == earlier
    query = """
        select count(*) from findings.groups where batch = 'batch-0002' and group_id not in (
            select group_id from findings.group_findings join findings.papers using (paper_id)
            where papers.batch = 'batch-0002'
        )
    """
    assert rows(pipeline, query) == [(0,)]
    names = "select count(*), count(distinct since) from findings.measures"
    assert rows(pipeline, names) == [(2, 1)]


@pytest.mark.parametrize(("tables", "asked_about"), [("false", 6), ("true", 8)])
def test_aim_sciqa_asks_about_tables_only_if_a_setting_says_so(tmp_path, tables, asked_about):
    environment = CLUSTER | {"AIMSCIQA_SINGLE_HOP_TABLES": tables}
    pipeline = pipeline_at(tmp_path / "home", environment=environment)
    write_field_papers(tmp_path / "papers", 2)
    pipeline.ingest(tmp_path / "papers")
    assert run_some(pipeline, "single_hop.extractions") == []
    assert rows(pipeline, "select count(*) from single_hop.extractions") == [(asked_about,)]
