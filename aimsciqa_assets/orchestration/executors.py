"""Who runs the steps of a Dagster run: processes beside it, its own process, or jobs of Kubernetes."""

import os
from collections.abc import Mapping

import dagster as dg
from aimsciqa_resources.variables import SettingsError

VARIABLE = "AIMSCIQA_EXECUTOR"
_KUBERNETES = "kubernetes"
_IN_PROCESS = "in_process"


def chosen_executor(environment: Mapping[str, str] = os.environ) -> dg.ExecutorDefinition | None:
    """The executor that `AIMSCIQA_EXECUTOR` names; None for that of Dagster, which starts processes.

    Raises `SettingsError` for an unknown one, and where its package is missing.
    """
    named = environment.get(VARIABLE, "")
    if not named:
        return None
    if named == _IN_PROCESS:
        return dg.in_process_executor
    if named != _KUBERNETES:
        raise SettingsError(f"{VARIABLE}={named}: write {_KUBERNETES} or {_IN_PROCESS}, or leave it empty.")
    try:
        from dagster_k8s import k8s_job_executor
    except ImportError:
        raise SettingsError(
            f'{VARIABLE}={named} needs a package that is not installed: `pip install ".[kubernetes]"`.'
        ) from None
    executor: dg.ExecutorDefinition = k8s_job_executor
    return executor
