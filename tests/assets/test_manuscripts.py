"""Manuscripts through the tables: papers of their own, compared, and left alone by other systems."""

import json

import pytest
from aimsciqa_resources.language_model import ModelReply
from aimsciqa_resources.warehouse import Write
from typer.testing import CliRunner

from aimsciqa_assets.cli.commands import app
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.platform.running import bring_up_to_date
from aimsciqa_assets.platform.steps import STEPS, StepRun
from aimsciqa_assets.tables import TABLES
from tests.fakes import SentenceModel, write_corpus
from tests.manuscripts import FINAL, INITIAL, jats, write
from tests.two_batches import CLUSTER, pipeline_at

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


class Librarian:
    """Quotes the last paragraph that holds a word of the answer; without one there is no answer."""

    name, revision, sampling = "librarian", "1", ""

    def __init__(self) -> None:
        self.asked = []

    def replies(self, requests):
        for request in requests:
            self.asked.append(request)
            word = request.variables["answer"].split()[0]
            found = [one for one in request.variables["paragraphs"] if word in one["text"]]
            quotes = [{"paragraph": one["number"], "quote": one["text"][-20:]} for one in found[-1:]]
            verdict = "answerable" if quotes else "unanswerable"
            yield ModelReply(request.key, json.dumps({"verdict": verdict, "quotes": quotes}))


def pairs_of(*pairs: tuple[str, str, str, str]):
    """Rows of `scidqa.qa_pairs`: id, forum, question and answer are given."""
    row = dict.fromkeys(column.name for column in TABLES["scidqa.qa_pairs"].columns)
    texts = "extracted_question", "extracted_answer", "question_quote", "answer_quote"
    row |= dict.fromkeys(texts, "x") | {"cited_references": "{}", "position": 0, "status": "accepted"}
    row |= dict.fromkeys(
        ("discussion_id", "review_note_id", "model", "model_revision", "prompt_version"), "x"
    )
    named = ("qa_id", "forum_id", "question", "answer")
    rows = [row | {"batch": "batch-0001"} | dict(zip(named, pair, strict=True)) for pair in pairs]
    rows[-1] |= {"status": "rejected", "rejection_reason": "irrelevant"}
    return frame_of("scidqa.qa_pairs", rows)


def test_evidence_contrasts_and_cited_papers(tmp_path):
    model = Librarian()
    on = CLUSTER | {
        "AIMSCIQA_SCIDQA_EVIDENCE_VERSIONS": "initial final",
        "AIMSCIQA_SCIDQA_EVIDENCE_PARAGRAPHS": "3",
        "AIMSCIQA_SCIDQA_MODEL_BACKEND": "recorded",
        "AIMSCIQA_SCIDQA_MODEL_NAME": "librarian",
    }
    pipeline = pipeline_at(tmp_path / "home", model=model, environment=on)
    cited = (
        jats("<p>It is dense.</p>")
        .replace(b"Sparse attention for long documents", b"Dense attention over very long documents")
        .replace(b"10.1234/one.and.the.same", b"10.1234/another")
    )
    pipeline.take_manuscripts(
        write(
            tmp_path / "reviewed",
            a__initial__xml=INITIAL,
            a__final__xml=FINAL,
            d__initial__xml=cited,
            d__final__xml=cited,
        )
    )
    pairs = pairs_of(
        ("q1", "a", "How often was each run repeated?", "seeds were five"),
        (
            "q2",
            "a",
            "How does it differ from Dense attention over very long documents?",
            "Attention is costly",
        ),
        ("q3", "d", "Is it dense?", "dense"),
        ("q4", "a", "Irrelevant?", "seeds"),
    )
    pipeline.warehouse.replace(
        [Write("scidqa.qa_pairs", TABLES["scidqa.qa_pairs"].ddl(), pairs, {"batch": "batch-0001"})]
    )
    for tables in (
        ("corpus.papers", "batch-0001"),
        ("scidqa.answerability", "batch-0001"),
        ("corpus.citation_edges", ""),
        ("scidqa.contrasts", ""),
        ("scidqa.cited", ""),
    ):
        step = STEPS[tables[0]]
        bring_up_to_date(step, StepRun.of(step, tables[1], pipeline.resources))

    def rows(query: str) -> list[tuple]:
        return pipeline.warehouse.read(query).rows()

    assert rows("select qa_id, version, paper_id, verdict from scidqa.answerability order by all") == [
        ("q1", "final", "a.final", "answerable"),
        ("q1", "initial", "a.initial", "unanswerable"),
        ("q2", "final", "a.final", "answerable"),
        ("q2", "initial", "a.initial", "answerable"),
        ("q3", "initial", "d.initial", "answerable"),
    ]
    assert all(len(request.variables["paragraphs"]) <= 3 for request in model.asked)
    assert rows("select qa_id, contrast from scidqa.contrasts order by 1") == [
        ("q1", "gained"),
        ("q2", "both"),
    ]
    assert rows("from scidqa.cited")[0][:4] == ("q2", "a", "d.initial", "a.final")
    assert rows("select count(*) from scidqa.cited") == [(1,)]
    checks = ("scidqa_evidence_is_an_exact_quote", "scidqa_answers_have_evidence")
    for check in checks:
        assert rows(query_of(f"tests.{check}").text) == []
    pipeline.warehouse.replace(
        [
            Write(
                "scidqa.evidence",
                TABLES["scidqa.evidence"].ddl(),
                pipeline.warehouse.read(
                    "select * replace (evidence_start + 1 as evidence_start) from scidqa.evidence"
                ),
                {},
            )
        ]
    )
    assert len(rows(query_of("tests.scidqa_evidence_is_an_exact_quote").text)) == 4
