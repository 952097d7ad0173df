"""Who runs the steps of a run: what `AIMSCIQA_EXECUTOR` names."""

import sys

import dagster as dg
import pytest
from aimsciqa_resources.variables import SettingsError

from aimsciqa_assets.orchestration.executors import chosen_executor


def test_dagster_itself_runs_steps_unless_somebody_else_is_named():
    assert chosen_executor({}) is None
    assert chosen_executor({"AIMSCIQA_EXECUTOR": ""}) is None


def test_a_run_may_run_its_steps_itself():
    assert chosen_executor({"AIMSCIQA_EXECUTOR": "in_process"}) is dg.in_process_executor


def test_an_unknown_one_is_refused():
    with pytest.raises(
        SettingsError, match="AIMSCIQA_EXECUTOR=k8s: write kubernetes or in_process, or leave it empty"
    ):
        chosen_executor({"AIMSCIQA_EXECUTOR": "k8s"})


def test_without_its_package_it_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "dagster_k8s", None)
    with pytest.raises(SettingsError) as told:
        chosen_executor({"AIMSCIQA_EXECUTOR": "kubernetes"})
    assert str(told.value) == (
        'AIMSCIQA_EXECUTOR=kubernetes needs a package that is not installed: `pip install ".[kubernetes]"`.'
    )
