"""A task asked of a server on the loopback, and what is read in its replies."""

from pathlib import Path
from typing import Literal

import pytest
from aimsciqa_resources.language_model import Call, ModelReply, converse
from aimsciqa_resources.language_model.opening import LanguageModels
from aimsciqa_resources.language_model.settings import ModelSettings
from pydantic import BaseModel, Field

from aimsciqa_assets.aim_sciqa.single_hop.task import SINGLE_HOP
from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.json_replies import fits_in, read_object, schema_of
from aimsciqa_assets.asking.prompts import load_prompt
from aimsciqa_assets.asking.task import Task, json_task, version_of
from aimsciqa_assets.platform.accounts import Account
from tests.dialogues import held
from tests.model_server import ModelServer, Status, Text

GOOD = '{"pairs": [{"question": "q?", "evidence": "e", "answer": "a."}]}'


class Verdict(BaseModel):
    """How good it is."""

    claim: str = Field(description="As the paper has it.")
    grade: Literal["good", "bad"]
    reasons: list[str] = []


class Verdicts(BaseModel):
    verdicts: list[Verdict]
    title: str


def told(paragraph="Zinc fell. Iron rose."):
    names = ("paper_title", "section_title", "subsection", "keywords")
    return dict.fromkeys(names, "") | {"paragraph": paragraph}


def ask(key, paragraph="Zinc fell. Iron rose."):
    return SINGLE_HOP.ask(key, **told(paragraph))


@pytest.fixture
def model_of(tmp_path):
    def open_model(server, **settings):
        values = {"backend": "server", "name": "m", "base_url": server.url, "reply_tokens": 8}
        return LanguageModels(tmp_path / "journal.sqlite").open(ModelSettings(**values | settings))

    return open_model


def asked(model, *dialogues):
    """Outcomes by key, and the purpose and outcome of every call by key, as the account has them."""
    account = Account("single_hop.extractions", "b1", model, len(dialogues), Path(), failure_share=1.0)
    outcomes = {one.key: one for one in account.results(dialogues, lambda _count, _detail="": None)}
    calls = account.calls.frame().sort("key", "number").select("key", "number", "purpose", "outcome")
    return outcomes, calls.rows()


def test_a_malformed_reply_is_repaired_once_and_every_call_is_on_the_account(model_of):
    def answer(body):
        last = body["messages"][-1]["content"]
        if "cannot be used" in last:
            return GOOD if "mended" in body["messages"][1]["content"] else "Never."
        return GOOD if "well" in last else "No."

    with ModelServer(answer=answer) as server:
        outcomes, calls = asked(
            model_of(server), ask("a", "All is well."), ask("b", "It is mended."), ask("c", "Lost.")
        )
    assert {key: (one.text, one.reason) for key, one in outcomes.items()} == {
        "a": (GOOD, None),
        "b": (GOOD, None),
        "c": ("No.", "malformed_reply"),
    }
    assert calls == [
        ("a", 1, "answer", "ok"),
        ("b", 1, "answer", "ok"),
        ("b", 2, "repair", "ok"),
        ("c", 1, "answer", "ok"),
        ("c", 2, "repair", "ok"),
    ]


@pytest.fixture
def context():
    """Room for the prompt with one sentence of three words, and not for two."""
    request = SINGLE_HOP.request("k", **told("Zinc fell now."))
    return sum(len(message.text.split()) for message in request.messages) + 8


def test_a_prompt_over_the_context_is_asked_in_parts(model_of, context):
    with ModelServer(context=context, answer=lambda _body: GOOD) as server:
        outcomes, calls = asked(model_of(server), ask("p", "Zinc fell now. Iron rose now."))
    assert len(outcomes["p"].value.triplets) == outcomes["p"].parts == 2
    assert calls == [("p", 1, "answer", "too_long"), ("p", 2, "part", "ok"), ("p", 3, "part", "ok")]


def test_half_a_paragraph_does_not_pass_for_the_whole(model_of, context):
    with ModelServer(context=context, answer=lambda _body: GOOD) as server:
        server.plan = lambda seen: Status(400) if seen.text.endswith("\nIron rose now.") else None
        outcomes, _ = asked(model_of(server), ask("p", "Zinc fell now. Iron rose now."))
    assert (outcomes["p"].text, outcomes["p"].failure, outcomes["p"].value) == (None, "http_400", None)


def test_a_malformed_half_does_not_pass_for_no_facts(model_of, context):
    with ModelServer(context=context, answer=lambda _body: GOOD) as server:
        server.plan = lambda seen: Text("No.") if seen.text.endswith("\nIron rose now.") else None
        outcomes, calls = asked(model_of(server), ask("p", "Zinc fell now. Iron rose now."))
    assert (outcomes["p"].text, outcomes["p"].reason) == ("No.", "malformed_reply")
    # The complaint makes the prompt longer still.
    assert [call[2:] for call in calls[2:]] == [("part", "ok"), ("repair", "too_long")]


