"""Comparison questions from documents to items, by a model of the tests' own, through the tables."""

import json

import pytest
import typer
from aimsciqa_resources.language_model.interface import LanguageModel

from aimsciqa_assets.cli.hopweaver_files import export_command
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.hopweaver.formats.objects import read_objects
from aimsciqa_assets.hopweaver.formats.results import comparison_result
from aimsciqa_assets.platform.running import bring_up_to_date
from aimsciqa_assets.platform.steps import STEPS, StepRun
from tests.comparing_model import ComparingModel
from tests.fakes import write_corpus
from tests.hop_model import HopModel
from tests.some_steps import run_some
from tests.two_batches import CLUSTER, pipeline_at

pytestmark = pytest.mark.slow

ON = CLUSTER | {
    "AIMSCIQA_HOPWEAVER_KINDS": "comparison",
    "AIMSCIQA_HOPWEAVER_FEWEST_CHARACTERS": "100",
    # The model adjusts a question to "higher", and each cohort is compared with the next one.
    "AIMSCIQA_HOPWEAVER_DIRECTION": "free",
    "AIMSCIQA_HOPWEAVER_REPEATS": "any",
    "AIMSCIQA_MODEL_BACKEND": "server",
    "AIMSCIQA_MODEL_NAME": "sentences",
    "AIMSCIQA_MODEL_BASE_URL": "http://localhost:9/v1",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Pipeline:
    folder = tmp_path_factory.mktemp("comparisons")
    pipeline = pipeline_at(folder / "home", model=ComparingModel(), environment=ON)
    write_corpus(folder / "papers", 8)
    pipeline.ingest(folder / "papers")
    assert run_some(pipeline, "hopweaver.splits", alone=("ops.rejections",)) == []
    return pipeline


def rows(pipeline: Pipeline, query: str) -> list[tuple]:
    return pipeline.warehouse.read(query).rows()


NUMBER = "split_part(first_paper_id, '.', 3)::int"


def test_every_attempt_ends_as_an_item_with_its_reason(made):
    query = f"select {NUMBER}, status, rejection_reason, polisher_status from hopweaver.items order by 1"
    assert rows(made, query) == [
        (1, "rejected", "ambiguous_subject", None),
        (2, "rejected", "not_concrete", None),
        (3, "rejected", "every_document_failed", None),
        (4, "accepted", None, "adjust"),
        (5, "rejected", "rejected_by_polisher", "rejected"),
        (6, "accepted", None, "pass"),
        (7, "accepted", None, "pass"),
        (8, "accepted", None, "pass"),
    ]


def test_an_adjusted_question_without_an_answer_keeps_the_answer(made):
    query = (
        "select question, answer, original_answer, entity_a, attribute from hopweaver.items "
        f"where {NUMBER} = 4"
    )
    ((question, answer, original, entity, attribute),) = rows(made, query)
    assert question == "Of the two cohorts, which had the higher zinc intake?"
    assert answer == original
    assert (entity, attribute) == ("cohort 4", "mean zinc intake")


def test_the_steps_of_an_attempt_are_rows(made):
    of_four = "where attempt_id = (select attempt_id from hopweaver.items where first_paper_id like '%.4')"
    assert rows(made, f"select subject, concreteness, search from hopweaver.comparisons {of_four}") == [
        ("cohort 4", 5, "diversified")
    ]
    attributes = f"select name, comparability, kept from hopweaver.attributes {of_four} order by position"
    assert rows(made, attributes) == [("mean zinc intake", 5, True), ("mood", 1, False)]
    tried = f"select outcome, count(*) from hopweaver.candidates {of_four} and tried group by 1 order by 1"
    assert dict(rows(made, tried))["chosen"] == 1
    replies = f"select step from hopweaver.replies {of_four} order by position limit 4"
    assert [step.removeprefix("hopweaver_comparison_") for (step,) in rows(made, replies)] == [
        "subject",
        "scores",
        "queries",
        "question",
    ]


def test_every_query_found_a_document_that_is_a_candidate(made):
    query = (
        "select attempt_id from hopweaver.comparisons where search is not null and len(queries) > ("
        "select count(distinct query) from (select unnest(queries) as query from hopweaver.candidates "
        "where candidates.attempt_id = comparisons.attempt_id))"
    )
    assert rows(made, query) == []


def test_a_quote_that_was_invented_is_told_of_each_document(made):
    reasons = (
        "select distinct candidates.rejection_reason from hopweaver.candidates "
        "join hopweaver.items using (attempt_id) where first_paper_id like '%.3' order by 1"
    )
    assert rows(made, reasons) == [("inexact_target_quote",), ("no_comparable_pair",)]


def test_the_questions_are_written_in_the_files_of_the_authors(made, tmp_path, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_HOME", str(made.home.folder))
    export_command(tmp_path / "files", "diverse")
    results, original, polished = sorted((tmp_path / "files").iterdir())
    with results.open() as file:
        read = [comparison_result(shape) for shape in read_objects(file)]
    assert sorted((one.entity_a, one.polish.status) for one in read) == [
        ("cohort 4", "ADJUST"),
        ("cohort 5", "REJECTED"),
        ("cohort 6", "PASS"),
        ("cohort 7", "PASS"),
        ("cohort 8", "PASS"),
    ]
    assert len(json.loads(original.read_text())) == 5
    assert {one["status"] for one in json.loads(polished.read_text())} == {"PASS", "ADJUST"}


def test_without_a_question_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_HOME", str(tmp_path / "home"))
    write_corpus(tmp_path / "papers", 1)
    pipeline_at(tmp_path / "home").ingest(tmp_path / "papers")
    with pytest.raises(typer.Exit):
        export_command(tmp_path / "files", "diverse")
    assert not (tmp_path / "files").exists()


def test_entities_are_used_once_and_both_directions_are_asked_for(tmp_path):
    changed = {"DIRECTION": "drawn", "REPEATS": "once"}
    defaults = ON | {f"AIMSCIQA_HOPWEAVER_{name}": value for name, value in changed.items()}
    defaults |= {"AIMSCIQA_CORPUS_PAPERS_PER_BATCH": "8"}
    model = ComparingModel()
    pipeline = pipeline_at(tmp_path / "home", model=model, environment=defaults)
    write_corpus(tmp_path / "papers", 8)
    pipeline.ingest(tmp_path / "papers")
    assert run_some(pipeline, "hopweaver.splits", alone=("ops.rejections",)) == []
    asked = {request.variables.get("ask_for") for request in model.asked} - {None}
    assert asked == {"lower", "higher"}
    reasons = rows(pipeline, "select rejection_reason, count(*) from hopweaver.items group by 1 order by 1")
    assert ("entity_used", 1) in reasons
    used = "select unnest([entity_a, entity_b]) as entity from hopweaver.items where status = 'accepted'"
    assert rows(pipeline, f"select entity from ({used}) group by 1 having count(*) > 1") == []
    shared = "select distinct in_common from hopweaver.items where status = 'accepted'"
    assert rows(pipeline, shared) == [("fall of iron",)]


class _Both(HopModel, ComparingModel):
    """Makes both kinds."""


def test_both_kinds_are_asked_in_one_stream(tmp_path):
    model = _Both()
    pipeline = pipeline_at(
        tmp_path / "home", model=model, environment=ON | {"AIMSCIQA_HOPWEAVER_KINDS": "bridge comparison"}
    )
    write_corpus(tmp_path / "papers", 4)
    (batch,) = pipeline.ingest(tmp_path / "papers").batches
    for table in ("corpus.papers", "hopweaver.documents", "hopweaver.document_vectors", "hopweaver.attempts"):
        step = STEPS[table]
        bring_up_to_date(step, StepRun.of(step, batch, pipeline.resources))
    # The model has all requests that are due before it replies: those of the first turns come first.
    first_turns = [request.task for request in model.asked][:8]
    assert sorted(first_turns) == 4 * ["hopweaver_bridge_entity"] + 4 * ["hopweaver_comparison_subject"]
    kinds = "select kind, count(*) from hopweaver.attempts group by kind order by kind"
    assert rows(pipeline, kinds) == [("bridge", 4), ("comparison", 4)]


class TwoModels:
    """A model of its own for each name that the settings give."""

    def __init__(self) -> None:
        self.models: dict[str, ComparingModel] = {}

    def open(self, settings, tasks=()) -> LanguageModel:
        model = self.models.setdefault(settings.name, ComparingModel())
        model.name = settings.name
        return model

    def close(self) -> None:
        """Nothing was loaded."""


def test_another_model_scores_subject_and_attributes(tmp_path):
    source = TwoModels()
    environment = ON | {"AIMSCIQA_FILTER_MODEL_NAME": "scorer", "AIMSCIQA_SYSTEMS": ""}
    pipeline = pipeline_at(tmp_path / "home", environment=environment)
    pipeline.resources["language_models"] = source
    write_corpus(tmp_path / "papers", 4)
    pipeline.ingest(tmp_path / "papers")
    assert run_some(pipeline, "hopweaver.splits", alone=("ops.rejections",)) == []
    assert {request.task for request in source.models["scorer"].asked} == {"hopweaver_comparison_scores"}
    asked = {
        request.task.removeprefix("hopweaver_comparison_") for request in source.models["sentences"].asked
    }
    assert asked == {"subject", "queries", "question", "polisher", "reader"}
    query = "select distinct model, scored_by from hopweaver.attempts join hopweaver.comparisons "
    assert set(rows(pipeline, f"{query} using (attempt_id)")) == {
        ("sentences", None),
        ("sentences", "scorer"),
    }
    # The same rows as by one model.
    accepted = "select count(*) from hopweaver.items where status = 'accepted'"
    assert rows(pipeline, accepted) == [(1,)]
    # Another scorer makes the attempts anew.
    other = pipeline_at(tmp_path / "home", environment=environment | {"AIMSCIQA_FILTER_MODEL_NAME": "third"})
    other.resources["language_models"] = source
    assert run_some(other, "hopweaver.items") == []
    assert len(source.models["third"].asked) == len(source.models["scorer"].asked)
