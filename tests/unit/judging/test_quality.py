"""Judges' ratings: replies read, rows, reliability; evidence coverage; draws."""

import json

import polars as pl
import pytest
from aimsciqa_resources.language_model import ModelReply
from aimsciqa_resources.language_model.recordings import key_of
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.judging.coverage import coverage_of, covered_by
from aimsciqa_assets.judging.dimensions import DIMENSIONS, LIKERT, words_of
from aimsciqa_assets.judging.ratings import divided, rating_dialogues, ratings_of
from aimsciqa_assets.judging.reliability import reliability_of
from aimsciqa_assets.judging.replies import read_scores
from aimsciqa_assets.judging.showing import first_words, papers_of
from aimsciqa_assets.judging.showing import shown as shown_to_judges
from aimsciqa_assets.judging.task import QUALITY
from aimsciqa_assets.platform.drawing import drawn
from tests.dialogues import held
from tests.fakes import SentenceModel

GOOD = {"multi_hop": "Yes"} | dict.fromkeys(LIKERT, "Good")
SCORES = {"multi_hop": 1} | dict.fromkeys(LIKERT, 4)
DRAWN = ["item-27", "item-10", "item-93"]
TOLD = {
    "question": "Q?",
    "answer": "A.",
    "documents": [{"title": "S", "text": "s"}, {"title": "T", "text": "t"}],
    "shown": "paragraphs",
    "compares": False,
}


def lines(template: str) -> str:
    """A reply with a line for each dimension, as people write their names."""
    return "\n".join(
        template.format(name=name.replace("_", " ").title(), word=word) for name, word in GOOD.items()
    )


@pytest.mark.parametrize(
    "reply",
    [
        json.dumps(GOOD),
        f"```json\n{json.dumps(GOOD, indent=2)}\n```\nI hope this helps.",
        f"<think>fluency: Poor?</think>{json.dumps(GOOD)}",
        json.dumps({"ratings": GOOD}),
        json.dumps(SCORES),
        json.dumps(SCORES | {"multi_hop": True}),
        json.dumps({name: f"  {word.upper()}: for a reason" for name, word in GOOD.items()}),
        json.dumps({name: {"reason": "so", "score": word} for name, word in GOOD.items()}),
        json.dumps({name.replace("_", "-").title(): word for name, word in GOOD.items()}),
        json.dumps(GOOD)[:-1] + ", }",
        lines("{name}: {word}"),
        lines("- **{name}**: {word} (it reads well)"),
        lines("| {name} | {word} |"),
    ],
)
def test_replies_are_read_however_they_are_wrapped(reply):
    assert read_scores(reply) == SCORES


def test_every_word_has_its_score():
    words = dict(zip(LIKERT, [*words_of("fluency")] * 2, strict=True))
    assert read_scores(json.dumps({"multi_hop": "No"} | words)) == {
        "multi_hop": 0,
        "fluency": 1,
        "clarity": 2,
        "conciseness": 3,
        "relevance": 4,
        "consistency": 5,
        "question_answerability": 1,
        "answer_question_consistency": 2,
        "information_integration_ability": 3,
        "reasoning_path_guidance": 4,
        "logical_sophistication": 5,
    }


def test_a_reply_that_was_cut_off_keeps_what_it_has():
    assert read_scores('{"multi_hop": "Yes", "fluency": "Very Good", "clarity": "Po') == {
        "multi_hop": 1,
        "fluency": 5,
    }


def test_one_consistency_is_not_the_other():
    assert read_scores("Answer-Question Consistency: Poor") == {"answer_question_consistency": 2}
    assert read_scores("consistency: 5\nanswer question consistency: 2") == {
        "consistency": 5,
        "answer_question_consistency": 2,
    }


@pytest.mark.parametrize("value", ["Excellent", 4.5, "4.5", 0, 6, -1, None, [], {}, True, "Goodish", ""])
def test_what_is_no_rating_is_none(value):
    assert "fluency" not in read_scores(json.dumps(GOOD | {"fluency": value}))


@given(st.text() | st.text(alphabet='{}[]":, fluencyGodmti_hp145', max_size=300))
def test_reading_never_fails(text):
    assert set(read_scores(text)) <= set(DIMENSIONS)


def test_a_reply_of_braces_does_not_take_long():
    assert read_scores("{" * 100_000) == {}


