"""SciDQA's pairs through the tables, with a scripted server: found, judged, killed, rejected with reasons."""

import json
from collections import Counter

import dagster as dg
import duckdb
import pytest
from aimsciqa_resources.language_model.opening import LanguageModels
from rich.console import Console

from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.queries import queries_in
from aimsciqa_assets.scidqa.intake.listing import Listing
from aimsciqa_assets.scidqa.intake.writing import room_for_notes, write_notes
from aimsciqa_assets.scripted_model import ScriptedModel
from aimsciqa_assets.settings import Settings, SettingsError
from tests.fakes import WordEncoder
from tests.model_server import ModelServer
from tests.model_server.steps import Status
from tests.review_discussion import FOLLOW_UP, REPLY, REVIEW
from tests.some_steps import run_some
from tests.tiny_language_model import write_language_model

pytestmark = pytest.mark.slow
PAIR = {
    "question": "How many seeds did you use?",
    "question_quote": "How many seeds were used?",
    "answer": "We used five seeds for each setting.",
    "answer_quote": "We used five seeds for each setting.",
}
EDIT = {
    "pair": 1,
    "relevance": "relevant",
    "why": "It asks about the experiments.",
    "question": "How many seeds are used?",
    "answer": "Five seeds are used for each setting.",
    "added": [],
    "version": "initial",
    "multi_document": False,
}


def note(note_id, forum, replyto, invitation, signature, number, **content):
    return {
        "id": note_id,
        "forum": forum,
        "replyto": replyto,
        "invitation": f"ICLR.cc/2020/Conference/{invitation}",
        "signatures": [f"ICLR.cc/2020/Conference/{signature}"],
        "content": content,
        "cdate": 1_600_000_000_000 + number,
    }


def thread(forum, reply=REPLY, review=REVIEW):
    """A forum with a review, a reply of the authors to it, and what the reviewer says to that."""
    mine = "Paper1/-/Official_Comment"
    return [
        note(forum, forum, None, "-/Blind_Submission", "Paper1/Authors", 0, title=f"Sampler {forum}"),
        note(
            f"{forum}-r", forum, forum, "Paper1/-/Official_Review", "Paper1/AnonReviewer1", 1, review=review
        ),
        note(f"{forum}-a", forum, f"{forum}-r", mine, "Paper1/Authors", 2, comment=reply),
        note(f"{forum}-b", forum, f"{forum}-a", mine, "Paper1/AnonReviewer1", 3, comment=FOLLOW_UP),
    ]


def replying(pairs=(PAIR,), edits=(EDIT,)):
    def answer(body) -> str:
        is_edit = '{"edits"' in body["messages"][0]["content"]
        return json.dumps({"edits": list(edits)} if is_edit else {"pairs": list(pairs)})

    return answer


def pipeline_at(folder, url="", **more) -> Pipeline:
    model = {"BACKEND": "server", "NAME": "m", "BASE_URL": url}
    settings = {f"AIMSCIQA_SCIDQA_MODEL_{name}": value for name, value in model.items()} if url else {}
    settings |= {"AIMSCIQA_SCIDQA_EXTRACTION": "true"} if url else {}
    settings |= {f"AIMSCIQA_{name}": str(value) for name, value in more.items()}
    home = Home(folder)
    models = LanguageModels(home.journal, scripted=ScriptedModel, recordings=home.recordings)
    resources = build_resources(
        home, Settings.preset_of("demo", settings), encoder=WordEncoder(), language_models=models
    )
    return Pipeline(home, resources, dg.DagsterInstance.ephemeral(), Console(quiet=True))


def run_reviews(pipeline):
    """Make what is made of reviews."""
    return run_some(pipeline, "scidqa.qa_pairs", alone=("ops.rejections",))


def bring(pipeline, *notes):
    with room_for_notes(pipeline.warehouse, "file") as folder:
        with Listing(folder) as listing:
            for number, one in enumerate(notes, start=1):
                listing.add_line(number, json.dumps(one).encode())
        write_notes(listing.listed, pipeline.warehouse, "file", 100)


