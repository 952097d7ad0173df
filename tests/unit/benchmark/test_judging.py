"""Judges: whom they may judge, what the lexical one says, and the means of all."""

import polars as pl
import pytest
from aimsciqa_resources.language_model import PROMPT_TOO_LONG, ModelReply

from aimsciqa.measures.lexical import lexical_score
from aimsciqa_assets.asking.families import model_families, same_family
from aimsciqa_assets.benchmark.answering.answers import answer_frame, answers_of
from aimsciqa_assets.benchmark.answering.facts import (
    FACT_JUDGE,
    by_rules,
    fact_dialogues,
    judge_scores,
    refused_scores,
    rule_scores,
)
from aimsciqa_assets.benchmark.answering.judging import (
    judge_dialogues,
    judged_answers,
    lexical_judgements,
    model_judgements,
    refused_judgements,
)
from aimsciqa_assets.benchmark.answering.measuring import ROUGE
from aimsciqa_assets.benchmark.answering.readings import plain_readings
from aimsciqa_assets.benchmark.answering.scores import score_rows
from aimsciqa_assets.benchmark.answering.tasks import ANSWER_JUDGE, ANSWERING
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.settings.benchmark import BenchmarkSettings
from tests.dialogues import asked_about, held
from tests.fakes import SentenceModel

QUESTION = "In the paper on zinc, what fell, and what is it in the source paper?"
ANSWER = "The paper in question is 'Zinc in rice'. Grain zinc fell by 1,500 mg, and leaf iron rose by 3.5%."
ITEM = {
    "item_id": "i1",
    "variant": "im",
    "target_paper_id": "T",
    "documents": [
        {"role": "source", "paper_id": "S", "in_hand": True, "gold": False},
        {"role": "target", "paper_id": "T", "in_hand": False, "gold": True},
    ],
    "question": QUESTION,
    "answer": ANSWER,
}


@pytest.mark.parametrize(
    ("name", "families"),
    [
        ("Qwen/Qwen2.5-7B-Instruct", {"qwen"}),
        ("qwen2.5:7b@http://localhost:11434/v1", {"qwen"}),
        ("Qwen/QwQ-32B", {"qwen"}),
        ("meta-llama/Llama-3.3-70B-Instruct", {"llama"}),
        ("mistralai/Mixtral-8x7B-Instruct-v0.1", {"mistral"}),
        ("BioMistral/BioMistral-7B", {"mistral"}),
        ("gpt-5", {"openai"}),
        ("gpt-4o-2024-11-20", {"openai"}),
        ("openai/gpt-oss-120b", {"openai"}),
        ("o3-mini", {"openai"}),
        ("openai/something-new", {"openai"}),
        ("claude-3-7-sonnet-20250219", {"anthropic"}),
        ("google/gemma-3-27b-it", {"google"}),
        ("gemini-2.0-flash", {"google"}),
        ("deepseek-ai/DeepSeek-R1", {"deepseek"}),
        ("deepseek-ai/DeepSeek-R1-Distill-Qwen-7B", {"deepseek", "qwen"}),
        ("microsoft/phi-4", {"microsoft"}),
        ("microsoft/Phi-3.5-mini-instruct", {"microsoft"}),
        ("nvidia/Llama-3.1-Nemotron-70B-Instruct", {"llama", "nvidia"}),
        ("EleutherAI/gpt-neo-1.3B", {"gpt-neo-1.3b"}),
        ("my-model", {"my-model"}),
        ("/models/Qwen2.5-7B/", {"qwen"}),
    ],
)
def test_the_family_of_a_model(name, families):
    assert model_families(name) == families


def test_a_judge_of_the_same_family_is_known_by_any_name():
    assert same_family("Qwen/Qwen2.5-7B-Instruct", "Qwen/Qwen3-32B@http://other:8000/v1")
    assert same_family("deepseek-ai/DeepSeek-R1-Distill-Qwen-7B", "Qwen/Qwen3-32B")
    assert same_family("my-model", "my-model")
    assert not same_family("extractive", "gpt-5")


def test_who_replied_beforehand_is_no_judge_of_these_replies():
    assert same_family("recorded:jane,bob", "recorded:bob")
    assert same_family("recorded:jane,gpt-4o", "openai/gpt-5@http://h/v1")
    assert not same_family("recorded:jane", "recorded:bob")
    assert not same_family("recorded:jane", "extractive")


