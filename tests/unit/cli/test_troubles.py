"""What a user is told when a disk or a database of Dagster fails: the path, and what to do."""

import errno
import os
import sqlite3
import sys
from pathlib import Path

import pytest
import sqlalchemy as sql
from aimsciqa_resources.warehouse import QueryError, WarehouseBrokenError

from aimsciqa_assets.cli import commands
from aimsciqa_assets.cli.pipeline import open_instance
from aimsciqa_assets.cli.troubles import told_of
from aimsciqa_assets.platform.home import Home
from tests.fakes import write_corpus

pytestmark = pytest.mark.slow

GARBAGE = b"no database " * 1000


@pytest.fixture
def home(tmp_path) -> Home:
    return Home(tmp_path / "home")


def told(error: BaseException, home: Home) -> str:
    message = told_of(error, home)
    assert message is not None
    return message


def raised_by(action) -> Exception:
    with pytest.raises(Exception) as raised:  # noqa: PT011
        action()
    return raised.value


@pytest.mark.parametrize(
    "database",
    ["history/runs.db", "history/runs/index.db", "schedules/schedules.db", "history/runs.db-middle"],
)
def test_a_damaged_database_of_dagster_is_named_and_its_folder_can_be_moved_away(home, database):
    with open_instance(home) as instance:
        instance.add_dynamic_partitions("batch", ["b"])
    file = home.dagster / database.removesuffix("-middle")
    whole = file.read_bytes()
    file.write_bytes(whole[:100] + GARBAGE[: len(whole) - 100] if database.endswith("-middle") else GARBAGE)
    for leftover in file.parent.glob(f"{file.name}-*"):
        leftover.unlink()

    def use() -> None:
        with open_instance(home) as instance:
            instance.add_dynamic_partitions("batch", ["c"])

    message = told(raised_by(use), home)
    assert message.startswith(f"Dagster's record of runs is damaged: {file} (")
    assert f"Move the folder {home.dagster} away" in message
    home.dagster.rename(home.folder / "dagster.damaged")
    use()


def writes(url: str, *statements: str) -> sql.exc.DatabaseError:
    """What SQLAlchemy raises when SQLite cannot write."""

    def write() -> None:
        with sql.create_engine(url).begin() as connection:
            for statement in statements:
                connection.exec_driver_sql(statement)

    error = raised_by(write)
    assert isinstance(error, sql.exc.DatabaseError)
    return error


def test_a_read_only_database_of_dagster_is_told_with_its_folder(home, tmp_path):
    with sqlite3.connect(tmp_path / "a.db") as connection:
        connection.execute("create table t (x)")
    error = writes(f"sqlite:///file:{tmp_path}/a.db?mode=ro&uri=true", "insert into t values (1)")
    message = told(error, home)
    assert message.startswith(f"Nothing can be written: {home.dagster}\nMake this folder writable")
    assert "AIMSCIQA_HOME" in message


def test_a_full_disk_under_dagster_is_told_with_its_folder(home, tmp_path):
    filling = ("pragma max_page_count = 2", "create table t (x)", "insert into t values (zeroblob(100000))")
    message = told(writes(f"sqlite:///{tmp_path}/a.db", *filling), home)
    assert message.startswith(
        f"The disk is full: {home.dagster}\nFree some space on it. What was finished is kept"
    )


def test_another_storage_that_cannot_be_reached_is_told_with_the_place_of_its_settings(home):
    error = sql.exc.OperationalError("select 1", {}, ConnectionError("connection refused"))
    message = told(error, home)
    assert message.startswith(
        f"Dagster's record of runs in {home.dagster} cannot be used: connection refused"
    )


def test_a_full_disk_that_the_system_names_without_a_path_is_told_with_that_of_the_home(home):
    def write() -> None:
        with Path("/dev/full").open("w") as full:
            full.write("x")

    message = told(raised_by(write), home)
    assert message.startswith(f"No space left on device: {home.folder}\nFree some space on this disk.")


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES, errno.EPERM])
def test_what_may_not_be_written_in_the_home_is_told_with_what_to_do(home, number):
    error = OSError(number, os.strerror(number), str(home.files))
    advice = "Make it writable for you, or name another folder in AIMSCIQA_HOME."
    assert told(error, home) == f"{os.strerror(number)}: {home.files}\n{advice}"
    assert told(OSError(number, "Denied", "/elsewhere"), home) == "Denied: /elsewhere"


@pytest.mark.parametrize(
    ("said", "start"),
    [
        ("IO Error: Cannot open file: Read-only file system", "Nothing can be written: "),
        ("IO Error: Could not write: No space left on device", "The disk is full: "),
    ],
)
def test_a_warehouse_on_a_bad_disk_is_not_called_damaged(home, said, start):
    error = WarehouseBrokenError(f"x cannot be opened: {said}\nIf it is damaged, move it away")
    message = told(error, home)
    assert message.startswith(start + str(home.folder))
    assert "move it away" not in message


def test_a_damaged_warehouse_keeps_its_own_message(home):
    assert told(WarehouseBrokenError("x: move it away"), home) == "WarehouseBroken: x: move it away"
    assert told(QueryError("no space left in this query"), home) == "Query: no space left in this query"


def test_a_settings_file_of_dagster_that_cannot_be_read_is_named(home):
    home.prepare()
    (home.dagster / "dagster.yaml").write_text("a: [")
    message = told(raised_by(lambda: open_instance(home)), home)
    assert message.startswith(f"{home.dagster / 'dagster.yaml'} cannot be read. Mend it, or move it away")


def test_a_fault_of_the_program_keeps_its_traceback(home):
    def fail() -> None:
        try:
            Path("/nowhere/at/all").read_text()
        except OSError:
            raise KeyError("x")  # noqa: B904

    assert told_of(raised_by(fail), home) is None


def test_the_command_line_prints_the_message_and_no_traceback(home, tmp_path, monkeypatch, capsys):
    home.prepare()
    (home.dagster / "history").mkdir()
    (home.dagster / "history" / "runs.db").write_bytes(GARBAGE)
    write_corpus(tmp_path / "papers", 1)
    monkeypatch.setenv("AIMSCIQA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(sys, "argv", ["aimsciqa", "ingest", str(tmp_path / "papers")])
    assert commands._exit_code() == 1
    said = capsys.readouterr().err
    assert f"damaged: {home.dagster / 'history' / 'runs.db'}" in said
    assert "Traceback" not in said


def test_a_traceback_carries_no_control_characters(monkeypatch, capsys):
    def fail(**_options: object) -> None:
        raise RuntimeError("\x1b[2J[red]gone")

    monkeypatch.setattr(commands, "app", fail)
    assert commands._exit_code() == 1
    said = capsys.readouterr().err
    assert r"RuntimeError: \x1b[2J[red]gone" in said
    assert "\x1b" not in said
