"""Requests drawn of every prompt, to try models and prompts on, and the replies to them taken in."""

import json
from pathlib import Path

import pytest
from aimsciqa_resources.language_model.record_files import RequestsFile, take_replies
from aimsciqa_resources.language_model.recordings import Recordings, key_of_request
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.aim_sciqa.multi_hop.replies import CRITERIA
from aimsciqa_assets.asking.prompts import prompt_names
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.cli.readable import FAULTS
from aimsciqa_assets.cli.sampling import draw, why_none
from aimsciqa_assets.judging.dimensions import DIMENSIONS
from aimsciqa_assets.settings import Settings
from tests.fakes import SentenceModel
from tests.small_home import copy_of, pipeline_at
from tests.two_batches import CLUSTER

pytestmark = pytest.mark.slow


OFF = (
    *("airqa_", "extractor_", "findings_", "fact_", "hopweaver_", "necessity_", "rag_", "scidqa_"),
    "answer_selection",
)
ASKED = [name for name in prompt_names() if not name.startswith(OFF)]
"""What is off has nothing to ask about: AirQA, Findings, HopWeaver, the models of the ledger, RAG baselines.
Reviews, and the answers to segments of their manuscripts, have a home of their own: test_review_requests."""


class Person(SentenceModel):
    """Replies to every task."""

    def _quality_judge(self, _told) -> str:
        return json.dumps({name: "Yes" if name == "multi_hop" else "Good" for name in DIMENSIONS})

    def _refusal_judge(self, _told) -> str:
        return json.dumps(dict.fromkeys(CRITERIA, "reject"))

    def reply(self, line: dict) -> str:
        return self.reply_to(line["task"], line["variables"])


@pytest.fixture(scope="module")
def home(evaluated, tmp_path_factory) -> Path:
    """Papers with items, rankings and answers, by the paper's prompts; three pairs were refused."""
    folder = copy_of(evaluated, tmp_path_factory.mktemp("sampled") / "home")
    with Warehouse(str(folder / "warehouse.duckdb")).get_connection() as connection:
        connection.execute(
            "insert into multi_hop.items select * replace (item_id || '-refused' as item_id, "
            "'pre_rejected' as status, 'refused' as rejection_reason) from multi_hop.items order by 1 limit 3"
        )
    return folder


def drawn_from(pipeline: Pipeline, most: int, seed: int = 1, prompts=None):
    wanted = prompts or ASKED
    journal = pipeline.home.journal
    return draw(
        pipeline.resources, pipeline.batches(), wanted, by="jane", most=most, seed=seed, journal=journal
    )


@pytest.fixture(scope="module")
def drawn(home):
    """Four requests of each prompt."""
    return drawn_from(pipeline_at(home, **CLUSTER), 4)


def test_every_prompt_is_drawn(drawn):
    assert {name: len(found) for name, found in drawn.items()} == dict.fromkeys(ASKED, 4) | {
        "refusal_judge": 3
    }
    assert all(one.task == name for name, found in drawn.items() if name != "repair" for one in found)


def test_repairs_are_asked_of_several_tasks_after_replies_that_cannot_be_read(drawn):
    assert len({request.task for request in drawn["repair"]}) == 4
    for request in drawn["repair"]:
        bad, complaint = request.messages[-2:]
        assert (bad.role, request.purpose) == ("assistant", "repair")
        assert FAULTS[request.task](bad.text) in complaint.text


def test_replies_to_all_of_them_are_taken_in(drawn, tmp_path):
    with RequestsFile(tmp_path / "sample.jsonl") as out:
        for found in drawn.values():
            for request in found:
                assert out.write(request, "jane")
    lines = [json.loads(line) for line in (tmp_path / "sample.jsonl").read_text().splitlines()]
    filled = [line | {"reply": Person().reply(line)} for line in lines]
    (tmp_path / "replies.jsonl").write_text("".join(json.dumps(line) + "\n" for line in filled))
    recordings = Recordings(tmp_path / "recordings.jsonl")
    taken = take_replies(tmp_path / "replies.jsonl", recordings, FAULTS, by="jane")
    assert (taken.problems, taken.new) == ([], 4 * len(ASKED) - 1)
    repaired = drawn["repair"][0]
    assert recordings.find(key_of_request(repaired), ["jane"]).task == repaired.task


def test_nothing_is_written_into_the_home(home, drawn):
    warehouse = Warehouse(str(home / "warehouse.duckdb"))
    assert warehouse.read("from benchmark.refusals").is_empty()