@pytest.mark.parametrize(
    ("prediction", "mark"),
    [
        ("Grain zinc fell by 1500 mg and leaf iron rose by 3.5 %.", 1.0),
        ("The paper is 'Zinc in rice'.", 0.0),
        ("Grain zinc fell by 1,500 mg.", 0.5),
        ("Grain zinc fell by 1,200 mg and leaf iron rose by 3.5 %.", 0.5),
        (f"Grain zinc fell by 1500 mg, leaf iron rose by 3.5 %. {'And more besides. ' * 40}", 0.5),
        (QUESTION, 0.0),
        ("I do not know.", 0.0),
        ("", 0.0),
    ],
)
def test_the_lexical_judge_counts_what_the_answer_says_beyond_question_and_title(prediction, mark):
    assert lexical_score(QUESTION, ANSWER, prediction, title="Zinc in Rice") == mark


def test_the_lexical_judge_takes_the_whole_answer_where_nothing_is_beyond_the_question():
    assert lexical_score("Did zinc fall?", "Zinc fall.", "zinc fall") == 1.0
    assert lexical_score("?", "the", "the") == 0.0


def rows_of(replies, first=None):
    readings = list(plain_readings([ITEM], "m", "bm25", first or {}))
    by_setting = {reading.setting: reading.answer_id for reading in readings}
    given = [ModelReply(by_setting[setting], **reply) for setting, reply in replies.items()]
    return answers_of(map(ANSWERING.outcome, given), readings, "m", SentenceModel())


REPLIES = {
    "oracle": {"text": '{"answer": "Grain zinc fell by 1500 mg and leaf iron rose by 3.5%."}'},
    "source_only": {"text": '{"answer": "I cannot tell."}'},
    "target_only": {"text": None, "failure": "http_400"},
    "closed_book": {"text": '{"ans', "truncated": True},
}


def test_answers_without_a_reply_count_as_0_and_keep_their_reason():
    rows = {row["setting"]: row for row in rows_of(REPLIES)}
    assert {setting: row["rejection_reason"] for setting, row in rows.items()} == {
        "oracle": None,
        "source_only": "declined",
        "target_only": "http_400",
        "closed_book": "length_limit",
        "realistic": "no_ranking",
    }
    assert rows["oracle"]["token_f1"] > 0.5
    assert [rows[setting]["token_f1"] for setting in ("source_only", "target_only")] == [0.0, 0.0]
    assert rows["realistic"]["token_f1"] is rows["realistic"]["token_f1_bridge"] is None
    assert rows["closed_book"]["exact_match_comparison"] == 0.0
    frame = answer_frame(list(rows.values()), pl.DataFrame([ITEM]), BenchmarkSettings())
    assert frame["bert_score"].null_count() == 5


def test_answers_are_compared_in_three_normalisations():
    reading = ITEM | {"answer": "the the cat"}
    (oracle, *_) = plain_readings([reading], "m", "bm25", {})
    reply = ModelReply(oracle.answer_id, '{"answer": "the cat: the"}')
    (row,) = answers_of([ANSWERING.outcome(reply)], [oracle], "m", SentenceModel())
    assert {name: row[name] for name in row if name.startswith(("exact_match", "token_f1"))} == {
        "exact_match": 1.0,
        "token_f1": 1.0,
        "exact_match_bridge": 1.0,
        "token_f1_bridge": 1.0,
        # An article at the end stays.
        "exact_match_comparison": 0.0,
        "token_f1_comparison": pytest.approx(2 / 3),
    }


def test_a_question_whose_reply_nobody_recorded_counts_in_no_measure():
    rows = rows_of(REPLIES | {"oracle": {"text": None, "failure": "not_recorded"}})
    (oracle,) = (row for row in rows if row["setting"] == "oracle")
    assert (oracle["rejection_reason"], oracle["token_f1"]) == ("not_recorded", None)
    judged = judged_answers(rows, [ITEM], {})
    assert "oracle" not in {row["setting"] for row in judged}


