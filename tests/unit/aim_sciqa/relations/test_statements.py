"""Which question-answer pairs are no core pairs, and which go together; all of them made up."""

import pytest

from aimsciqa_assets.aim_sciqa.relations.statements import (
    Statement,
    fault_of,
    is_result,
    mismatch_of,
    score_of,
    shared_by,
    sort_of,
    specificity,
)

ZINC = Statement(
    "How did foliar zinc change the grain yield of quillwort rice?",
    "Foliar zinc raised the grain yield of quillwort rice by 14%.",
    "results",
)
IRON = Statement(
    "What did iron chlorosis do to the grain yield of quillwort rice?",
    "Iron chlorosis lowered the grain yield of quillwort rice by a fifth.",
    "results",
)
EATEN = Statement(
    "In how many provinces is quillwort rice eaten?",
    "Quillwort rice is eaten in many places.",
    "introduction",
)
LARKS = Statement(
    "How heavy were marsh larks at Lake Orm?", "Marsh larks at Lake Orm weighed 41 g.", "results"
)


def rarity(word: str) -> float:
    return {"rice": 0.5, "grain": 0.4, "by": 0.0}.get(word, 1.0)


def statement(question: str, answer: str, kind="results") -> Statement:
    return Statement(question, answer, kind)


@pytest.mark.parametrize(
    ("question", "answer", "kind", "fault"),
    [
        ("Who approved it?", "The ethics committee of Orm approved the trial.", "methods", "ethics"),
        ("Where did the larks' feed come from?", "It was purchased from Feed Ltd.", "results", "reagent"),
        ("What is quillwort rice?", "Quillwort rice is a cereal of salt marshes.", "abstract", "definition"),
        ("What does QWR stand for?", "QWR stands for quillwort rice.", "results", "definition"),
        ("What were these methods applied to?", "The methods were applied to larks.", "results", "deictic"),
        ("What did the larks prefer?", "They preferred snails to seeds.", "results", "deictic"),
        ("How were rates compared?", "Rates of larks were compared by a test.", "results", "routine_method"),
        ("What was used to weigh larks?", "A spring was used to weigh them.", "results", "routine_method"),
        ("How was DNA got from larks?", "DNA was extracted using beads.", "results", "routine_method"),
        ("Where were larks caught?", "Larks were caught in nets at two lakes.", "methods", "routine_method"),
        ("What do larks eat?", "Larks eat snails.", "introduction", "background"),
    ],
)
def test_a_routine_statement_is_no_core_pair(question, answer, kind, fault):
    assert fault_of(statement(question, answer, kind)) == fault


@pytest.mark.parametrize(
    ("question", "answer", "kind"),
    [
        (ZINC.question, ZINC.answer, "results"),
        ("What is the prevalence of lark fever?", "The prevalence of lark fever is 4%.", "abstract"),
        ("What did larks eat in this study?", "In this study, larks ate snails.", "discussion"),
        ("What do those larks eat that winter inland?", "Those that winter inland eat seeds.", "results"),
        ("How were larks affected by frost?", "Larks were impaired by frost.", "results"),
        ("What is quillwort rice rich in?", "Quillwort rice is rich in sodium.", "results"),
        ("How did frost act on larks?", "Frost reduced the weight of larks.", "methods"),
    ],
)
def test_a_finding_is_sound(question, answer, kind):
    assert fault_of(statement(question, answer, kind)) is None


def test_what_two_findings_share_is_told_apart_into_entities_and_attributes():
    shared = shared_by(ZINC, IRON, rarity)
    assert shared.entities == ("quillwort", "rice", "grain")
    assert shared.attributes == ("yield",)
    assert mismatch_of(ZINC, IRON, shared, rarity) is None


def test_papers_that_share_no_entity_make_no_core_pair():
    assert mismatch_of(ZINC, LARKS, shared_by(ZINC, LARKS, rarity), rarity) == "no_shared_entity"


def test_a_word_that_most_papers_have_is_no_entity():
    assert shared_by(ZINC, IRON, lambda _word: 0.1).entities == ()


