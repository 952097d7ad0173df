"""What a server may not know or refuse: schemas, grammars, and fields that are left out from then on."""

import json

import pytest

from tests.model_server import ModelServer, Status
from tests.served_models import ask, asks, outcomes

pytestmark = pytest.mark.slow

SCHEMA = {"type": "object", "properties": {"pairs": {"type": "array"}}, "required": ["pairs"]}


def test_a_schema_is_asked_for_until_the_server_says_it_has_none(model_of):
    with ModelServer(structured=False) as server:
        model = model_of(server, in_flight=1, most_in_flight=1)
        got = outcomes(model.replies([ask(str(n), reply_schema=SCHEMA) for n in range(10)]))
        list(model.replies([ask("later", reply_schema=SCHEMA)]))
    assert set(got.values()) == {"OK"}
    forms = [seen.body.get("response_format", {}).get("type") for seen in server.seen]
    assert forms == ["json_schema", "json_object"] + [None] * 11


def test_a_schema_is_sent_as_json_schema(model_of):
    with ModelServer() as server:
        list(model_of(server).replies([ask("a", reply_schema=SCHEMA)]))
    sent = server.seen[0].body["response_format"]
    assert sent == {"type": "json_schema", "json_schema": {"name": "test", "schema": SCHEMA, "strict": True}}


@pytest.mark.parametrize(("owner", "sent"), [("vllm", {"grammar": 'root ::= "yes"'}), ("openai", None)])
def test_a_grammar_is_sent_to_vllm_only(model_of, owner, sent):
    with ModelServer(owned_by=owner) as server:
        list(model_of(server).replies([ask("a", reply_grammar='root ::= "yes"')]))
    assert server.seen[0].body.get("structured_outputs") == sent


def test_a_server_that_wants_another_name_for_the_length_gets_it(model_of):
    message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."

    def plan(seen):
        return Status(400, {"error": {"message": message}}) if "max_tokens" in seen.body else None

    with ModelServer(plan=plan) as server:
        got = outcomes(model_of(server, in_flight=1, most_in_flight=1).replies(asks(3)))
    assert set(got.values()) == {"OK"}
    assert ["max_tokens" in seen.body for seen in server.seen] == [True, False, False, False]


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (
            "temperature",
            "Unsupported value: 'temperature' does not support 0.0 with this model. Only the default (1) "
            "value is supported.",
        ),
        ("top_p", "Unsupported parameter: 'top_p' is not supported with this model."),
        (
            "seed",
            "[{'type': 'extra_forbidden', 'loc': ['body', 'seed'], 'msg': 'Extra inputs are not permitted'}]",
        ),
    ],
)
def test_a_field_that_a_model_refuses_is_left_out_and_that_is_learned_once(
    model_of, caplog, refused, message
):
    def plan(seen):
        return Status(400, {"error": {"message": message}}) if refused in seen.body else None

    with ModelServer(plan=plan) as server:
        model = model_of(server, in_flight=1, most_in_flight=1, top_p=0.5, seed=7)
        got = outcomes(model.replies(asks(3)))
        more = outcomes(model.replies([ask("one more")]))
    assert set(got.values()) == set(more.values()) == {"OK"}
    assert [refused in seen.body for seen in server.seen] == [True, False, False, False, False]
    others = {"temperature", "top_p", "seed"} - {refused}
    assert all(others <= seen.body.keys() for seen in server.seen)
    assert caplog.text.count(f"does not take {refused} as it is set") == 1


