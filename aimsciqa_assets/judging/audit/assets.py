"""Ratings of people, their distribution, and how far they agree, as assets."""

from aimsciqa_resources.warehouse import tables_in

from aimsciqa_assets.judging.audit.agreement import agreement_of
from aimsciqa_assets.judging.audit.ratings import RATINGS
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.orchestration.presentation import spec_of
from aimsciqa_assets.orchestration.sql_assets import sql_asset
from aimsciqa_assets.platform.frames import Frames
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.platform.steps import Step, StepRun
from aimsciqa_assets.tables import TABLES

audit_ratings = spec_of(
    TABLES[RATINGS],
    Step((RATINGS,), reads=("single_hop.qa_pairs", *tables_in(query_of("audit.subjects").text))),
    "Made by people: `aimsciqa audit sample` writes a sheet for them, `aimsciqa audit import` reads their "
    "ratings.",
)
audit_distribution = sql_asset("benchmark.audit_distribution")


@step_asset(Step(writes=("benchmark.audit_agreement",), reads=(RATINGS,)))
def audit_agreement(run: StepRun) -> Frames:
    """Compares the raters of each sheet: Gwet's AC1 as in the paper, Fleiss' kappa, Krippendorff's alpha."""
    return {"benchmark.audit_agreement": agreement_of(run.read(RATINGS))}
