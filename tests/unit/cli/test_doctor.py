"""`aimsciqa doctor`: a healthy home gives no finding, and each planted fault is told with what to do."""

import json
import os
import re
import shutil
import time
from dataclasses import dataclass, field
from email.utils import formatdate
from pathlib import Path

import pytest
from aimsciqa_resources.language_model.journal import Journal
from aiohttp import web

from aimsciqa_assets.asking import prompts
from aimsciqa_assets.cli.doctor import folders, installed
from aimsciqa_assets.cli.doctor.checks import CHECKS
from aimsciqa_assets.cli.doctor.findings import Check, Examined, Finding, findings_of
from aimsciqa_assets.cli.pipeline import open_instance
from aimsciqa_assets.platform.home import Home
from tests.disks import a_folder_for_all, read_only
from tests.fakes import write_corpus
from tests.loopback import LoopbackServer
from tests.shell import QuickShell
from tests.small_home import copy_of, pipeline_at

pytestmark = pytest.mark.slow
CHECK = {check.name: check for check in CHECKS}


def make_home(folder: Path) -> None:
    write_corpus(folder / "papers", 3)
    pipeline_at(folder / "home").ingest(folder / "papers")
    home = Home(folder / "home")
    Journal(home.journal).close()
    open_instance(home).dispose()


@pytest.fixture
def home(made_once, tmp_path, monkeypatch) -> Home:
    """A healthy home of one's own."""
    made = copy_of(made_once("doctor-home", make_home) / "home", tmp_path / "home")
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    # A test machine may have other packages than constraints.txt names.
    monkeypatch.setattr(installed, "_not_as_tested", list)
    return Home(made)


def found_by(name: str, home: Home, **examined) -> list[Finding]:
    return list(findings_of(CHECK[name], Examined(home, **examined)))


def the_fault(name: str, home: Home, **examined) -> Finding:
    """The only finding of a check that is not ok."""
    (fault,) = [one for one in found_by(name, home, **examined) if one.state != "ok"]
    return fault


@dataclass
class ModelDesk(LoopbackServer):
    """A server that lists its models, to those who have its key, and tells the time."""

    names: tuple[str, ...] = ("qwen-small",)
    key: str = ""
    ahead: float = 0.0
    _errors: list[Exception] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"{self.origin}/v1"

    def _application(self) -> web.Application:
        app = web.Application()
        app.router.add_get("/v1/models", self._models)
        return app

    async def _models(self, request: web.Request) -> web.Response:
        headers = {"Date": formatdate(time.time() + self.ahead, usegmt=True)}
        if self.key and request.headers.get("Authorization") != f"Bearer {self.key}":
            return web.json_response({"error": "who are you?"}, status=401, headers=headers)
        listed = [{"id": name, "object": "model"} for name in self.names]
        return web.json_response({"object": "list", "data": listed}, headers=headers)


def ask(monkeypatch, url: str, name: str = "qwen-small") -> None:
    for setting, value in {"BACKEND": "server", "NAME": name, "BASE_URL": url}.items():
        monkeypatch.setenv(f"AIMSCIQA_MODEL_{setting}", value)