def test_statements_that_say_the_same_make_no_core_pair():
    again = Statement("What did zinc on leaves do?", ZINC.answer.replace("raised", "raised,"), "abstract")
    assert mismatch_of(ZINC, again, shared_by(ZINC, again, rarity), rarity) == "near_identical"


def test_an_attribute_in_common_ranks_before_the_same_field_and_results_before_methods():
    def score(one, other):
        return score_of(one, other, shared_by(one, other, rarity), 0.6, rarity)

    assert score(ZINC, IRON) > score(ZINC, EATEN) + 1
    in_methods = Statement(IRON.question, IRON.answer, "methods")
    assert score(ZINC, IRON) == pytest.approx(score(ZINC, in_methods) + 0.9)


def test_names_and_values_make_a_question_specific():
    assert specificity("How heavy were marsh larks at Lake Orm in 1987?", rarity) == 1.0
    assert specificity("What did the larks of this study show by 1987?", lambda word: word == "1987") == 0.25


def test_one_word_of_the_field_is_too_little_without_a_measured_attribute():
    eaten = shared_by(ZINC, EATEN, rarity)
    assert eaten.attributes == ()
    assert mismatch_of(ZINC, EATEN, eaten, rarity) is None
    assert mismatch_of(ZINC, EATEN, eaten, lambda _word: 0.4) == "little_in_common"


@pytest.mark.parametrize(
    ("question", "sort"),
    [
        ("How did foliar zinc affect rice?", "effect"),
        ("By how much did the yield fall?", "effect"),
        ("How was rice affected in winter?", "effect"),
        ("How did rice compare with oats in terms of zinc?", "difference"),
        ("What was the range of the zinc content?", "value"),
        ("What percentage of larks ate snails?", "value"),
        ("How heavy were larks?", "value"),
        ("How many larks were caught?", None),
        ("What do larks eat?", None),
    ],
)
def test_questions_are_of_a_sort(question, sort):
    assert sort_of(question) == sort


def test_the_same_sort_of_question_about_one_thing_is_a_comparison_however_common_its_words():
    one = statement("What was the range of PIC in figs?", "PIC ranged from 0.1 to 0.2 in figs.")
    other = statement("What was the mean of PIC in yams?", "PIC was 0.4 on average in yams.")
    shared = shared_by(one, other, lambda _word: 0.4)
    assert shared.asked == {"pic"}
    assert mismatch_of(one, other, shared, lambda _word: 0.4) is None
    told = statement("Which yams were best?", "Yams with a PIC of 0.4 were best.")
    assert mismatch_of(one, told, shared_by(one, told, rarity), lambda _word: 0.4) == "little_in_common"


def test_an_attribute_counts_only_where_both_questions_ask_for_it_and_an_entity_counts_half_elsewhere():
    one = statement("What was the yield of figs?", "The yield of figs was 3 t.")
    other = statement("What did frost do to figs?", "Frost lowered the yield of figs.")
    assert shared_by(one, other, rarity).attributes == ()
    aside = statement("What did frost do to trees?", "Frost lowered the yield of figs.")
    difference = score_of(one, other, shared_by(one, other, rarity), 0.5, rarity) - score_of(
        one, aside, shared_by(one, aside, rarity), 0.5, rarity
    )
    assert difference == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("answer", "kind", "expected"),
    [
        ("Frost lowered the weight of larks.", "results", True),
        ("Frost lowers the weight of larks by 3.5 g.", "results", True),
        ("Frost is known to be followed by lower weights.", "results", False),
        ("Frost lowers the weight of larks.", "results", False),
        ("Frost lowered the weight of larks.", "introduction", False),
        ("Frost lowered the weight of larks, as reported by Orm.", "results", False),
        ("Frost lowered the weight of larks" + " that sang" * 14, "results", False),
    ],
)
def test_a_paper_is_searched_by_what_it_found(answer, kind, expected):
    assert is_result(statement("What did frost do?", answer, kind)) is expected
