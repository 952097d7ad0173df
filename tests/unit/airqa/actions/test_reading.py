"""What is read of an agent's reply: compared with AirQA's environment, and what that one gets wrong."""

import json
import random

import pytest

from aimsciqa_assets.airqa.actions import ActionError, Call, read_action, write_action, write_message
from tests.reference_cases import all_cases

OURS = ("Retrieve", "Query", "View", "Answer")
STYLES = {"react": "react", "code_block": "fenced"}
POSITIONAL = {"act-006"}
"""Theirs lose arguments without a name; ours are bound."""


@pytest.mark.parametrize("case", all_cases("airqa-actions"))
def test_replies_are_read_as_by_the_authors(case):
    asked = (case["action_space"], case["action_format"], STYLES[case["interact_protocol"]])
    if not case["expected_ok"]:
        with pytest.raises(ActionError) as caught:
            read_action(case["text"], *asked)
        assert str(caught.value).startswith(case["error"].partition(" from the response.")[0])
        return
    thought, call = read_action(case["text"], *asked)
    assert call.action == case["expected_class"]
    if case["id"] in POSITIONAL:
        assert call.arguments == {"answer": "positional"}
    else:
        assert call.arguments == case["params"]
        assert thought == case["thought"]
        assert write_message(thought, call, case["action_format"]) == case["as_message"]["content"]


def read(reply, form="markdown", style="react"):
    _, call = read_action(reply, OURS, form, style)
    return call.action, dict(call.arguments)


def refusal(reply, form="markdown", style="react"):
    with pytest.raises(ActionError) as caught:
        read_action(reply, OURS, form, style)
    return caught.value.kind, str(caught.value)


@pytest.mark.parametrize(
    ("reply", "arguments"),
    [
        ('Query("SELECT 1")', {"sql": "SELECT 1"}),
        ("Query(sql='''SELECT a\nFROM b -- (''')", {"sql": "SELECT a\nFROM b -- ("}),
        ("Query('SELECT ' 'a')", {"sql": "SELECT a"}),
        ("Query(sql = 'SELECT 1', )", {"sql": "SELECT 1"}),
        ("Retrieve('bert', 3)", {"query": "bert", "limit": 3}),
        ("Retrieve('bert', limit=3.0)", {"query": "bert", "limit": 3}),
        ("Retrieve(limit=2, query='a=b')", {"query": "a=b", "limit": 2}),
        # What a recorded reply belongs to has no papers where none are chosen.
        ("Retrieve('bert', papers=[])", {"query": "bert", "limit": 5}),
        ("Retrieve('bert', papers=None)", {"query": "bert", "limit": 5}),
        ("Retrieve('bert', 3, ['p', 'q'])", {"query": "bert", "limit": 3, "papers": ["p", "q"]}),
        ("Retrieve('bert', papers='all')", {"query": "bert", "limit": 5, "papers": ["all"]}),
        ("Answer({'a': (1, 2), 3: {4}})", {"answer": {"a": [1, 2], "3": [4]}}),
        ("Answer(-1.5e3)", {"answer": -1500.0}),
        (r"Answer('\ud83d\ude00')", {"answer": "😀"}),
        (r"Answer('\ud83d')", {"answer": "�"}),
        (
            "View('p', 2)",
            {"paper_id": "p", "page_number": 2, "bounding_box": []},
        ),
        (
            "View('p', 2, bounding_box=None)",
            {"paper_id": "p", "page_number": 2, "bounding_box": []},
        ),
    ],
)
def test_arguments_are_bound_by_their_places_and_names(reply, arguments):
    assert read(f"[Action]: {reply}")[1] == arguments


