"""Jobs with names of their own, and runs of the command line in the list of runs."""

import os
import signal

import dagster as dg
import pytest

from aimsciqa_assets.cli.phases import PHASES
from aimsciqa_assets.cli.run_record import recorded_run
from aimsciqa_assets.definitions import build_definitions
from aimsciqa_assets.orchestration.jobs import name_of


def test_every_phase_is_a_job_that_makes_its_tables_and_no_others():
    definitions = build_definitions()
    names = [name_of(number, phase) for number, phase in enumerate(PHASES, 1)]
    assert names[0] == "phase_01_corpus_per_batch"
    assert names == sorted(set(names))
    for name, phase in zip(names, PHASES, strict=True):
        made = definitions.resolve_job_def(name).asset_layer.executable_asset_keys
        assert {".".join(key.path) for key in made} == {t for step in phase.steps for t in step.writes}


def test_a_run_of_the_command_line_stands_in_the_list_of_runs():
    with dg.DagsterInstance.ephemeral() as instance:
        with recorded_run(instance, []):
            pass
        with recorded_run(instance, ["multi_hop.items: the disk is full"]):
            pass
        failed, succeeded = instance.get_run_records()
        said = [entry.user_message for entry in instance.all_logs(failed.dagster_run.run_id)]
    assert succeeded.dagster_run.job_name == "aimsciqa_run"
    assert succeeded.dagster_run.status == dg.DagsterRunStatus.SUCCESS
    assert failed.dagster_run.status == dg.DagsterRunStatus.FAILURE
    assert failed.end_time >= failed.start_time >= succeeded.end_time >= succeeded.start_time
    assert said == ["`aimsciqa run` was started.", "multi_hop.items: the disk is full"]


@pytest.mark.parametrize(
    ("end", "status", "said"),
    [
        (KeyboardInterrupt(), "CANCELED", "The run was interrupted. The next run goes on from there."),
        (OSError("the disk is full"), "FAILURE", "OSError: the disk is full"),
        (SystemExit(3), "FAILURE", "SystemExit: 3"),
        (GeneratorExit(), "FAILURE", "GeneratorExit"),
    ],
)
def test_a_run_that_ended_early_stands_in_the_list_too(end, status, said):
    with dg.DagsterInstance.ephemeral() as instance:
        with pytest.raises(type(end)), recorded_run(instance, []):
            raise end
        (run,) = instance.get_runs()
        assert run.status.value == status
        assert instance.all_logs(run.run_id)[-1].user_message == said


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_interrupts_a_run_and_it_stands_in_the_list(number):
    before = signal.signal(number, signal.SIG_DFL)
    with dg.DagsterInstance.ephemeral() as instance:
        with pytest.raises(KeyboardInterrupt), recorded_run(instance, []):
            os.kill(os.getpid(), number)
        (run,) = instance.get_runs()
    assert (run.status.value, signal.getsignal(number)) == ("CANCELED", signal.SIG_DFL)
    signal.signal(number, before)


def test_an_ignored_signal_stays_ignored_as_under_nohup():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with dg.DagsterInstance.ephemeral() as instance:
        with recorded_run(instance, []):
            os.kill(os.getpid(), signal.SIGHUP)
        (run,) = instance.get_runs()
    signal.signal(signal.SIGHUP, before)
    assert run.status.value == "SUCCESS"
