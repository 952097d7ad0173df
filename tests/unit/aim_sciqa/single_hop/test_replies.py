import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.aim_sciqa.single_hop.replies import FIELDS, ParsedReply, Triplet, parse_triplets
from aimsciqa_assets.asking.faults import Fault
from tests.reference_cases import SHARED

ONE = {"question": "What rose?", "evidence": "Zinc rose.", "answer": "Zinc rose."}
TRIPLET = Triplet("What rose?", "Zinc rose.", "Zinc rose.")
LIST = json.dumps([ONE, ONE])


def reason_of(reply: str | None) -> str | None:
    """Why a reply cannot be read."""
    parsed = parse_triplets(reply)
    return parsed.reason if isinstance(parsed, Fault) else None


@pytest.mark.parametrize(
    "reply",
    [
        LIST,
        f"```json\n{LIST}\n```",
        f"Here are [2] triplets for you:\n\n{LIST}\n\nI hope this helps.",
        LIST.replace("}, {", "},\n\n{").replace("}]", "},\n]"),
        LIST.replace('"', "“", 1).replace('question"', "question”", 1),
        json.dumps({"triplets": [ONE, ONE]}),
        json.dumps([{**ONE, "note": "extra fields do no harm"}, ONE]),
    ],
)
def test_two_triplets_are_read_whatever_stands_around_them(reply):
    assert parse_triplets(reply) == ParsedReply((TRIPLET, TRIPLET))


@pytest.mark.parametrize(
    "reply", [json.dumps(ONE), f"```json\n{json.dumps(ONE)}\n```", f"Answer: {json.dumps(ONE)}."]
)
def test_a_single_object_counts_as_a_list_of_one(reply):
    assert parse_triplets(reply) == ParsedReply((TRIPLET,))


@pytest.mark.parametrize("reply", ["[]", "```json\n[]\n```", "No facts here: []"])
def test_an_empty_list_is_an_answer(reply):
    assert parse_triplets(reply) == ParsedReply()


@pytest.mark.parametrize("reply", [None, "", " \n"])
def test_an_empty_reply_has_its_own_reason(reply):
    assert reason_of(reply) == "empty_reply"


@pytest.mark.parametrize("reply", ["I cannot do that.", "{", "[[[", '{"a": 1}', "42", '["a", "b"]', "null"])
def test_what_holds_no_triplets_is_malformed(reply):
    assert reason_of(reply) == "malformed_reply"


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        ("text", "not_an_object"),
        ({"question": "What?", "answer": "Zinc."}, "missing_field"),
        ({**ONE, "answer": 12}, "not_a_string"),
        ({**ONE, "answer": None}, "not_a_string"),
        ({**ONE, "answer": "\ud800"}, "invalid_text"),
    ],
)
def test_a_bad_item_is_rejected_alone(item, reason):
    parsed = parse_triplets(json.dumps([ONE, item]))
    assert parsed.triplets == (TRIPLET,)
    assert [rejected.reason for rejected in parsed.rejected] == [reason]


def test_a_reply_that_was_cut_off_keeps_its_complete_triplets():
    parsed = parse_triplets(LIST[:-20])
    assert parsed.triplets == (TRIPLET,)
    assert [rejected.reason for rejected in parsed.rejected] == ["cut_off"]


def test_hostile_nesting_is_malformed_and_quick():
    assert reason_of("[" * 100_000) == "malformed_reply"
    assert reason_of('{"a":' * 100_000) == "malformed_reply"


FAULTS = SHARED / "faults"
DOSE, FOOD = "15 mg", "food"


@pytest.mark.parametrize(
    ("file", "answers"),
    [
        ("01-think-marks/a-magistral.txt", [DOSE]),
        ("01-think-marks/b-gpt-oss-plain.txt", [DOSE]),
        ("01-think-marks/c-gpt-oss-tokens.txt", [DOSE]),
        ("03-latex-escapes/a.txt", [r"$\frac{30}{2}$ mg, $\theta=0$"]),
        ("03-latex-escapes/b-nul.txt", ["15 mg  [31m"]),
        ("03-latex-escapes/c-invalid.txt", [DOSE]),
        ("04-empty-list-in-prose/a.txt", [DOSE]),
        ("04-empty-list-in-prose/b.txt", [DOSE]),
        ("05-several-objects/a-numbered.txt", [DOSE, FOOD]),
        ("05-several-objects/b-fences.txt", [DOSE, FOOD]),
        ("21-double-escape/a.txt", ["15 µg"]),
    ],
)
def test_replies_that_people_met_are_read(file, answers):
    if not FAULTS.exists():
        pytest.skip("needs ../shared/faults")
    parsed = parse_triplets((FAULTS / file).read_text(encoding="utf-8"))
    assert ([triplet.answer for triplet in parsed.triplets], parsed.rejected) == (answers, ())


