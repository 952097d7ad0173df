"""The parts of the necessity ledger from literals: reading, guessing, verdicts, difficulty, rates."""

import polars as pl
import pytest

from aimsciqa_assets.judging.gates import BestScore, necessity
from aimsciqa_assets.judging.necessity.difficulty import difficulty_rows, difficulty_verdict
from aimsciqa_assets.judging.necessity.guessing import guess, habits, is_right, names_in
from aimsciqa_assets.judging.necessity.items import Hop, Item, Source, item_of
from aimsciqa_assets.judging.necessity.ledger import Mark, by_model, of_benchmark
from aimsciqa_assets.judging.necessity.rates import rate_rows
from aimsciqa_assets.judging.necessity.reading import Text
from aimsciqa_assets.judging.necessity.rules import Rules, masked
from aimsciqa_assets.judging.necessity.searching import Found
from aimsciqa_assets.judging.necessity.trials import made_up_name, swapped
from aimsciqa_assets.judging.necessity.words import numbers, terms

TESTS = ("answerability", "guessing", "bridge_masked", "shortcut", "twin", "renamed", "counterfactual")
HOPS = (Hop("a", "Who built the mill?", "Ann Lee"), Hop("b", "When was Ann Lee born?", "1850", "Ann Lee"))


def item(
    question="When was the builder of the mill born?",
    answer="1850",
    *,
    hops=HOPS,
    number="1",
    titles=("A", "B"),
):
    sources = tuple(
        Source(role, f"{role}{number}", title, in_hand=False)
        for role, title in zip("abc", titles, strict=False)
    )
    quotes = {"a": ("The mill was built by Ann Lee.",), "b": ("Ann Lee was born in 1850.",)}
    return Item(number, "bridge", question, answer, sources, hops, quotes)


def test_terms_are_stems_without_common_words_and_numbers_as_one_writes_them():
    assert terms("How many trials of 1,500 mice, and 2.5 mg?") == {
        "mani",
        "trial",
        "1500",
        "mice",
        "2.5",
        "mg",
    }
    assert numbers(terms("In 1874, two of 1,500.")) == {"1874", "1500"}


@pytest.mark.parametrize(
    ("paragraph", "supported"),
    [
        ("Tarvite melts at 812 degrees.", True),
        ("Tarvite is green. At 812 degrees it melts.", True),
        ("Tarvite melts. It is green. It is soft. It is cheap. The kiln had 812 degrees.", False),
        ("Tarvite melts at 813 degrees.", False),
        ("Tarvite melts. Nobody measured 812 things. They had degrees from Oslo.", True),
        ("Tarvite melts at 812 of something. It is green. Men with degrees live there.", False),
        ("Brenite melts at 812 degrees.", False),
        ("The kiln held tarvite and wood, at most 812 degrees.", False),
    ],
)
def test_a_text_supports_an_answer_by_two_neighbouring_sentences_in_a_paragraph_about_the_question(
    paragraph, supported
):
    text = Text("p", "Stones", (paragraph,))
    question = "At how high a temperature does tarvite melt?"
    assert text.supports(question, "812 degrees", 0.5, "tarvite") is supported


def test_the_title_speaks_for_every_paragraph_and_an_empty_answer_is_supported_by_nothing():
    text = Text("p", "Tarvite", ("It is green.", "It melts at 812 degrees."))
    assert text.supports("When does tarvite melt?", "812 degrees", 1, "tarvite")
    assert not text.supports("When does tarvite melt?", "it is", 0)


def test_what_tells_a_question_from_similar_ones_must_be_there():
    text = Text("p", "Rivers", ("The Alma survey recorded 12 species of moth.",))
    asked = "How many species of moth did the Berg survey record?"
    assert text.supports(asked, "12", 0.6)
    assert not text.supports(asked, "12", 0.6, own=terms("Berg"))


