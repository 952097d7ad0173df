"""Bridge questions from documents to items, by a model of the tests' own, through the tables."""

import pytest

from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.hopweaver.polishing import ANSWER, PATH, QUESTION
from aimsciqa_assets.platform.queries import queries_in
from aimsciqa_assets.platform.steps import STEPS
from tests.fakes import write_corpus
from tests.hop_model import HopModel
from tests.two_batches import CLUSTER, pipeline_at

pytestmark = pytest.mark.slow

STEPS_OF_IT = tuple(
    f"hopweaver.{name}" for name in ("documents", "document_vectors", "attempts", "items", "splits")
)
ON = CLUSTER | {
    "AIMSCIQA_HOPWEAVER_KINDS": "bridge",
    "AIMSCIQA_HOPWEAVER_FEWEST_CHARACTERS": "100",
    "AIMSCIQA_MODEL_BACKEND": "server",
    "AIMSCIQA_MODEL_NAME": "sentences",
    "AIMSCIQA_MODEL_BASE_URL": "http://localhost:9/v1",
}
POLISH = {
    "13 percent": f"[ADJUST]\n{PATH}: better\n{QUESTION}: How much did the group with 3 mg rise?",
    "14 percent": "[REJECTED]\nREASON: it can be guessed",
    "15 percent": "very good",
    "16 percent": f"[REWORKED]\n{PATH}: p\n{QUESTION}: What of cohort 6?\n{ANSWER}: 16",
}
PAPER = "doi:10.5555/test."


def made_at(folder, model, **settings: str) -> Pipeline:
    """The pipeline after the stage ran on twelve papers in two batches."""
    environment = ON | {f"AIMSCIQA_HOPWEAVER_{name}": value for name, value in settings.items()}
    pipeline = pipeline_at(folder / "home", model=model, environment=environment)
    if not (folder / "papers").exists():
        write_corpus(folder / "papers", 12)
        pipeline.ingest(folder / "papers")
    assert pipeline.run(evaluate=False) == []
    return pipeline


def rows(pipeline: Pipeline, query: str) -> list[tuple]:
    return pipeline.warehouse.read(query).rows()


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> tuple[Pipeline, HopModel]:
    model = HopModel(POLISH)
    return made_at(tmp_path_factory.mktemp("hopweaver"), model), model


def test_every_attempt_ends_as_an_item_with_its_reason(made):
    pipeline, _ = made
    items = "select split_part(first_paper_id, '.', 3)::int, status, rejection_reason, polisher_status"
    assert rows(pipeline, f"{items} from hopweaver.items order by 1") == [
        (1, "rejected", "unreadable_entity", None),
        (2, "accepted", None, "pass"),
        (3, "accepted", None, "pass"),
        (4, "accepted", None, "pass"),
        (5, "accepted", None, "pass"),
        (6, "accepted", None, "adjust"),
        (7, "rejected", "rejected_by_polisher", "rejected"),
        (8, "rejected", "unreadable_polishing", "error"),
        (9, "rejected", "entity_in_polished_question", "reworked"),
        (10, "accepted", None, "pass"),
        (11, "accepted", None, "pass"),
        (12, "accepted", None, "pass"),
    ]
