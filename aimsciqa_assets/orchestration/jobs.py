"""Jobs of the web UI with names of their own: one for each phase of the main line.

A run that somebody starts from the page of an asset has no job: Dagster calls it an ad hoc materialization.
Whoever starts a phase as a job, for a part or as a backfill of many, finds it in the list of runs by name.
"""

from collections.abc import Sequence

import dagster as dg
from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition

from aimsciqa_assets.orchestration.routing import gpu_run_tags
from aimsciqa_assets.platform.phases import Phase
from aimsciqa_assets.platform.stages import stage_that_writes
from aimsciqa_assets.tables import TABLES


def phase_jobs(phases: Sequence[Phase]) -> list[UnresolvedAssetJobDefinition]:
    """A job for each phase, in the order in which `aimsciqa run` takes them."""
    return [
        dg.define_asset_job(
            name_of(number, phase),
            selection=dg.AssetSelection.assets(
                *(TABLES[table].asset_key for step in phase.steps for table in step.writes)
            ),
            description=f"Phase {number} of {len(phases)} of the main line, for "
            f"{f'one {phase.by}' if phase.by else 'all parts at once'}: "
            f"{', '.join(step.writes[0] for step in phase.steps)}. What is up to date is not made again.",
            tags=next(filter(None, (gpu_run_tags(step.asks) for step in phase.steps)), {}),
        )
        for number, phase in enumerate(phases, 1)
    ]


def name_of(number: int, phase: Phase) -> str:
    """The name of a phase: its number, the stage of its first table, and what a part of it is.

    A name of all its stages would be cut in the list of runs; the description names every table.
    """
    part = f"_per_{phase.by}" if phase.by else ""
    return f"phase_{number:02}_{stage_that_writes(phase.steps[0].writes[0])}{part}"