@pytest.mark.parametrize(
    ("reply", "kind", "told"),
    [
        ("Query()", "arguments", "Give a value for sql. The action is Query(sql)."),
        ("Query('a', 'b')", "arguments", "It takes 1 arguments at most, and 2 were given"),
        ("Query('a', sql='b')", "arguments", "Give sql only once"),
        ("Query(sql='a', sql='b')", "arguments", "it gives sql twice"),
        ("Query(sql='a', 'b')", "arguments", "behind one with a name"),
        ("Query(query='a')", "arguments", "It takes no argument query"),
        ("Query(sql=1)", "arguments", "sql must be a text, not 1."),
        ("Query(sql='a' + name)", "arguments", "The call cannot be read"),
        ("Query(sql=open('/etc/passwd').read())", "arguments", "something else than values"),
        ("Query(sql=f'{1}')", "arguments", "it names something"),
        ("Query(*['a'])", "arguments", "The call cannot be read"),
        ("Query(sql='SELECT\n1')", "arguments", "does not end on its line"),
        ("Query(sql='a') and more", "arguments", "it goes on behind its end"),
        ("Query(sql='a'", "arguments", "it breaks off"),
        ("Retrieve('a', 0)", "arguments", "limit must be a whole number from 1, not 0"),
        ("Retrieve('a', True)", "arguments", "limit must be a whole number from 1, not True"),
        ("Retrieve('a', '5')", "arguments", "limit must be a whole number from 1, not '5'"),
        ("Retrieve('a', limt=5)", "arguments", "It takes no argument limt; did you mean limit?"),
        ("View('p', 1, [1, 2, 3])", "arguments", "bounding_box must be a list of four numbers"),
        ("View('p', 1, [1, 2, 0, 5])", "arguments", "a width and a height above 0"),
        ("View('p', 1, [1, 2, 1e9, 5])", "arguments", "bounding_box must be"),
        ("Answer(1e999)", "arguments", "answer holds inf"),
        ("Answer(b'x')", "arguments", "answer holds b'x'"),
        ("Answer(...)", "arguments", "answer holds Ellipsis"),
        ("Answer({(1, 2): 3})", "arguments", "dictionaries with texts as keys"),
        (f"Answer({'[' * 200}{']' * 200})", "arguments", "it is too deep"),
        ("query(sql='a')", "unknown_action", "Write Query."),
        ("Search(sql='a')", "unknown_action", "'Search' is none of them."),
        ("__import__('os').system('id')", "unknown_action", "none of them"),
        ("", "unparsable", "Write one call"),
        ("I do not know.", "unparsable", "Write one call"),
    ],
)
def test_errors_say_what_to_do(reply, kind, told):
    found = refusal(f"[Thought]: t\n[Action]: {reply}")
    assert found[0] == kind
    assert told in found[1]


def test_the_words_of_the_reply_around_the_action():
    said = "**Thought:** look it up\n**Action:** Query('SELECT 1')\n[Observation]: 1\n[Action]: Answer(1)"
    thought, call = read_action(said, OURS, "markdown", "react")
    assert (thought, call) == ("look it up", Call("Query", {"sql": "SELECT 1"}))
    assert read("Thought 1: a\nAction 1: Answer(1)") == ("Answer", {"answer": 1})
    assert read("Answer(1)") == ("Answer", {"answer": 1})
    assert read("[Action]:\n```python\nAnswer(1)\n```\nThat is all.") == ("Answer", {"answer": 1})
    assert read("[Action]: Answer('''a\nObservation: b''')") == ("Answer", {"answer": "a\nObservation: b"})
    assert read("<think>Action: Answer(1)</think>\nAction: Answer(2)") == ("Answer", {"answer": 2})
    assert refusal("<think>Action: Answer(1)")[0] == "unparsable"
    assert refusal("")[1].endswith("It is empty.")
    assert refusal("Action: Answer(1)\nAction: Answer(2)")[0] == "arguments"


def test_the_last_fenced_block_is_the_action():
    said = "First ```Answer(1)``` or rather\n```python\nAnswer(2)\n```\n"
    thought, call = read_action(said, OURS, "markdown", "fenced")
    assert (thought, call.arguments) == ("First ```Answer(1)``` or rather", {"answer": 2})
    assert read("```\nAnswer(1)", style="fenced") == ("Answer", {"answer": 1})
    assert read("Answer(1)", style="fenced") == ("Answer", {"answer": 1})


