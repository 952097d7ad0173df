"""The agent's dialogue: what each turn shows, what a reply leads to, and how it ends."""

import pytest
from aimsciqa_resources.language_model import Image, ModelReply

from aimsciqa_assets.airqa.actions import Call
from aimsciqa_assets.airqa.agent.carrying_out import Carried
from aimsciqa_assets.airqa.agent.loop import Rules, agent
from aimsciqa_assets.airqa.agent.questions import Question
from aimsciqa_assets.airqa.environment import Observation
from tests.dialogues import held

QUESTION = Question("e1", "How many?", "An integer.", ("paper-1",), ("acl2023",))
HYBRID = ("Retrieve", "Query", "Answer")
TASK = (
    "Paper: paper-1\nConference of the paper in question: acl2023\n\n"
    + "Question: How many?\nAnswer format: An integer."
)


class Environment:
    """Gives back the arguments of an action; a second implementation of what keeps observations."""

    def __init__(self, **given):
        self.carried = []
        self._given = given

    def carry_out(self, call, anchors):
        self.carried.append((call, anchors))
        text = " ".join(str(value) for value in call.arguments.values())
        return Carried(self._given.get(call.action, Observation(f"gave {text}")), 0.5)


def asked(*replies, rules=None, environment=None, repeat=1):
    return held(agent("k", QUESTION, environment or Environment(), rules or Rules(HYBRID), repeat), *replies)


def texts(request):
    return [(message.role, message.text) for message in request.messages[1:]]


def query(number):
    return f"[Thought]: look {number}\n[Action]: Query(sql='select {number}')"


def test_a_turn_shows_the_turns_before_it_and_the_answer_ends_the_dialogue():
    environment = Environment()
    made_up = f"{query(1)}\n[Observation]: 7"
    requests, ended = asked(
        made_up, "[Thought]: I know.\n[Action]: Answer(answer=7)", environment=environment
    )
    assert texts(requests[0]) == [("user", TASK)]
    assert texts(requests[1]) == [
        ("user", TASK),
        ("assistant", "[Thought]: look 1\n[Action]:\nQuery(sql='select 1')"),
        ("user", "[Observation]: gave select 1"),
    ]
    assert all(request.acts and request.run == 1 and not request.tools for request in requests)
    assert environment.carried == [(Call("Query", {"sql": "select 1"}), ("paper-1",))]
    assert (ended.status, ended.answer, ended.failure) == ("answered", 7, None)
    assert [(turn.number, turn.thought, turn.error, turn.seconds) for turn in ended.turns] == [
        (1, "look 1", None, 0.5),
        (2, "I know.", None, 0.0),
    ]
    assert ended.task == TASK


@pytest.mark.parametrize(
    ("form", "style", "reply", "said"),
    [
        (
            "markdown",
            "react",
            "[Thought]: t\n[Action]: Query('s')",
            "[Thought]: t\n[Action]:\nQuery(sql='s')",
        ),
        ("markdown", "fenced", "t\n```python\nQuery(sql='s')\n```", "t\n\n```\nQuery(sql='s')\n```"),
        (
            "json",
            "react",
            '[Thought]: t\n[Action]: {"action_type": "Query", "parameters": {"sql": "s"}}',
            '[Thought]: t\n[Action]:\n```json\n{\n    "action_type": "Query",\n    "parameters": {\n        '
            '"sql": "s"\n    }\n}\n```',
        ),
        (
            "xml",
            "react",
            "[Thought]: t\n[Action]: <action><action_type>Query</action_type><parameters><sql>s</sql>"
            "</parameters></action>",
            "[Thought]: t\n[Action]:\n<action>\n    <action_type>Query</action_type>\n    <parameters>\n"
            "        <sql>s</sql>\n    </parameters>\n</action>",
        ),
        (
            "yaml",
            "fenced",
            "t\n```yaml\naction_type: Query\nparameters:\n  sql: s\n```",
            "t\n\n```\naction_type: Query\nparameters:\n    sql: s\n```",
        ),
        (
            "tools",
            "react",
            't\n<tool_call>\n{"name": "Query", "arguments": {"sql": "s"}}\n</tool_call>',
            't\n<tool_call>\n{"name": "Query", "arguments": {"sql": "s"}}\n</tool_call>',
        ),
    ],
)
def test_an_action_in_every_format(form, style, reply, said):
    requests, _ = asked(reply, rules=Rules(HYBRID, form, style))
    assert texts(requests[1])[1:] == [("assistant", said), ("user", "[Observation]: gave s")]
    named = [tool["function"]["name"] for tool in requests[1].tools]
    assert named == (list(HYBRID) if form == "tools" else [])