TWO = {"question": "What fell?", "evidence": "Iron fell.", "answer": "Iron."}
DRAFT = {**ONE, "answer": "DRAFT"}
A, B, D = map(json.dumps, (ONE, TWO, DRAFT))


@pytest.mark.parametrize(
    "reply",
    [
        f"{A}, {B}",
        f"**1.** {A}\n\n**2.** {B}\n\nDone.",
        f'{{"pairs": [{A}]}}\n```json\n{{"pairs": [{B}]}}\n```',
        f'{{"1": {A}, "2": {B}}}',
        f'{{"pairs": {{"a": {A}, "b": {B}}}}}',
        f'[{{"pair": {A}}}, {{"pair": {B}}}]',
        f'{{"items": [{A}], "more": [{B}], "keywords": ["zinc"]}}',
        f'- [ ] checked\nI would give {{"pairs": []}} or [] if [1] stated nothing. [{A}, {B}]',
        f'Draft: {{"pairs": [{D}]}}\nFinal answer:\n```json\n{{"pairs": [{A}, {B}]}}\n```',
        f"Draft: {D}\n{B}\nCorrected: {A}",
        f'{{"draft": [{D}], "final_pairs": [{A}, {B}]}}',
        f'{{"initial": {D}, "revised": {A}, "other": {B}}}',
        f'Final:\n{{"draft": {{"pairs": [{D}]}}, "final": {{"pairs": [{A}, {B}]}}}}',
        f"From the first sentence:\n[{A}]\nFrom the final sentence:\n[{B}]",
        f"First:\n[{A}]\nThe corrected mean, finally:\n[{B}]",
    ],
)
def test_all_pairs_are_read_whatever_holds_them(reply):
    parsed = parse_triplets(reply)
    assert ({triplet.answer for triplet in parsed.triplets}, parsed.rejected) == ({"Zinc rose.", "Iron."}, ())


@pytest.mark.parametrize(
    ("reply", "reasons"),
    [
        (f'{A}\n{{"question": "x" "evidence": "y"}}\n{B}', ["unreadable"]),
        (f'{{"pairs": [{A}, {{"question": "a "b" c"}}, {B}]}}', ["unreadable"]),
        (f"{{'question': 'x', 'evidence': 'y', 'answer': 'z'}} {A} {B}", ["unreadable"]),
        (f'{A} {B} {{"question": "x", "evi', ["cut_off"]),
        (f'{{"pairs": [{A}, {B}', ["cut_off"]),
        (f'{A} {B} {{"question": "x", "answer": "y"}}', ["missing_field"]),
        (f'{{"pairs": [{A}, {B}, "and more"]}}', ["not_an_object"]),
    ],
)
def test_what_cannot_be_read_beside_pairs_has_a_reason(reply, reasons):
    parsed = parse_triplets(reply)
    assert [triplet.answer for triplet in parsed.triplets] == ["Zinc rose.", "Iron."]
    assert [item.reason for item in parsed.rejected] == reasons


@pytest.mark.parametrize(
    "reply",
    [
        f'{{"pairs": [{D}]}} No. {{"pairs": [{A}]}}',
        f"{D}\n\n{A}",
        f"```json\n[{D}]\n```\n```json\n[{A}, {B}]\n```",
    ],
)
def test_two_answers_to_one_question_are_ambiguous(reply):
    assert reason_of(reply) == "ambiguous_reply"


@pytest.mark.parametrize(
    "reply", ["- [ ] quote is exact\n- [ ] answer is short", "[] would be an answer.", "{}"]
)
def test_brackets_in_prose_are_no_answer(reply):
    assert reason_of(reply) == "malformed_reply"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.text() | JSON.map(json.dumps) | st.tuples(st.text(), JSON.map(json.dumps)).map("".join))
def test_any_text_gives_a_result_and_never_raises(reply):
    parsed = parse_triplets(reply)
    if isinstance(parsed, Fault):
        assert parsed.reason in ("empty_reply", "malformed_reply", "ambiguous_reply")
        return
    values = [value for t in parsed.triplets for value in (t.question, t.evidence, t.answer)]
    assert all(isinstance(value, str) for value in values)