def rows(pipeline, query):
    return pipeline.warehouse.read(query).rows()


def failed_checks(pipeline):
    settings = pipeline.resources["settings"]
    return {
        name
        for name, query in queries_in("tests").items()
        if name.startswith("scidqa")
        and pipeline.warehouse.read(query.text, query.parameters(settings)).height
    }


def test_without_a_model_the_setting_says_that_it_needs_one():
    with pytest.raises(SettingsError, match="AIMSCIQA_SCIDQA_EXTRACTION=true needs a language model"):
        Settings.preset_of("demo", {"AIMSCIQA_SCIDQA_EXTRACTION": "true"})


def test_discussions_are_filtered_without_a_model_and_pairs_wait_for_one(tmp_path):
    plain = pipeline_at(tmp_path)
    silent = thread("F2")[:2]
    nothing_asked = thread("F3", reply="Thanks.", review="Nice.")[:3]
    bring(plain, *thread("F1"), *silent, *nothing_asked)
    assert plain.run() == []
    told = "select review_note_id, reply_note_ids, requests, status, rejection_reason from scidqa.discussions"
    assert rows(plain, f"{told} order by 1") == [
        ("F1-r", ["F1-a", "F1-b"], 3, "kept", None),
        ("F2-r", [], 3, "rejected", "no_reply"),
        ("F3-r", ["F3-a"], 0, "rejected", "no_request"),
    ]
    told = "select position, cue from scidqa.requests where note_id = 'F1-r' order by 1"
    assert rows(plain, told) == [(0, "question_mark"), (1, "unclear"), (2, "please")]
    assert rows(plain, "select count(*) from scidqa.qa_pairs") == [(0,)]

    with ModelServer(answer=replying()) as server:
        pipeline = pipeline_at(tmp_path, server.url)
        assert pipeline.run() == []
        assert len(server.seen) == 2
        told = "select question, status, version, version_rule, version_model from scidqa.qa_pairs"
        assert rows(pipeline, told) == [
            ("How many seeds are used?", "accepted", "revised", "revised", "initial")
        ]
        assert failed_checks(pipeline) == set()
        assert pipeline.run() == []
        assert len(server.seen) == 2, "nothing is asked twice"


def test_a_reply_below_the_submission_belongs_to_the_review_that_it_names(tmp_path):
    plain = pipeline_at(tmp_path)
    mine = ("Paper1/-/Official_Comment", "Paper1/Authors")
    general = [
        note("F1-x", "F1", "F1", *mine, 4, title="Response to Reviewer 1", comment=REPLY),
        note("F1-y", "F1", "F1-x", "Paper1/-/Official_Comment", "Paper1/AnonReviewer1", 5, comment="Fine."),
        note("F1-z", "F1", "F1", *mine, 6, title="To all", comment="We thank everybody."),
        note("F1-w", "F1", "F1", *mine, 7, title="To Reviewer 9", comment="We disagree."),
    ]
    bring(plain, *thread("F1")[:2], *general)
    assert run_reviews(plain) == []
    told = "select review_note_id, reply_note_ids, status from scidqa.discussions"
    assert rows(plain, told) == [("F1-r", ["F1-x", "F1-y"], "kept")]
    told = "select note_id, review_note_ids, rejection_reason from scidqa.root_replies order by 1"
    assert rows(plain, told) == [
        ("F1-w", [], "names_unknown_reviewer"),
        ("F1-x", ["F1-r"], None),
        ("F1-z", [], "names_no_reviewer"),
    ]
    told = "select rejection_reason, rows from ops.rejections where table_name = 'scidqa.root_replies'"
    assert ("names_no_reviewer", 1) in rows(plain, told)


