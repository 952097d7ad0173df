"""The Dagster code location: every asset, check and resource. `dg` and the web UI load `defs`."""

from typing import Any

import dagster as dg
from aimsciqa_resources.encoder import sentence_encoder
from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.language_model.opening import LanguageModels
from aimsciqa_resources.warehouse_resource import WarehouseResource

from aimsciqa_assets.aim_sciqa.citation_guided import assets as citation_guided
from aimsciqa_assets.aim_sciqa.multi_hop import assets as multi_hop
from aimsciqa_assets.aim_sciqa.multi_hop.requests import TASK as MULTI_HOP
from aimsciqa_assets.aim_sciqa.relations import assets as relations
from aimsciqa_assets.aim_sciqa.single_hop import assets as single_hop
from aimsciqa_assets.aim_sciqa.single_hop.requests import TASK as SINGLE_HOP
from aimsciqa_assets.benchmark.answering import assets as answering
from aimsciqa_assets.benchmark.retrieval import assets as retrieval
from aimsciqa_assets.corpus import assets as corpus
from aimsciqa_assets.judging import assets as quality
from aimsciqa_assets.judging.audit import assets as audit
from aimsciqa_assets.ops import assets as ops
from aimsciqa_assets.orchestration.automation import automate, nightly_definitions
from aimsciqa_assets.orchestration.launchpad import launchpad_settings
from aimsciqa_assets.orchestration.routing import gpu_run_tags
from aimsciqa_assets.orchestration.sql_assets import sql_checks
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.release import assets as release
from aimsciqa_assets.release.report import assets as report
from aimsciqa_assets.settings import Settings, chosen_preset
from aimsciqa_assets.stand_in import StandInModel

STAGES = (
    corpus,
    citation_guided,
    single_hop,
    relations,
    multi_hop,
    retrieval,
    answering,
    quality,
    audit,
    release,
    report,
    ops,
)


def build_resources(
    home: Home, settings: Settings | dg.ResourceDefinition, **overrides: Any
) -> dict[str, Any]:
    """What the assets work with; any of it can be replaced by name."""
    return {
        "warehouse": WarehouseResource(database=str(home.database)),
        "files": FileStore(folder=str(home.files)),
        "settings": settings,
        "encoder": sentence_encoder,
        "language_models": LanguageModels(home.journal, stand_in=StandInModel),
        **overrides,
    }


def build_definitions(**overrides: Any) -> dg.Definitions:
    """The definitions for `AIMSCIQA_HOME` and `AIMSCIQA_PRESET`, with resources replaced by name.

    The launchpad of the web UI may choose the other preset for a run, and put settings over it.
    """
    nightly = Settings.of_environment().nightly
    assets = [
        asset
        for stage in STAGES
        for asset in dg.load_assets_from_modules([stage], include_specs=True)
        if isinstance(asset, dg.AssetsDefinition | dg.AssetSpec)
    ]
    looking = dg.AssetSelection.assets(corpus.pmc_articles, corpus.input_files)
    steps = dg.Definitions(
        assets=automate(assets, nightly),
        asset_checks=[sql_checks()],
        jobs=[
            dg.define_asset_job(
                f"ask_{task}_model",
                selection=dg.AssetSelection.assets(asset),
                description=f"Only the step that asks the {task} model, for a launcher that gives it a GPU.",
                tags=gpu_run_tags(task),
            )
            for task, asset in ((SINGLE_HOP, single_hop.extractions), (MULTI_HOP, multi_hop.items))
        ],
        resources=build_resources(Home.from_environment(), launchpad_settings(chosen_preset()), **overrides),
    )
    return dg.Definitions.merge(steps, nightly_definitions(nightly, looking))


@dg.definitions
def defs() -> dg.Definitions:
    """The code location."""
    return build_definitions()
