"""Structured tool calls over a server, and dialogues that carry something out between two turns."""

import json
import threading
from dataclasses import replace

from aimsciqa_resources.language_model import Image, Message, ModelRequest, converse, once
from aimsciqa_resources.language_model.engine import fingerprint
from aimsciqa_resources.language_model.messages import openai_messages
from aimsciqa_resources.language_model.tool_calls import (
    text_with_calls,
    tool_call_text,
    tool_calls_in,
    with_tool_roles,
)

from tests.model_server import ModelServer
from tests.three_turns import model_at

TOOL = {"type": "function", "function": {"name": "Query", "parameters": {"type": "object"}}}
REQUEST = ModelRequest("agent", "k", {}, (Message("user", "How many?"),), tools=(TOOL,))
CALLED = '<tool_call>\n{"name": "Query", "arguments": {"sql": "select 1"}}\n</tool_call>'


def call(arguments: str, name: str = "Query") -> dict:
    return {"id": "x", "type": "function", "function": {"name": name, "arguments": arguments}}


class CallingServer(ModelServer):
    """Calls a tool in every reply."""

    def good_reply(self, seen):
        message = {"content": None, "tool_calls": [call('{"sql": "select 1"}')]}
        return self.reply(seen, message, "tool_calls")


def test_a_call_comes_back_as_text_and_from_the_journal(tmp_path):
    with CallingServer() as server:
        model = model_at(server.url, tmp_path / "journal.sqlite")
        for _ in range(2):
            (reply,) = converse(model, [once(REQUEST)])
            assert reply.text == CALLED
        assert [seen.body["tools"] for seen in server.seen] == [[TOOL]]


def test_a_request_with_tools_has_a_fingerprint_of_its_own_and_others_keep_theirs():
    plain = replace(REQUEST, tools=())
    other = replace(REQUEST, tools=(TOOL | {"type": "other"},))
    assert len({fingerprint("m", one) for one in (plain, REQUEST, other)}) == 3
    assert fingerprint("m", replace(plain, acts=True)) == fingerprint("m", plain)


def test_text_before_a_call_stays_and_bad_json_stays_what_it_is():
    text = text_with_calls(" I look. ", [call('{"sql": 1'), call("{}", "View")])
    assert tool_calls_in(text) == (
        "I look.",
        [{"name": "Query", "arguments": '{"sql": 1'}, {"name": "View", "arguments": {}}],
    )
    assert tool_calls_in("<tool_call>no json</tool_call>") == ("", [])


def test_a_server_gets_calls_and_what_they_gave_in_their_roles():
    picture = Image(b"png", "image/png")
    told = (
        Message("system", "s"),
        Message("user", "task"),
        Message("assistant", f"I look.\n{tool_call_text('Query', {'sql': 'select 1'})}"),
        Message("user", "[Observation]: 1"),
        Message("assistant", tool_call_text("View", "bad")),
        Message("user", ("[Observation]: page", picture)),
        Message("assistant", "no call"),
        Message("user", "[Observation]: [Error]: no action"),
    )
    sent = with_tool_roles(openai_messages(told))
    assert [message["role"] for message in sent] == [
        *("system", "user", "assistant", "tool", "assistant", "tool", "user", "assistant", "user")
    ]
    assert sent[2] == {
        "role": "assistant",
        "content": "I look.",
        "tool_calls": [
            {
                "id": "call_2",
                "type": "function",
                "function": {"name": "Query", "arguments": json.dumps({"sql": "select 1"})},
            }
        ],
    }
    assert sent[3] == {"role": "tool", "tool_call_id": "call_2", "content": "[Observation]: 1"}
    assert sent[4]["tool_calls"][0]["function"]["arguments"] == "bad"
    assert sent[5] == {"role": "tool", "tool_call_id": "call_4", "content": "[Observation]: page"}
    assert [part["type"] for part in sent[6]["content"]] == ["image_url"]
    assert sent[7:] == [
        {"role": "assistant", "content": "no call"},
        {"role": "user", "content": "[Observation]: [Error]: no action"},
    ]


def test_an_action_holds_up_no_other_dialogue_even_the_first_time(tmp_path):
    others_ended = threading.Event()
    waited = []

    def acting():
        reply = yield ModelRequest("acts", "slow", {}, (Message("user", "slow"),), acts=True)
        waited.append(others_ended.wait(20))
        return reply.text

    def quick(number):
        reply = yield ModelRequest("acts", f"{number}", {}, (Message("user", f"{number}"),), acts=True)
        return reply.text

    with ModelServer() as server:
        model = model_at(server.url, tmp_path / "journal.sqlite")
        results = converse(model, [acting(), *map(quick, range(20))])
        ended = [next(results) for _ in range(20)]
        others_ended.set()
        assert [*ended, next(results)] == ["OK"] * 21
    assert waited == [True]
