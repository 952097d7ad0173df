"""The baselines of AirQA over three small papers and a scripted server: what each asks, and what comes of it."""

import json

import pytest

from tests.airqa_home import answer, resources_at, rows, uuids
from tests.model_server import ModelServer

pytestmark = pytest.mark.slow


def one_answer(_body) -> str:
    return '{"answer": "3 mg"}'


def asked_about(server, question):
    """The task message of the first request about an example."""
    found = [seen for seen in server.seen if question in str(seen.body["messages"][1]["content"])]
    return found[0].body["messages"][1]["content"]


ZINC = "By how much did grain zinc fall in wheat?"
LEAD = "Which paper did not measure lead?"
QUESTION = f"Question: {ZINC}\nAnswer format: A text."
SHOWN = {
    "question_only": f"<paper>\nTitle: Zinc of wheat\n</paper>\n\n{QUESTION}",
    "title_abstract": f"<paper>\nTitle: Zinc of wheat\n\nGrain zinc fell.\n</paper>\n\n{QUESTION}",
    "full_text": "<paper>\nTitle: Zinc of wheat\n\nGrain zinc fell by 3 mg in wheat.\n\nPots held ten litres.\n"
    f"</paper>\n\n{QUESTION}",
    "rag": "<paper>\nTitle: Zinc of wheat\n</paper>\n\n"
    "<passage>\nPaper: Zinc of wheat, page 1\n\nGrain zinc fell by 3 mg in wheat.\n</passage>\n\n"
    "<passage>\nPaper: Zinc of wheat, page 1\n\nGrain zinc fell by 3 mg in wheat.\n</passage>\n\n"
    f"{QUESTION}",
}


@pytest.mark.parametrize("baseline", SHOWN)
def test_what_a_baseline_without_an_agent_shows(tmp_path, baseline):
    with ModelServer(answer=one_answer) as server:
        resources = resources_at(tmp_path, server.url, airqa_baselines=baseline, airqa_passages=2)
        run_id = answer(resources)
    assert asked_about(server, ZINC) == SHOWN[baseline]
    sent = server.seen[0].body
    assert (sent["temperature"], sent["top_p"], sent["max_tokens"]) == (0.7, 0.95, 1500)
    found = rows(resources, "select example_id, status, answer, turns, reason from airqa.answers order by 1")
    assert found == [(f"e{n}", "answered", '"3 mg"', 1, None) for n in (1, 2, 3)]
    told = rows(resources, "select run_id, repeat, baseline, model, examples from airqa.runs")
    assert told == [(run_id, 1, baseline, "m", 3)]
    turns = rows(resources, "select turn, action, arguments, error from airqa.turns where example_id = 'e1'")
    assert turns == [(1, "Answer", '{"answer": "3 mg"}', None)]
