"""docker/celery/: the services as Compose reads them, and the task that Dagster's launcher sends."""

import os
import runpy
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml

from aimsciqa_assets.settings import Settings
from tests.cluster.workers import address_of
from tests.integration.test_docker import compose_program

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docker" / "celery"
NO_CELERY = "needs dagster-celery: `make test-cluster`, or pip install '.[celery]'"
ADDRESSES = {"CELERY_BROKER": "redis://redis:6379/0", "CELERY_BACKEND": "redis://redis:6379/1"}


def launcher_config() -> dict:
    return yaml.safe_load((FOLDER / "dagster.yaml").read_text())["run_launcher"]["config"]


@pytest.fixture
def services(tmp_path) -> dict[str, dict]:
    """What Compose would start, without anybody's passwords."""
    docker = shutil.copytree(
        ROOT / "docker", tmp_path / "docker", ignore=shutil.ignore_patterns(".env", ".env.*")
    )
    files = [docker / "compose.yaml", docker / "celery" / "compose.yaml"]
    resolved = subprocess.run(
        [*compose_program(), *(word for file in files for word in ("--file", file)), "config"],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "POSTGRES_PASSWORD": "given"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert resolved.returncode == 0, resolved.stderr
    return yaml.safe_load(resolved.stdout)["services"]


def test_compose_starts_a_broker_and_a_worker_beside_the_platform(services):
    ours = {"code-location", "webserver", "daemon", "worker"}
    assert set(services) == ours | {"postgres", "redis"}
    for name in ours:
        service = services[name]
        assert service["image"] == "aimsciqa-celery"
        assert service["build"]["args"] == {"EXTRAS": "postgres,celery"}
        assert {key: service["environment"][key] for key in ADDRESSES} == ADDRESSES
        files = {
            one["target"]: Path(one["source"]).name for one in service["volumes"] if one["type"] == "bind"
        }
        assert files["/data/dagster/dagster.yaml"] == "dagster.yaml"
        folder = {
            Path(one["source"]).parent.name for one in service["volumes"] if "dagster.yaml" in one["target"]
        }
        assert folder == {"celery"}
        assert "data" in {one["source"] for one in service["volumes"]}
        given = {key: value for key, value in service["environment"].items() if value is not None}
        assert Settings.preset_of("demo", given).single_hop_model.backend == "scripted"
    assert {name for name in services if "ports" in services[name]} == {"webserver"}
    assert all(service["cap_drop"] == ["ALL"] for service in services.values())


def test_a_worker_listens_to_the_queue_that_runs_go_to(services):
    command = services["worker"]["command"]
    assert command[command.index("--queues") + 1] == launcher_config()["config_source"]["task_default_queue"]
    assert command[command.index("--app") + 1] == "dagster_celery.app"
    (own,) = [one for one in services["worker"]["volumes"] if one["target"].endswith(".py")]
    assert Path(own["target"]).parent == Path(services["worker"]["environment"]["PYTHONPATH"])
    assert services["worker"]["depends_on"].keys() >= {"redis", "postgres"}


def test_launcher_and_workers_have_the_same_settings(monkeypatch):
    for name, value in ADDRESSES.items():
        monkeypatch.setenv(name, value)
    pytest.importorskip("dagster_celery", reason=NO_CELERY)
    worker = runpy.run_path(str(FOLDER / "dagster_celery_config.py"))
    launcher = launcher_config()
    assert (worker["broker_url"], worker["result_backend"]) == tuple(ADDRESSES.values())
    assert [launcher[name]["env"] for name in ("broker", "backend")] == list(ADDRESSES)
    assert {name: worker[name] for name in launcher["config_source"]} == launcher["config_source"]
    # A run may take a day, and may wait as long before.
    assert worker["broker_transport_options"]["visibility_timeout"] == 2 * 86400


def test_all_but_the_launcher_is_as_without_celery():
    own = yaml.safe_load((FOLDER / "dagster.yaml").read_text())
    other = yaml.safe_load((ROOT / "docker" / "dagster.yaml").read_text())
    assert {name for name in own.keys() | other.keys() if own.get(name) != other.get(name)} == {
        *("run_launcher", "run_monitoring")
    }
    assert own["run_monitoring"] | other["run_monitoring"] == own["run_monitoring"] | {
        "poll_interval_seconds": other["run_monitoring"]["poll_interval_seconds"]
    }


def test_the_application_of_the_workers_knows_the_tasks_that_the_launcher_sends():
    pytest.importorskip("dagster_celery", reason=NO_CELERY)
    from dagster_celery.app import app

    assert {"execute_job", "resume_job"} <= set(app.tasks)


@contextmanager
def a_launched_run(folder: Path, monkeypatch, **storage) -> Iterator[tuple]:
    """A run of one_job.py that the launcher of dagster.yaml sent to a broker in this process."""
    pytest.importorskip("dagster_celery", reason=NO_CELERY)
    from dagster._core.launcher import LaunchRunContext
    from dagster._core.test_utils import create_run_for_test, in_process_test_workspace, instance_for_test
    from dagster._core.types.loadable_target_origin import LoadableTargetOrigin

    monkeypatch.setenv("CELERY_BROKER", "memory://")
    monkeypatch.setenv("CELERY_BACKEND", "cache+memory://")
    launcher = yaml.safe_load((FOLDER / "dagster.yaml").read_text())["run_launcher"]
    target = LoadableTargetOrigin(python_file=str(ROOT / "tests/cluster/one_job.py"), attribute="defs")
    with (
        instance_for_test({"run_launcher": launcher, **storage}, temp_dir=str(folder)) as opened,
        in_process_test_workspace(opened, target) as workspace,
    ):
        job = workspace.code_locations[0].get_repository("__repository__").get_full_job("nothing")
        run = create_run_for_test(
            opened,
            job_name="nothing",
            remote_job_origin=job.get_remote_origin(),
            job_code_origin=job.get_python_origin(),
        )
        opened.run_launcher.launch_run(LaunchRunContext(run, workspace))
        yield opened, run.run_id


def test_the_launcher_sends_a_run_to_the_queue_dagster(tmp_path, monkeypatch):
    with a_launched_run(tmp_path, monkeypatch) as (opened, run_id):
        with opened.run_launcher.celery.connection_for_read() as broker:
            message = broker.SimpleQueue("dagster").get(block=False)
            message.ack()
        assert message.headers["task"] == "execute_job"
        assert message.headers["id"] == opened.get_run_by_id(run_id).tags["dagster-celery/task_id"]
        assert message.delivery_info["routing_key"] == "dagster"
        assert run_id in str(message.payload[1]["execute_job_args_packed"])


@pytest.mark.slow
def test_a_worker_runs_what_was_sent(tmp_path, monkeypatch):
    import dagster as dg

    with a_launched_run(tmp_path, monkeypatch) as (opened, run_id):
        from celery.contrib.testing.worker import start_worker
        from dagster._core.test_utils import poll_for_finished_run

        with start_worker(opened.run_launcher.celery, pool="solo", perform_ping_check=False):
            run = poll_for_finished_run(opened, run_id, timeout=60)
        assert run.status is dg.DagsterRunStatus.SUCCESS


def test_a_run_whose_worker_is_gone_is_found_out(tmp_path, postgres, monkeypatch):
    storage = {"postgres": {"postgres_url": address_of(postgres, "postgres")}}
    with a_launched_run(tmp_path, monkeypatch, storage=storage) as (opened, run_id):
        from dagster._core.launcher import WorkerStatus

        from aimsciqa_assets.orchestration.celery_runs import hold, release

        run = opened.get_run_by_id(run_id)
        task = run.tags["dagster-celery/task_id"]
        launcher = opened.run_launcher
        told = [launcher.check_run_worker_health(run)]
        hold(task)
        launcher.celery.backend.store_result(task, None, "STARTED")
        told.append(launcher.check_run_worker_health(run))
        release(task)
        told.append(launcher.check_run_worker_health(run))
        launcher.celery.backend.store_result(task, 0, "SUCCESS")
        told.append(launcher.check_run_worker_health(run))
    assert [one.status for one in told] == [
        *(WorkerStatus.RUNNING, WorkerStatus.RUNNING, WorkerStatus.FAILED, WorkerStatus.SUCCESS)
    ]
    assert told[2].msg == "The worker of this run is gone."


def test_a_resumed_run_is_sent_to_the_queue_and_waits(tmp_path, monkeypatch):
    with a_launched_run(tmp_path, monkeypatch) as (opened, run_id):
        from dagster._core.launcher import ResumeRunContext, WorkerStatus

        launcher = opened.run_launcher
        launcher.resume_run(ResumeRunContext(opened.get_run_by_id(run_id), None, 1))
        with launcher.celery.connection_for_read() as broker:
            # Runs of other tests may wait there, too.
            queue = broker.SimpleQueue("dagster")
            tasks = [queue.get(block=False) for _ in range(len(queue))]
        ours = {task.headers["task"]: task.payload[1] for task in tasks if run_id in str(task.payload)}
        assert {task: list(words) for task, words in ours.items()} == {
            "execute_job": ["execute_job_args_packed"],
            "resume_job": ["resume_job_args_packed"],
        }
        assert launcher.check_run_worker_health(opened.get_run_by_id(run_id)).status is WorkerStatus.RUNNING


def test_without_postgres_a_run_is_well_as_long_as_celery_says_so(tmp_path, monkeypatch):
    with a_launched_run(tmp_path, monkeypatch) as (opened, run_id):
        from dagster._core.launcher import WorkerStatus

        run = opened.get_run_by_id(run_id)
        task = run.tags["dagster-celery/task_id"]
        opened.run_launcher.celery.backend.store_result(task, None, "STARTED")
        assert opened.run_launcher.check_run_worker_health(run).status is WorkerStatus.RUNNING