def test_halvings_of_the_papers_are_counted():
    (oracle, *_) = plain_readings([ITEM], "m", "bm25", {})
    too_long = ModelReply(oracle.answer_id, None, PROMPT_TOO_LONG)
    paper = "S\n\nZinc fell.\n\nIron rose.\n\nLead stayed.\n\nTin fell."
    told = asked_about("What of zinc?", source_paper=paper)
    dialogue = ANSWERING.ask(oracle.answer_id, **told)
    _, outcome = held(dialogue, too_long, too_long, '{"answer": "Zinc."}')
    (row,) = answers_of([outcome], [oracle], "m", SentenceModel())
    assert (row["prediction"], row["shortened"]) == ("Zinc.", 2)


def test_bert_score_is_null_with_a_reason_where_its_model_is_not_at_hand():
    from aimsciqa_assets.platform.progress import LogReporter, reported_by

    said = []
    chosen = BenchmarkSettings(bert_score_model="nobody/has-this-model")
    with reported_by(LogReporter(said.append)):
        frame = answer_frame(rows_of(REPLIES), pl.DataFrame([ITEM]), chosen)
    assert frame["bert_score"].null_count() == 5
    assert len(said) == 1
    assert "none: " in said[0]


def judged(answers=None):
    return judged_answers(answers or rows_of(REPLIES), [ITEM], {"T": "Zinc in rice"})


def test_what_was_not_asked_is_not_judged_and_what_was_not_answered_gets_0():
    assert {
        row["setting"]: (row["score"], row["rejection_reason"])
        for row in map(with_setting, lexical_judgements(judged()))
    } == {
        "oracle": (1.0, None),
        "source_only": (0.0, None),
        "target_only": (0.0, "no_answer"),
        "closed_book": (0.0, "no_answer"),
    }


def with_setting(row):
    assert row["kind"] == "lexical"
    return row


def test_a_judge_is_asked_about_given_answers_only_and_read_or_rejected():
    given = judged()
    (dialogue,) = judge_dialogues(given, "j")
    (request, again), _ = held(dialogue, "one")
    assert request.task == "answer_judge"
    assert request.messages[1].content == (
        f"Question: {QUESTION}\n\nAnswer: {ANSWER}\n\n"
        "Prediction: Grain zinc fell by 1500 mg and leaf iron rose by 3.5%."
    )
    assert request.reply_schema["properties"]["selection"]["enum"] == ["1", "0.5", "0"]
    assert 'field "selection"' in again.messages[-1].content

    def judgement(**reply):
        rows = model_judgements([ANSWER_JUDGE.outcome(ModelReply(request.key, **reply))], given, "j")
        return next((row["score"], row["rejection_reason"]) for row in rows if row["setting"] == "oracle")

    assert judgement(text='{"selection": "0.5"}') == (0.5, None)
    assert judgement(text="No braces.") == (None, "malformed_reply")
    assert judgement(text='{"sel', truncated=True) == (None, "length_limit")
    assert judgement(text=None, failure="http_500") == (None, "http_500")


def test_a_judge_of_the_family_has_rows_that_say_so():
    rows = list(refused_judgements(judged(), "j"))
    assert {(row["score"], row["rejection_reason"]) for row in rows} == {(None, "same_family")}
    assert len(rows) == 4


def test_an_answer_without_text_is_judged_by_nobody_and_has_a_row():
    rows = [row | {"rejection_reason": "no_text", "prediction": None} for row in rows_of(REPLIES)]
    judged_rows = list(lexical_judgements(judged_answers(rows, [ITEM], {})))
    assert {(row["score"], row["rejection_reason"]) for row in judged_rows} == {(None, "no_text")}


