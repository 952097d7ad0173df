"""Which items depend on each other: those that share a fact say nearly the same of a model twice."""

from collections.abc import Iterable

from aimsciqa.measures.dependence import clusters_of
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.platform.steps import StepRun

FACTS = query_of("benchmark.facts")


def drawn_clusters(run: StepRun, items: Iterable[str]) -> dict[str, str]:
    """The cluster of each item for intervals and tests, as `benchmark.resampled` wants it."""
    if run.settings.benchmark.resampled == "items":
        return {item: item for item in items}
    return clusters_of(dict(run.warehouse.read(FACTS.text).iter_rows()), items)
