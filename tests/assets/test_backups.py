"""A home is backed up and restored: nothing is lost, and whatever is no whole backup is refused."""

import shutil
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from aimsciqa_resources.warehouse import CopyError

from aimsciqa_assets.cli.forgetting import forget_from
from aimsciqa_assets.cli.phases import plan_of_a_run
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.platform import backups
from aimsciqa_assets.platform.backups import Backup, BackupError, back_up, restore
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.steps import STEPS
from aimsciqa_assets.tables import TABLES
from tests.shell import QuickShell
from tests.small_home import copy_of, pipeline_at

pytestmark = pytest.mark.slow

OF_PEOPLE = (
    "audit/sheet.xlsx",
    "recordings.jsonl",
    "releases/one/items.jsonl",
    "releases/one/.gitattributes",
)
MADE_AGAIN = (
    "unfinished/corpus.papers.a/x",
    "releases/.one.new/fresh/x",
    "baseline.lock",
    "files/.partial.x",
)

KILLED = """
import os, signal, sys
from pathlib import Path
from aimsciqa_assets.platform import backups
from aimsciqa_assets.platform.home import Home
home, folder, step = sys.argv[1:]
setattr(backups, step, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
backups.back_up(Home(Path(home)), Path(folder))
"""


@pytest.fixture
def home(tmp_path, items_home) -> Home:
    """A home with items, what people put there, and what is under way."""
    made = Home(copy_of(items_home, tmp_path / "home"))
    for path in (*OF_PEOPLE, *MADE_AGAIN):
        (made.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (made.folder / path).write_text(path)
    (made.folder / "aimsciqa.toml").write_text("# ours\n")
    return made


@pytest.fixture
def folder(tmp_path) -> Path:
    return tmp_path / "backup"


def rows(home: Home) -> dict[str, list[tuple]]:
    return {
        table: home.warehouse.read(f"select * from {table} order by all").rows()
        for table in ("corpus.paragraphs", "single_hop.triplets", "relations.embeddings", "multi_hop.items")
    }


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def killed_at(step: str, home: Home, folder: Path) -> None:
    """Back up in a process that is killed when it comes to a step."""
    words = [sys.executable, "-c", KILLED, str(home.folder), str(folder), step]
    assert subprocess.run(words, check=False).returncode == -signal.SIGKILL


def states(pipeline: Pipeline) -> set[str]:
    plan = plan_of_a_run(pipeline.resources)
    made = ("corpus.papers", "single_hop.extractions", "single_hop.qa_pairs", "multi_hop.items")
    return {plan.of(STEPS[table], "batch-0001" if TABLES[table].by else "").state for table in made}


def test_a_home_that_is_gone_is_restored_and_no_model_is_asked_again(home, folder, tmp_path):
    before, ingested = rows(home), files(home.files)
    back_up(home, folder)
    shutil.rmtree(home.folder)
    new = Home(tmp_path / "new")
    restored = restore(new, folder)
    assert rows(new) == before
    assert all((new.folder / path).read_text() == path for path in OF_PEOPLE)
    assert not any((new.folder / path).exists() for path in (*MADE_AGAIN, "aimsciqa.toml"))
    assert files(new.files) == {path: data for path, data in ingested.items() if path != ".partial.x"}
    assert restored.settings.read_text() == "# ours\n"
    # The server of its model is down.
    pipeline = pipeline_at(new.folder)
    assert states(pipeline) == {"current"}
    forget_from(new.warehouse, "single_hop")
    assert pipeline.run(evaluate=False) == []
    assert new.warehouse.read("select 1 from ops.llm_calls where not from_journal").is_empty()
    assert rows(new)["multi_hop.items"] == before["multi_hop.items"]


def test_a_second_backup_copies_what_is_new_and_removes_what_is_gone(home, folder, tmp_path):
    first = back_up(home, folder)
    assert (first.copied, first.known) == (len(files(home.files)) - 1 + len(OF_PEOPLE) + 1, 0)
    (tmp_path / "one.txt").write_text("one more")
    home.file_store.put(tmp_path / "one.txt")
    gone = next(home.files.glob("[0-9a-f][0-9a-f]/*"))
    gone.unlink()
    second = back_up(home, folder)
    assert (second.copied, second.known) == (1 + len(OF_PEOPLE) + 1, first.copied - len(OF_PEOPLE) - 2)
    assert not (folder / "objects" / "files" / gone.parent.name / gone.name).exists()
    assert {path for path in files(folder) if path not in (".backup.lock", "backup.json")} == set(
        Backup.find(folder).files
    )


@pytest.mark.parametrize("step", ["export_journal", "_copied", "_write"])
def test_a_killed_backup_is_none_and_leaves_the_earlier_one(home, folder, tmp_path, step):
    killed_at(step, home, folder)
    assert files(folder)
    with pytest.raises(BackupError, match=r"no finished backup in .*backup: it has no backup\.json"):
        restore(Home(tmp_path / "new"), folder)
    back_up(home, folder)
    before = rows(home)
    forget_from(home.warehouse, "single_hop")
    (home.folder / "recordings.jsonl").write_text("later")
    killed_at(step, home, folder)
    restore(Home(tmp_path / "new"), folder)
    assert rows(Home(tmp_path / "new")) == before
    assert (tmp_path / "new" / "recordings.jsonl").read_text() == "recordings.jsonl"
    # The next one removes what the killed one left.
    back_up(home, folder)
    assert len(list(folder.glob("state.*"))) == 1


@pytest.mark.parametrize("fault", ["altered", "gone", "manifest"])
def test_a_backup_that_is_not_whole_is_refused_before_anything_is_restored(home, folder, tmp_path, fault):
    back_up(home, folder)
    file = next((folder / "objects" / "files").rglob("??*"))
    while file.is_dir():
        file = next(file.iterdir())
    match fault:
        case "altered":
            file.write_bytes(file.read_bytes()[:-1] + b"!")
        case "gone":
            file.unlink()
        case "manifest":
            (folder / "backup.json").write_text('{"format": 1, "files": {}}')
    told = (
        "this is no backup any more" if fault == "manifest" else r"^1 of \d+ files of .* are gone or were alt"
    )
    with pytest.raises(BackupError, match=told):
        restore(Home(tmp_path / "new"), folder)
    assert not (tmp_path / "new").exists()


def test_a_backup_of_another_format_is_told(home, folder):
    back_up(home, folder)
    manifest = folder / "backup.json"
    manifest.write_text(manifest.read_text().replace('"format": 1', '"format": 2'))
    for use in (back_up, restore):
        with pytest.raises(BackupError, match="has format 2: restore it with the aimsciqa that made it"):
            use(home, folder)


def test_a_backup_of_a_newer_program_is_told(home, folder, tmp_path):
    back_up(home, folder)
    manifest = folder / "backup.json"
    ours = f'"aimsciqa": "{version("aimsciqa")}"'
    assert ours in manifest.read_text()
    manifest.write_text(manifest.read_text().replace(ours, '"aimsciqa": "99.1"'))
    with pytest.raises(BackupError, match=r"is by aimsciqa 99\.1: restore it with that or a newer one"):
        restore(Home(tmp_path / "new"), folder)
    assert not (tmp_path / "new").exists()


def test_rows_and_files_that_are_there_are_never_overwritten(home, folder, tmp_path, items_home):
    back_up(home, folder)
    other = Home(copy_of(items_home, tmp_path / "other"))
    with pytest.raises(CopyError, match=r"has rows in .*warehouse\.duckdb: nothing was restored"):
        restore(other, folder)
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "recordings.jsonl").write_text("of somebody")
    with pytest.raises(BackupError, match=r"1 other files are in the way, such as .*recordings\.jsonl"):
        restore(Home(tmp_path / "new"), folder)
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["recordings.jsonl"]


