"""The services of docker/compose.yaml as processes of this machine, for tests.

What containers give is replaced, and nothing else: /data is a folder, every service is on 127.0.0.1, and its
port is a free one. Dagster's records are in a real Postgres where one is installed, in SQLite otherwise.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import yaml

from tests.compose_file import DOCKER, SERVICES, environment_of

PATIENCE = 120.0
# Postgres refuses root.
UNPRIVILEGED = {"user": "nobody"} if os.geteuid() == 0 else {}


def free_port() -> int:
    with socket.socket() as candidate:
        candidate.bind(("127.0.0.1", 0))
        return candidate.getsockname()[1]


def wait_until(happened: Callable[[], bool], what: str) -> None:
    give_up = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < give_up, f"not in {PATIENCE:.0f} s: {what}"
        time.sleep(0.5)


def postgres_programs() -> Path | None:
    """The folder of Postgres' programs; Debian has it outside of PATH."""
    folders = [os.environ["PATH"], *map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin")))]
    found = shutil.which("initdb", path=os.pathsep.join(folders))
    return Path(found).parent if found else None


class Deployment:
    """The services in a folder of their own; `settings` are the lines of settings.env."""

    def __init__(self, folder: Path, postgres: Path | None, **settings: str) -> None:
        self.folder = folder
        self.dagster_home = folder / "data" / "dagster"
        self.postgres = postgres
        self.settings = settings
        self.ports = {port: str(free_port()) for port in ("3000", "4000", "5432")}
        self.running: dict[str, subprocess.Popen] = {}
        self.healthy: set[str] = set()
        self.dagster_home.mkdir(parents=True)
        instance = yaml.safe_load((DOCKER / "dagster.yaml").read_text())
        if postgres:
            instance["storage"]["postgres"]["postgres_db"]["port"] = int(self.ports["5432"])
        else:
            del instance["storage"]
        (self.dagster_home / "dagster.yaml").write_text(yaml.safe_dump(instance))
        (folder / "workspace.yaml").write_text(self.here((DOCKER / "workspace.yaml").read_text()))

    def here(self, text: str) -> str:
        """A text of docker/ with the places of this machine."""
        text = re.sub(r"\b(3000|4000)\b", lambda port: self.ports[port[0]], text)
        text = re.sub(r"0\.0\.0\.0|\bcode-location\b|^postgres$", "127.0.0.1", text)
        return re.sub(r"^/data\b", str(self.folder / "data"), text)

    def environment(self, service: str) -> dict[str, str]:
        """What the service sees: where the programs of its image are, and what compose.yaml gives."""
        programs = [Path(sys.executable).parent, self.postgres, os.environ["PATH"]]
        image = {
            "PATH": os.pathsep.join(str(folder) for folder in programs if folder),
            "PGHOST": "127.0.0.1",
            "PGPORT": self.ports["5432"],
        }
        given = {name: self.here(value) for name, value in environment_of(service).items()}
        return image | self.settings | given

    def exec(self, service: str, *command: str) -> subprocess.CompletedProcess:
        """`docker compose exec SERVICE COMMAND`."""
        return subprocess.run(
            command,
            env=self.environment(service),
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )

    def up(self, service: str) -> None:
        """Start a service after those that it depends on, when these are healthy."""
        if service in self.running or (service == "postgres" and not self.postgres):
            return
        wanted = SERVICES[service].get("depends_on", {})
        needed = [name for name, dependency in wanted.items() if dependency.get("required", True)]
        for name in needed:
            self.up(name)
            self.wait_for_health(name)
        if service == "postgres":
            self._start(service, self._new_cluster(), **UNPRIVILEGED)
        else:
            self._start(service, [self.here(word) for word in SERVICES[service]["command"]])

    def wait_for_health(self, service: str) -> None:
        """Until the service's own health check succeeds."""
        if service in self.running and service not in self.healthy:
            wait_until(lambda: self._is_healthy(service), f"{service} healthy")
            self.healthy.add(service)

    def _is_healthy(self, service: str) -> bool:
        assert self.running[service].poll() is None, self.log(service)
        kind, *command = map(self.here, SERVICES[service]["healthcheck"]["test"])
        assert kind == "CMD"
        return self.exec(service, *command).returncode == 0

    def _start(self, service: str, command: list[str], **options: str) -> None:
        with (self.folder / f"{service}.log").open("w") as log:
            self.running[service] = subprocess.Popen(
                command,
                env=self.environment(service),
                cwd=self.folder,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **options,
            )

    def _new_cluster(self) -> list[str]:
        """Make what the image of Postgres makes, a cluster with this user, password and database.

        Returns the command that serves it.
        """
        given = self.environment("postgres")
        cluster, password = self.folder / "postgres", self.folder / "password"
        cluster.mkdir()
        if UNPRIVILEGED:
            shutil.chown(cluster, "nobody")
        password.write_text(given["POSTGRES_PASSWORD"])
        user = [f"--username={given['POSTGRES_USER']}", f"--pwfile={password}", "--auth=scram-sha-256"]
        initdb = ["initdb", *user, "--encoding=UTF8", "--no-locale", str(cluster)]
        alone = ["postgres", "--single", "-D", str(cluster), "postgres"]
        for command, typed in ((initdb, ""), (alone, f"create database {given['POSTGRES_DB']}")):
            subprocess.run(
                command, env=given, input=typed, text=True, check=True, capture_output=True, **UNPRIVILEGED
            )
        own = ["listen_addresses=127.0.0.1", "unix_socket_directories=", f"port={self.ports['5432']}"]
        return ["postgres", "-D", str(cluster), *(f"--{setting}" for setting in own)]

    def log(self, service: str) -> str:
        """The end of what a service printed."""
        return f"{service}:\n{(self.folder / f'{service}.log').read_text()[-4000:]}"

    def down(self) -> dict[str, int]:
        """Stop the services as their containers are stopped; how each of them ended."""
        ends = {}
        for service, process in reversed(self.running.items()):
            # The image of Postgres asks for SIGINT: with SIGTERM it would wait for its clients.
            ending = signal.SIGINT if service == "postgres" else signal.SIGTERM
            if self.environment(service).get("TINI_KILL_PROCESS_GROUP"):
                os.killpg(process.pid, ending)
            else:
                process.send_signal(ending)
            ends[service] = process.wait(timeout=PATIENCE)
        return ends

    def processes(self) -> list[str]:
        """The command of every process that was started here, by a service or by what it started."""
        mark = f"PGPORT={self.ports['5432']}".encode()
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if mark in (process / "environ").read_bytes().split(b"\0"):
                    found.append((process / "cmdline").read_text().replace("\0", " "))
            except OSError:
                continue
        return found

    def kill(self) -> None:
        """Stop what a failed test left."""
        for process in self.running.values():
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(timeout=10)
