"""Summaries of the paper store through the tables, with a scripted server: written, published, withdrawn."""

import json
import re
from collections import Counter

import dagster as dg
import duckdb
import polars as pl
import pytest
from aimsciqa_resources.language_model.opening import LanguageModels
from rich.console import Console
from typer.testing import CliRunner

from aimsciqa_assets.airqa.store.mineru import bundles_in
from aimsciqa_assets.airqa.store.searching import StoreSearch
from aimsciqa_assets.cli.commands import app
from aimsciqa_assets.cli.foretelling import foretold
from aimsciqa_assets.cli.phases import STORE_STEPS
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.scripted_model import ScriptedModel
from aimsciqa_assets.settings import Settings, SettingsError
from tests.drawn_papers import drawn_paper
from tests.fakes import WordEncoder, write_corpus
from tests.mineru_files import mineru_folder
from tests.model_server import ModelServer
from tests.model_server.steps import Status
from tests.two_batches import CLUSTER

pytestmark = pytest.mark.slow
TAGS = ["zinc", "cohort study", "dietary intake", "iron", "test corpus"]


def written(body) -> str:
    """A reply in the form that the prompt asks for, about what it shows."""
    system, user = body["messages"][0]["content"], body["messages"][1]["content"]
    shown = user if isinstance(user, str) else user[0]["text"]
    if '{"tags"' in system:
        return json.dumps({"tags": TAGS})
    if '{"tldr"' in system:
        return json.dumps({"tldr": f"Short: {re.search('Title: (.*)', shown)[1]}"})
    return json.dumps({"summary": f"Sum of {shown.splitlines()[1]}"})


def on(url: str, **more) -> dict[str, str]:
    model = {"BACKEND": "server", "NAME": "m", "BASE_URL": url}
    return (
        {"AIRQA_SUMMARIES": "true"} | {f"SUMMARY_MODEL_{name}": value for name, value in model.items()} | more
    )


def pipeline_at(folder, settings) -> Pipeline:
    environment = CLUSTER | {"AIMSCIQA_AIRQA_STORE": "true"}
    environment |= {f"AIMSCIQA_{name}": str(value) for name, value in settings.items()}
    home = Home(folder)
    models = LanguageModels(home.journal, scripted=ScriptedModel, recordings=home.recordings)
    resources = build_resources(
        home, Settings.preset_of("demo", environment), encoder=WordEncoder(), language_models=models
    )
    return Pipeline(home, resources, dg.DagsterInstance.ephemeral(), Console(quiet=True))


def stored(pipeline, query):
    with duckdb.connect(str(pipeline.home.folder / "airqa" / "papers.duckdb"), read_only=True) as connection:
        return connection.execute(query).fetchall()


def rows(pipeline, query):
    return pipeline.warehouse.read(query).rows()


@pytest.fixture(scope="module")
def papers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("airqa") / "papers"
    write_corpus(folder, 2)
    (folder / "drawn.pdf").write_bytes(drawn_paper())
    ((_, bundle),) = bundles_in(mineru_folder(folder.parent / "mineru"))
    (folder / "roots.mineru").write_bytes(bundle)
    return folder


def test_summaries_are_written_published_found_and_withdrawn(papers, tmp_path):
    with ModelServer(answer=written) as server:
        plain = pipeline_at(tmp_path, {})
        plain.ingest(papers)
        assert plain.publish_store() == []
        before = rows(plain, "select sum(store_vectors)::int, sum(store_summaries)::int from airqa.store")
        assert rows(plain, "select count(*) from airqa.summaries") == [(0,)]
        assert server.seen == []

        pipeline = pipeline_at(tmp_path, on(server.url, AIRQA_SUMMARY_IMAGES="true"))
        (now, later) = foretold(pipeline, 0, evaluate=False, only=STORE_STEPS)
        assert pipeline.publish_store() == []
        asked = {one.task: one.to_send for one in now}
        assert asked == {"airqa_summary": len(server.seen) - 4, "airqa_tldr": 3, "airqa_tags": 1}
        assert later == []
    told = "select column_name, status, rejection_reason, count(*)::int from airqa.summaries "
    assert rows(pipeline, f"{told} group by all order by all") == [
        ("image_summary", "written", None, 1),
        ("page_summary", "left_out", "nothing_to_read", 1),
        ("page_summary", "written", None, 4),
        ("section_summary", "written", None, len(server.seen) - 10),
        ("table_summary", "written", None, 1),
        ("tags", "written", None, 1),
        ("tldr", "written", None, 3),
    ]
    assert rows(pipeline, "select has_image from airqa.summaries where table_name = 'images'") == [(True,)]
    (picture,) = [seen for seen in server.seen if isinstance(seen.body["messages"][1]["content"], list)]
    assert picture.body["messages"][1]["content"][1]["image_url"]["url"].startswith("data:image/png;base64,")

    told = "select title, tldr, tags from metadata order by title"
    assert stored(pipeline, told)[1] == ("Roots", "Roots matter.", ["roots"])
    assert stored(pipeline, told)[2:] == [
        (
            f"Zinc in cohort {n} of the test corpus",
            f"Short: Zinc in cohort {n} of the test corpus",
            ["zinc", f"topic {n}"],
        )
        for n in (1, 2)
    ]
    of_pages = (
        "select distinct page_summary from pages join metadata on ref_paper_id = paper_id where num_pages = 2"
    )
    assert sorted(stored(pipeline, of_pages)) == [("Sum of Page 1",), ("Sum of Page 2",)]
    new = len(server.seen) - 1  # all but the tags
    after = rows(pipeline, "select sum(store_vectors)::int, sum(store_summaries)::int from airqa.store")
    assert after == [(before[0][0] + new, before[0][1] + new)]
    assert pl.read_ipc(tmp_path / "airqa" / "vectors.arrow").height == after[0][0]
    search = StoreSearch.of_home(tmp_path, WordEncoder())
    text = "Short: Zinc in cohort 1 of the test corpus"
    assert [(one.column, one.text) for one in search.search([text], 1)[0]] == [("tldr", text)]
    search.close()

    off = pipeline_at(tmp_path, {})
    assert off.publish_store() == []
    assert stored(off, "select count(*) from metadata where tldr is not null") == [(1,)]
    assert rows(off, "select sum(store_vectors)::int, sum(store_summaries)::int from airqa.store") == before


