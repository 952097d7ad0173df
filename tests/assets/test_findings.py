"""Findings from papers to items, by a model of the tests' own, through the tables."""

import csv
import io
from collections import Counter

import pytest
from typer.testing import CliRunner

from aimsciqa_assets.cli.commands import app
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.findings.comparison import comparison_of
from aimsciqa_assets.findings.seeds import take_seeds
from aimsciqa_assets.platform.queries import Query, queries_in
from tests.fakes import WordEncoder
from tests.findings_model import GOOD, ON, FindingsModel, write_field_papers
from tests.some_steps import run_some
from tests.two_batches import CLUSTER, pipeline_at

pytestmark = pytest.mark.slow

PAPER = "doi:10.5555/field."


def between(first: int, second: int) -> str:
    return GOOD.format(first=f"village {first}", second=f"village {second}")


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
        (1, "Grain zinc was 22 mg per kg.", "kept", None, ""),
        (2, "Yield | 2 t per ha", "kept", None, ""),
        (3, "Grain zinc | 22 mg per kg", "kept", None, ""),
        (4, "This stands nowhere.", "rejected", "evidence_not_found", ""),
        (5, "Earlier work found 21 mg of grain zinc [1].", "kept", None, "[1]"),
    ]


def test_groups_share_a_measure_or_a_citation_or_surround_a_paper(made):
    pipeline, _ = made
    groups = "select kind, label, papers, count(*) from findings.groups group by all order by all"
    assert rows(pipeline, groups) == [
        ("citation", "grain zinc, cited", 2, 3),
        ("measure", "grain yield", 4, 1),
        ("measure", "grain zinc", 4, 1),
        ("paper", "findings of a paper and those most like them", 4, 4),
    ]


def test_a_draft_passes_challenge_and_two_readers_or_is_rejected_with_the_reason(made):
    pipeline, _ = made
    fates = dict(rows(pipeline, "select question, rejection_reason from findings.items"))
    assert fates[between(1, 2)] == "dropped_by_challenge"
    assert fates[between(2, 3)] == "criterion_failed"
    assert fates[between(1, 4)] is None
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
        where items.question = '{between(1, 4)}'
    """
    assert rows(pipeline, computed) == [("f2 - f1", "3")]


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


def test_the_table_of_a_measure_shows_each_quantity_of_a_paper_once(made, monkeypatch):
    pipeline, _ = made
    monkeypatch.setenv("AIMSCIQA_HOME", str(pipeline.home.folder))
    told = CliRunner().invoke(app, ["findings", "table", "--measure", "Zinc", "--format", "csv"])
    table = list(csv.DictReader(io.StringIO(told.output)))
    # The paper's table states the value of its text again, and its introduction that of another paper.
    assert [(row["title"][:14], row["year"], row["value"]) for row in table] == [
        ("Trial number 4", "2004", "24.0"),
        ("Trial number 3", "2003", "23.0"),
        ("Trial number 2", "2002", "22.0"),
        ("Trial number 1", "2001", "21.0"),
    ]
    kept = ("measure", "population", "place", "unit", "printed", "printed_unit", "quote")
    assert [table[0][name] for name in kept] == [
        *("grain zinc", "millet", "village 4", "mg per kg", "24", "mg per kg"),
        "Grain zinc was 24 mg per kg.",
    ]


@pytest.mark.parametrize(
    ("name", "measures", "nearest"),
    [
        ("yield", {"grain yield"}, ()),
        ("the zinc in a grain", {"grain zinc"}, ("grain zinc", "grain yield")),
        ("height of maize", set(), ("grain yield", "grain zinc")),
    ],
)
def test_a_measure_that_is_called_otherwise_is_found_by_its_vector(made, name, measures, nearest):
    pipeline, _ = made
    compared = comparison_of(name, pipeline.warehouse, WordEncoder, 0.5)
    assert set(compared.rows["measure"]) == measures
    assert compared.nearest == nearest


def test_a_question_of_a_user_is_drafted_for_once_and_passes_the_same_trials(tmp_path):
    seed = "How much grain zinc was measured, in mg per kg?"
    model = FindingsModel()
    pipeline = pipeline_of(tmp_path, model)
    add(pipeline, tmp_path, 4)
    before = {(request.key, request.messages) for request in model.asked}
    items = rows(pipeline, "select * from findings.items order by all")
    for _ in range(2):
        take_seeds([seed, "Who wrote the constitution?"], pipeline.warehouse)
        model.asked.clear()
        assert run_some(pipeline, "findings.splits") == []
        new = [request for request in model.asked if (request.key, request.messages) not in before]
        assert {request.variables["seed"] for request in new} <= {seed}
        before |= {(request.key, request.messages) for request in new}
    # The second time, no step had anything to do.
    assert model.asked == []
    assert rows(pipeline, "select count(*) from findings.seeds") == [(2,)]
    seeds = "select distinct seed from findings.drafts where seed is not null"
    assert rows(pipeline, seeds) == [(seed,)]
    # The model of this test drafts the same for the seed as for the group.
    assert rows(pipeline, "select * from findings.items order by all") == items


def test_papers_that_came_by_a_review_are_neighbourhoods_of_their_own(tmp_path):
    pipeline = pipeline_of(tmp_path, FindingsModel())
    write_field_papers(tmp_path / "papers", 4)
    pipeline.ingest(tmp_path / "papers")
    with pipeline.warehouse.get_connection() as connection:
        connection.execute(
            f"insert into corpus.cited_papers select 'PMC9', 'included', '{PAPER}' || unnest([1, 3, 8])"
        )
    assert run_some(pipeline, "findings.groups") == []
    query = """
        select list(right(paper_id, 1) order by paper_id), list(distinct reason order by reason)
        from findings.neighbourhoods group by neighbourhood_id order by count(*)
    """
    assert rows(pipeline, query)[0] == (["1", "3"], ["opens", "review"])
    assert [row[0] for row in rows(pipeline, query)[1:]] == [["1", "2", "3", "4"]]


@pytest.mark.parametrize(("tables", "asked_about"), [("false", 6), ("true", 8)])
def test_aim_sciqa_asks_about_tables_only_if_a_setting_says_so(tmp_path, tables, asked_about):
    environment = CLUSTER | {"AIMSCIQA_SINGLE_HOP_TABLES": tables}
    pipeline = pipeline_at(tmp_path / "home", environment=environment)
    write_field_papers(tmp_path / "papers", 2)
    pipeline.ingest(tmp_path / "papers")
    assert run_some(pipeline, "single_hop.extractions") == []
    assert rows(pipeline, "select count(*) from single_hop.extractions") == [(asked_about,)]