@pytest.mark.parametrize("form", ["markdown", "json", "xml", "yaml", "tools"])
@pytest.mark.parametrize(
    "call",
    [
        Call("Query", {"sql": "SELECT \"a\" FROM b\nWHERE c < 'é: 2' AND d > 1 -- & #"}),
        Call("Retrieve", {"query": "no", "limit": 7}),
        Call("View", {"paper_id": "12345678", "page_number": 3, "bounding_box": [51.1, 204.3, 333.0, 13.8]}),
        Call("Answer", {"answer": "3:1"}),
    ],
)
def test_what_is_written_is_read_again(call, form):
    assert read_action(write_action(call, form), OURS, form, "react")[1] == call


@pytest.mark.parametrize("written", [r"$\beta$, $\alpha$ \xb5", r"$\\beta$, $\\alpha$ \u00b5"])
@pytest.mark.parametrize(
    ("form", "reply"),
    [
        ("markdown", "Answer(answer='{}')"),
        ("json", '{{"action_type": "Answer", "parameters": {{"answer": "{}"}}}}'),
        ("yaml", 'action_type: Answer\nparameters:\n  answer: "{}"'),
        ("tools", '<tool_call>{{"name": "Answer", "arguments": {{"answer": "{}"}}}}</tool_call>'),
    ],
)
def test_latex_in_an_argument_survives(form, reply, written):
    call = read_action(reply.format(written), OURS, form, "react")[1]
    assert call.arguments == {"answer": r"$\beta$, $\alpha$ µ"}


@pytest.mark.parametrize("written", [r"r'\beta \xb5'", r"'\beta \\xb5'"])
def test_a_raw_string_stays_as_it_is(written):
    assert read(f"Answer({written})") == ("Answer", {"answer": r"\beta \xb5"})


def test_yaml_is_read_by_its_newer_rules():
    def answer(written):
        return read(f"Action:\naction_type: Answer\nparameters:\n  answer: {written}", "yaml")[1]["answer"]

    assert [answer(one) for one in ("no", "3:1", "2020-01-01", "007", "1e3", "1.5", "-2", "~", "true")] == [
        *("no", "3:1", "2020-01-01", "007"),
        *(1000.0, 1.5, -2, None, True),
    ]
    assert answer("|\n    SELECT a: b\n    FROM c\n") == "SELECT a: b\nFROM c"


@pytest.mark.parametrize(
    ("form", "reply", "kind", "told"),
    [
        ("json", "{'action_type': 'Answer'}", "unparsable", "Write one JSON object; this is none"),
        ("json", '{"action_type": "Answer", "parameters": {"answer": NaN}}', "unparsable", "NaN is no JSON"),
        ("json", '{"action_type": "Answer", "parameters": [1]}', "arguments", "must be a mapping"),
        ("json", '{"action_type": "Query", "sql": "a"}', "arguments", "The key parameters is missing"),
        (
            "json",
            '{"action_type": "Query", "parameters": {}, "sql": "a"}',
            "arguments",
            "sql must stand inside",
        ),
        ("json", '{"action_type": ["Answer"], "parameters": {}}', "unknown_action", "none of them"),
        ("json", "[" * 100_000, "unparsable", "brackets inside each other"),
        ("yaml", "action_type: Answer\nparameters: &a [*a]", "unparsable", "aliases"),
        ("yaml", "action_type: Answer\nparameters: {answer: !!python/name:os.system }", "unparsable", "YAML"),
        ("yaml", f"action_type: Answer\nparameters: {'[' * 5000}", "unparsable", "too deep"),
        ("yaml", "action_type: Query\nparameters:\n  sql: a: b", "unparsable", "indented behind |"),
        ("xml", "<action><action_type>Answer</action_type></action>", "arguments", "<parameters> is missing"),
        ("xml", "<action>1 < 2</action>", "unparsable", "&lt;"),
        ("xml", '<!DOCTYPE a [<!ENTITY b "c">]><action/>', "unparsable", "document type"),
        ("xml", f"<action>{'<a>' * 5000}", "unparsable", "this is no XML"),
        (
            "xml",
            "<action><action_type>Retrieve</action_type><parameters><query>a</query><limit>five</limit>"
            "</parameters></action>",
            "arguments",
            "limit must be a whole number from 1, not 'five'",
        ),
        ("tools", "I would answer.", "unparsable", "Call one of the functions."),
        ("tools", '<tool_call>{"arguments": {}}</tool_call>', "unparsable", "The call has no name."),
        ("tools", '<tool_call>{"name": "Answer", "arguments": "x"}</tool_call>', "arguments", "no JSON"),
        (
            "tools",
            '<tool_call>{"name": "Answer", "arguments": {"answer": 1}}</tool_call><tool_call>{}</tool_call>',
            "unparsable",
            "one function at a time; these are 2 calls",
        ),
    ],
)
def test_errors_of_the_other_forms(form, reply, kind, told):
    found = refusal(reply, form)
    assert found[0] == kind
    assert told in found[1]


