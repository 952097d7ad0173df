"""What every reader of replies keeps: whole replies without control characters, or a reason."""

import json
import re
from dataclasses import fields, is_dataclass

import pytest
from aimsciqa_resources.language_model import ModelReply
from aimsciqa_resources.language_model.thinking import reply_text
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from aimsciqa_assets.aim_sciqa.multi_hop.replies import CRITERIA
from aimsciqa_assets.aim_sciqa.single_hop.replies import parse_triplets
from aimsciqa_assets.airqa.actions.replies import read_action
from aimsciqa_assets.airqa.actions.signatures import ActionError
from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.cli.readable import TASKS

NEVER_KEPT = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]|u00b5")
CONTROLS = ("\x00", "\x08", "\t", "\x1b[31m", "\x7f", "\x85", "\u2028", "\u202e", "\u2066", "\r", "\f")
ESCAPES = (r"\u00b5", r"\\u00b5", "&#x202e;", "&#8;", r"\b ", r"\beta", r"\x1b", r"$\frac{1}{2}$")
WRITTEN = (*CONTROLS, *(json.dumps(sign)[1:-1] for sign in CONTROLS), *ESCAPES, "zinc", " ")
TEXT = st.lists(st.sampled_from(WRITTEN), min_size=1, max_size=9).map(
    lambda parts: f"Zinc {''.join(parts)} fell"
)

REPLIES = {
    "answer": '{{"answer": "{text}"}}',
    "marker": '{{"marker": "{text}"}}',
    "summary": '{{"summary": "{text}"}}',
    "tldr": '{{"tldr": "{text}"}}',
    "tags": '{{"tags": ["{text}", "b", "c", "d", "e"]}}',
    "pairs": '{{"pairs": [{{"question": "{text}", "evidence": "{text}", "answer": "{text}"}}]}}',
    "quotes": '{{"verdict": "partly", "quotes": [{{"paragraph": 1, "quote": "{text}"}}]}}',
    "extraction": '{{"pairs": [{{"question": "{text}", "question_quote": "{text}", "answer": "{text}", '
    '"answer_quote": "{text}"}}]}}',
    "records": '("bridge_entity"<|>"{text}"<|>"{text}") ## ("quote"<|>"{text}"<|>"{text}")<|COMPLETE|>',
    "named": "ANALYSIS: {text}\nQ1: {text}\nA1: {text}\nMULTI-HOP QUESTION: {text}\nANSWER: {text}",
    "components": "".join(
        f'<component type="{name}"><question>{{text}}</question><answer>{{text}}</answer></component>'
        for name in ("Find Target Paper", "Generate Inter-document QA", "Merge Complete QA")
    )
    + '<component type="QA Validation">'
    + "".join(f'<score type="{name}">Accept</score>' for name in (*CRITERIA, "Decision"))
    + "</component>",
    "sql": "```sql\nselect '{text}'\n```",
    "labels": '[question]: {text}\n[evaluator]: {{"eval_func": "eval_string_exact_match", "eval_kwargs": '
    '{{"gold": "{text}"}}}}\n[answer_format]: {text}\n[answer]: "{text}"\n[tag]: text',
}


def texts_in(value):
    """Yield the texts that a value holds."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, BaseModel):
        yield from texts_in(value.model_dump())
    elif is_dataclass(value):
        yield from texts_in([getattr(value, field.name) for field in fields(value)])
    elif isinstance(value, dict):
        yield from texts_in([*value, *value.values()])
    elif isinstance(value, list | tuple | set):
        for inner in value:
            yield from texts_in(inner)


def read_by_all(form, text):
    """Return what each task makes of a reply of this form."""
    reply = ModelReply("k", reply_text(REPLIES[form].format(text=text)))
    return [task.outcome(reply) for task in TASKS]


def unfit(*values):
    """Return the kept texts with something that no kept text holds."""
    return [kept for kept in texts_in(values) if NEVER_KEPT.search(kept)]


@given(st.sampled_from(sorted(REPLIES)), TEXT)
def test_every_reply_is_read_without_control_characters_or_has_a_reason(form, text):
    for outcome in read_by_all(form, text):
        assert unfit(outcome.value, outcome.text) == []
        assert outcome.value is not None or outcome.reason


@pytest.mark.parametrize("form", sorted(REPLIES))
def test_no_control_character_is_kept_of_any_form(form):
    for written in WRITTEN:
        assert unfit(*((one.value, one.text) for one in read_by_all(form, f"Zinc {written} fell"))) == []


@pytest.mark.parametrize("form", sorted(REPLIES))
def test_each_of_these_forms_is_read_by_a_task(form):
    plain = [outcome.value for outcome in read_by_all(form, "x zinc") if outcome.value != outcome.text]
    assert any("x zinc" in kept for kept in texts_in(plain))


@given(TEXT, st.sampled_from(["Answer(answer='{}')", "Answer(answer=['{}'])"]))
def test_no_argument_of_an_action_holds_a_control_character(text, call):
    try:
        _, called = read_action(f"[Action]: {call.format(text)}", ["Answer"], "markdown", "react")
    except ActionError:
        return
    assert unfit(called.arguments) == []


GOOD, BROKEN, PROSE = "good", "broken", "prose"
BREAKS = (
    lambda pair: pair.replace(",", "", 1),
    lambda pair: pair[:-12],
    lambda pair: pair.replace(": ", ": a ", 1),
)
PIECE = st.one_of(
    st.just((GOOD, None)),
    st.sampled_from(BREAKS).map(lambda broken: (BROKEN, broken)),
    st.sampled_from(["- [ ] exact", "See [1].", "Next:", "p < 0.05 {n = 3}", "[]"]).map(
        lambda said: (PROSE, said)
    ),
)


@given(st.lists(PIECE, min_size=1, max_size=6), st.sampled_from(["\n", " ", ",\n", "\n```json\n"]))
def test_every_pair_is_read_or_leaves_a_row_with_a_reason(pieces, between):
    written, good, broken = [], [], 0
    for number, (kind, how) in enumerate(pieces):
        pair = json.dumps({"question": f"Q{number}?", "evidence": "e", "answer": "a"})
        if kind == GOOD:
            good.append(f"Q{number}?")
        broken += kind == BROKEN
        written.append(pair if kind == GOOD else how(pair) if kind == BROKEN else how)
    read = parse_triplets(between.join(written))
    if isinstance(read, Fault):
        assert read.reason == "malformed_reply"
        assert not good or broken
        return
    assert [triplet.question for triplet in read.triplets] == good
    assert bool(read.rejected) == bool(broken)
