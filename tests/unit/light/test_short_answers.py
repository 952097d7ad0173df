"""Exact match and F1 in the three ways of HopWeaver's authors: reference cases, literals, any texts."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa.measures.answers import exact_match, token_f1
from aimsciqa.measures.short_answers import Counting, normalised, overlap
from tests.reference_cases import all_cases

COLUMNS: dict[str, Counting] = {
    "bridge": "bridge",
    "comparison": "comparison",
    "flashrag_squad_style": "flashrag",
}
WORDS = [
    *"the The a An york new 1866 yes no naïve l’été U.S. rock-and-roll".split(),
    *"- , 1.2 A.I. can't an’ snake_case".split(),
]
TEXT = st.lists(st.sampled_from([*WORDS, "\t", "\n", " "]), max_size=6).map(" ".join)
PLAIN = st.lists(st.sampled_from(["york", "new", "1866", "été", "city"]), min_size=1, max_size=6).map(
    " ".join
)


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("case", all_cases("hopweaver-em-f1"))
def test_the_reference_cases(case, column):
    found = overlap(case["gold"], case["prediction"], COLUMNS[column])
    values = {
        "norm_pred": found.prediction,
        "norm_gold": found.answer,
        "em": found.exact_match,
        "f1": pytest.approx(found.f1, abs=1e-12),
        "precision": pytest.approx(found.precision, abs=1e-12),
        "recall": pytest.approx(found.recall, abs=1e-12),
    }
    assert case[column] == {name: values[name] for name in case[column]}


@pytest.mark.parametrize(
    ("text", "bridge", "comparison", "flashrag"),
    [
        ("The Beatles.", "beatles", "beatles", "beatles"),
        ("and the", "and", "and the", "and"),
        ("the a an", "", "an", ""),
        (" the ", "", "", ""),
        ("“The”  End", "end", "end", "“ ” end"),
        ("rock-and-roll", "rockandroll", "rockandroll", "rockandroll"),
        ("the-end", "theend", "theend", "theend"),
        ("snake_case", "snake_case", "snake_case", "snakecase"),
        ("U.S.A. – a", "usa", "usa a", "usa –"),
        ("A.I.\tis\nhere", "ai is here", "ai is here", "ai is here"),
        ("5 €", "5", "5", "5 €"),
        ("...", "", "", ""),
    ],
)
def test_normalisation(text, bridge, comparison, flashrag):
    assert normalised(text, "bridge") == bridge
    assert normalised(text, "comparison") == comparison
    assert normalised(text, "flashrag") == flashrag


@pytest.mark.parametrize(
    ("answer", "prediction", "bridge", "comparison", "flashrag"),
    [
        ("new york", "new new york", 1.0, 0.8, 0.8),
        ("new new york", "new new york city", 0.8, 6 / 7, 6 / 7),
        ("", "", 0.0, 1.0, 0.0),
        ("the", "...", 0.0, 0.0, 0.0),
        ("x", "", 0.0, 0.0, 0.0),
        ("yes", "Yes.", 1.0, 1.0, 1.0),
        ("yes", "yes it is", 0.5, 0.5, 0.0),
        ("no one", "no", 2 / 3, 2 / 3, 0.0),
        ("no", "yes", 0.0, 0.0, 0.0),
    ],
)
def test_f1(answer, prediction, bridge, comparison, flashrag):
    assert overlap(answer, prediction, "bridge").f1 == pytest.approx(bridge)
    assert overlap(answer, prediction, "comparison").f1 == pytest.approx(comparison)
    assert overlap(answer, prediction, "flashrag").f1 == pytest.approx(flashrag)


@given(TEXT, TEXT)
def test_any_two_texts_are_compared_the_same_either_way_round(one, other):
    for counting in COLUMNS.values():
        found, turned = overlap(one, other, counting), overlap(other, one, counting)
        assert (found.precision, found.recall) == (turned.recall, turned.precision)
        assert (found.exact_match, found.f1) == (turned.exact_match, turned.f1)
        assert 0 <= found.f1 <= 1
        if found.exact_match and found.answer:
            assert found.f1 == 1


@given(TEXT)
def test_normalisations_differ_in_articles_at_the_end_and_in_foreign_punctuation_only(text):
    without = re.sub(r"(\s*\b(?:a|an|the)\b)+\s*$", "", normalised(text, "comparison"))
    assert without == normalised(text, "bridge")
    if text.isascii() and "_" not in text:
        assert normalised(text, "bridge") == normalised(text, "flashrag")


@given(PLAIN, PLAIN)
def test_words_alone_are_counted_as_by_squad_and_by_all_if_none_is_repeated(one, other):
    ways = [overlap(one, other, counting) for counting in ("comparison", "flashrag")]
    if all(len(set(text.split())) == len(text.split()) for text in (one, other)):
        ways.append(overlap(one, other, "bridge"))
    for found in ways:
        assert found.exact_match == exact_match(one, other)
        assert found.f1 == pytest.approx(token_f1(one, other))
