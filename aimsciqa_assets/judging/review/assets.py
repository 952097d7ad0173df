"""Reviews by people, and what they mean for the release, as assets."""

from aimsciqa_resources.warehouse import tables_in

from aimsciqa_assets.judging.review.reviews import REVIEWS
from aimsciqa_assets.orchestration.presentation import spec_of
from aimsciqa_assets.orchestration.sql_assets import sql_asset
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.platform.steps import Step
from aimsciqa_assets.tables import TABLES

reviews = spec_of(
    TABLES[REVIEWS],
    Step((REVIEWS,), reads=tuple(tables_in(query_of("review.subjects").text))),
    "Made by people: on the review page, which `aimsciqa report` serves, or by `aimsciqa review import`.",
)
review_decisions = sql_asset("benchmark.review_decisions")
