"""Notes and forums as assets, which come from outside: files of threads, or OpenReview."""

from collections.abc import Iterator

import dagster as dg
from aimsciqa_resources.openreview import OpenReviewClient
from aimsciqa_resources.warehouse_resource import WarehouseResource

from aimsciqa_assets.orchestration.asset_builders import reporting
from aimsciqa_assets.orchestration.partitions import PAPER_BATCHES
from aimsciqa_assets.orchestration.presentation import spec_of
from aimsciqa_assets.platform.steps import Step
from aimsciqa_assets.scidqa.intake.fetching import fetch_venue
from aimsciqa_assets.scidqa.intake.writing import FORUMS, NOTES, REJECTED
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import TABLES

_FROM = (
    "From outside: `aimsciqa reviews import FILE` and `aimsciqa reviews fetch` bring them. Materialized, it "
    "asks OpenReview for what changed in the venues that the settings name."
)


@dg.multi_asset(
    specs=[spec_of(TABLES[table], Step((table,)), _FROM) for table in (NOTES, FORUMS, REJECTED)],
    retry_policy=dg.RetryPolicy(max_retries=3, delay=300, backoff=dg.Backoff.EXPONENTIAL),
)
def review_threads(
    context: dg.AssetExecutionContext, warehouse: WarehouseResource, settings: Settings
) -> Iterator[dg.MaterializeResult[None]]:
    """Fetches the threads of venues from OpenReview; without venues or addresses, nothing is asked."""
    failures = []
    with reporting(context), OpenReviewClient(settings.openreview) as client:
        for venue in settings.openreview.venue_ids if client.versions else []:
            fetched = fetch_venue(client, venue, warehouse, settings.scidqa.forums_per_batch, news=True)
            if fetched.written:
                context.instance.add_dynamic_partitions(str(PAPER_BATCHES.name), fetched.written.batches)
            else:
                failures.append(f"{venue}: {fetched.failure}")
    if failures:
        raise dg.Failure("\n".join(failures))
    for table in (NOTES, FORUMS, REJECTED):
        yield dg.MaterializeResult(asset_key=TABLES[table].asset_key)
