"""Jobs with names of their own, and runs of the command line in the list of runs."""

import dagster as dg

from aimsciqa_assets.cli.phases import PHASES
from aimsciqa_assets.cli.run_record import record_run
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
        record_run(instance, 1000.0, [])
        record_run(instance, 2000.0, ["multi_hop.items: the disk is full"])
        failed, succeeded = instance.get_run_records()
        said = [entry.user_message for entry in instance.all_logs(failed.dagster_run.run_id)]
    assert (succeeded.dagster_run.job_name, succeeded.start_time) == ("aimsciqa_run", 1000.0)
    assert succeeded.dagster_run.status == dg.DagsterRunStatus.SUCCESS
    assert failed.dagster_run.status == dg.DagsterRunStatus.FAILURE
    assert failed.end_time > failed.start_time == 2000.0
    assert said == ["`aimsciqa run` was started.", "multi_hop.items: the disk is full"]
