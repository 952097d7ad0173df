"""The readers of the replies: loose forms lose nothing, and no text makes them crash."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.hopweaver.authors import comparison_polishing
from aimsciqa_assets.hopweaver.comparison import authors, questions, released, scores, subjects
from aimsciqa_assets.hopweaver.comparison.queries import Diversified, Recommendation, merged, read_queries
from aimsciqa_assets.hopweaver.comparison.questions import Comparison, NoPair, read_question
from aimsciqa_assets.hopweaver.comparison.scores import AttributeScore, Scores, joined, read_scores
from aimsciqa_assets.hopweaver.comparison.subjects import Ambiguous, Attribute, Subject, read_subject
from tests.reference_cases import SHARED
from tests.weirs import FIELDS, passed

CASES = SHARED / "reference-cases" / "hopweaver-parsers.jsonl"
PARSERS = {
    *("comparison_polisher", "compare_entity", "entity_filter", "threshold_filter", "compare_query"),
    "compare_question",
}
LOST_BY_THE_AUTHORS = {"parse-060", "parse-068", "parse-072"}
"""Rows that keep what the authors' code loses: an attribute, quoted scores."""
WEIR = Subject("Hollin Weir", "weir", (Attribute("length", "41 m (mean)"), Attribute("builder", "E. Marrow")))


def rows(path: Path = CASES):
    if not path.exists():
        return [pytest.param(None, marks=pytest.mark.skip(reason="needs ../shared/reference-cases"))]
    read = [json.loads(line) for line in path.read_text().splitlines()]
    return [pytest.param(row, id=row["id"]) for row in read if row["parser"] in PARSERS]


def shaped(row, reading):
    text, entity = row["response"], row.get("entity")
    match row["parser"]:
        case "comparison_polisher":
            return comparison_polishing(text)
        case "compare_entity":
            return authors.compare_entity(text, reading)
        case "entity_filter":
            return authors.entity_filter(text, "doc1", reading)
        case "threshold_filter":
            thresholds = (row["entity_threshold"], row["attribute_threshold"])
            return authors.threshold_filter(json.loads(text), entity, *thresholds, reading=reading)
        case "compare_query":
            return authors.compare_query(text, entity, reading)
        case _:
            return authors.compare_question(text, reading)


@pytest.mark.parametrize("row", rows())
def test_replies_are_read_as_in_the_reference_cases(row):
    expected = row.get("recommended", row["expected"])
    if row["id"] in LOST_BY_THE_AUTHORS:
        assert shaped(row, "tolerant") != expected
    else:
        assert shaped(row, "tolerant") == expected


@pytest.mark.parametrize("row", rows())
def test_the_released_reading_is_that_of_the_reference_cases(row):
    assert shaped(row, "released") == row["expected"]


@pytest.mark.parametrize(
    "text",
    [
        '("subject_entity"<|>"Hollin Weir"<|>"weir") ## ("attribute"<|>"length"<|>"41 m (mean)") ## '
        '("attribute"<|>"builder"<|>"E. Marrow")<|COMPLETE|>',
        '("subject_entity"<|>"Hollin Weir"<|>"weir")##("attribute"<|>"length"<|>"41 m (mean)")##'
        '("attribute"<|>"builder"<|>"E. Marrow")',
        "```\n(subject_entity<|>Hollin Weir<|>weir)\n(attribute<|>length<|>41 m (mean))\n"
        "(attribute<|>builder<|>E. Marrow)\n```",
        "subject_entity<|>Hollin Weir<|>weir ## attribute<|>length<|>41 m (mean) ## "
        "attribute<|>builder<|>E. Marrow<|COMPLETE|>\nI hope (that) this helps.",
        '<think>("subject_entity"<|>"dam"<|>"x")?</think>["SUBJECT_ENTITY" <|> “Hollin Weir” <|> "weir"]'
        ' ## ["attribute" <|> "length" <|> "41 m (mean)"] ## ["attribute" <|> "builder" <|> "E. Marrow"]',
    ],
)
def test_the_same_subject_is_read_however_it_is_written(text):
    assert read_subject(text) == WEIR