def test_a_late_reply_makes_its_discussion_anew_and_asks_about_no_other(tmp_path):
    with ModelServer(answer=replying()) as server:
        pipeline = pipeline_at(tmp_path, server.url)
        bring(pipeline, *thread("F1")[:3], *thread("F2"))
        assert run_reviews(pipeline) == []
        before = len(server.seen)
        bring(pipeline, thread("F1")[3])
        assert run_reviews(pipeline) == []
        assert ["Sampler F1" in seen.text for seen in server.seen[before:]] == [True]
        told = "select forum_id, status from scidqa.qa_pairs order by 1"
        assert rows(pipeline, told) == [("F1", "accepted"), ("F2", "accepted")]


def test_every_failure_is_a_row_with_its_reason(tmp_path):
    pairs = (
        PAIR,
        PAIR,
        PAIR | {"answer_quote": "We used ten seeds."},
        PAIR | {"question": "Thanks for the nice paper.", "question_quote": "Interesting work on a sampler."},
        PAIR | {"question": "Is [1] faster?", "question_quote": "It is unclear whether [1] is faster."},
    )
    edits = (
        EDIT,
        EDIT | {"pair": 2},
        EDIT | {"pair": 3, "question": "Is [r1] faster than your sampler?"},
    )

    def answer(body) -> str:
        shown = body["messages"][1]["content"]
        if "Sampler F2" in shown:
            return "I would rather not."
        if "Sampler F3" in shown and "=== Pair" in shown:
            return json.dumps({"edits": []})
        return replying(pairs, edits)(body)

    def plan(seen):
        return Status(400) if "Sampler F4" in seen.text else None

    with ModelServer(answer=answer, plan=plan) as server:
        pipeline = pipeline_at(tmp_path, server.url, SCIDQA_MODEL_FAILURE_SHARE=1)
        bring(pipeline, *(one for forum in ("F1", "F2", "F3", "F4") for one in thread(forum)))
        assert run_reviews(pipeline) == []
    told = "select position, rejection_reason from scidqa.qa_pairs where forum_id = 'F1' order by 1"
    assert rows(pipeline, told) == [
        (0, None),
        (1, "duplicate"),
        (2, "answer_quote_not_found"),
        (3, "courtesy_question"),
        (4, "question_addresses_somebody"),
    ]
    reasons = dict(rows(pipeline, "select forum_id, rejection_reason from scidqa.extractions"))
    assert reasons["F1"] is None
    assert reasons["F2"] == "malformed_reply"
    assert reasons["F4"] is not None
    told = "select rejection_reason from scidqa.qa_pairs where forum_id = 'F3'"
    assert Counter(rows(pipeline, told))[("not_edited",)] == 3
    told = "select rejection_reason, rows from ops.rejections where table_name = 'scidqa.qa_pairs'"
    assert ("not_edited", 3) in rows(pipeline, told)
    assert failed_checks(pipeline) == set()


def test_checks_find_changed_quotes(tmp_path):
    with ModelServer(answer=replying()) as server:
        pipeline = pipeline_at(tmp_path, server.url)
        bring(pipeline, *thread("F1"))
        assert run_reviews(pipeline) == []
    for change, check in (
        ("answer_start = answer_start + 1", "scidqa_quotes_are_exact"),
        ("relevance = null", "scidqa_pairs_are_complete"),
    ):
        with duckdb.connect(str(pipeline.home.database)) as connection:
            connection.execute(f"update scidqa.qa_pairs set {change}")
        assert check in failed_checks(pipeline)


def test_perplexities_are_measured_where_a_model_is_set(tmp_path):
    folder = write_language_model(tmp_path / "tiny", [REVIEW, REPLY])
    with ModelServer(answer=replying()) as server:
        pipeline = pipeline_at(tmp_path / "home", server.url, SCIDQA_PERPLEXITY_MODEL=folder)
        bring(pipeline, *thread("F1"))
        assert run_reviews(pipeline) == []
    told = "select perplexity_before > 1, perplexity_after > 1 from scidqa.qa_pairs"
    assert rows(pipeline, told) == [(True, True)]
