"""AirQA's baselines on the real engine. The model writes noise: no noise may pass for an action."""

import pytest

from tests.airqa_home import answer, resources_at

pytestmark = pytest.mark.slow
TURNS = 3


def answered_by(folder, url, baseline):
    """What the baseline's run leaves in the warehouse."""
    settings = {"airqa_baselines": baseline, "airqa_turns": TURNS, "airqa_reply_tokens": 40}
    resources = resources_at(folder, url, "tiny", airqa_model_failure_share=1, **settings)
    answer(resources)
    return resources["warehouse"].read


def test_an_agent_that_writes_noise_runs_out_of_turns(tmp_path, vllm_url):
    read = answered_by(tmp_path / "home", vllm_url, "agentic_rag")
    answers = read("select status, turns from airqa.answers")
    assert answers.rows() == [("out_of_turns", TURNS)] * 3
    turns = read("select turn, action, error, observation, input_tokens, output_tokens from airqa.turns")
    assert turns.height == 3 * TURNS
    assert turns["action"].drop_nulls().is_empty()
    assert set(turns["error"]) <= {"unparsable", "empty_reply"}
    assert all(text.startswith("[Error]") for text in turns["observation"])
    assert turns["output_tokens"].is_between(1, 40).all()
    # The engine counts what the dialogue so far takes: the task, and each turn more.
    first, last = (turns.filter(turn=turn)["input_tokens"].mean() for turn in (1, TURNS))
    assert first < last


def test_noise_is_an_answer_that_could_not_be_read(tmp_path, vllm_url):
    read = answered_by(tmp_path / "home", vllm_url, "rag")
    answers = read("select status, answer from airqa.answers")
    assert answers["status"].to_list() == ["answered"] * 3
    assert set(read("select error from airqa.turns where error is not null")["error"]) == {"unparsable"}