def test_brackets_quotes_and_separators_within_a_field_stay():
    text = '("subject_entity"<|>"The "Old" Weir"<|>"weir") ## ("attribute"<|>"size ## class"<|>"5\' 10"")'
    assert read_subject(text) == Subject('The "Old" Weir', "weir", (Attribute("size ## class", "5' 10\""),))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('("ambiguous_subject"<|>"a list")<|COMPLETE|>', "a list"),
        ("AMBIGUOUS: the document lists weirs", ""),
    ],
)
def test_an_ambiguous_subject_is_no_fault(text, why):
    assert read_subject(text) == Ambiguous(why)


@pytest.mark.parametrize(
    ("written", "score"),
    [("5", 5), ('"5"', 5), ("4.5", 4.5), ('"4,5"', 4.5), ("4/5", 4), ("score: 3", 3), (" 2 ", 2)],
)
def test_scores_are_read_quoted_and_with_decimals(written, score):
    text = f'("entity_score"<|>{written}) ## ("attribute_score"<|>"length"<|>"41 m"<|>{written})'
    assert read_scores(text) == Scores(score, (AttributeScore("length", "41 m", score),))


@pytest.mark.parametrize("written", ["0", "6", "10", "high", "", "-3"])
def test_a_score_outside_the_scale_is_none(written):
    read = read_scores(f'("entity_score"<|>{written}) ## ("attribute_score"<|>"length"<|>"41 m"<|>4)')
    assert isinstance(read, Fault)
    assert read.reason == "no_entity_score"


@pytest.mark.parametrize(
    "text",
    [
        '5 ## ("length"<|>"41 m"<|>4)',
        '("attribute_score"<|>"length"<|>"41 m"<|>4)\n("entity_score"<|>5)',
        '{"concreteness_score": 5, "attribute_scores": [{"attribute_name": "length", "attribute_value": '
        '"41 m", "comparability_score": "4"}]}',
        '```json\n{"entity_score": {"concreteness_score": 5}, "attribute_scores": [{"name": "length", '
        '"value": "41 m", "comparability_score": 4}]}\n```',
    ],
)
def test_other_forms_of_scores_are_read(text):
    assert read_scores(text) == Scores(5, (AttributeScore("length", "41 m", 4),))


def test_scores_join_by_name_whatever_case_white_space_and_quotes():
    attributes = [Attribute("Year of  birth", "1900"), Attribute("Award", "A"), Attribute("award", "B")]
    given_scores = Scores(
        5,
        (
            AttributeScore('"award"', "b", 5),
            AttributeScore("year of Birth", "", 4),
            AttributeScore("height", "", 5),
            AttributeScore("AWARD", "", 3),
        ),
    )
    assert joined(attributes, given_scores) == ((attributes[2], 5), (attributes[0], 4), (attributes[1], 3))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '("search_queries"<|>"one"<|>"two (x)"<|>"three")<|COMPLETE|>',
            Diversified(("one", "two (x)", "three")),
        ),
        ("search_queries<|>one<|>two<|>three<|>four", Diversified(("one", "two", "three"))),
        (
            'Search for:\n1. Query 1: weirs up north\n2. "weirs down south"\nquery: "weirs of old"',
            Diversified(("weirs up north", "weirs down south", "weirs of old")),
        ),
        (
            '("recall_focused_verify"<|>"Y"<|>"year"<|>"when Y (the weir) was built")',
            Recommendation("Y", "year", "when Y (the weir) was built"),
        ),
    ],
)
def test_queries_are_read(text, expected):
    assert read_queries(text) == expected


@pytest.mark.parametrize("text", ["", "no", "(search_queries<|>one<|>two)", "recall_focused_verify<|>Y<|>"])
def test_too_few_queries_are_a_fault(text):
    assert isinstance(read_queries(text), Fault)


def test_lists_are_merged_in_turn_and_without_duplicates():
    lists = [["a", "b", "c"], ["b", "d"], ["e"]]
    assert merged(lists) == ["a", "b", "e", "d", "c"]
    assert merged(lists, truncated_to=3) == ["a", "b", "c"]


