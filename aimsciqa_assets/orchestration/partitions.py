"""The parts in which assets are materialized: paper batches, and retrievers and models of the benchmark.

A batch is a set of input files, named `batch-0001` and so on in the order of ingestion. A file stays in its
batch for ever. The batches of one ingest see each other; batches of later ingests do not disturb them.
"""

import dagster as dg

from aimsciqa_assets.settings import Settings
from aimsciqa_assets.settings.airqa_runs import RUN_ID, runs_of

PAPER_BATCHES = dg.DynamicPartitionsDefinition(name="paper_batch")

PARTITIONS = {
    "batch": PAPER_BATCHES,
    "retriever": dg.DynamicPartitionsDefinition(name="retriever"),
    "answerer": dg.DynamicPartitionsDefinition(name="answerer"),
    "judge": dg.DynamicPartitionsDefinition(name="judge"),
    "model": dg.DynamicPartitionsDefinition(name="model"),
    RUN_ID: dg.DynamicPartitionsDefinition(name="airqa_run"),
}
"""The partitions of a table, by the column that divides it.

Retrievers and models are named as in the settings; others can be added in the web UI. Runs of AirQA's
baselines have ids, which follow from the settings.
"""


def parts_by(settings: Settings) -> dict[str, list[str]]:
    """The retrievers and models that the settings name."""
    return {
        "retriever": settings.benchmark.retriever_names,
        "answerer": settings.answerer_names,
        "judge": settings.quality_judge_names,
        "model": settings.necessity.model_names,
        RUN_ID: [*runs_of(settings)],
    }


class NoPapersError(ValueError):
    """There is nothing to run; the message says what to do."""