def test_the_prompt_asks_for_what_the_schema_holds_the_reply_to():
    text = QUALITY.prompt.text
    assert all(f'"{dimension}"' in text and f"- {dimension}:" in text for dimension in DIMENSIONS)
    assert all(word in text for word in (*words_of("fluency"), *words_of("multi_hop")))
    assert QUALITY.prompt.variables == set(TOLD)
    assert QUALITY.reply_schema == {
        "type": "object",
        "properties": {
            dimension: {"type": "string", "enum": list(words_of(dimension))} for dimension in DIMENSIONS
        },
        "required": list(DIMENSIONS),
        "additionalProperties": False,
    }
    assert list(QUALITY.reply_schema["properties"]) == list(DIMENSIONS)


def test_missing_dimensions_are_asked_for_again_by_name():
    asked, outcome = held(QUALITY.ask("item/1", **TOLD), json.dumps(GOOD))
    assert (len(asked), outcome.value) == (1, SCORES)
    partial = {name: word for name, word in GOOD.items() if name not in ("clarity", "multi_hop")}
    (request, again), _ = held(QUALITY.ask("item/1", **TOLD), json.dumps(partial))
    assert "no rating that can be read for multi_hop, clarity" in again.messages[-1].content
    assert again.messages[:2] == request.messages
    assert again.run == 1


def shown(item: str, written_by: str = "Qwen/Qwen2.5-7B-Instruct") -> dict:
    return {
        "item_id": item,
        "written_by": written_by,
        "shown": "segments",
        "shown_words": None,
        "told": TOLD,
    }


def test_an_item_is_asked_about_in_every_run():
    requests = [next(dialogue) for dialogue in rating_dialogues([shown("a"), shown("b")], 3)]
    assert [(request.key, request.run) for request in requests] == [
        ("a/1", 1),
        ("a/2", 2),
        ("a/3", 3),
        ("b/1", 1),
        ("b/2", 2),
        ("b/3", 3),
    ]


def test_a_judge_leaves_alone_what_its_family_wrote():
    rows = [shown("a"), shown("b", "gpt-4o"), shown("c", "scripted")]
    rated, others = divided(rows, "qwq-32b@http://localhost:8000/v1")
    assert [row["item_id"] for row in rated] == ["b", "c"]
    assert [(row["item_id"], row["reason"]) for row in others] == [("a", "own_family")]


def test_a_judge_is_shown_ten_documents_at_most():
    ten, eleven = ({"told": TOLD | {"documents": [{}] * number}} for number in (10, 11))
    rated, others = divided([shown("ten", "m") | ten, shown("eleven", "m") | eleven], "judge")
    assert [row["item_id"] for row in rated] == ["ten"]
    assert [(row["item_id"], row["reason"]) for row in others] == [("eleven", "too_many_documents")]


def test_every_dimension_of_every_run_has_a_row_scored_or_with_a_reason():
    partial = {name: word for name, word in GOOD.items() if name != "relevance"}
    replies = [
        ModelReply("b/2", None, "http_400"),
        ModelReply("b/1", json.dumps(partial)),
    ]
    own = [shown("a") | {"reason": "own_family"}]
    outcomes = map(QUALITY.outcome, replies)
    rows = ratings_of(outcomes, [shown("b")], own, runs=2, judge="judge", model=SentenceModel())
    assert rows.height == 4 * len(DIMENSIONS)
    found = rows.select("item_id", "run", "dimension", "score", "rejection_reason").rows()
    assert ("b", 1, "fluency", 4, None) in found
    assert ("b", 1, "relevance", None, "missing_dimension") in found
    assert ("b", 2, "multi_hop", None, "http_400") in found
    assert ("a", 2, "clarity", None, "own_family") in found
    assert set(rows["judge"]) == {"judge"}
    assert set(rows["shown"]) == {"segments"}
    assert set(rows["model"]) == {"sentences"}


