import json

import numpy as np
import pytest

import aimsciqa
from aimsciqa import EvaluationError

pytestmark = pytest.mark.slow  # the release is written first

ANSWERS = {
    "i1": "merged_answer of 1",
    "i2": "It is merged_answer of 7.",
    "i3": "I cannot tell.",
    "i6": None,
}


@pytest.fixture(scope="module")
def release(evaluated_release):
    return aimsciqa.load(evaluated_release)


@pytest.fixture
def lines(tmp_path):
    def written(*rows):
        path = tmp_path / "answers.jsonl"
        path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows))
        return path

    return written


def test_answers_are_measured_by_their_words(release, lines):
    as_json = lines(*({"item_id": item, "answer": text} for item, text in ANSWERS.items()))
    as_object = as_json.with_suffix(".json")
    as_object.write_text(json.dumps(ANSWERS))
    for answers in (ANSWERS, as_json, str(as_object)):
        found = release.evaluate_answers(answers)
        assert found.values["exact_match"] == {"i1": 1.0, "i2": 0.0, "i3": 0.0, "i6": 0.0}
        # "it is mergedanswer of 7" has two of the three words of "mergedanswer of 2".
        assert found.values["token_f1"] == {"i1": 1.0, "i2": 2 * 2 / (3 + 5), "i3": 0.0, "i6": 0.0}
        assert found.values["rouge_l"]["i2"] == pytest.approx(2 * 3 / (4 + 6))
        # The number stands in the question, too: only "answer" is asked for.
        assert found.values["accuracy (lexical)"] == {"i1": 1.0, "i2": 1.0, "i3": 0.0, "i6": 0.0}
        assert found.notes == ("2 items have no answer and count as 0: i3, i6",)


def test_other_names_of_the_fields_and_scores_of_others(release, lines):
    path = lines(
        {"id": "i1", "prediction": "merged_answer of 1", "scores": {"my judge": 0.5, "token_f1": 0}},
        {"_id": "i2", "answer": "", "scores": {"my judge": 1}},
        "",
    )
    found = release.evaluate_answers(path)
    assert found.values["my judge"] == {"i1": 0.5, "i2": 1.0}
    assert found.values["token_f1"]["i1"] == 1.0


def test_an_answer_that_is_not_published_has_the_scores_that_were(release, lines):
    path = lines({"item_id": "i2", "answer": None, "withheld": True, "scores": {"token_f1": 0.25}})
    found = release.evaluate_answers(path, split="test")
    assert found.values["token_f1"] == {"i2": 0.25}
    assert found.notes == (
        "1 answers are not published; the scores that the file has for them are taken: i2",
    )


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"item_id": "i9", "answer": "x"}], "1 item ids are not in aimsciqa-release: i9"),
        ([{"item_id": "i1", "answer": "x"}] * 2, "answers 1 items twice: i1"),
        (["{"], "line 1: this is no answer"),
        (['"i1"'], "line 1: this is no answer"),
        ([{"item_id": "i1"}], "line 1: this is no answer"),
        ([{"answer": "x"}], "line 1: this is no answer"),
        ([{"item_id": "i1", "answer": 3}], "line 1: this is no answer"),
        ([{"item_id": "i1", "answer": "x", "scores": {"judge": float("nan")}}], "NaN is not a finite number"),
        (
            [{"item_id": "i1", "answer": "x", "scores": {"judge": True}}],
            "line 1: this is no answer, which is",
        ),
        ([{"item_id": 1, "answer": "x"}, {"item_id": "i1", "answer": "x"}], "line 1: this is no answer"),
        ([{"item_id": ["i1"], "answer": "x"}], "line 1: this is no answer"),
        ([{"item_id": "i1", "answer": "x", "scores": {"judge": "inf"}}], "inf is not a finite number"),
        (['{"item_id": "i1", "answer": "x", "scores": {"judge": 1e999}}'], "1e999 is not a finite number"),
        ([f'{{"item_id": "i1", "answer": "x", "scores": {{"judge": {10**400}}}}}'], "is not a finite number"),
        (['{"item_id": "i1", "answer": "x", "answer": "y"}'], "line 1: .* the key 'answer' twice"),
    ],
)
def test_answers_that_do_not_fit_are_told(release, lines, rows, said):
    with pytest.raises(EvaluationError, match=said):
        release.evaluate_answers(lines(*rows))


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\x0c"])
def test_marks_inside_an_answer_end_no_line(release, tmp_path, mark):
    row = {"item_id": "i1", "answer": f"merged_answer{mark}of 1"}
    path = tmp_path / "answers.jsonl"
    path.write_bytes(f"\ufeff{json.dumps(row, ensure_ascii=False)}\r\n".encode())
    assert release.evaluate_answers(path).values["token_f1"]["i1"] == 1.0


def test_an_object_of_answers_may_begin_with_a_mark_and_names_each_item_once(release, tmp_path):
    path = tmp_path / "answers.json"
    path.write_text("\ufeff" + json.dumps(ANSWERS), encoding="utf-8")
    assert release.evaluate_answers(path) == release.evaluate_answers(ANSWERS)
    path.write_text('{"i1": "x", "i2": "y", "i1": "z"}')
    with pytest.raises(EvaluationError, match="is no JSON: an object has the key 'i1' twice"):
        release.evaluate_answers(path)
    path.write_bytes(b'{"i1": "\xe9"}')
    with pytest.raises(EvaluationError, match=r"cannot be read: it is not UTF-8 \(byte 9\)"):
        release.evaluate_answers(path)


def test_a_mean_that_is_too_large_is_null_in_json(release, lines):
    rows = [{"item_id": item, "answer": "x", "scores": {"judge": 1.7e308}} for item in ANSWERS]
    with np.errstate(over="ignore", invalid="ignore"):
        found = json.loads(release.evaluate_answers(lines(*rows)).as_json(), parse_constant=pytest.fail)
    assert None in {score["value"] for score in found["scores"] if score["measure"] == "judge"}


def test_what_is_no_text_or_no_file_is_told(release, tmp_path):
    with pytest.raises(EvaluationError, match="An answer is a text or null, but these are not: i1"):
        release.evaluate_answers({"i1": ["x"]})
    with pytest.raises(EvaluationError, match="cannot be read"):
        release.evaluate_answers(tmp_path / "none.jsonl")
    (tmp_path / "a.json").write_text("[]")
    with pytest.raises(EvaluationError, match="must hold an object of answers by item id"):
        release.evaluate_answers(tmp_path / "a.json")


def test_answers_of_another_split_are_left_out_and_told(release):
    found = release.evaluate_answers(ANSWERS, split="test")
    assert set(found.values["token_f1"]) == {"i2"}
    assert found.notes == ("3 answers are for items that were not chosen and are left out",)