def test_a_killed_restore_goes_on(home, folder, tmp_path, monkeypatch):
    back_up(home, folder)
    new = Home(tmp_path / "new")
    with monkeypatch.context() as patch:
        patch.setattr("aimsciqa_resources.warehouse.Warehouse.restore", _interrupted)
        with pytest.raises(KeyboardInterrupt):
            restore(new, folder)
    assert (new.folder / "recordings.jsonl").exists()
    assert not new.database.exists()
    again = restore(new, folder)
    assert (again.replies, again.files) == (0, 0)
    assert rows(new) == rows(home)


def _interrupted(*_given: object) -> None:
    raise KeyboardInterrupt


def test_what_changes_meanwhile_is_no_part_of_a_backup(home, folder, monkeypatch):
    copied = backups._copied

    def copied_late(source, key, path):
        (home.folder / "releases" / "one" / "items.jsonl").write_text("made anew")
        return copied(source, key, path)

    monkeypatch.setattr(backups, "_copied", copied_late)
    with pytest.raises(BackupError, match=r"items\.jsonl changed while it was copied"):
        back_up(home, folder)
    assert Backup.find(folder) is None


def test_an_altered_file_is_left_out_and_told_unless_an_earlier_backup_has_it(home, tmp_path):
    shell = QuickShell(home.folder)
    shell("warehouse", "backup", str(tmp_path / "early"))
    altered = next(home.files.glob("[0-9a-f][0-9a-f]/*"))
    good = altered.read_bytes()
    altered.write_bytes(b"other")
    key = f"files/{altered.parent.name}/{altered.name}"
    said = shell("warehouse", "backup", str(tmp_path / "late"), fails=1)
    assert f"{key} was altered before, and is not in the backup." in said
    assert key not in Backup.find(tmp_path / "late").by_key
    shell("warehouse", "backup", str(tmp_path / "early"))
    assert Backup.find(tmp_path / "early").by_key[key].read_bytes() == good
    said = QuickShell(tmp_path / "new")("warehouse", "restore", str(tmp_path / "early"))
    assert "replies and" in said
    assert f"The settings of then are in {tmp_path / 'early'}" in said


def test_a_folder_with_other_files_or_in_the_home_is_refused(home, tmp_path):
    with pytest.raises(BackupError, match="holds other files"):
        back_up(home, home.folder.parent)
    with pytest.raises(BackupError, match=r"backups lies in .*home: name a folder elsewhere"):
        back_up(home, home.folder / "backups")