def test_a_tool_call_is_read_with_what_is_said_before_it():
    said = 'I look.\n<tool_call>\n{"name": "Answer", "arguments": "{\\"answer\\": [1]}"}\n</tool_call>'
    thought, call = read_action(said, OURS, "tools", "react")
    assert (thought, call) == ("I look.", Call("Answer", {"answer": [1]}))


@pytest.mark.parametrize("form", ["markdown", "json", "xml", "yaml", "tools"])
@pytest.mark.parametrize("style", ["react", "fenced"])
def test_no_reply_does_more_than_give_a_call_or_an_error(form, style):
    chance = random.Random(f"{form} {style}")
    calls = [
        Call("Query", {"sql": "SELECT 'a' -- b"}),
        Call("View", {"paper_id": "p", "page_number": 3, "bounding_box": [1, 2.5, 3, 4]}),
        Call("Answer", {"answer": {"a": [1, None, True]}}),
    ]
    pieces = [f"[Thought]: t\n[Action]:\n{write_action(call, form)}" for call in calls]
    pieces += [*"'\"()[]{}<>&*!|:,=\n\\\0#`é", "\ud800", "1e999", "-", "!!python/name:os.system", "<![CDATA["]
    pieces += [
        "[Observation]:",
        "<think>",
        "&a",
        "*a",
        "?",
        "<<:",
        "- ",
        "0x1f",
        "<!--",
        "```",
        "]]>",
        "lambda",
    ]
    for _ in range(300):
        reply = chance.choice(pieces[:3])
        for _ in range(chance.randrange(1, 6)):
            at, to = sorted((chance.randrange(len(reply) + 1), chance.randrange(len(reply) + 1)))
            cut = reply[to:] if chance.random() < 0.2 else reply[at:]
            reply = reply[:at] + chance.choice(pieces) + cut
        try:
            _, call = read_action(reply, OURS, form, style)
        except ActionError:
            continue
        assert json.loads(json.dumps(dict(call.arguments), allow_nan=False)) == call.arguments
        str(call.arguments).encode()


def test_errors_stay_short():
    many = ", ".join(f"k{number}=1" for number in range(5000))
    kind, told = refusal(f"Action: Query({many})")
    assert kind == "arguments"
    assert "It takes no argument k0, k1, k2, k3, k4, ...." in told
    assert len(refusal(f"Action: Query({'k' * 10_000}=1)")[1]) < 300


def test_an_xml_declaration_is_skipped():
    said = f'<?xml version="1.0" encoding="utf-8"?>{write_action(Call("Answer", {"answer": "a"}), "xml")}'
    assert read(said, "xml") == ("Answer", {"answer": "a"})
