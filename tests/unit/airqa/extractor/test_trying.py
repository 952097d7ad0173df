import pytest
from aimsciqa_resources.language_model import ModelReply
from aimsciqa_resources.warehouse.store_elements import Material, Piece

from aimsciqa_assets.airqa.extractor.quotas import Quota
from aimsciqa_assets.airqa.extractor.tracking import Tracked
from aimsciqa_assets.airqa.extractor.trying import Limits, Seed, Tried, compared, other_answer, trying
from tests.dialogues import held

LIMITS = Limits(5000, 0.6, ("eval_int_exact_match", "eval_reference_answer_with_llm"))
POT = Piece("sections", "s1", "Methods", "Pots were 30 cm deep.", 2)
EXPLORED = "```\n[Question]: How deep was the pot?\n[Answer]: 30\n[Evidence]: Pots were 30 cm deep.\n```"
TRACKED = """```
[question]: How deep was the pot?
[evaluator]: {"eval_func": "eval_int_exact_match", "eval_kwargs": {"gold": 30}}
[answer_format]: A number.
[answer]: 30
```"""


def seed(kind="single", element="text"):
    return Seed(Quota(kind, element, 1), "p1", "s1", 1)


def tried(*replies, of=None, material=None):
    one = of or seed()
    shown = material or Material("p1", "On Zinc in Pots", "Zinc fell.", "acl2023", (POT,))
    return held(trying("e1", one, shown, LIMITS), *replies)


def test_a_try_asks_the_explorer_and_the_tracker():
    asked, made = tried(EXPLORED, TRACKED)
    assert [one.task for one in asked] == ["extractor_explorer", "extractor_tracker"]
    assert made.reason is None
    assert made.example.answer == 30
    assert (made.evidence.text, made.evidence.page) == ("Pots were 30 cm deep.", 2)
    assert (made.explored, made.tracked) == (EXPLORED, TRACKED)


def test_a_reply_that_cannot_be_read_is_asked_for_once_more():
    asked, made = tried("Well.", EXPLORED, TRACKED)
    assert made.reason is None
    assert asked[1].purpose == "repair"
    asked, made = tried("Well.", "Well, well.")
    assert (made.reason, made.explored, made.example) == ("unreadable_question", "Well.", None)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (ModelReply("e1", None, "too_long"), "too_long"),
        (ModelReply("e1", "Once upon", truncated=True), "length_limit"),
    ],
)
def test_a_model_without_a_reply_is_a_reason(reply, reason):
    _, made = tried(reply)
    assert made.reason == reason


def test_a_quote_that_the_paper_lacks_ends_the_try_before_the_tracker():
    asked, made = tried(EXPLORED.replace("30 cm", "40 cm"))
    assert (len(asked), made.reason, made.detail) == (1, "evidence_not_found", "Pots were 40 cm deep.")


def test_a_judge_without_a_reply_is_no_verdict():
    judged = TRACKED.replace(
        '{"eval_func": "eval_int_exact_match", "eval_kwargs": {"gold": 30}}',
        '{"eval_func": "eval_reference_answer_with_llm", "eval_kwargs": {"reference_answer": "30"}}',
    )
    _, made = tried(EXPLORED, judged, ModelReply("e1", None, "timeout"))
    assert (made.reason, made.detail, made.failure) == ("no_verdict", "timeout", "timeout")


def test_a_question_that_must_find_its_paper_keeps_its_title():
    paper = Material("p1", "On Zinc in Pots", "Zinc fell.", "acl2023")
    of = Seed(Quota("retrieval", None, 1), "p1", "p1", 1)
    _, made = tried("```\n[Question]: Which paper is on zinc in pots?\n```", of=of, material=paper)
    assert made.reason == "title_in_question"
    _, made = tried("```\n[Question]: Which paper grew wheat in buckets?\n```", of=of, material=paper)
    assert (made.reason, made.example.answer) == (None, "On Zinc in Pots")


def example(answer, func="eval_int_exact_match", **arguments):
    evaluator = {"eval_func": func, "eval_kwargs": arguments or {"gold": answer}}
    return Tried(seed(), f"e{answer}", "T", "", example=Tracked("q?", answer, "f", evaluator))


def test_the_answer_to_another_example_is_a_wrong_one():
    assert other_answer(4, [4, "rice", 7]) == (7,)
    assert other_answer(4, [4, "rice"]) == ("rice",)
    assert other_answer(4, ["4"]) is None
    assert held(compared(example(4), 7))[1].reason is None
    fooled = example(4, "eval_element_included", gold=[4, 7], element_type="int")
    made = held(compared(fooled, 7))[1]
    assert (made.reason, made.detail, made.failure) == ("accepts_other_answer", "7", None)


def test_the_id_of_an_example_depends_on_what_was_drawn_alone():
    first = seed().example_id(42)
    assert first == Seed(Quota("single", "text", 9), "p1", "s1", 5).example_id(42)
    assert first != seed().example_id(43)
    assert first != seed("comprehensive").example_id(42)