def test_a_reply_that_was_cut_off_is_not_repaired():
    cut = ModelReply("k", '{"pairs": [{', truncated=True)
    requests, outcome = held(ask("k"), cut)
    assert (len(requests), outcome.reason) == (1, "length_limit")


def test_a_cut_half_that_cannot_be_read_does_not_pass_for_no_facts():
    too_long = ModelReply("k", None, "too_long")
    _, outcome = held(ask("k"), too_long, GOOD, ModelReply("k", '{"pairs": [{', truncated=True))
    assert (outcome.reason, outcome.value) == ("length_limit", None)


def test_a_repair_without_a_reply_leaves_the_first_one():
    _, outcome = held(ask("k"), "No.", ModelReply("k", None, "http_400"))
    assert (outcome.text, outcome.failure, outcome.reason) == ("No.", None, "malformed_reply")


def test_a_task_without_a_way_to_join_its_parts_says_so():
    task = Task("single_hop", "root ::= [a-z]", str, divided=lambda told: [told, told])
    with pytest.raises(TypeError, match="single_hop is asked in parts"):
        held(task.ask("k", **told()), ModelReply("k", None, "too_long"), "a", "b")


def test_failures_of_dialogues_count_and_passing_ones_are_asked_again():
    class Failing:
        name, revision, sampling = "m", "1", ""

        def replies(self, requests):
            for request in requests:
                call = Call("answer", "f", False, "http_500", passing=True)
                yield ModelReply(request.key, None, "http_500", calls=(call,))

    account = Account("single_hop.extractions", "b1", Failing(), 1, Path(), failure_share=1.0)
    (outcome,) = account.results([ask("k")], lambda _count, _detail="": None)
    assert (outcome.reason, account.unanswered) == ("http_500", ["k"])


def test_the_version_names_the_prompts_and_the_repair():
    repair = load_prompt("repair").version
    assert SINGLE_HOP.version == f"{SINGLE_HOP.prompt.version}+{repair}"
    judge = json_task("answer_judge", Verdict)
    assert version_of(SINGLE_HOP, judge) == f"{SINGLE_HOP.prompt.version}+{judge.prompt.version}+{repair}"


def test_the_schema_of_a_pydantic_model_is_what_servers_take():
    assert schema_of(Verdicts) == {
        "type": "object",
        "properties": {
            "verdicts": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "claim": {"type": "string", "description": "As the paper has it."},
                        "grade": {"type": "string", "enum": ["good", "bad"]},
                        "reasons": {"type": "array", "items": {"type": "string"}},
                    },
                    "required": ["claim", "grade", "reasons"],
                    "additionalProperties": False,
                },
            },
            "title": {"type": "string"},
        },
        "required": ["verdicts", "title"],
        "additionalProperties": False,
    }


class Tree(BaseModel):
    branches: list["Tree"]


def test_a_reply_that_contains_itself_is_refused():
    with pytest.raises(ValueError, match="Tree contains itself"):
        schema_of(Tree)


@pytest.mark.parametrize(
    "text",
    [
        '{"claim": "Zinc fell.", "grade": "good"}',
        'Here: ```json\n{"claim": "Zinc fell.", "grade": "good", "more": 1}\n``` Done.',
        '{"claim": "no grade"} {"claim": "Zinc fell.", "grade": "good"}',
        '{"verdict": {"claim": "Zinc fell.", "grade": "good"}}',
        "{“claim”: “Zinc fell.”, “grade”: “good”,}",
        '<think>{"claim": "x", "grade": "bad"}</think>{"claim": "Zinc fell.", "grade": "good"}',
        '[THINK]{"claim": "x", "grade": "bad"}[/THINK]{"claim": "Zinc fell.", "grade": "good"}',
        '{"claim": "x", "grade": "bad"} Corrected: {"claim": "Zinc fell.", "grade": "good"}',
        '{"claim": "Zinc fell.", "grade": "good"} I repeat: {"grade": "good", "claim": "Zinc fell."}',
        '{"draft": {"claim": "x", "grade": "bad"}, "final": {"claim": "Zinc fell.", "grade": "good"}}',
        '[{"claim": "Zinc fell.", "grade": "good"}]',
    ],
)
def test_an_object_is_read_whatever_stands_around_it(text):
    assert read_object(text, Verdict) == Verdict(claim="Zinc fell.", grade="good")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "it is not a JSON object with the fields claim, grade, reasons"),
        ('["claim"]', "it is not a JSON object with the fields claim, grade, reasons"),
        ('{"claim": "x", "grade": "fair"}', "(grade: Input should be 'good' or 'bad')"),
        ('{"grade": "good"}', "(claim: Field required)"),
        ('{"claim": "\\ud800", "grade": "good"}', "(it has half of a character)"),
        ('{"claim": "x", "claim": "y", "grade": "good"}', "the fields claim, grade, reasons"),
    ],
)
def test_what_does_not_fit_is_a_fault_that_says_why(text, complaint):
    fault = read_object(text, Verdict)
    assert isinstance(fault, Fault)
    assert fault.reason == "malformed_reply"
    assert fault.complaint.endswith(complaint)


