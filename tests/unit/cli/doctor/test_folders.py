"""`aimsciqa doctor` on a home as a folder: rights, room, owners, what killed runs left."""

import os
import shutil
from pathlib import Path

import pytest

from aimsciqa_assets.cli.doctor import folders
from aimsciqa_assets.cli.doctor.findings import Finding
from aimsciqa_assets.platform.home import Home
from tests.disks import a_folder_for_all, read_only
from tests.doctor_home import found_by, the_fault

pytestmark = pytest.mark.slow


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


def test_a_file_from_the_future(home):
    os.utime(home.database, (4_000_000_000, 4_000_000_000))
    assert the_fault("clock", home, now=lambda: 4_000_000_000 - 3600.0) == Finding(
        "warning",
        "a file of the home was changed 3,600 s in the future",
        "Set the clock of this machine, and of others that write here: `aimsciqa` and Dagster order what "
        "happened by time.",
    )
