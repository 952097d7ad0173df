"""A cluster on this machine: code location, daemon and Celery workers as processes, over Postgres and S3.

Every worker has a folder of its own as AIMSCIQA_HOME. All that they share is in Postgres and on S3.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

import yaml

from tests.s3_server import access_to, free_port

ROOT = Path(__file__).parents[2]
PATIENCE = 600.0
PROGRAMS = Path(sys.executable).parent


def wait_until(happened: Callable[[], bool], what: str) -> None:
    give_up = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < give_up, f"not in {PATIENCE:.0f} s: {what}"
        time.sleep(0.2)


def address_of(postgres: str, database: str) -> str:
    """The address of a database for SQLAlchemy; `postgres` is the connection string of the server."""
    socket = dict(word.split("=") for word in postgres.split())["host"]
    return f"postgresql+psycopg2://postgres@/{database}?host={quote(socket, safe='')}"


class Cluster:
    """Its processes in a folder; `postgres` is a connection string with databases `lake` and `dagster`."""

    def __init__(self, folder: Path, postgres: str, s3: str, settings: dict[str, str]) -> None:
        self.folder = folder
        self.running: dict[str, subprocess.Popen] = {}
        self.lake = f"ducklake:postgres:{postgres} dbname=lake"
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("AIMSCIQA_")}
        self._environment = {
            **inherited,
            **access_to(s3),
            **settings,
            "PYTHONPATH": os.pathsep.join([str(ROOT / "docker" / "celery"), *map(str, sys.path[1:])]),
            "AIMSCIQA_WAREHOUSE": self.lake,
            "AIMSCIQA_WAREHOUSE_DATA": "s3://aimsciqa/lake",
            "AIMSCIQA_SHARED": "s3://aimsciqa/shared",
            # A worker keeps what it imported from one run to the next.
            "AIMSCIQA_EXECUTOR": "in_process",
            # A broker of its own would be Redis: its transport in Postgres is for tests.
            "CELERY_BROKER": f"sqla+{address_of(postgres, 'broker')}",
            "CELERY_BACKEND": f"db+{address_of(postgres, 'broker')}",
            "DAGSTER_ADDRESS": address_of(postgres, "dagster"),
        }
        self._port = free_port()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for name in list(self.running):
            self.kill(name)

    def environment(self, home: str) -> dict[str, str]:
        """What a process sees whose home is a folder of this name."""
        folder = self.folder / home
        instance = folder / "dagster" / "dagster.yaml"
        if not instance.exists():
            instance.parent.mkdir(parents=True)
            instance.write_text(yaml.safe_dump(self._instance()))
            code = {"grpc_server": {"host": "127.0.0.1", "port": self._port, "location_name": "aimsciqa"}}
            (folder / "workspace.yaml").write_text(yaml.safe_dump({"load_from": [code]}))
        return {
            **self._environment,
            "AIMSCIQA_HOME": str(folder),
            "DAGSTER_HOME": str(instance.parent),
        }

    def _instance(self) -> dict[str, Any]:
        """docker/celery/dagster.yaml with the addresses of this machine, and with less patience."""
        instance = yaml.safe_load((ROOT / "docker" / "celery" / "dagster.yaml").read_text())
        instance["storage"] = {"postgres": {"postgres_url": {"env": "DAGSTER_ADDRESS"}}}
        # Redis' alone.
        del instance["run_launcher"]["config"]["config_source"]["broker_transport_options"]
        instance["run_coordinator"]["config"] = {"dequeue_interval_seconds": 1}
        instance["run_monitoring"]["poll_interval_seconds"] = 2
        instance["concurrency"]["pools"]["default_limit"] = 2
        return instance

    def command(self, program: str, *words: str, home: str = "control") -> str:
        """What a command says; it runs to its end in a home of this name."""
        done = subprocess.run(
            [PROGRAMS / program, *words],
            env=self.environment(home),
            cwd=self.folder / home,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self, name: str, program: str, *words: str) -> None:
        """Start a process in a session of its own; its home and its log have its name."""
        environment = self.environment(name)
        with (self.folder / f"{name}.log").open("w") as log:
            self.running[name] = subprocess.Popen(
                [PROGRAMS / program, *words],
                env=environment,
                cwd=self.folder / name,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def start_control(self) -> None:
        """The code location and the daemon; the first connection makes Dagster's tables."""
        self.start(
            "code", "dagster", "api", "grpc", "-m", "aimsciqa_assets.definitions", "-p", str(self._port)
        )
        health = ("api", "grpc-health-check", "-p", str(self._port))
        wait_until(
            lambda: (
                subprocess.run(
                    [PROGRAMS / "dagster", *health],
                    env=self.environment("control"),
                    check=False,
                    capture_output=True,
                ).returncode
                == 0
            ),
            "the code location answers",
        )
        self.start("daemon", "dagster-daemon", "run", "-w", "workspace.yaml")

    def start_worker(self, name: str) -> None:
        """A worker that takes one run at a time, once it listens."""
        self.start(
            name,
            *("celery", "--app", "dagster_celery.app", "worker", "--concurrency", "1"),
            *("--queues", "dagster", "--hostname", f"{name}@%h", "--loglevel", "INFO", "--without-mingle"),
            *("--without-gossip", "--without-heartbeat"),
        )
        wait_until(lambda: self._has_said(" ready.", name), f"{name} listens")

    def kill(self, name: str) -> None:
        """Kill a worker and all that it started, as if its machine were gone."""
        os.killpg(self.running.pop(name).pid, signal.SIGKILL)

    def _has_said(self, words: str, name: str) -> bool:
        assert self.running[name].poll() is None, self.log(name)
        return words in self.log(name)

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()
