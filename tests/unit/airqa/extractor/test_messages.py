"""Samples as rows of ShareGPT and of OpenAI's tool calls."""

import json
from dataclasses import replace

import pytest
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.airqa.agent.telling import history
from aimsciqa_assets.airqa.agent.turns import Turn
from aimsciqa_assets.airqa.extractor.messages import sharegpt_row, tool_call_row
from aimsciqa_assets.airqa.extractor.trajectories import thought_in
from aimsciqa_assets.airqa.extractor.windows import Cut, samples_of
from tests.extractor_trajectories import PAGE, SYSTEM, read_both


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    database = tmp_path_factory.mktemp("found") / "w.duckdb"
    return read_both(Warehouse(str(database)), lambda arguments: f"images/{arguments['page_number']}.png")


def sample(found, sample_id, cut=Cut(views=True)):  # noqa: B008, a cut does not change
    samples = [one for trajectory in found for one in samples_of(trajectory, cut)]
    return next(one for one in samples if getattr(one, "sample_id", "") == sample_id)


def test_sharegpt_has_the_messages_that_the_agent_is_sent(found):
    assert sharegpt_row(sample(found, "long:3")) == {
        "id": "long:3",
        "kind": "single",
        "conversations": [
            {"from": "human", "value": "Question: long?"},
            {"from": "gpt", "value": "[Thought]: t1\n[Action]:\nRetrieve(query='q1', limit=5)"},
            {"from": "human", "value": "[Observation]: found 1"},
            {"from": "gpt", "value": "mumble 2"},
            {"from": "human", "value": "[Observation]: [Error]: no action"},
            {"from": "gpt", "value": "[Thought]: t3\n[Action]:\nRetrieve(query='q3', limit=5)"},
        ],
        "system": SYSTEM,
        "tools": "",
    }


def test_a_window_has_the_history_that_the_agents_loop_sends(found):
    of = sample(found, "long:8")
    turns = [Turn(one.number, one.said, said=one.said, observation=one.observation) for one in of.turns]
    sent = [(message.role, message.text) for message in history(turns[:-1], 5)]
    roles = {"gpt": "assistant", "human": "user"}
    told = [(roles[one["from"]], one["value"]) for one in sharegpt_row(of)["conversations"][1:-1]]
    # The pictures of turn 5 stand where the model is sent them.
    assert [(role, text.replace("<image>", "")) for role, text in told] == sent


def test_pictures_stand_before_what_is_said_of_them(found):
    row = sharegpt_row(sample(found, "long:6"), views=True)
    assert row["images"] == ["images/3.png"]
    assert row["conversations"][-2] == {
        "from": "human",
        "value": "<image>[Observation]: The picture shows page 3.",
    }
    tools = tool_call_row(sample(found, "long:6"), views=True)
    assert tools["images"] == ["images/3.png"]
    assert tools["prompt"][-2:] == [
        {
            "role": "assistant",
            "content": "t5",
            "tool_calls": [
                {"id": "call_5", "type": "function", "function": {"name": "View", "arguments": PAGE}}
            ],
        },
        {
            "role": "tool",
            "tool_call_id": "call_5",
            "name": "View",
            "content": [{"type": "image"}, {"type": "text", "text": "The picture shows page 3."}],
        },
    ]
    # The picture that the last turn asks for is not seen before it.
    assert sharegpt_row(sample(found, "long:5"), views=True)["images"] == []


def test_a_text_that_looks_like_a_picture_asks_for_none(found):
    last = sharegpt_row(sample(found, "short:2"))["conversations"][-1]["value"]
    assert last == "[Thought]: t2\n[Action]:\nAnswer(answer=['a', '< image>'])"


def test_tool_calls_have_a_prompt_and_the_message_that_is_learnt(found):
    row = tool_call_row(sample(found, "long:3"))
    assert row["completion"] == [
        {
            "role": "assistant",
            "content": "t3",
            "tool_calls": [
                {
                    "id": "call_3",
                    "type": "function",
                    "function": {"name": "Retrieve", "arguments": {"query": "q3", "limit": 5}},
                }
            ],
        }
    ]
    assert [one["role"] for one in row["prompt"]] == [
        *("system", "user"),
        *("assistant", "tool"),
        *("assistant", "user"),
    ]
    # What could not be read is no call, and what it was told is no result of one.
    assert row["prompt"][4:] == [
        {"role": "assistant", "content": "mumble 2"},
        {"role": "user", "content": "[Observation]: [Error]: no action"},
    ]
    assert row["prompt"][3] == {
        "role": "tool",
        "tool_call_id": "call_1",
        "name": "Retrieve",
        "content": "found 1",
    }
    named = [tool["function"]["name"] for tool in json.loads(row["tools"])]
    assert named == ["Retrieve", "Query", "Answer"]
    viewing = tool_call_row(sample(found, "long:3"), views=True)
    assert [tool["function"]["name"] for tool in json.loads(viewing["tools"])][2] == "View"


def test_a_whole_trajectory_has_messages(found):
    row = tool_call_row(sample(found, "short:2", Cut(window=0)))
    assert [one["role"] for one in row["messages"]] == ["system", "user", "assistant", "tool", "assistant"]
    assert {"prompt", "completion"}.isdisjoint(row)


def test_actions_as_tools_are_told_to_the_model_beside_its_messages(found):
    long, _ = found
    tools = sharegpt_row(sample([replace(long, form="tools")], "long:1"))["tools"]
    assert [tool["function"]["name"] for tool in json.loads(tools)] == ["Retrieve", "Query", "Answer"]


@pytest.mark.parametrize(
    ("said", "form", "thought"),
    [
        ("[Thought]: I look.\n[Action]:\nQuery(sql='SELECT 1')", "markdown", "I look."),
        ("I look.\n\n```\nQuery(sql='SELECT 1')\n```", "markdown", "I look."),
        (
            'I look.\n<tool_call>\n{"name": "Query", "arguments": {"sql": "x"}}\n</tool_call>',
            "tools",
            "I look.",
        ),
        ("no action at all", "markdown", ""),
    ],
)
def test_the_thought_of_a_turn_is_what_stands_before_its_action(said, form, thought):
    assert thought_in(said, form) == thought