def test_the_system_message_tells_actions_style_and_tables():
    (first, *_), _ = asked()
    system = first.messages[0].text
    assert "### Retrieve" in system
    assert "[Action]: the action" in system
    assert "CREATE TABLE IF NOT EXISTS metadata" in system
    assert "- sections: section_title, section_content, section_summary\n" in system
    assert "You have 20 replies in all" in system
    (first, *_), _ = asked(rules=Rules(("Retrieve", "Answer"), style="fenced"))
    system = first.messages[0].text
    assert "CREATE TABLE" not in system
    assert "### Query" not in system
    assert "- metadata: title, abstract, bibtex, tldr\n" in system
    assert "End with one action in a block between triple backticks" in system
    # None of it is part of what a recorded reply belongs to.
    assert not first.variables.keys() & {"described", "schema", "searched"}
    (first, *_), _ = asked(rules=Rules(("Query", "Answer")))
    assert "Retrieve" not in first.messages[0].text


def test_a_reply_without_a_usable_action_is_told_what_is_wrong():
    environment = Environment(Query=Observation("[Error]: no such table", "sql"))
    requests, ended = asked(
        "I think it is 7.",
        "[Action]: View(paper_id='x', page_number=1)",
        "[Action]: Query(question='x')",
        query(1),
        ModelReply("k", None, "empty_reply"),
        "[Action]: Answer(answer='7')",
        environment=environment,
    )
    told = [message.text for message in requests[-1].messages[2:]]
    assert told[0] == "I think it is 7."
    assert told[1].startswith("[Observation]: [Error]: Failed to parse a valid action from the response.")
    assert told[7] == "[Observation]: [Error]: no such table"
    assert told[8:] == [
        "(no reply)",
        "[Observation]: [Error]: The reply was empty. Give a thought and one action.",
    ]
    errors = [turn.error for turn in ended.turns]
    assert errors == ["unparsable", "unknown_action", "arguments", "sql", "empty_reply", None]
    assert len(environment.carried) == 1
    assert (ended.status, ended.answer) == ("answered", "7")


def test_only_the_last_turns_are_shown_and_the_task_always():
    requests, _ = asked(*map(query, range(1, 8)), rules=Rules(HYBRID, window=2))
    assert texts(requests[-1]) == [
        ("user", TASK),
        ("assistant", "[Thought]: look 6\n[Action]:\nQuery(sql='select 6')"),
        ("user", "[Observation]: gave select 6"),
        ("assistant", "[Thought]: look 7\n[Action]:\nQuery(sql='select 7')"),
        ("user", "[Observation]: gave select 7"),
    ]


def test_when_the_turns_run_out_the_last_observation_is_the_answer():
    requests, ended = asked(*map(query, range(1, 4)), rules=Rules(HYBRID, turns=3))
    assert len(requests) == 3
    assert (ended.status, ended.answer, len(ended.turns)) == ("out_of_turns", "gave select 3", 3)


def test_an_agent_that_repeats_itself_gets_a_reply_of_its_own_in_each_turn():
    requests, _ = asked(*[query(1)] * 5, rules=Rules(HYBRID, window=2), repeat=3)
    assert [request.run for request in requests] == [3, 3, 3, 1003, 2003, 3003]


def test_an_example_whose_model_says_nothing_fails_with_the_turns_before():
    _, ended = asked(query(1), ModelReply("k", None, "too_long"))
    assert (ended.status, ended.reason, ended.failure, len(ended.turns)) == (
        "failed",
        "too_long",
        "too_long",
        1,
    )


def test_a_long_answer_is_cut():
    reply = f"[Action]: Answer(answer='{'seven ' * 10}')"
    _, ended = asked(reply, rules=Rules(HYBRID, answer_tokens=3))
    assert (ended.answer, ended.was_cut) == ("seven seven seven", True)
    _, ended = asked("[Action]: Answer(answer=['seven', 7, 7.5])", rules=Rules(HYBRID, answer_tokens=30))
    assert (ended.answer, ended.was_cut) == (["seven", 7, 7.5], False)


@pytest.mark.parametrize("images", [True, False])
def test_a_picture_is_shown_where_the_model_takes_it_and_else_told_of(images):
    look = "[Action]: View(paper_id='paper-1', page_number=1)"
    given = Environment(View=Observation("The picture shows page 1.", image=b"png"))
    rules = Rules(("View", "Answer"), window=1, images=images)
    requests, ended = asked(look, look, "[Action]: Answer(answer=1)", rules=rules, environment=given)
    shown = requests[1].messages[-1].content
    if images:
        assert shown == ("[Observation]: The picture shows page 1.", Image(b"png", "image/png"))
    else:
        assert shown == (
            "[Observation]:\nThe picture shows page 1.\n"
            "[Warning]: The picture is not shown: this model takes no images."
        )
    # No picture is kept beyond the turns that show it.
    assert [turn.image for turn in ended.turns] == ([b"", b"png", None] if images else [None] * 3)