def test_new_papers_and_killed_runs_ask_what_is_missing(papers, tmp_path):
    corpus = tmp_path / "corpus"
    write_corpus(corpus, 1)
    with ModelServer(answer=written) as server:
        server.plan = lambda seen: Status(400) if seen.number >= 2 else None
        settings = on(server.url, SUMMARY_MODEL_IN_FLIGHT=1, SUMMARY_MODEL_FAILURE_SHARE=0)
        pipeline = pipeline_at(tmp_path / "home", settings)
        pipeline.ingest(corpus)
        (failure,) = pipeline.publish_store()
        assert failure.step == "airqa.summaries"
        server.plan = lambda _seen: None
        answered = {seen.key for seen in server.seen if seen.status == 200}
        assert pipeline.publish_store() == []
        paid = Counter(seen.key for seen in server.seen if seen.status == 200)
        assert answered
        assert set(paid.values()) == {1}

        write_corpus(corpus, 1, first=2)
        before = len(server.seen)
        pipeline.ingest(corpus)
        assert pipeline.publish_store() == []
        assert all("cohort 2" in seen.text for seen in server.seen[before:])
        assert len(server.seen) > before
        assert stored(pipeline, "select count(*) from metadata where tldr like 'Short%'") == [(2,)]


def test_what_the_store_cannot_take_is_a_row_with_its_reason(tmp_path):
    def faulty(body) -> str:
        shown = body["messages"][1]["content"]
        if "Section: Results" in shown:
            return json.dumps({"summary": "zinc " * 51})
        return "I would rather not." if "Page 1" in shown else written(body)

    def refusing(seen):
        return Status(400) if "Section: Introduction" in seen.text else None

    write_corpus(tmp_path / "papers", 1)
    with ModelServer(answer=faulty, plan=refusing) as server:
        pipeline = pipeline_at(tmp_path / "home", on(server.url, SUMMARY_MODEL_FAILURE_SHARE=1))
        pipeline.ingest(tmp_path / "papers")
        assert pipeline.publish_store() == []
    found = rows(
        pipeline, "select column_name, status, rejection_reason, text from airqa.summaries order by all"
    )
    assert found == [
        ("page_summary", "rejected", "malformed_reply", None),
        ("section_summary", "failed", "http_400", None),
        ("section_summary", "rejected", "too_many_words", None),
        ("tldr", "written", None, "Short: Zinc in cohort 1 of the test corpus"),
    ]
    assert stored(pipeline, "select page_summary from pages") == [(None,)]


def test_rules_write_no_summaries():
    settings = {"AIMSCIQA_AIRQA_STORE": "true", "AIMSCIQA_AIRQA_SUMMARIES": "true"}
    with pytest.raises(SettingsError, match="AIMSCIQA_SUMMARY_MODEL_BACKEND, or AIMSCIQA_MODEL_BACKEND"):
        Settings.preset_of("demo", settings)
    of_airqa = {"AIMSCIQA_AIRQA_MODEL_BACKEND": "recorded", "AIMSCIQA_AIRQA_MODEL_NAME": "somebody"}
    assert Settings.preset_of("demo", settings | of_airqa).summary_model.name == "somebody"


def test_the_command_previews_and_asks(tmp_path, monkeypatch):
    write_corpus(tmp_path / "papers", 1)
    with ModelServer(answer=written) as server:
        for name, value in on(server.url, AIRQA_VECTORS="false").items():
            monkeypatch.setenv(f"AIMSCIQA_{name}", value)
        monkeypatch.setenv("AIMSCIQA_HOME", str(tmp_path / "home"))
        run = CliRunner().invoke
        assert run(app, ["airqa", "store", str(tmp_path / "papers"), "--preview", "1"]).exit_code == 2
        assert run(app, ["ingest", str(tmp_path / "papers")]).exit_code == 0
        told = run(app, ["airqa", "store", "--preview", "1"])
        assert told.exit_code == 0, told.output
        assert re.search(r"airqa_summary\s+m\S*\s+3\s+0", told.output), told.output
        assert "due      corpus.papers" in told.output
        assert server.seen == []
        assert run(app, ["airqa", "store"]).exit_code == 0
        assert len(server.seen) == 4
