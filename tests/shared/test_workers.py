"""Two workers with homes of their own: files and what steps leave go through the shared place."""

import time
from pathlib import Path

import dagster as dg
import polars as pl
import pytest
from aimsciqa_resources.language_model.opening import LanguageModels, OneModel
from aimsciqa_resources.language_model.recordings import Recording, Recordings, RecordingsError, key_of
from aimsciqa_resources.shared_place import SharedPlace, SharedPlaceError, shared_place
from aimsciqa_resources.warehouse_resource import WarehouseResource
from rich.console import Console
from typer.testing import CliRunner

from aimsciqa_assets.airqa.store.publishing import papers_file, vectors_file
from aimsciqa_assets.cli.commands import app
from aimsciqa_assets.cli.doctor.findings import Examined
from aimsciqa_assets.cli.doctor.shared import shared_place_works
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.hopweaver.reranker.assets import RERANKERS, _folders
from aimsciqa_assets.platform import running
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.ledger import Ledger
from aimsciqa_assets.platform.plans import changes_of
from aimsciqa_assets.platform.running import bring_up_to_date
from aimsciqa_assets.platform.shared_recordings import adding_recordings, fetch_recordings, merge_recordings
from aimsciqa_assets.platform.steps import STEPS, StepRun
from aimsciqa_assets.settings import Settings
from tests.fakes import SentenceModel, WordEncoder, write_corpus
from tests.s3_server import free_port
from tests.two_batches import CLUSTER

pytestmark = pytest.mark.slow
STORE_STEPS = ("corpus.papers", "airqa.papers", "airqa.vectors", "airqa.summaries", "airqa.store")
STORE = STEPS["airqa.store"]
LATE = ["a file that it left was changed or deleted"]


@pytest.fixture
def shared(place, monkeypatch) -> str:
    monkeypatch.setenv("AIMSCIQA_SHARED", place)
    return place


@pytest.fixture
def workers(shared, tmp_path) -> tuple[Pipeline, Pipeline]:
    """Two workers on the same tables."""
    return worker(tmp_path, "one"), worker(tmp_path, "two")


def worker(folder: Path, name: str, **environment: str) -> Pipeline:
    home = Home(folder / name)
    home.folder.mkdir(exist_ok=True)
    settings = Settings.preset_of("demo", CLUSTER | {"AIMSCIQA_AIRQA_STORE": "true"} | environment)
    resources = build_resources(
        home,
        settings,
        warehouse=WarehouseResource(database=str(folder / "tables.duckdb"), folder=str(home.folder)),
        language_models=OneModel(SentenceModel()),
        encoder=WordEncoder(),
    )
    return Pipeline(home, resources, dg.DagsterInstance.ephemeral(), Console(quiet=True))


def run_of(pipeline: Pipeline, table: str) -> StepRun:
    batch = pipeline.warehouse.read("select distinct batch from corpus.input_files")["batch"][0]
    return StepRun.of(STEPS[table], batch, pipeline.resources)


def make(pipeline: Pipeline, table: str) -> bool:
    return bring_up_to_date(STEPS[table], run_of(pipeline, table))


def why(pipeline: Pipeline, table: str) -> list[str]:
    run = run_of(pipeline, table)
    return changes_of(STEPS[table], run, Ledger.read(run.warehouse, [STEPS[table]], run.settings))


def taken_in(pipeline: Pipeline, folder: Path) -> None:
    write_corpus(folder / "papers", 2)
    pipeline.ingest(folder / "papers")


def test_a_worker_reads_what_another_took_in_and_what_its_step_left(workers, tmp_path):
    one, two = workers
    taken_in(one, tmp_path)
    assert not two.home.files.exists()
    for number, table in enumerate(STORE_STEPS):
        assert make((two, one)[number % 2], table) is False
    assert papers_file(two.home.folder).exists()
    assert make(one, "airqa.store"), "the other worker has made it"
    assert not papers_file(one.home.folder).exists(), "fetched before anything needs it"
    running.fetch_read(STEPS["extractor.examples"], run_of(one, "extractor.examples"))
    for file in (papers_file, vectors_file):
        assert file(one.home.folder).read_bytes() == file(two.home.folder).read_bytes()


