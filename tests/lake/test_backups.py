"""The drill: a lake is backed up while somebody writes, destroyed, restored elsewhere, and goes on."""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from aimsciqa_resources.shared_place import shared_place
from aimsciqa_resources.warehouse import CopyError, Warehouse

from aimsciqa_assets.cli.forgetting import forget_from
from aimsciqa_assets.cli.phases import PHASES
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.platform.backups import UPKEEP, BackupError, back_up, restore
from aimsciqa_assets.platform.home import Home
from tests.fakes import write_corpus
from tests.lake import writers
from tests.lake.servers import new_database
from tests.model_server import ModelServer
from tests.s3_server import access_to, make_bucket
from tests.shell import AIMSCIQA, Shell
from tests.small_home import pipeline_at

pytest.importorskip("obstore", reason="needs a client of S3: make test-cluster")
pytestmark = pytest.mark.slow
OF_THE_WRITER = {"s.state", "s.log"}
OF_THE_RUN = {"ops.materializations", "ops.llm_calls"}
QA_PHASES = [
    number
    for number, phase in enumerate(PHASES)
    if {"corpus.papers", "single_hop.extractions", "single_hop.qa_pairs"}
    & {one.writes[0] for one in phase.steps}
]
_NUMBERS = count()

WRITING = """
import sys
from itertools import count
from aimsciqa_resources.warehouse import CopyError, Warehouse
from tests.lake import writers
warehouse = Warehouse(*sys.argv[1:])
for number in count():
    warehouse.replace(writers.writes("w", number))
    print(number, flush=True)
"""


class Lab:
    """A lake with its catalogue, bucket and shared place, and the home of one worker."""

    def __init__(self, folder: Path, catalogue: str, bucket: str, s3: str) -> None:
        self.catalogue = catalogue
        self.places = {name: f"s3://{bucket}/{name}" for name in ("lake", "shared")}
        self.shell = Shell(
            folder,
            warehouse=f"ducklake:postgres:{catalogue}",
            warehouse_data=self.places["lake"],
            shared=self.places["shared"],
        )
        self.shell.environment |= access_to(s3)
        self.warehouse = Warehouse(f"ducklake:postgres:{catalogue}", self.places["lake"], str(folder))

    @contextmanager
    def pipeline(self, url: str) -> Iterator[Pipeline]:
        """The pipeline of the worker, in this process, whose models are at `url`."""
        with pytest.MonkeyPatch.context() as patch:
            for name, value in self.shell.environment.items():
                patch.setenv(name, value)
            pipeline = pipeline_at(self.shell.home, url)
            yield pipeline
            pipeline.resources["language_models"].close()

    def digests(self) -> dict[str, tuple[int, int]]:
        """Rows and the sum of their hashes, of every table."""
        from aimsciqa_resources.warehouse.copying import digest, tables_in
        from aimsciqa_resources.warehouse.lake import NAME

        with self.warehouse.reading() as connection:
            tables = tables_in(connection, NAME)
            found = {table: digest(connection, NAME, table, columns) for table, columns in tables.items()}
        return {table: (one.rows, one.hashes) for table, one in found.items()}

    def destroy(self) -> None:
        """Lose the database, all objects, and the home."""
        import psycopg
        from aimsciqa_resources.warehouse.lake import _engine

        _engine.cache_clear()
        name = self.catalogue.split("dbname=")[1]
        with psycopg.connect(self.catalogue.replace(name, "postgres"), autocommit=True) as connection:
            connection.execute(f"drop database {name} with (force)")
        for place in map(shared_place, self.places.values()):
            for one in [*place.below("")]:
                place.remove(one.key)
        shutil.rmtree(self.shell.home)


def differing(one: Mapping[str, object], other: Mapping[str, object]) -> set[str]:
    """The tables that are not the same on both sides."""
    return {table for table in one.keys() | other.keys() if one.get(table) != other.get(table)}


@pytest.fixture
def lab(s3, postgres, tmp_path, monkeypatch) -> Iterator[Lab]:
    """A lake on S3 that is empty yet."""
    with lab_in(tmp_path, s3[0], postgres, monkeypatch) as made:
        yield made


@contextmanager
def lab_in(folder: Path, s3: str, postgres: str, monkeypatch) -> Iterator[Lab]:
    for name, value in access_to(s3).items():
        monkeypatch.setenv(name, value)
    number = next(_NUMBERS)
    make_bucket(f"{s3}/lab-{number}")
    with new_database(postgres, f"lab_{number}") as catalogue:
        yield Lab(folder / f"worker-{number}", catalogue, f"lab-{number}", s3)


