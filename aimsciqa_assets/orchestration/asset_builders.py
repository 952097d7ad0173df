"""Dagster assets of the steps of the method: their partitions, checks, documentation and metadata."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace

import dagster as dg
from aimsciqa_resources.language_model.interface import ModelUnavailableError
from aimsciqa_resources.shared_place import SharedPlaceError
from aimsciqa_resources.warehouse import WarehouseBusyError

from aimsciqa_assets.orchestration.partitions import PARTITIONS
from aimsciqa_assets.orchestration.presentation import check_spec_of, result_of, spec_of
from aimsciqa_assets.orchestration.routing import GPU_POOL, gpu_tags
from aimsciqa_assets.platform.kept_rows import Made
from aimsciqa_assets.platform.progress import LogReporter, reported_by
from aimsciqa_assets.platform.running import bring_up_to_date
from aimsciqa_assets.platform.steps import STEPS, Step, StepRun
from aimsciqa_assets.tables import TABLES

_TRANSIENT = (ModelUnavailableError, WarehouseBusyError, SharedPlaceError)
"""Errors that may be over some minutes later. Any other error would only come again."""
_RETRIES = 3
_RETRY_SECONDS = 300.0
_RESOURCES = {"warehouse", "settings", "files", "encoder", "language_models"}


def step_asset(step: Step) -> Callable[[Callable[[StepRun], Made]], dg.AssetsDefinition]:
    """Make an asset of a function that turns a run of the step into the rows of its tables."""

    def decorate(compute: Callable[[StepRun], Made]) -> dg.AssetsDefinition:
        declared = replace(step, compute=compute)
        STEPS.update(dict.fromkeys(step.writes, declared))

        @dg.multi_asset(
            name=compute.__name__,
            specs=[spec_of(TABLES[table], step, compute.__doc__) for table in step.writes],
            check_specs=[check_spec_of(TABLES[table]) for table in step.writes],
            partitions_def=PARTITIONS.get(step.by),
            required_resource_keys=_RESOURCES,
            pool=GPU_POOL if step.asks else None,
            op_tags=gpu_tags(step.asks),
        )
        def asset(context: dg.AssetExecutionContext) -> Iterator[dg.MaterializeResult[None]]:
            part = context.partition_key if step.by else ""
            run = StepRun.of(step, part, {name: getattr(context.resources, name) for name in _RESOURCES})
            if step.asks or step.encodes:
                run.settings.refuse_other_models()
            with reporting(context):
                try:
                    unchanged = bring_up_to_date(declared, run)
                except _TRANSIENT as error:
                    raise dg.RetryRequested(_RETRIES, _RETRY_SECONDS) from error
            for table in step.writes:
                yield result_of(run, TABLES[table], step, unchanged=unchanged)

        return asset

    return decorate


def reporting(context: dg.AssetExecutionContext) -> AbstractContextManager[None]:
    """Progress goes to the log of the run."""
    return reported_by(LogReporter(context.log.info))