def test_a_worker_with_an_older_store_fetches_the_newer_one(workers, tmp_path):
    one, two = workers
    taken_in(one, tmp_path)
    for table in STORE_STEPS:
        make(one, table)
    one.home.fetch("airqa.store")
    two.home.fetch("airqa.store")
    papers_file(two.home.folder).write_bytes(b"older")
    two.home.fetch("airqa.store")
    assert papers_file(two.home.folder).read_bytes() == papers_file(one.home.folder).read_bytes()


def test_files_that_are_newer_than_the_rows_are_made_again(workers, tmp_path, monkeypatch):
    one, two = workers
    taken_in(one, tmp_path)
    for table in STORE_STEPS:
        make(one, table)
    assert why(two, "airqa.store") == []
    state = two.home.published.find("airqa.store").state
    changed = worker(tmp_path, "one", AIMSCIQA_AIRQA_CHUNK_SIZE="10")
    for table in STORE_STEPS[:-1]:
        make(changed, table)
    with monkeypatch.context() as killed:
        killed.setattr(running, "write_rows", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            make(changed, "airqa.store")
    assert two.home.published.find("airqa.store").state != state
    assert why(two, "airqa.store")
    assert make(changed, "airqa.store") is False
    assert why(changed, "airqa.store") == []


def _interrupt(*_given) -> None:
    raise KeyboardInterrupt


def test_a_step_is_made_again_when_nothing_is_published_of_it(workers, tmp_path, shared):
    one, two = workers
    taken_in(one, tmp_path)
    for table in STORE_STEPS:
        make(one, table)
    shared_place(shared).remove("published/names/airqa.store.json")
    assert why(two, "airqa.store") == LATE
    assert make(two, "airqa.store") is False
    assert why(one, "airqa.store") == []


def test_a_model_is_found_in_the_home_of_a_worker_that_fetched_it(workers, tmp_path):
    one, two = workers
    taken_in(one, tmp_path)
    model = one.home.folder / "models" / "hopweaver-reranker-1"
    model.mkdir(parents=True)
    (model / "model.safetensors").write_bytes(b"weights")
    one.home.published.publish(RERANKERS, one.home.folder, [model], "state")
    running.fetch_read(STEPS["hopweaver.ablation"], run_of(two, "hopweaver.ablation"))
    rows = pl.DataFrame({"folder": ["/of/another/machine/models/hopweaver-reranker-1"]})
    (found,) = _folders(run_of(two, RERANKERS), rows)
    assert found == two.home.folder / "models" / "hopweaver-reranker-1"
    assert (found / "model.safetensors").read_bytes() == b"weights"


def test_a_release_that_another_worker_withdrew_is_not_passed_on(workers, monkeypatch):
    one, two = (pipeline.home for pipeline in workers)
    release = one.folder / "releases" / "aimsciqa-release"
    release.mkdir(parents=True)
    (release / "SHA256SUMS").write_text("")
    one.published.publish("release.files", one.folder, [release], "first")
    monkeypatch.setenv("AIMSCIQA_HOME", str(two.folder))
    two.fetch("release.files")
    assert (two.folder / "releases" / "aimsciqa-release" / "SHA256SUMS").exists()
    one.published.publish("release.files", one.folder, [], "second")
    told = CliRunner().invoke(app, ["release", "verify"])
    assert "has withdrawn the release" in str(told.exception)


def reply(text: str, by: str = "jane") -> Recording:
    return Recording(key_of("task", {"asked": text}), "task", by, "2026-01-31T12:00:00+00:00", text)


def texts(home: Home) -> list[str]:
    return sorted(one.reply for one in Recordings(home.recordings)._all().values())


def test_recorded_replies_of_several_workers_come_together(workers):
    one, two = (pipeline.home for pipeline in workers)
    for home, text in ((one, "a"), (two, "b"), (one, "c")):
        with adding_recordings(home, home.recordings):
            Recordings(home.recordings).add([reply(text)])
    assert texts(one) == ["a", "b", "c"]
    models = LanguageModels(
        two.folder / "journal.sqlite",
        recordings=two.recordings,
        fetch_recordings=lambda: fetch_recordings(two),
    )
    assert models.recordings().find(reply("c").key, ["jane"]).reply == "c"


def test_replies_that_only_one_home_has_are_not_lost(workers):
    one, two = (pipeline.home for pipeline in workers)
    with adding_recordings(one, one.recordings):
        Recordings(one.recordings).add([reply("a")])
    Recordings(two.recordings).add([reply("of before")])
    with pytest.raises(RecordingsError, match="`aimsciqa shared upload` here: it adds them"):
        fetch_recordings(two)
    assert merge_recordings(two) == 1
    assert merge_recordings(two) == 0
    fetch_recordings(one)
    assert texts(one) == texts(two) == ["a", "of before"]


def test_the_snapshot_is_published_and_fetched_by_command(workers, tmp_path, monkeypatch):
    one, two = workers
    monkeypatch.setenv("AIMSCIQA_HOME", str(one.home.folder))
    (tmp_path / "papers").mkdir()
    write_corpus(tmp_path / "papers", 2)
    before = time.time()
    assert command("ingest", str(tmp_path / "papers"))[0] == 0
    assert command("inspect")[0] == 0
    assert before < two.home.snapshot_at < time.time() + 1
    monkeypatch.setenv("AIMSCIQA_HOME", str(two.home.folder))
    assert command("shared", "fetch", "report")[0] == 2
    code, told = command("shared", "fetch")
    assert (code, told) == (0, f"{two.home.snapshot}\n")
    assert two.home.snapshot.read_bytes() == one.home.snapshot.read_bytes()


def test_a_home_from_before_is_taken_along(tmp_path, place, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_HOME", str(tmp_path / "home"))
    write_corpus(tmp_path / "papers", 2)
    assert command("ingest", str(tmp_path / "papers"))[0] == 0
    Recordings(tmp_path / "home" / "recordings.jsonl").add([reply("a")])
    assert command("shared", "upload")[0] == 1, "no place is named"
    monkeypatch.setenv("AIMSCIQA_SHARED", place)
    code, told = command("shared", "upload")
    assert code == 0
    assert "2 ingested files are in the shared place" in told
    assert "1 recorded replies of this home were added" in told
    files = sorted(path.name for path in (tmp_path / "home" / "files").rglob("*") if path.is_file())
    assert sorted(Path(one.key).name for one in shared_place(place).below("files")) == files
    (altered, _) = (tmp_path / "home" / "files").glob("??/*")
    altered.write_bytes(b"altered")
    code, told = command("shared", "upload")
    assert code == 1
    assert f"{altered.name} was altered, and was not sent" in told.replace("\n", "")


def command(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, words)
    return result.exit_code, result.output


def found(home: Home, **given) -> list[tuple[str, str]]:
    return [(one.state, one.said) for one in shared_place_works(Examined(home, **given))]


def test_the_doctor_tries_the_place_and_leaves_nothing_there(workers, shared):
    home = workers[0].home
    assert found(home) == [("ok", f"{shared} can be read and written, and its clock agrees")]
    assert list(shared_place(shared).below("doctor")) == []
    ((state, said),) = found(home, now=lambda: time.time() - 3600)
    assert state == "problem"
    assert "s behind that of" in said


def test_the_doctor_tells_a_place_that_keeps_nothing(workers, shared, monkeypatch):
    home = workers[0].home
    monkeypatch.setattr(SharedPlace, "read", lambda _self, _key: None)
    assert found(home) == [("problem", f"{shared} does not give back what was put there")]


def test_the_doctor_tells_a_place_from_which_nothing_can_be_removed(workers, shared, monkeypatch):
    def refuse(_self, _key):
        raise SharedPlaceError(f"{shared} refuses\nAsk for the right.")

    monkeypatch.setattr(SharedPlace, "remove", refuse)
    assert found(workers[0].home) == [("warning", f"nothing can be removed: {shared} refuses")]


def test_the_doctor_tells_a_server_that_is_away(bucket, tmp_path, monkeypatch):
    from aimsciqa_assets.cli.doctor.findings import Check, findings_of

    monkeypatch.setenv("AIMSCIQA_SHARED", bucket)
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://127.0.0.1:{free_port()}")
    (told,) = findings_of(Check("shared", shared_place_works), Examined(Home(tmp_path)))
    assert told.state == "problem"
    assert f"{bucket} cannot be read or written" in told.said
    assert "See that the server runs" in told.advice