def test_requests_are_drawn_alike_every_time(home, drawn):
    pipeline = pipeline_at(home, **CLUSTER)
    keys = [key_of_request(request) for request in drawn["single_hop"]]
    assert len(set(keys)) == 4
    again = drawn_from(pipeline, 2, prompts=["single_hop"])
    assert {name: [key_of_request(one) for one in found] for name, found in again.items()} == {
        "single_hop": keys[:2]
    }
    other = drawn_from(pipeline, 4, seed=2, prompts=["single_hop"])
    assert [key_of_request(request) for request in other["single_hop"]] != keys
    (paragraphs,) = pipeline.warehouse.read("select count(*) from corpus.paragraphs").row(0)
    assert len(drawn_from(pipeline, 10_000, prompts=["single_hop"])["single_hop"]) == paragraphs


def test_repairs_alone_are_the_same(home, drawn):
    alone = drawn_from(pipeline_at(home, **CLUSTER), 4, prompts=["repair"])
    assert list(alone) == ["repair"]
    keys = [[key_of_request(one) for one in found["repair"]] for found in (alone, drawn)]
    assert keys[0] == keys[1]


ON = {
    "AIMSCIQA_HOPWEAVER_KINDS": "bridge comparison",
    "AIMSCIQA_HOPWEAVER_FEWEST_CHARACTERS": "1",
    "AIMSCIQA_BENCHMARK_RAG": "standard sure ircot search",
    "AIMSCIQA_NECESSITY_MODELS": "recorded:bob",
}
FIRST = (
    *("hopweaver_bridge_entity", "hopweaver_comparison_subject", "necessity_answer"),
    *("rag_answer", "rag_candidates", "rag_thought", "rag_search"),
)


def test_systems_that_are_on_are_drawn_although_nothing_of_them_was_made(home):
    pipeline = pipeline_at(home, **CLUSTER | ON)
    others = [name for name in prompt_names() if name.startswith(OFF)]
    found = drawn_from(pipeline, 2, prompts=others)
    assert {name: len(found.get(name, [])) for name in FIRST} == dict.fromkeys(FIRST, 2)
    assert not any(found.get(name) for name in ("hopweaver_bridge_fusion", "rag_summary"))
    assert "follows replies to earlier prompts" in why_none("hopweaver_bridge_fusion", pipeline.settings)
    assert pipeline.warehouse.read("from hopweaver.documents").is_empty()


def test_what_follows_replies_is_drawn_where_these_are_known(home, tmp_path):
    pipeline = pipeline_at(
        copy_of(home, tmp_path / "home"),
        **CLUSTER
        | ON
        | {"AIMSCIQA_HOPWEAVER_MODEL_BACKEND": "recorded", "AIMSCIQA_HOPWEAVER_MODEL_NAME": "ann"},
    )
    name = "hopweaver_comparison_subject"
    first = drawn_from(pipeline, 1, prompts=[name])[name]
    with RequestsFile(tmp_path / "sample.jsonl") as out:
        out.write(first[0], "ann")
    (line,) = map(json.loads, (tmp_path / "sample.jsonl").read_text().splitlines())
    reply = '("subject_entity"<|>"a cohort"<|>"cohort") ## ("attribute"<|>"zinc"<|>"3 mg")<|COMPLETE|>'
    (tmp_path / "replies.jsonl").write_text(json.dumps(line | {"reply": reply}))
    recordings = pipeline.resources["language_models"].recordings()
    assert take_replies(tmp_path / "replies.jsonl", recordings, FAULTS, by="ann").new == 1
    (scores,) = drawn_from(pipeline, 5, prompts=["hopweaver_comparison_scores"])[
        "hopweaver_comparison_scores"
    ]
    assert scores.variables["subject"] == "a cohort"


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("hopweaver_bridge_polisher", "off; AIMSCIQA_HOPWEAVER_KINDS=bridge"),
        ("hopweaver_comparison_scores", "off; AIMSCIQA_HOPWEAVER_KINDS=comparison"),
        ("rag_thought", "off; AIMSCIQA_BENCHMARK_RAG"),
        ("necessity_mark", "off; AIMSCIQA_NECESSITY_MODELS"),
        ("findings_drafting", "off; AIMSCIQA_SYSTEMS=findings"),
        ("single_hop", "off; AIMSCIQA_SYSTEMS=aim-sciqa"),
        ("refusal_judge", "off; AIMSCIQA_SYSTEMS=aim-sciqa"),
        ("answering", "the corpus has nothing yet"),
    ],
)
def test_the_setting_that_turns_a_prompt_on_is_named(prompt, told):
    settings = Settings.preset_of("demo", {"AIMSCIQA_SYSTEMS": ""})
    assert why_none(prompt, settings).startswith(told)