@pytest.mark.parametrize(
    ("question", "titles", "names"),
    [
        (
            "Which is older, Lake Varn or Lake Stell?",
            ("Lake Stell", "Lake Varn"),
            ("Lake Varn", "Lake Stell"),
        ),
        (
            "Which is older, the 1921 Halden Survey or the Bank of Oslo?",
            ("x", "y"),
            ("1921 Halden Survey", "Bank of Oslo"),
        ),
        ("How do wheat and barley differ?", ("x", "y"), ()),
        ("Is a bird faster than a cat?", ("A", "B"), ()),
        ("Is Mercury or Alma larger?", ("Mercury (planet)", "Alma"), ("Mercury", "Alma")),
        ("Is it Lee (1850) or Ray (1870)?", ("Lee (1850)", "Ray (1870)"), ("Lee (1850)", "Ray (1870)")),
    ],
)
def test_names_are_titles_in_the_question_or_what_stands_around_or(question, titles, names):
    assert names_in(item(question, titles=titles)) == names


@pytest.mark.parametrize(
    ("question", "answer", "why"),
    [
        (
            "Which is in Norway, the Norwegian School or the Danish School?",
            "Norwegian School",
            "one name alone says “norway”",
        ),
        (
            "Which began later, the 1921 Survey or the 1954 Survey?",
            "the 1954 Survey",
            "the names hold numbers that tell",
        ),
        (
            "Which is smaller, Great Isle or Little Isle?",
            "Little Isle",
            "one name alone says how large or old it is",
        ),
        ("Are both the Oslo Museum and the Oslo School in Oslo?", "Yes.", "every name says “oslo”"),
        ("Was the Oslo Zoo opened in Oslo?", "yes", "every name says “oslo”"),
        ("When was the school of 1850 founded?", "1850", "the question holds the answer"),
        ("What was rye, a cereal or a grass, called in Salla?", "rye", "the question holds the answer"),
        (
            "Which trial fed more zinc, “Wheat for adults” or “Zinc in whole flour”?",
            "Zinc in whole flour",
            "one name alone says “zinc”",
        ),
    ],
)
def test_what_can_be_guessed(question, answer, why):
    asked = item(question, answer, titles=("Oslo Zoo", "Cairo Zoo"))
    guessed = guess(asked)
    assert guessed.why == why
    assert is_right(asked, guessed)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which lake is deeper, Lake Varn or the Stell Water?", "Lake Varn"),
        ("Which survey began later, the Alma Survey or the Berg Survey?", "the Berg Survey"),
        ("Were both Ann Lee and Bob Ray born in Oslo?", "yes"),
        ("Are both the Oslo Museum and the Alma Museum museums of art?", "yes"),
        ("When was the school founded?", "1850"),
        ("Which trial was larger, “Rye and blood pressure” or “Iron in pregnancy”?", "Iron in pregnancy"),
        (
            "Which lost more yield to drought, pearl millet or bread wheat in the field?",
            "pearl millet",
        ),
    ],
)
def test_what_cannot_be_guessed(question, answer):
    assert guess(item(question, answer)) is None


def test_a_wrong_guess_is_no_fault():
    larger = item("Which is larger, Great Isle or Little Isle?", "Little Isle")
    assert not is_right(larger, guess(larger))


@pytest.mark.parametrize(("number", "guessed"), [(19, 0), (20, 20)])
def test_a_habit_needs_twenty_items(number, guessed):
    asked = [item("Were Ann Lee and Bob Ray sisters?", "Yes", number=str(place)) for place in range(number)]
    assert len(habits(asked, 0.8)) == guessed


def test_a_habit_is_that_of_the_answers_that_follow_it():
    asked = [
        item("Which is older, Alma or Berg?", "Alma" if place < 16 else "Berg", number=f"{place:02}")
        for place in range(20)
    ]
    found = habits(asked, 0.8)
    assert sorted(found) == [f"{place:02}" for place in range(16)]
    assert found["03"].why == "16 of 20 questions of the sort “which name” have the answer the first name"
    assert habits(asked, 0.81) == {}