ANSWERS = pl.DataFrame(
    [
        {"answer_id": f"a{n}", "item_id": f"i{n}", "answerer": "m", "variant": "im", "setting": "oracle"}
        | {"exact_match": em, "token_f1": f1, "rouge_l": f1, "bert_score": None, "found_target": None}
        | {"exact_match_bridge": em, "token_f1_bridge": f1}
        | {"exact_match_comparison": None, "token_f1_comparison": None}
        | dict.fromkeys(ROUGE)
        | {"bleurt": None}
        | {"rejection_reason": reason}
        for n, (em, f1, reason) in enumerate(
            [
                (0.0, 0.2, None),
                (1.0, 0.4, None),
                (0.0, 0.0, "http_400"),
                (0.0, 0.0, "declined"),
                (None, None, "no_text"),
                (None, None, "not_recorded"),
            ]
        )
    ],
    schema_overrides={
        "bert_score": pl.Float64,
        "bleurt": pl.Float64,
        **dict.fromkeys(ROUGE, pl.Float64),
        "exact_match_comparison": pl.Float64,
        "token_f1_comparison": pl.Float64,
        "found_target": pl.Boolean,
    },
)
JUDGEMENTS = pl.DataFrame(
    [
        {"judge": judge, "kind": kind, "answer_id": f"a{n}", "score": score, "rejection_reason": reason}
        for judge, kind, given in (
            ("lexical", "lexical", [(1.0, None), (0.0, None), (0.0, "no_answer"), (0.0, None)]),
            ("j", "model", [(1.0, None), (0.5, None), (0.0, "no_answer"), (0.0, None)]),
            ("k", "model", [(0.5, None), (None, "malformed_reply"), (0.0, "no_answer"), (0.0, None)]),
            ("own", "model", [(None, "same_family")] * 4),
        )
        for n, (score, reason) in enumerate([*given, (None, "same_family" if judge == "own" else "no_text")])
    ]
)


NO_RATINGS = frame_of("benchmark.aspect_ratings", [])
NO_FACTS = frame_of("benchmark.fact_scores", [])


def found_scores(unusable, clusters=None, facts=NO_FACTS):
    tables = (ANSWERS, JUDGEMENTS, NO_RATINGS, facts)
    rows = list(score_rows(*tables, unusable=unusable, clusters=clusters or {}, resamples=200, seed=1))
    frame_of("benchmark.answering_scores", rows)
    assert all(row["low"] <= row["value"] <= row["high"] for row in rows if row["low"] is not None)
    return {(row["measure"], row["judge"]): row for row in rows}


def test_what_cannot_be_used_counts_as_wrong_so_that_all_rest_on_the_same_items():
    found = found_scores("wrong")
    assert {key: (row["value"], row["answers"]) for key, row in found.items()} == {
        ("accuracy", "lexical"): (pytest.approx(1 / 5), 5),
        ("accuracy", "j"): (pytest.approx(1.5 / 5), 5),
        ("accuracy", "k"): (pytest.approx(0.5 / 5), 5),
        ("accuracy", "mean of judges"): (pytest.approx(1 / 5), 5),
        ("exact_match", ""): (pytest.approx(1 / 5), 5),
        ("token_f1", ""): (pytest.approx(0.6 / 5), 5),
        ("exact_match_bridge", ""): (pytest.approx(1 / 5), 5),
        ("token_f1_bridge", ""): (pytest.approx(0.6 / 5), 5),
        ("rouge_l", ""): (pytest.approx(0.6 / 5), 5),
    }
    counts = {key: (row["no_text"], row["failed"], row["unreadable"]) for key, row in found.items()}
    assert counts["accuracy", "k"] == (1, 1, 1)
    assert counts["accuracy", "mean of judges"] == (1, 1, 1)
    assert counts["accuracy", "j"] == counts["token_f1", ""] == (1, 1, 0)


def test_what_cannot_be_used_may_be_left_out():
    found = found_scores("left_out")
    assert {key: (row["value"], row["answers"]) for key, row in found.items()} == {
        ("accuracy", "lexical"): (0.25, 4),
        ("accuracy", "j"): (0.375, 4),
        ("accuracy", "k"): (pytest.approx(0.5 / 3), 3),
        ("accuracy", "mean of judges"): (pytest.approx(1.25 / 4), 4),
        ("exact_match", ""): (0.25, 4),
        ("token_f1", ""): (pytest.approx(0.15), 4),
        ("exact_match_bridge", ""): (0.25, 4),
        ("token_f1_bridge", ""): (pytest.approx(0.15), 4),
        ("rouge_l", ""): (pytest.approx(0.15), 4),
    }
    assert found["accuracy", "k"]["unreadable"] == 1


