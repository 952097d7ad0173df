"""What users steer Findings by: the table of a measure, questions that they want covered, reviews."""

import csv
import io

import pytest
from typer.testing import CliRunner

from aimsciqa_assets.cli.commands import app
from aimsciqa_assets.findings.comparison import comparison_of
from aimsciqa_assets.findings.seeds import take_seeds
from tests.fakes import WordEncoder
from tests.findings_model import FindingsModel, write_field_papers
from tests.findings_pipeline import PAPER, add, pipeline_of, rows
from tests.some_steps import run_some

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return the pipeline after four papers."""
    model = FindingsModel()
    folder = tmp_path_factory.mktemp("findings")
    pipeline = pipeline_of(folder, model)
    add(pipeline, folder, 4)
    return pipeline, model


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