def test_without_hops_the_first_quote_of_each_document_is_one():
    row = {"item_id": "1", "variant": "im", "question": "q", "answer": "a", "hops": None}
    row["documents"] = [
        {"role": role, "paper_id": role, "title": role, "in_hand": False} for role in ("source", "target")
    ]
    row["quotes"] = [
        {"role": "source", "question": "Q1", "answer": "A1", "evidence": "E1"},
        {"role": "target", "question": None, "answer": None, "evidence": "E2"},
        {"role": "target", "question": "Q3", "answer": "A3", "evidence": "E3"},
    ]
    made = item_of(row)
    assert made.hops == (Hop("source", "Q1", "A1"), Hop("target", "", "E2"))
    assert made.quotes == {"source": ("E1",), "target": ("E2", "E3")}
    assert masked(made) == []


@pytest.mark.parametrize(
    ("paragraph", "verdicts"),
    [
        ("Ann Lee was born in 1850, in a mill in Oslo.", ("fail", "pass", "pass")),
        ("Ann Lee was born in 1850.", ("pass", "pass", "pass")),
    ],
)
def test_a_masked_hop_must_be_first_by_far_and_by_more_than_one_word(paragraph, verdicts):
    hops = (HOPS[0], Hop("b", "When was Ann Lee born in a mill in Oslo?", "1850", "Ann Lee"))
    asked = item(hops=hops)
    texts = {"b1": Text("b1", "B", (paragraph,))}
    rules = Rules(lambda _item, paper: texts.get(paper), question_share=0.6, lead=1.2, top_k=5)
    ((_, question),) = masked(asked)
    assert question == "When was […] born in a mill in Oslo?"

    def verdict(own: float, other: float) -> str:
        places = sorted([("b1", own), ("x", other)], key=lambda one: -one[1])
        found = [Found(paper, rank, score) for rank, (paper, score) in enumerate(places, start=1)]
        return rules.bridge_masked(asked, {question: found})["verdict"]

    assert (verdict(6, 5), verdict(5.9, 5), verdict(4, 5)) == verdicts


def test_what_has_no_text_is_not_decided_and_one_document_is_nothing_to_test():
    rules = Rules(lambda _item, _paper: None, question_share=0.6, lead=1.2, top_k=5)
    assert rules.answerability(item())["verdict"] == "unknown"
    assert rules.answerability(item(titles=("A",)))["verdict"] == "not_applicable"


RIGHT, WRONG, UNKNOWN = Mark(True, "1"), Mark(False, "0"), Mark(None, "no_text")
ALL = {("all", ""): RIGHT, ("none", ""): WRONG, ("alone", "a"): WRONG, ("alone", "b"): WRONG}


@pytest.mark.parametrize(
    ("changed", "verdict"),
    [
        ({}, "pass"),
        ({("negatives", ""): RIGHT}, "pass"),
        ({("negatives", ""): WRONG}, "fail"),
        ({("alone", "b"): RIGHT}, "fail"),
        ({("none", ""): RIGHT}, "fail"),
        ({("all", ""): WRONG}, "fail"),
        ({("all", ""): UNKNOWN}, "unknown"),
        ({("alone", "a"): UNKNOWN}, "unknown"),
        ({("alone", "a"): UNKNOWN, ("alone", "b"): RIGHT}, "fail"),
    ],
)
def test_an_item_is_answerable_with_all_documents_and_with_nothing_less(changed, verdict):
    rows = {row["test"]: row["verdict"] for row in by_model(item(), "m", ALL | changed, TESTS)}
    assert rows["answerability"] == verdict


def test_what_the_benchmark_did_not_ask_is_unknown():
    scores = {("1", "oracle"): BestScore(1.0, "j"), ("1", "a_only"): BestScore(0.5, "j")}
    marks = of_benchmark(scores, item())
    assert marks == {("all", ""): Mark(True, "1 by j"), ("alone", "a"): Mark(False, "0.5 by j")}
    (row,) = by_model(item(), "m", marks, TESTS)
    assert row["verdict"] == "unknown"
    assert row["detail"] == "none: not asked; a: 0.5 by j; b: not asked; all: 1 by j"
    assert list(by_model(item(), "m", {}, TESTS)) == []


