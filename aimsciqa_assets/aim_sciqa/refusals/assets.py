"""Refused pairs as assets: judged again on request, and the share that fails each criterion."""

from aimsciqa_resources.warehouse import tables_in

from aimsciqa_assets.aim_sciqa.multi_hop.task import MULTI_HOP
from aimsciqa_assets.aim_sciqa.refusals.judging import REFUSAL_JUDGE, refusal_dialogues, refusals_of
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.orchestration.sql_assets import sql_asset
from aimsciqa_assets.platform.drawing import drawn
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.platform.steps import Step, StepRun

_TABLE = "benchmark.refusals"
_REFUSED = query_of("judging.refused")


@step_asset(
    Step(
        writes=(_TABLE,),
        reads=tuple(tables_in(_REFUSED.text)),
        settings=("benchmark.refusals", "benchmark.seed"),
        asks=MULTI_HOP.name,
        prompts=(REFUSAL_JUDGE.name,),
        prompt_version=REFUSAL_JUDGE.version,
        code=_REFUSED.version,
    )
)
def refusals(run: StepRun) -> Frames:
    """Asks the multi-hop model by which criteria the pairs that it refused fail, if the settings want it."""
    settings = run.settings.benchmark
    if not settings.refusals:
        return {_TABLE: frame_of(_TABLE, [])}
    refused = run.warehouse.read(_REFUSED.text)
    chosen = set(drawn(refused["item_id"], settings.refusals, settings.seed))
    pairs = [row for row in refused.iter_rows(named=True) if row["item_id"] in chosen]
    with run.ask(_TABLE, refusal_dialogues(pairs), len(pairs), "judging refused pairs") as outcomes:
        return {_TABLE: refusals_of(outcomes, pairs, run.model)}


refusal_shares = sql_asset("benchmark.refusal_shares")