ASKED = [
    {
        "answer_id": f"a{n}",
        "item_id": f"i{n}",
        "answerer": "m",
        "setting": "oracle",
        "question": "How do they compare?",
        "prediction": prediction,
        "rejection_reason": reason,
    }
    for n, (prediction, reason) in enumerate(
        [
            ("63.9% in Mali, 40% in Niger; training helped.", None),
            ("63.9% and 31.8%: 32.1 points.", None),
            ("Much less.", None),
            (None, "declined"),
            (None, "no_text"),
        ]
    )
]
FACTS = [
    {
        "item_id": f"i{n}",
        "facts": [
            {"statement": "Mali had 63.9%.", "amount": "63.9", "unit": "%", "evidence": "63.9% knew"},
            {"statement": "Niger had 31.8%.", "amount": "31.8", "unit": "%", "evidence": "31.8% knew"},
            {"statement": "Training helped.", "amount": "", "unit": "", "evidence": "it helped"},
        ],
        "results": ["32.1 points"],
    }
    for n in (0, 1, 3, 4)
]


def test_rules_score_facts_with_a_number_and_a_judge_the_others():
    scored = by_rules(ASKED, FACTS)
    requests = [next(dialogue) for dialogue in fact_dialogues(scored, "j")]
    assert [request.variables["facts"] for request in requests] == [["Training helped."]] * 2
    first, second = (request.key for request in requests)
    replies = {
        first: FACT_JUDGE.outcome(ModelReply(first, '{"stated": [1, 7]}')),
        second: FACT_JUDGE.outcome(ModelReply(second, "I do not know.")),
    }
    rows = [*rule_scores(scored), *judge_scores(scored, "j", replies), *refused_scores(scored, "own")]
    facts = frame_of("benchmark.fact_scores", rows)
    columns = (
        "judge",
        "answer_id",
        "stated",
        "unscored",
        "fact_recall",
        "fact_precision",
        "rejection_reason",
    )
    assert facts.filter(pl.col("judge") != "own").select(columns).rows() == [
        ("rules", "a0", [True, False, None], 1, 0.5, 0.5, None),
        ("rules", "a1", [True, True, None], 1, 1.0, 1.0, None),
        ("rules", "a3", [False, False, None], 1, 0.0, None, None),
        ("rules", "a4", [False, False, None], 1, None, None, "no_text"),
        ("j", "a0", [True, False, True], 0, 2 / 3, None, None),
        ("j", "a1", [True, True, None], 1, None, None, "malformed_reply"),
        ("j", "a3", [False, False, False], 0, 0.0, None, None),
        ("j", "a4", [False, False, False], 0, None, None, "no_text"),
    ]
    assert set(facts.filter(judge="own")["rejection_reason"]) == {"same_family"}
    found = found_scores("wrong", facts=facts)
    told = ("value", "answers", "no_text", "unreadable", "unscored")
    assert {key: tuple(row[name] for name in told) for key, row in found.items() if "fact" in key[0]} == {
        ("fact_recall", "rules"): (pytest.approx(1.5 / 4), 4, 1, 0, 4),
        ("fact_recall", "j"): (pytest.approx(2 / 3 / 4), 4, 1, 1, 1),
        ("fact_precision", ""): (0.75, 2, 0, 0, None),
    }
    assert found["accuracy", "j"]["unscored"] is None
    # An item of whose facts none has a number is left unscored, unless a judge says more.
    wordy = [{**FACTS[0], "facts": FACTS[0]["facts"][2:]}]
    unanswered = [row | {"prediction": None, "rejection_reason": "empty_answer"} for row in ASKED]
    alone = frame_of("benchmark.fact_scores", list(rule_scores(by_rules(unanswered, wordy))))
    assert ("fact_recall", "rules") not in found_scores("wrong", facts=alone)


def test_an_interval_is_drawn_over_items_that_share_no_fact():
    each, together = found_scores("wrong"), found_scores("wrong", dict.fromkeys(["i0", "i1", "i2"], "i0"))
    one, other = each["exact_match", ""], together["exact_match", ""]
    assert (one["clusters"], other["clusters"]) == (5, 3)
    assert one["value"] == other["value"]
    all_in_one = found_scores("wrong", {f"i{n}": "i0" for n in range(6)})
    assert (all_in_one["exact_match", ""]["low"], all_in_one["exact_match", ""]["high"]) == (None, None)


def test_nothing_answered_has_no_scores():
    empty = frame_of("benchmark.answers", []), frame_of("benchmark.judgements", []), NO_RATINGS, NO_FACTS
    assert list(score_rows(*empty, unusable="wrong", clusters={}, resamples=100, seed=1)) == []