def ratings(*rows: tuple) -> pl.DataFrame:
    """Rows as (judge, item, run, dimension, score)."""
    schema = {
        "judge": pl.String,
        "item_id": pl.String,
        "run": pl.Int32,
        "dimension": pl.String,
        "score": pl.Int32,
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def row(frame: pl.DataFrame, judge: str, dimension: str) -> dict:
    return frame.filter(judge=judge, dimension=dimension).row(0, named=True)


def test_reliability_by_hand():
    frame = reliability_of(
        ratings(
            ("a", "1", 1, "fluency", 1),
            ("a", "1", 2, "fluency", 3),
            ("a", "2", 1, "fluency", 5),
            ("a", "2", 2, "fluency", 5),
            ("a", "3", 1, "fluency", 4),
            ("a", "3", 2, "fluency", None),
            ("b", "1", 1, "fluency", 2),
            ("b", "2", 1, "fluency", 4),
        )
    )
    found = row(frame, "a", "fluency")
    assert (found["items"], found["raters"]) == (3, 2)
    assert found["mean"] == pytest.approx((2 + 5 + 4) / 3)
    assert found["average_sd"] == pytest.approx((2**0.5 + 0) / 2)
    # Over items 1 and 2. Categories 1, 3, 5 with 1, 1, 2 ratings: P = (0 + 1) / 2, Pe = 6 / 16.
    assert found["fleiss_kappa"] == pytest.approx((0.5 - 0.375) / 0.625)
    # Ordinal distances: 1-3: 1, 3-5: 1.5^2, 1-5: 2.5^2.
    # Do = 2 * 1 / 4; De = 2 (1 + 2 * 2.25 + 2 * 6.25) / (4 * 3).
    assert found["krippendorff_alpha"] == pytest.approx(1 - (2 * 1 / 4) / (2 * (1 + 4.5 + 12.5) / 12))
    alone = row(frame, "b", "fluency")
    assert (alone["raters"], alone["mean"]) == (1, 3.0)
    assert alone["average_sd"] is alone["krippendorff_alpha"] is alone["fleiss_kappa"] is None
    together = row(frame, "all", "fluency")
    assert (together["items"], together["raters"]) == (3, 2)
    # Means over runs are 2 and 2, 5 and 4; the third item has one judge.
    assert together["average_sd"] == pytest.approx((0 + 0.5**0.5) / 2)
    assert frame["judge"].to_list() == ["a", "a", "b", "b", "all", "all"]


def test_overall_is_the_mean_of_the_likert_dimensions_that_there_are():
    frame = reliability_of(
        ratings(
            ("a", "1", 1, "multi_hop", 1),
            ("a", "1", 1, "fluency", 5),
            ("a", "1", 1, "clarity", 2),
            ("a", "2", 1, "multi_hop", 0),
            ("a", "2", 1, "fluency", None),
        )
    )
    assert row(frame, "a", "multi_hop")["mean"] == 0.5
    overall = row(frame, "a", "overall")
    assert (overall["items"], overall["mean"]) == (1, 3.5)


def test_means_of_judges_are_rounded_halves_up_for_kappa():
    frame = reliability_of(
        ratings(
            ("a", "1", 1, "fluency", 2),
            ("a", "1", 2, "fluency", 3),
            ("a", "2", 1, "fluency", 5),
            ("b", "1", 1, "fluency", 3),
            ("b", "2", 1, "fluency", 5),
        )
    )
    assert row(frame, "all", "fluency")["fleiss_kappa"] == pytest.approx(1.0)
    assert row(frame, "all", "fluency")["krippendorff_alpha"] < 1


@pytest.mark.parametrize("rows", [(), (("a", "1", 1, "fluency", None),)])
def test_no_judge_and_no_score_make_no_row(rows):
    assert reliability_of(ratings(*rows)).is_empty()


def test_sentences_that_are_evidence_by_half_of_their_length():
    spans = [(0, 10), (11, 20), (21, 31)]
    assert covered_by(spans, [(11, 20)]) == 1
    assert covered_by(spans, [(5, 15)]) == 1
    assert covered_by(spans, [(5, 16)]) == 2
    assert covered_by(spans, [(6, 11), (0, 1)]) == 1
    assert covered_by(spans, [(6, 9), (7, 10)]) == 0, "what is quoted twice counts once"
    assert covered_by(spans, [(0, 31), (2, 3)]) == 3
    assert covered_by(spans, []) == 0
    assert covered_by([], [(0, 1)]) == 0


def test_coverage_counts_sentences_once_and_says_nothing_of_empty_sections():
    text = "Zinc rose by 5 mg. Iron fell. Copper was stable."
    sections = pl.DataFrame(
        {"section_id": ["s1", "s2", "s3"], "paper_id": "p", "kind": ["results", "other", "methods"]}
    )
    paragraphs = pl.DataFrame(
        {
            "paragraph_id": ["q1", "q2", "q3"],
            "section_id": ["s1", "s1", "s3"],
            "text": [text, "More was seen.", "Rats were fed."],
        }
    )
    kept = pl.DataFrame(
        {"paragraph_id": ["q1", "q1", "q2"], "evidence_start": [0, 5, 0], "evidence_end": [17, 20, 7]}
    )
    seen: list[int] = []
    frame = coverage_of(sections, paragraphs, kept, lambda count, detail="": seen.append(count))
    assert frame.rows() == [
        ("s1", "p", "results", 3, 4, 2, 0.5),
        ("s2", "p", "other", 0, 0, 0, None),
        ("s3", "p", "methods", 0, 1, 0, 0.0),
    ]
    assert len(seen) == 3


def test_a_draw_is_the_same_everywhere_and_hardly_changes_with_what_it_draws_from():
    ids = [f"item-{number}" for number in range(100)]
    assert drawn(ids, 3, 7) == drawn(reversed(ids), 3, 7) == DRAWN
    assert drawn(ids, 3, 8) != drawn(ids, 3, 7)
    assert drawn(ids, 200, 7) == drawn(ids, 100, 7)
    assert len(set(drawn(ids, 20, 7)) & set(drawn([*ids, "another"], 20, 7))) >= 19
    assert drawn([], 3, 7) == []


def test_a_judge_is_shown_each_document_by_itself():
    documents = [document(name) for name in "STU"]
    item = ITEM | {"documents": documents}
    (row,) = shown_to_judges(pl.DataFrame([item]))
    system, user = QUALITY.request("k", **row["told"]).messages
    assert user.content == "Question: Q?\n\nAnswer: A.\n\nPaper 1: S\ns\n\nPaper 2: T\nt\n\nPaper 3: U\nu"
    assert "needs a fact of every paper" in system.content
    assert "two p" not in system.content
    (row,) = shown_to_judges(pl.DataFrame([item | {"documents": documents[:1]}]))
    _, user = QUALITY.request("k", **row["told"]).messages
    assert user.content == "Question: Q?\n\nAnswer: A.\n\nPaper 1: S\ns"
    (row,) = shown_to_judges(pl.DataFrame([item | {"documents": documents[:2]}]))
    assert row["told"] == TOLD
    assert row["written_by"] == "m"
    assert (row["shown"], row["shown_words"]) == ("paragraphs", None)


def document(name: str) -> dict:
    return {
        "paper_id": name,
        "title": name,
        "paragraph": name.lower(),
        "segment": f"{name} in words.",
        "facts": [f"{name} is 1.", f"{name} is 2.", f"{name} is 1."],
    }


ITEM = {"item_id": "i", "variant": "im", "model": "m", "question": "Q?", "answer": "A."}


@pytest.mark.parametrize(
    ("wanted", "of_im", "of_bridge", "of_comparison"),
    [
        ("usual", "s", "S in words.", "S is 1.\nS is 2."),
        ("paragraphs", "s", "s", "s"),
        ("segments", "S in words.", "S in words.", "S in words."),
        ("facts", "S is 1.\nS is 2.", "S is 1.\nS is 2.", "S is 1.\nS is 2."),
        ("documents", "one two\nthree", "one two\nthree", "one two\nthree"),
    ],
)
def test_what_a_judge_is_shown_is_chosen_by_the_settings_or_by_the_kind(
    wanted, of_im, of_bridge, of_comparison
):
    texts = {"S": "one two\nthree four", "T": ""}
    variants = {"im": of_im, "bridge": of_bridge, "comparison": of_comparison}
    items = pl.DataFrame(
        [ITEM | {"variant": name, "documents": [document("S"), document("T")]} for name in variants]
    )
    rows = shown_to_judges(items, wanted, texts, 3)
    assert [row["told"]["documents"][0]["text"] for row in rows] == list(variants.values())
    forms = {"usual": ["paragraphs", "segments", "facts"]}.get(wanted, [wanted] * 3)
    assert [row["shown"] for row in rows] == [row["told"]["shown"] for row in rows] == forms
    assert [row["shown_words"] for row in rows] == [3 if wanted == "documents" else None] * 3
    assert papers_of(items, wanted) == (["S", "T"] if wanted == "documents" else [])
    assert [row["told"]["compares"] for row in rows] == [False, False, True]


def test_each_form_has_its_words_in_the_prompt_and_a_key_of_its_own():
    systems = {
        form: QUALITY.request("k", **TOLD | {"shown": form}).messages[0].content
        for form in ("paragraphs", "segments", "facts", "documents")
    }
    assert "the title and the passage that the question was made from" in systems["segments"]
    assert "one of the two facts alone" in systems["facts"]
    assert "the text, which may end early" in systems["documents"]
    assert "one of the two paragraphs alone" in systems["paragraphs"]
    assert len(set(systems.values())) == 4
    keys = {key_of("quality_judge", TOLD | {"shown": form}) for form in systems}
    assert len(keys) == 4


def test_comparisons_have_their_own_rule_for_multi_hop():
    system = QUALITY.request("k", **TOLD | {"compares": True}).messages[0].content
    assert "no single paper holds them all" in system
    assert "a fact of the one paper and a fact of the other" not in system


def test_the_first_words_of_a_text_keep_its_lines():
    text = "a b\nc d e\n\nf"
    assert [first_words(text, number) for number in (1, 2, 3, 5, 6, 9)] == [
        "a",
        "a b",
        "a b\nc",
        "a b\nc d e",
        text,
        text,
    ]
    assert first_words("", 5) == ""
