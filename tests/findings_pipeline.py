"""A pipeline for the tests of Findings: its settings, its papers and its tables."""

from collections import Counter

from aimsciqa_assets.cli.pipeline import Pipeline
from tests.findings_model import GOOD, FindingsModel, write_field_papers
from tests.some_steps import run_some
from tests.two_batches import CLUSTER, pipeline_at

ON = CLUSTER | {
    "AIMSCIQA_SYSTEMS": "findings",
    "AIMSCIQA_CORPUS_PAPERS_PER_BATCH": "4",
    "AIMSCIQA_FINDINGS_SHARE_OF_PAPER": "1",
    "AIMSCIQA_MODEL_BACKEND": "server",
    "AIMSCIQA_MODEL_NAME": "sentences",
    "AIMSCIQA_MODEL_BASE_URL": "http://localhost:9/v1",
}
PAPER = "doi:10.5555/field."


def between(first: int, second: int) -> str:
    return GOOD.format(first=f"village {first}", second=f"village {second}")


def pipeline_of(folder, model: FindingsModel, **more: str) -> Pipeline:
    return pipeline_at(folder / "home", model=model, environment=ON | more)


def add(pipeline: Pipeline, folder, papers: int, first: int = 1) -> None:
    write_field_papers(folder / "papers", papers, first)
    pipeline.ingest(folder / "papers")
    assert run_some(pipeline, "findings.splits") == []


def rows(pipeline: Pipeline, query: str) -> list[tuple]:
    return pipeline.warehouse.read(query).rows()


def asked(model: FindingsModel) -> dict[str, int]:
    return dict(Counter(request.task.removeprefix("findings_") for request in model.asked))