@contextmanager
def writing(warehouse: Warehouse) -> Iterator[subprocess.Popen]:
    """A process that writes, round after round, until it is killed."""
    given = [warehouse.database, warehouse.data, warehouse.folder]
    process = subprocess.Popen([sys.executable, "-c", WRITING, *given], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "0\n"
    yield process
    assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()


def rounds(process: subprocess.Popen) -> int:
    """The last round that it finished."""
    return int(process.stdout.read().splitlines()[-1])


def answer(pipeline: Pipeline) -> None:
    """Bring QA pairs up to date; the later tables are beside the point."""
    for number in QA_PHASES:
        for batch in pipeline.batches():
            assert pipeline.run_phase(number, batch) == []


def train(home: Home) -> None:
    """Publish a folder, as a step does that trains a model."""
    (home.folder / "models" / "one").mkdir(parents=True)
    (home.folder / "models" / "one" / "weights").write_bytes(b"w" * 1000)
    home.published.publish("hopweaver.rerankers", home.folder, [home.folder / "models" / "one"], "state")


@pytest.mark.long
def test_a_lake_that_was_destroyed_goes_on_from_its_backup(lab, s3, postgres, tmp_path, monkeypatch):
    write_corpus(tmp_path / "papers", 6)
    write_corpus(tmp_path / "more", 2, first=7)
    backup = str(tmp_path / "backup")
    with ModelServer() as server, lab.pipeline(server.url) as pipeline:
        pipeline.ingest(tmp_path / "papers")
        answer(pipeline)
        train(pipeline.home)
        asked = len(server.seen)
    with writing(lab.warehouse) as writer:
        said = lab.shell("warehouse", "backup", backup)
    assert rounds(writer) > 3
    assert f"has all tables, {asked} replies, and 8 files, of which 8 were copied." in said
    before = lab.digests()
    lab.destroy()

    with lab_in(tmp_path, s3[0], postgres, monkeypatch) as new:
        new.shell("warehouse", "restore", backup)
        after = new.digests()
        assert len(after) > 50
        assert differing(before, after) <= OF_THE_WRITER
        # The writer's two tables are of one round, which is whole.
        state, log = writers.state_of(new.warehouse)
        assert state["w"] == (writers.ROWS, max(log["w"]), max(log["w"]))
        assert log["w"] == set(range(max(log["w"]) + 1))
        with ModelServer() as server, new.pipeline(server.url) as pipeline:
            forget_from(new.warehouse, "single_hop")
            answer(pipeline)
            assert server.seen == []
            assert differing(after, new.digests()) <= OF_THE_RUN
            pipeline.ingest(tmp_path / "more")
            answer(pipeline)
            assert 0 < len(server.seen) < asked
            assert pipeline.home.fetch("hopweaver.rerankers") is None
            assert (new.shell.home / "models" / "one" / "weights").read_bytes() == b"w" * 1000


RESTORING = """
import os, signal, sys
from pathlib import Path
from aimsciqa_assets.platform.backups import restore
from aimsciqa_assets.platform.backups import UPKEEP, BackupError, back_up, restore
from aimsciqa_assets.platform.home import Home
from aimsciqa_resources.warehouse import copying
copied, left = copying._must_be, int(sys.argv[3])
def killed_later(*given):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
    copied(*given)
copying._must_be = killed_later
restore(Home(Path(sys.argv[1])), Path(sys.argv[2]))
"""


@pytest.fixture
def small(lake, tmp_path, monkeypatch) -> Home:
    """A home over a lake in a folder, with some rows, an ingested file and a published one."""
    (tmp_path / "shared").mkdir()
    home = home_over(lake, tmp_path / "shared", monkeypatch)
    lake.replace(writers.writes("w", 1))
    lake.replace(writers.writes("v", 2))
    (tmp_path / "paper.xml").write_text("paper")
    home.file_store.keep(given(home, b"from PMC"), hashlib.md5(b"from PMC").hexdigest())
    home.file_store.put(tmp_path / "paper.xml")
    train(home)
    (home.folder / "audit").mkdir()
    (home.folder / "audit" / "sheet.csv").write_text("5")
    home.recordings.write_text("{}")
    home.published.publish("recordings", home.folder, [home.recordings])
    return home


def given(home: Home, data: bytes) -> Path:
    """A file that came to a home."""
    path = home.files / "come"
    path.parent.mkdir()
    path.write_bytes(data)
    return path


def home_over(lake: Warehouse, shared: Path, monkeypatch) -> Home:
    """The home of a worker of a lake, which is the one of this process from now on."""
    monkeypatch.setenv("AIMSCIQA_WAREHOUSE", lake.database)
    monkeypatch.setenv("AIMSCIQA_WAREHOUSE_DATA", lake.data)
    monkeypatch.setenv("AIMSCIQA_SHARED", str(shared))
    Path(lake.folder).mkdir(parents=True, exist_ok=True)
    return Home(Path(lake.folder))


@pytest.fixture
def empty(postgres, tmp_path, monkeypatch) -> Iterator[Callable[[], Home]]:
    """Takes this process to a new catalogue, folder of rows, shared folder and home."""
    with new_database(postgres, f"empty_{next(_NUMBERS)}") as catalogue:
        folder = tmp_path / "elsewhere"
        (folder / "shared").mkdir(parents=True)
        lake = Warehouse(f"ducklake:postgres:{catalogue}", str(folder / "rows"), str(folder / "home"))
        yield lambda: home_over(lake, folder / "shared", monkeypatch)


def state_and_log(warehouse: Warehouse) -> list[list[tuple]]:
    return [warehouse.read(f"select * from {table} order by all").rows() for table in sorted(OF_THE_WRITER)]


def objects(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_a_killed_restore_of_a_lake_goes_on(small, empty, tmp_path):
    before, shared = state_and_log(small.warehouse), objects(tmp_path / "shared")
    back_up(small, tmp_path / "backup")
    home = empty()
    words = [sys.executable, "-c", RESTORING, str(home.folder), str(tmp_path / "backup"), "2"]
    assert subprocess.run(words, check=False).returncode == -signal.SIGKILL
    (log,) = home.warehouse.read("select count(*) from s.log").row(0)
    assert log == 2
    restored = restore(home, tmp_path / "backup")
    assert restored.replies == 0
    assert state_and_log(home.warehouse) == before
    assert objects(tmp_path / "elsewhere" / "shared") == shared
    assert (home.folder / "audit" / "sheet.csv").read_text() == "5"


def test_a_lake_with_other_rows_or_names_is_left_as_it_is(small, empty, tmp_path):
    back_up(small, tmp_path / "backup")
    home = empty()
    home.recordings.write_text("of somebody")
    home.published.publish("recordings", home.folder, [home.recordings])
    with pytest.raises(BackupError, match=r"1 other files are in the way, such as .*names/recordings\.json"):
        restore(home, tmp_path / "backup")
    home.warehouse.replace(writers.writes("w", 7))
    with pytest.raises(CopyError, match=r"s\.\w+ has \d+ rows there that are not those"):
        restore(home, tmp_path / "backup")
    assert home.warehouse.read("select max(round) from s.state").item() == 7
    assert home.file_store.find(hashlib.md5(b"from PMC").hexdigest()) is None


def test_a_lake_is_restored_as_a_home_and_a_home_as_a_lake(small, empty, tmp_path, monkeypatch):
    before = state_and_log(small.warehouse)
    back_up(small, tmp_path / "backup")
    for name in ("AIMSCIQA_WAREHOUSE", "AIMSCIQA_WAREHOUSE_DATA", "AIMSCIQA_SHARED"):
        monkeypatch.delenv(name)
    home = Home(tmp_path / "plain")
    restore(home, tmp_path / "backup")
    assert state_and_log(home.warehouse) == before
    assert (home.folder / "models" / "one" / "weights").read_bytes() == b"w" * 1000
    assert home.recordings.read_text() == "{}"
    assert home.file_store.get(home.file_store.find(hashlib.md5(b"from PMC").hexdigest())) == b"from PMC"
    back_up(home, tmp_path / "of-the-home")
    lake = empty()
    restore(lake, tmp_path / "of-the-home")
    assert state_and_log(lake.warehouse) == before
    assert lake.file_store.get(lake.file_store.find(hashlib.md5(b"from PMC").hexdigest())) == b"from PMC"
    assert (lake.folder / "models" / "one" / "weights").read_bytes() == b"w" * 1000


def test_maintenance_waits_for_a_backup(small, catalogue):
    import psycopg

    waiting = "select count(*) from pg_locks where locktype = 'advisory' and not granted"
    with small.warehouse.one_at_a_time(UPKEEP), psycopg.connect(catalogue, autocommit=True) as connection:
        maintaining = subprocess.Popen(
            [AIMSCIQA, "maintain"], env=os.environ | {"AIMSCIQA_HOME": str(small.folder)}
        )
        while connection.execute(waiting).fetchone() == (0,):
            assert maintaining.poll() is None
            time.sleep(0.1)
    assert maintaining.wait() == 0