@pytest.mark.parametrize(
    "text",
    [
        passed(),
        "```\n" + passed() + "\n```",
        "**PASS**\n" + "\n".join(f"- **{name.upper()}**: {value}" for name, value in FIELDS.items()),
        "PASS " + " ".join(f"{name}: {value}" for name, value in FIELDS.items()),
        "\n".join(f"{name} :\n{value}\n" for name, value in reversed(FIELDS.items())),
        passed(quote_b='"Work on it ended in 1790"')
        .replace("attribute_compared", "attribute")
        .replace("fact_entity", "fact"),
    ],
)
def test_the_same_question_is_read_however_it_is_written(text):
    assert read_question(text) == Comparison(**FIELDS)


def test_a_name_within_a_value_begins_no_field():
    text = passed(multi_hop_question="Which has the shorter answer: the first or Salter's Weir?")
    assert read_question(text).multi_hop_question.endswith("answer: the first or Salter's Weir?")


@pytest.mark.parametrize(
    ("text", "why"),
    [("FAIL", ""), ("FAIL\nno pair", "no pair"), ("[FAIL] - no pair", "no pair"), ("Result: FAILED", "")],
)
def test_a_refusal_is_no_fault(text, why):
    assert read_question(text) == NoPair(why)


PIECES = st.sampled_from(
    [
        *('("', '")', "(", ")", "<|>", "<|", "|", "##", " ## ", "\n", '"', "```", "{", "}", "<|COMPLETE|>"),
        *(
            "subject_entity",
            "attribute",
            "entity_score",
            "attribute_score",
            "search_queries",
            "5",
            "4.5",
            "²",
        ),
        *("recall_focused_verify", "PASS", "FAIL", "[PASS]", "[ADJUST]", "[REWORKED]", "REFINED_QUESTION:"),
        *("REFINED_ANSWER:", "entity_a:", "answer:", "query 1:", "Output:", "<think>", "</think>", "x"),
        *('{"attribute_scores": [1, {}], "concreteness_score": "x"}', "ambiguous_subject", "9" * 400),
    ]
)
REPLIES = st.lists(PIECES | st.text(max_size=5), max_size=25).map("".join)


@given(REPLIES)
def test_no_reply_makes_a_reader_crash(text):
    for module, reader in (
        (subjects, "read_subject"),
        (scores, "read_scores"),
        (questions, "read_question"),
    ):
        getattr(module, reader)(text)
        getattr(released, reader)(text)
    read_queries(text)
    released.read_queries(text, WEIR)


VALUES = st.text(
    st.characters(categories=("L", "N", "P", "Zs"), exclude_characters='"“”„<>|#`'), min_size=1, max_size=30
).map(str.strip)
FIELD_VALUES = VALUES.filter(bool)


@given(FIELD_VALUES, FIELD_VALUES, st.lists(st.tuples(FIELD_VALUES, FIELD_VALUES), min_size=1, max_size=5))
def test_no_field_of_a_subject_is_lost(name, kind, attributes):
    records = [f'("subject_entity"<|>"{name}"<|>"{kind}")']
    records += [f'("attribute"<|>"{one}"<|>"{value}")' for one, value in attributes]
    expected = Subject(name, kind, tuple(Attribute(*one) for one in attributes))
    assert read_subject(" ## ".join(records) + "<|COMPLETE|>") == expected


@given(st.lists(FIELD_VALUES, min_size=3, max_size=3))
def test_no_query_is_lost(values):
    quoted = "<|>".join(f'"{value}"' for value in values)
    assert read_queries(f'("search_queries"<|>{quoted})') == Diversified(tuple(values))


@given(st.fixed_dictionaries(dict.fromkeys(FIELDS, FIELD_VALUES.filter(lambda value: ":" not in value))))
def test_no_field_of_a_question_is_lost(values):
    text = "PASS\n" + "\n".join(f"{name}: {value}" for name, value in values.items())
    assert read_question(text) == Comparison(**values)
