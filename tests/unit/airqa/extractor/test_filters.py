import pytest

from aimsciqa_assets.airqa.extractor.filters import (
    content_words,
    gives_answer,
    gives_title,
    in_common,
    judged,
    wrong_answers,
)
from aimsciqa_assets.airqa.extractor.tracking import Tracked
from tests.dialogues import held


def tracked(answer, func="eval_string_exact_match", form="A name.", question="Who?", **arguments):
    given = arguments or {"gold": answer}
    if func.endswith("_with_llm"):
        given["question"] = question
    return Tracked(question, answer, form, {"eval_func": func, "eval_kwargs": given})


@pytest.mark.parametrize(
    ("question", "form", "answer", "gives"),
    [
        ("Which optimiser is used?", "A name.", "AdamW", False),
        ("Is AdamW or SGD better?", "A name, AdamW or SGD.", "AdamW", False),
        ("Which optimiser is used?", 'A name, such as "AdamW".', "AdamW", True),
        ("Why does grain zinc fall in dry soil?", "A clause.", "grain zinc fall in dry", True),
        ("How many layers are there?", "A number, such as 12.", 12, False),
    ],
)
def test_an_answer_may_be_one_of_several_but_not_be_given_away(question, form, answer, gives):
    assert (gives_answer(tracked(answer, form=form, question=question)) is not None) is gives


@pytest.mark.parametrize(
    ("question", "detail"),
    [
        ("Which paper measures zinc of wheat under heat?", "it has 'zinc of wheat' of the title"),
        ("Which paper offers WheatBench?", "it has the name 'WheatBench'"),
        ("Which paper measures grain minerals of wheat?", None),
    ],
)
def test_a_title_is_given_away_by_words_in_a_row_or_by_its_name(question, detail):
    found = gives_title(question, "WheatBench: Zinc of Wheat", 0.75)
    assert (found[1] if found else None) == detail


def test_wrong_answers_are_empty_or_have_another_number():
    assert list(wrong_answers("3.5 mg")) == [
        ("accepts_empty", ""),
        ("accepts_changed_number", "9.5 mg"),
    ]
    assert list(wrong_answers(["a", 4])) == [
        ("accepts_empty", ""),
        ("accepts_empty", []),
        ("accepts_changed_number", ["a", 11]),
    ]
    assert list(wrong_answers("none")) == [("accepts_empty", "")]


@pytest.mark.parametrize(
    ("example", "reason"),
    [
        (tracked("AdamW"), None),
        (tracked("AdamW", gold="SGD"), "fails_its_answer"),
        (tracked(["a"], "eval_element_list_included", gold=["a", "b"]), "accepts_empty"),
        (tracked(40, "eval_float_exact_match", gold=40.0, tolerance=3.0), "accepts_changed_number"),
        (
            tracked("x", "eval_negation", eval_func="eval_int_exact_match", eval_kwargs={"gold": 1}),
            "accepts_empty",
        ),
    ],
)
def test_an_evaluator_tells_right_from_wrong(example, reason):
    asked, found = held(judged(example, wrong_answers(example.answer), "e"))
    assert asked == []
    assert (found[0] if found else None) == reason


def test_an_evaluator_with_a_judge_asks_it_about_every_answer():
    example = tracked("3 mg", "eval_reference_answer_with_llm", reference_answer="3 mg")
    verdicts = ["```\nTrue\n```", "```\nFalse\n```", "```\nTrue\n```"]
    asked, found = held(judged(example, wrong_answers("3 mg"), "e"), *verdicts)
    assert [one.variables["prediction"] for one in asked] == ["3 mg", "", "9 mg"]
    assert found == ("accepts_changed_number", '"9 mg"')


def test_questions_are_alike_by_their_words():
    def share(one, other):
        return in_common(content_words(one), content_words(other))

    zinc = "How much zinc has the grain of wheat?"
    assert share(zinc, "What zinc has wheat grain, how much?") == 1
    assert share(zinc, "How much iron has the grain of rice?") == pytest.approx(2 / 6)
    assert share("Which is it?", "What is it?") == 0
