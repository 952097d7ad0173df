"""A part of the pipeline, for tests of some tables: to make all others takes most of the time of a run."""

from collections.abc import Iterable, Iterator

from aimsciqa_assets.cli.phases import Failure
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.orchestration.partitions import parts_by
from aimsciqa_assets.platform.phases import phases_of
from aimsciqa_assets.platform.steps import STEPS, Step


def run_some(pipeline: Pipeline, *tables: str, alone: tuple[str, ...] = ()) -> list[Failure]:
    """Bring tables up to date with all that they are made from; returns what failed.

    Those `alone` are made of what is there.
    """
    steps = dict.fromkeys([*_with_upstream(tables), *(STEPS[table] for table in alone)])
    parts = {"batch": pipeline.batches(), "": [""], **parts_by(pipeline.settings)}
    return pipeline._make(phases_of(steps), parts)


def _with_upstream(tables: Iterable[str]) -> Iterator[Step]:
    for step in [STEPS[table] for table in tables if table in STEPS]:
        yield step
        yield from _with_upstream(step.upstream)