def sampled(reply) -> dict:
    (call,) = reply.calls
    return json.loads(call.sampling) if call.sampling else {}


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        ("temperature", "`temperature` may only be set to 1 when thinking is enabled."),
        ("temperature", "invalid temperature: only 1 is allowed for this model"),
        ("temperature", "temperature must be set to 1"),
        ("temperature", "This model only supports temperature=1"),
        ("top_p", "`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled."),
        ("top_p", "`temperature` and `top_p` cannot both be specified for this model."),
    ],
)
def test_other_words_for_a_refusal_are_understood(model_of, refused, message):
    def plan(seen):
        return Status(400, {"error": {"message": message}}) if refused in seen.body else None

    with ModelServer(plan=plan) as server:
        got = outcomes(model_of(server, in_flight=1, most_in_flight=1, top_p=0.5, seed=7).replies(asks(2)))
    assert set(got.values()) == {"OK"}
    others = {"temperature", "top_p", "seed"} - {refused}
    assert [others <= seen.body.keys() for seen in server.seen] == [True] * 3
    assert [refused in seen.body for seen in server.seen] == [True, False, False]


def test_what_was_left_out_is_not_recorded_as_sent_nor_when_the_reply_is_found_again(model_of):
    message = "Unsupported value: 'temperature' does not support 0.0 with this model."

    def plan(seen):
        return Status(400, {"error": {"message": message}}) if "temperature" in seen.body else None

    with ModelServer(plan=plan) as server:
        model = model_of(server, reply_tokens=9, seed=7)
        (first,) = model.replies(asks(1))
        (again,) = model_of(server, reply_tokens=9, seed=7, in_flight=2).replies(asks(1))
    assert json.loads(model.sampling) == {"reply_tokens": 9, "seed": 7, "temperature": 0.0}
    assert sampled(first) == sampled(again) == {"reply_tokens": 9, "seed": 7}
    assert again.calls[0].from_journal


def test_what_was_sent_as_set_is_said_by_the_model_alone(model_of):
    with ModelServer() as server:
        (reply,) = model_of(server).replies(asks(1))
    assert reply.calls[0].sampling == ""


def test_a_server_that_refuses_both_names_of_the_length_is_asked_without(model_of, caplog):
    def plan(seen):
        for name in ("max_tokens", "max_completion_tokens"):
            if name in seen.body:
                return Status(400, {"error": {"message": f"Unknown parameter: '{name}'."}})
        return None

    with ModelServer(plan=plan) as server:
        model = model_of(
            server, in_flight=1, most_in_flight=1, thinking_tokens=5, extra_body='{"min_p": 0.1}'
        )
        replies = list(model.replies(asks(3)))
    assert set(outcomes(replies).values()) == {"OK"}
    limits = [seen.body.keys() & {"max_tokens", "max_completion_tokens"} for seen in server.seen]
    assert limits == [{"max_tokens"}, {"max_completion_tokens"}, set(), set(), set()]
    assert [sampled(reply) for reply in replies] == [{"min_p": 0.1, "temperature": 0.0}] * 3
    assert caplog.text.count("does not let anybody limit the length of its replies") == 1


def test_everything_that_a_reasoning_model_refuses_is_learned_together(model_of):
    def plan(seen):
        for name in ("max_tokens", "temperature", "response_format"):
            if name in seen.body and (name != "response_format" or seen.body[name]["type"] == "json_schema"):
                return Status(400, {"error": {"message": f"Unsupported parameter: '{name}'."}})
        return None

    with ModelServer(plan=plan) as server:
        requests = [ask(str(n), reply_schema=SCHEMA) for n in range(3)]
        got = outcomes(model_of(server, in_flight=1, most_in_flight=1).replies(requests))
    assert set(got.values()) == {"OK"}
    assert len(server.seen) == 3 + 3
    assert server.seen[-1].body["max_completion_tokens"] == 2048
    assert server.seen[-1].body["response_format"] == {"type": "json_object"}


def test_a_value_that_is_wrong_is_no_field_that_is_refused(model_of):
    def plan(seen):
        return Status(400, {"error": {"message": "temperature must be between 0 and 2"}})

    with ModelServer(plan=plan) as server:
        got = outcomes(model_of(server, temperature=3).replies(asks(1)))
    assert got == {"question 0": "http_400"}
    assert len(server.seen) == 1
