"""The Dagster code location: every asset, check and resource. `dg` and the web UI load `defs`."""

from functools import partial
from importlib import import_module
from typing import Any

import dagster as dg
from aimsciqa_resources.encoder import sentence_encoder
from aimsciqa_resources.language_model.opening import LanguageModels
from aimsciqa_resources.settings_file import settings_file
from aimsciqa_resources.warehouse_resource import WarehouseResource
from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition

from aimsciqa_assets.orchestration.automation import automate, nightly_definitions
from aimsciqa_assets.orchestration.executors import chosen_executor
from aimsciqa_assets.orchestration.jobs import phase_jobs
from aimsciqa_assets.orchestration.launchpad import launchpad_settings
from aimsciqa_assets.orchestration.routing import gpu_run_tags
from aimsciqa_assets.orchestration.sql_assets import sql_checks
from aimsciqa_assets.platform.batches import ARTICLES, INPUT_FILES
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.phases import all_phases, in_order
from aimsciqa_assets.platform.shared_recordings import fetch_recordings
from aimsciqa_assets.platform.stages import STAGES
from aimsciqa_assets.platform.steps import STEPS
from aimsciqa_assets.scidqa.intake.writing import FORUMS, NOTES, REJECTED
from aimsciqa_assets.scripted_model import ScriptedModel
from aimsciqa_assets.settings import Settings, chosen_preset
from aimsciqa_assets.tables import TABLES

MODULES = tuple(
    import_module(f"aimsciqa_assets.{module}.assets") for stage in STAGES for module in stage.modules
)
"""The modules that declare the steps; importing them fills `STEPS`."""


def build_resources(
    home: Home, settings: Settings | dg.ResourceDefinition, **overrides: Any
) -> dict[str, Any]:
    """What the assets work with; any of it can be replaced by name."""
    return {
        "warehouse": WarehouseResource(**home.warehouse_named),
        "files": home.file_store,
        "settings": settings,
        "encoder": sentence_encoder,
        "language_models": LanguageModels(
            home.journal,
            scripted=ScriptedModel,
            recordings=home.recordings,
            fetch_recordings=partial(fetch_recordings, home),
        ),
        **overrides,
    }


def build_definitions(**overrides: Any) -> dg.Definitions:
    """The definitions for `AIMSCIQA_HOME` and `AIMSCIQA_PRESET`, with resources replaced by name.

    The launchpad of the web UI may choose another preset for a run, and put settings over it.
    """
    settings = Settings.of_environment()
    nightly = settings.nightly
    assets = [
        asset
        for module in MODULES
        for asset in dg.load_assets_from_modules([module], include_specs=True)
        if isinstance(asset, dg.AssetsDefinition | dg.AssetSpec)
    ]
    looking = dg.AssetSelection.assets(*(TABLES[table].asset_key for table in _looking(settings)))
    steps = dg.Definitions(
        assets=automate(assets, nightly),
        asset_checks=[sql_checks()],
        jobs=_model_jobs() + phase_jobs(all_phases()),
        executor=chosen_executor(),
        resources=build_resources(
            Home.from_environment(), launchpad_settings(chosen_preset(), file=settings_file()), **overrides
        ),
    )
    return dg.Definitions.merge(steps, nightly_definitions(nightly, looking))


def _looking(settings: Settings) -> list[str]:
    """The tables from outside that a night begins with; OpenReview is asked only where venues are named."""
    asks = settings.openreview.venues and (settings.openreview.base_url_v1 or settings.openreview.base_url_v2)
    return [ARTICLES, INPUT_FILES, *((NOTES, FORUMS, REJECTED) if asks else ())]


def _model_jobs() -> list[UnresolvedAssetJobDefinition]:
    """A job for each step that asks a model and is not left to people, for a launcher that gives it a GPU.

    Of several steps that ask the same model, the later ones have their table in the name.
    """
    jobs: dict[str, UnresolvedAssetJobDefinition] = {}
    for step in in_order(STEPS.values()):
        if step.asks and not step.on_request:
            name = f"ask_{step.asks}_model"
            if name in jobs:
                name = f"{name}_for_{TABLES[step.writes[0]].asset_key[-1]}"
            jobs[name] = dg.define_asset_job(
                name,
                selection=dg.AssetSelection.assets(*(TABLES[table].asset_key for table in step.writes)),
                description=f"Only the step that asks the {step.asks} model, for a launcher that gives it a "
                "GPU.",
                tags=gpu_run_tags(step.asks),
            )
    return list(jobs.values())


@dg.definitions
def defs() -> dg.Definitions:
    """The code location."""
    return build_definitions()