def test_a_cell_takes_as_many_items_as_its_quota_and_draws_by_the_seed():
    asked = [item(number=str(place)) for place in range(4)]
    found = {
        asked[0].question: [Found(f"{role}{place}", 5 + place, 1.0) for place in range(4) for role in "ab"]
    }
    rows = difficulty_rows(asked, found, {"0": [True, False], "1": [False]}, seed=1)
    cells = [(row["cell"], row["place"]) for row in rows]
    assert cells[0] == ("2 hops, found in 10, overlap high, solved by some", 1)
    assert cells[1] == ("2 hops, found in 10, overlap high, solved by none", 1)
    assert {cells[2], cells[3]} == {
        ("2 hops, found in 10, overlap high, not answered", place) for place in (1, 2)
    }
    assert [row["worst_rank"] for row in rows] == [5, 6, 7, 8]
    assert [row["overlap"] for row in rows] == [pytest.approx(2 / 3)] * 4
    second = next(row for row in rows if row["place"] == 2)
    assert difficulty_verdict(asked[0], second, 0)["verdict"] == "pass"
    assert difficulty_verdict(asked[0], second, 1)["verdict"] == "fail"
    drawn = {tuple(row["place"] for row in difficulty_rows(asked, found, {}, seed)) for seed in range(20)}
    assert len(drawn) > 5


def test_a_question_that_finds_not_all_documents_has_no_worst_rank():
    (row,) = difficulty_rows([item()], {}, {}, seed=1)
    assert (row["worst_rank"], row["cell"]) == (
        None,
        "2 hops, not searched, overlap high, not answered",
    )


def test_rates_are_of_the_items_with_a_verdict():
    verdicts = ["pass", "pass", "fail", "unknown", "not_applicable"]
    ledger = pl.DataFrame(
        {
            "item_id": [str(place) for place in range(5)],
            "variant": "im",
            "test": "twin",
            "model": "rules",
            "verdict": verdicts,
        }
    )
    (row,) = rate_rows(ledger, clusters={}, resamples=200, seed=1)
    assert (row["passed"], row["failed"], row["unknown"], row["not_applicable"]) == (2, 1, 1, 1)
    assert row["value"] == pytest.approx(2 / 3)
    assert row["low"] < row["value"] < row["high"]
    (row,) = rate_rows(ledger[3:], clusters={}, resamples=200, seed=1)
    assert (row["value"], row["low"], row["high"]) == (None, None, None)


def test_the_gate_fails_by_one_failed_test_and_knows_nothing_without_a_verdict():
    ledger = pl.DataFrame(
        [
            ("1", "twin", "rules", "pass"),
            ("1", "shortcut", "rules", "fail"),
            ("1", "guessing", "gpt", "fail"),
            ("2", "twin", "rules", "pass"),
            ("2", "shortcut", "rules", "unknown"),
            ("3", "shortcut", "none", "unknown"),
        ],
        schema=["item_id", "test", "model", "verdict"],
        orient="row",
    )
    rows = [(row["verdict"], row["detail"]) for row in necessity("1234", ledger)]
    assert rows == [
        ("fail", "guessing by gpt; shortcut by rules"),
        ("pass", "it failed no test"),
        ("unknown", "it failed no test"),
        ("unknown", "it failed no test"),
    ]


def test_a_made_up_name_stays_and_is_put_in_place_of_whole_words():
    assert made_up_name("Ann Lee") == made_up_name("ann lee") != made_up_name("Ann Leo")
    assert swapped("Iron, iron and irony.", "iron", "Vex") == "Vex, Vex and irony."
    assert swapped("It is 12 mg (a.b).", "a.b", r"\1") == r"It is 12 mg (\1)."