@pytest.mark.parametrize(
    "text",
    [
        '{"claim": "x", "grade": "bad"} No. {"claim": "y", "grade": "good"}',
        '```json\n{"claim": "x", "grade": "bad"}\n```\n```json\n{"claim": "y", "grade": "bad"}\n```',
        '{"first": {"claim": "x", "grade": "bad"}, "second": {"claim": "y", "grade": "bad"}}',
        'This is not final: {"claim": "x", "grade": "bad"} {"claim": "y", "grade": "good"}',
    ],
)
def test_two_different_objects_are_ambiguous(text):
    fault = read_object(text, Verdict)
    assert fault.reason == "ambiguous_reply"
    assert fault.complaint == (
        "it has two different objects with claim, grade, reasons, and does not say which of them is final"
    )


class Claims(BaseModel):
    claims: list[Verdict]


ZINC, IRON = '{"claim": "Zinc fell.", "grade": "good"}', '{"claim": "Iron rose.", "grade": "bad"}'


@pytest.mark.parametrize(
    "text",
    [
        f'{{"claims": [{ZINC}, {IRON}]}}',
        f"[{ZINC}, {IRON}]",
        f"1. {ZINC}\n2. {IRON}",
        f"```json\n{ZINC}\n```\nand\n```json\n{IRON}\n```",
        f'{{"claims": [{ZINC}]}} {{"claims": [{IRON}]}}',
        f'{{"claims": {{"1": {ZINC}, "2": {IRON}}}, "notes": ["none"]}}',
    ],
)
def test_a_list_is_read_from_several_objects(text):
    assert [claim.claim for claim in read_object(text, Claims).claims] == ["Zinc fell.", "Iron rose."]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f'{ZINC} {{"claim": "Iron rose.", "gra', "malformed_reply"),
        (f'{ZINC} {{"claim" "Iron rose."}}', "malformed_reply"),
        (f'{ZINC} {{"claim": "Zinc fell.", "grade": "bad"}}', "ambiguous_reply"),
        ("- [ ] no claim", "malformed_reply"),
    ],
)
def test_a_list_of_which_a_part_cannot_be_read_is_a_fault(text, reason):
    assert read_object(text, Claims).reason == reason


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (
            r"$\beta \frac{a}{b} \theta \nu_1 \rho \text{x} \times 2$",
            r"$\beta \frac{a}{b} \theta \nu_1 \rho \text{x} \times 2$",
        ),
        (r"$\alpha$ \% \(x\) \underline{y}", r"$\alpha$ \% \(x\) \underline{y}"),
        (r"$\\beta \\alpha$ and \\\\", r"$\beta \alpha$ and \\"),
        (r"One\nNote two\n\nText\ne) three", "One\nNote two\n\nText\ne) three"),
        (r"a\tTab, \u00b5 and \\u00b5", "a Tab, µ and µ"),
        (r"it\'s \"so\" \/ \xb5", 'it\'s "so" / µ'),
        (r"One.\nu is\n\nu: two\nless\nmid-term", "One.\nu is\n\nu: two\nless\nmid-term"),
        (r"$h\nu$, (\nu) and $a \nless b \nmid c$", r"$h\nu$, (\nu) and $a \nless b \nmid c$"),
        (r"\right) \rho\r\nu.v. $x \to y$\tto", "\\right) \\rho\nu.v. $x \\to y$ to"),
        (r"bell \u0007 \b \f \u202e\u2028 end", "bell     \n \n end"),
    ],
)
def test_latex_survives_and_control_characters_do_not(written, text):
    assert read_object(f'{{"claim": "{written}", "grade": "good"}}', Verdict).claim == text


@pytest.mark.parametrize("text", ["{" * 100_000, '{"a":' * 100_000, '[{"a": ' * 50_000, '{"x' * 50_000])
def test_endless_braces_are_given_up(text):
    assert fits_in(text, dict) == []


def test_many_objects_are_read_up_to_a_bound():
    assert fits_in('{"a": 1} ' * 20_000, dict) == [{"a": 1}]


def test_a_json_task_asks_for_its_form_and_repairs(model_of):
    task = json_task("answer_judge", Verdict)
    replies = iter(['{"claim": "x"}', '{"claim": "x", "grade": "bad", "reasons": ["y"]}'])
    with ModelServer(answer=lambda _body: next(replies)) as server:
        dialogue = task.ask("k", question="Q?", answer="A.", prediction="P.")
        (outcome,) = converse(model_of(server), [dialogue])
    assert outcome.value == Verdict(claim="x", grade="bad", reasons=["y"])
    first, second = server.seen
    assert first.body["response_format"]["json_schema"]["schema"] == schema_of(Verdict)
    assert "grade: Field required" in second.text