def test_a_healthy_home_gives_no_finding(home, monkeypatch):
    with ModelDesk(key="sesame") as server:
        ask(monkeypatch, server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sesame")
        examined = Examined(home)
        found = {check.name: list(findings_of(check, examined)) for check in CHECKS}
    faults = [(name, one) for name, those in found.items() for one in those if one.state != "ok"]
    assert faults == []
    assert all(found.values()), "each check says something"
    assert found["models"] == [Finding("ok", f"{server.url} serves qwen-small")]
    assert found["files"] == [Finding("ok", "3 files looked at, all with their hash")]


def test_a_setting_that_nobody_knows(home, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_MODEL_NAMEE", "x")
    assert the_fault("settings", home) == Finding(
        "problem",
        "There is no setting AIMSCIQA_MODEL_NAMEE",
        "Did you mean AIMSCIQA_MODEL_NAME? docs/settings.md lists all settings; unset this one.",
    )
    # What the other checks would need of the settings is told once.
    assert found_by("models", home) == []


def test_a_prompt_that_replaces_none(home, monkeypatch, tmp_path):
    own = tmp_path / "prompts"
    own.mkdir()
    (own / "singel_hop.md").write_text("---\n---\nAsk.\n")
    monkeypatch.setenv("AIMSCIQA_PROMPTS", str(own))
    prompts.load_prompt.cache_clear()
    fault = the_fault("prompts", home)
    prompts.load_prompt.cache_clear()
    assert fault.said.startswith(
        f"{own}/singel_hop.md takes the place of no prompt. Did you mean single_hop.md?"
    )
    assert fault.advice == "Mend the file, or take it out of the folder that AIMSCIQA_PROMPTS names."


def test_a_home_that_cannot_be_written():
    with a_folder_for_all() as folder:
        (folder / "home").mkdir()
        with read_only(folder / "home"):
            fault = the_fault("home", Home(folder / "home"))
        assert fault == Finding(
            "problem",
            f"nothing can be written in {folder}/home: Permission denied",
            "Make this folder writable for you, or name another one in AIMSCIQA_HOME.",
        )


@pytest.mark.parametrize(
    ("free", "state", "said", "advice"),
    [
        (5 * 10**6, "problem", "5.0 MB free for HOME", "Free some space on this disk."),
        (
            2**30 + 10,
            "warning",
            "1.1 GB free for HOME, whose warehouse has 1.3 MB",
            "Free some space on this disk: each run publishes inspect.duckdb, a whole copy.",
        ),
    ],
)
def test_a_disk_without_room(home, monkeypatch, free, state, said, advice):
    usage = shutil.disk_usage(home.folder)._replace(free=free)
    monkeypatch.setattr(folders.shutil, "disk_usage", lambda _: usage)
    with home.database.open("ab") as database:
        database.truncate(1_300_000)
    assert the_fault("disk", home) == Finding(state, said.replace("HOME", str(home.folder)), advice)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")
def test_a_file_of_another_user(home):
    os.chown(home.journal, 65534, -1)
    assert the_fault("owners", home) == Finding(
        "warning",
        f"belonging to another user: {home.journal}",
        "Run `aimsciqa` as the same user always, or give them to this one: "
        f"`chown -R {os.geteuid()} {home.folder}`.",
    )


def test_a_file_that_anybody_may_change(home):
    home.journal.chmod(0o666)
    assert the_fault("owners", home) == Finding(
        "warning",
        f"anybody may change {home.journal}",
        f"Take that right away: `chmod -R o-w {home.folder}`. Settings and replies lie there.",
    )


def test_what_killed_runs_left(home):
    part = home.unfinished_part("relations.embeddings", "batch-0001")
    part.mkdir(parents=True)
    (part / "0.npy").write_bytes(bytes(2000))
    partial = home.files / ".partial.abc"
    partial.write_bytes(b"half")
    log = Path(f"{home.database}.wal")
    log.write_bytes(b"")
    said = [(one.state, one.said, one.advice) for one in found_by("leftovers", home)]
    assert said == [
        (
            "warning",
            f"unfinished parts of killed runs (2.0 kB): {part}",
            "`aimsciqa run` goes on from them and removes them. If you want none of it, delete them.",
        ),
        (
            "warning",
            f"half-written by killed commands: {partial}",
            "Delete it: the command that wrote it begins anew.",
        ),
        (
            "warning",
            f"a killed writer left {log}",
            "Leave it where it is: the next `aimsciqa run` takes what it holds into the warehouse.",
        ),
    ]


def test_a_home_without_a_warehouse(tmp_path):
    assert the_fault("warehouse", Home(tmp_path)) == Finding(
        "warning",
        "there is none yet",
        "Take in papers: `aimsciqa ingest DIR`. If you have one, name its folder in AIMSCIQA_HOME.",
    )
    # That is told once.
    assert found_by("files", Home(tmp_path)) == found_by("blocks", Home(tmp_path)) == []


def test_a_warehouse_that_is_no_database(home):
    home.database.write_bytes(b"no database " * 1000)
    fault = the_fault("warehouse", home)
    assert fault.state == "problem"
    assert fault.said.startswith(f"WarehouseBroken: {home.database} is damaged or not a database")
    assert fault.advice.startswith(
        "Move it and warehouse.duckdb.wal away. Then `aimsciqa ingest` your papers"
    )


def test_a_damaged_block_of_the_warehouse(home):
    with home.database.open("r+b") as database:
        database.seek(home.database.stat().st_size // 2)
        database.write(os.urandom(4096))
    fault = the_fault("blocks", home)
    assert fault.state == "problem"
    assert fault.said.startswith(f"WarehouseBroken: {home.database} is damaged or not a database")
    assert "`aimsciqa ingest` your papers again, and `aimsciqa run`: no model is asked again" in fault.advice


def test_a_table_of_another_version(home):
    with Examined(home).warehouse.get_connection() as connection:
        connection.execute("alter table ops.failures drop column traceback")
    assert the_fault("warehouse", home) == Finding(
        "warning",
        "some tables are those of another version",
        "`aimsciqa run` alters them, and makes again what lacks a column; replies come from the journal. "
        "`aimsciqa status --why` names the columns.",
    )


def test_a_damaged_journal(home):
    whole = home.journal.read_bytes()
    home.journal.write_bytes(whole[:100] + b"no database " * 500)
    assert the_fault("journal", home) == Finding(
        "problem",
        f"{home.journal} is damaged",
        f"Save what is left: `sqlite3 {home.journal} .recover | sqlite3 recovered.sqlite`, and put that in "
        "its place; or move it away, and replies are paid for again.",
    )


@pytest.mark.parametrize("altered", [True, False])
def test_a_stored_file_that_is_altered_or_gone(home, altered):
    stored = next(path for path in sorted(home.files.rglob("*")) if len(path.name) == 64)
    stored.chmod(0o644)
    stored.write_bytes(b"other") if altered else stored.unlink()
    fault = the_fault("files", home)
    what = "was altered: its bytes are not those that were taken in" if altered else "is missing"
    assert fault.state == "problem"
    assert fault.said == f"1 of 3 files looked at: {stored}: the stored file {what}"
    assert fault.advice.startswith("Give the same file again with `aimsciqa ingest FILE` (or its folder)")


def test_a_dagster_yaml_that_cannot_be_read(home):
    (home.dagster / "dagster.yaml").write_text("storage: [\n")
    fault = the_fault("dagster", home)
    assert fault.state == "problem"
    assert fault.said == (
        f"{home.dagster}/dagster.yaml cannot be read. Mend it, or move it away: the next command writes a "
        "new one."
    )


def test_nightly_runs_without_a_daemon(home, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_NIGHTLY_ENABLED", "true")
    assert the_fault("dagster", home) == Finding(
        "problem",
        "nightly runs are on, and the daemon that starts them was never started",
        "Start it: `make ui`, `dagster-daemon run`, or the service `daemon` of docker/.",
    )


def test_a_server_that_is_down(home, monkeypatch):
    ask(monkeypatch, "http://127.0.0.1:9/v1")
    fault = the_fault("models", home)
    assert fault.state == "problem"
    assert fault.said.startswith("http://127.0.0.1:9/v1 cannot be reached (")
    assert fault.advice == "Start it, or mend AIMSCIQA_MODEL_BASE_URL."


def test_a_server_of_another_model(home, monkeypatch):
    with ModelDesk(names=("llama-3", "qwen-large")) as server:
        ask(monkeypatch, server.url)
        fault = the_fault("models", home)
    assert fault == Finding(
        "problem",
        f"{server.url} does not serve qwen-small; it serves llama-3, qwen-large",
        "Set AIMSCIQA_MODEL_NAME to the name of a model that it serves, or let it serve this one.",
    )


@pytest.mark.parametrize(
    ("given", "said", "advice"),
    [
        (
            "",
            "wants a key, and OPENAI_API_KEY holds none",
            "Put the key into the environment variable OPENAI_API_KEY.",
        ),
        (
            "wrong-key-1234",
            "does not accept the key in OPENAI_API_KEY",
            "Put a valid key into this variable, or name another one in AIMSCIQA_MODEL_API_KEY_VARIABLE.",
        ),
    ],
)
def test_a_key_that_is_missing_or_wrong_is_never_printed(home, monkeypatch, given, said, advice):
    monkeypatch.setenv("OPENAI_API_KEY", given)
    with ModelDesk(key="sesame") as server:
        ask(monkeypatch, server.url)
        fault = the_fault("models", home)
    assert fault == Finding("problem", f"{server.url} {said}", advice)
    assert not given or given not in str(fault)


def test_an_embedding_server_that_is_down(home, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_BENCHMARK_RETRIEVERS", "bm25 server:e5")
    monkeypatch.setenv("AIMSCIQA_BENCHMARK_EMBEDDING_BASE_URL", "http://127.0.0.1:9/v1")
    fault = the_fault("embedding", home)
    assert fault.said.startswith("http://127.0.0.1:9/v1 cannot be reached (")
    assert fault.advice == (
        "Start it, or mend AIMSCIQA_BENCHMARK_EMBEDDING_BASE_URL, or its base_url in "
        "AIMSCIQA_BENCHMARK_RETRIEVER_MODELS."
    )


@pytest.mark.parametrize(
    ("ahead", "state", "said"),
    [
        (7200, "problem", r"this clock is 7,(199|200) s behind that of a server"),
        (-60, "warning", r"this clock is 6\d s ahead of that of a server"),
    ],
)
def test_a_clock_that_is_wrong(home, monkeypatch, ahead, state, said):
    with ModelDesk(ahead=ahead) as server:
        ask(monkeypatch, server.url)
        fault = the_fault("clock", home)
    assert fault.state == state
    assert re.fullmatch(said, fault.said)
    assert fault.advice == "Set the clock of this machine, or of the server (`timedatectl set-ntp true`)."


def test_a_file_from_the_future(home):
    os.utime(home.database, (4_000_000_000, 4_000_000_000))
    assert the_fault("clock", home, now=lambda: 4_000_000_000 - 3600.0) == Finding(
        "warning",
        "a file of the home was changed 3,600 s in the future",
        "Set the clock of this machine, and of others that write here: `aimsciqa` and Dagster order what "
        "happened by time.",
    )


def test_an_encoder_that_is_not_there(home, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_ENCODER_MODEL", "nobody/has-this")
    monkeypatch.setenv("AIMSCIQA_ENCODER_REVISION", "abc")
    assert the_fault("encoders", home) == Finding(
        "problem",
        "nobody/has-this is not on this machine, and HF_HUB_OFFLINE=1 forbids to fetch it",
        "Fetch it where there is a network: `HF_HUB_OFFLINE=0 hf download nobody/has-this --revision abc`.",
    )


def test_an_encoder_without_its_weights(home, monkeypatch, tmp_path):
    (tmp_path / "config.json").write_text("{}")
    monkeypatch.setenv("AIMSCIQA_ENCODER_MODEL", str(tmp_path))
    fault = the_fault("encoders", home)
    assert fault.said == f"{tmp_path} holds no whole model: config.json or the weights are missing"


def test_a_gpu_that_torch_does_not_see(home, monkeypatch):
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(installed, "find_spec", lambda _: object())
    monkeypatch.setenv("AIMSCIQA_MODEL_BACKEND", "vllm")
    monkeypatch.setenv("AIMSCIQA_MODEL_NAME", "Qwen/Qwen2.5-7B-Instruct")
    fault = the_fault("gpu", home)
    assert fault.said.startswith("Qwen/Qwen2.5-7B-Instruct is to run in this process, and torch 2")
    assert fault.advice == (
        "Look at `nvidia-smi`; install a torch that is built for CUDA; give a container its GPU. Or ask a "
        "server: AIMSCIQA_MODEL_BACKEND=server."
    )


def test_recorded_replies_that_are_not_there(home, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_MODEL_BACKEND", "recorded")
    monkeypatch.setenv("AIMSCIQA_MODEL_NAME", "jane-doe")
    fault = the_fault("recordings", home)
    assert fault.said == f"there are no recorded replies: {home.recordings} is missing"
    assert fault.advice.startswith("Make them with `aimsciqa record requests` and `aimsciqa record replies`")


def test_a_package_of_another_version(home, monkeypatch):
    true = installed.version
    monkeypatch.setattr(installed, "version", lambda name: "0.10.0" if name == "duckdb" else true(name))
    assert the_fault("packages", home) == Finding(
        "problem",
        "duckdb is 0.10.0; <3,>=1.5.5 is needed",
        'Install what fits: `pip install --upgrade "aimsciqa[platform]"`.',
    )


def test_an_extension_of_another_duckdb(home, monkeypatch):
    @dataclass
    class Wheel:
        version: str
        metadata: dict

    wheels = [Wheel("1.5.4", {"Name": "duckdb_extension_ducklake"})]
    monkeypatch.setattr(installed, "distributions", lambda: wheels)
    monkeypatch.setattr(installed, "version", lambda _: "1.5.5")
    assert the_fault("duckdb", home) == Finding(
        "problem",
        "DuckDB 1.5.5 loads no extension of another version: duckdb-extension-ducklake 1.5.4",
        'Install both as the extra says: `pip install "aimsciqa[cluster]"`.',
    )


def test_a_check_that_fails_itself_is_told_as_a_fault_of_the_program(tmp_path):
    def examine(_: Examined):
        raise LookupError("nothing there")

    (fault,) = findings_of(Check("own", examine), Examined(Home(tmp_path)))
    assert fault.said == "the check itself failed: LookupError: nothing there"
    assert fault.advice == "This is a fault of the program. Report it with these lines."


def the_command(home: Home, *words: str, fails: int = 0, **settings: str) -> str:
    return QuickShell(home.folder, **settings)("doctor", *words, fails=fails)


def test_the_command_tells_a_line_for_each_check_and_ends_with_1_after_a_problem(home):
    said = the_command(home).splitlines()
    assert [line.split()[:2] for line in said[:-1]] == [["ok", check.name] for check in CHECKS]
    assert said[-1] == "0 problems, 0 warnings."
    said = the_command(home, "--quick", fails=1, model_namee="x")
    assert "problem  settings    There is no setting AIMSCIQA_MODEL_NAMEE\n" in said
    assert "                     Did you mean AIMSCIQA_MODEL_NAME? " in said
    assert said.endswith("1 problem, 0 warnings.\n")
    assert "blocks" not in said


def test_the_command_prints_json(home):
    (home.dagster / "dagster.yaml").write_text("storage: [\n")
    rows = json.loads(the_command(home, "--json", fails=1))
    assert [row["check"] for row in rows] == [check.name for check in CHECKS]
    assert {row["check"] for row in rows if row["state"] == "problem"} == {"dagster"}
