"""Manuscripts through the tables: papers of their own, compared, and left alone by other systems."""

import pytest
from typer.testing import CliRunner

from aimsciqa_assets.cli.commands import app
from tests.fakes import SentenceModel, write_corpus
from tests.manuscripts import FINAL, INITIAL, jats, write
from tests.two_batches import pipeline_at

pytestmark = pytest.mark.slow


def test_versions_are_compared_and_only_scidqa_asks_about_them(tmp_path):
    write_corpus(tmp_path / "papers", 2)
    reviewed = write(
        tmp_path / "reviewed",
        a__initial__xml=INITIAL,
        a__final__xml=FINAL,
        b__initial__xml=jats("<p>The same.</p>"),
        b__final__xml=jats("<p>The same.</p>"),
        c__final__xml=jats("<p>The only one.</p>"),
    )
    model = SentenceModel()
    pipeline = pipeline_at(tmp_path / "home", model=model)
    pipeline.ingest(tmp_path / "papers")
    pipeline.take_manuscripts(reviewed)
    assert pipeline.run(evaluate=False) == []

    def rows(query: str) -> list[tuple]:
        return pipeline.warehouse.read(query).rows()

    papers = rows("select paper_id from corpus.papers where article_type = 'manuscript' order by 1")
    assert papers == [("a.final",), ("a.initial",), ("b.initial",), ("c.final",)]
    assert rows("select kind, forums, changed_forums, share from scidqa.change_summary order by kind") == [
        ("figure", 2, 1, 0.5),
        ("paragraph", 2, 1, 0.5),
        ("reference", 2, 0, 0.0),
        ("section", 2, 1, 0.5),
        ("table", 2, 1, 0.5),
    ]
    assert rows("select change from scidqa.changes where forum_id = 'b' group by 1") == [("same",)]
    assert all("attention" not in str(request.variables).lower() for request in model.asked)
    standing = "select distinct rejection_reason from corpus.source_papers where paper_id like '%.final'"
    assert rows(standing) == [("evaluation_only",)]
    assert rows("select count(*) from corpus.admitted_papers") == [(2,)]

    pipeline.take_manuscripts(write(tmp_path / "newer", c__initial__xml=jats("<p>An earlier one.</p>")))
    assert pipeline.run(evaluate=False) == []
    assert rows("select forums, changed_forums from scidqa.change_summary where kind = 'paragraph'") == [
        (3, 2)
    ]


def test_the_command_tells_what_it_took_and_what_not(tmp_path, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_HOME", str(tmp_path / "home"))
    folder = write(
        tmp_path / "reviewed",
        a__initial__xml=INITIAL,
        a__final__xml=FINAL,
        b__final__xml=FINAL.replace(b"seeds", b"weeds"),
        c__initial__pdf=b"no PDF",
        paper__pdf=b"",
    )
    told = CliRunner().invoke(app, ["reviews", "papers", str(folder)])
    assert told.exit_code == 1
    assert "3 new manuscripts, 0 replaced by newer files, 0 known already; 2 forums." in told.output
    assert "1 files are not named like a version" in told.output
    assert "1 forums have one version only" in told.output
    assert "c.initial.pdf" in told.output
    again = CliRunner().invoke(app, ["reviews", "papers", str(tmp_path / "nowhere")])
    assert again.exit_code != 0
    assert "There is no folder" in str(again.output) + str(again.exception)
