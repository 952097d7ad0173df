"""Evidence for answers in manuscripts: what is shown, what is quoted exactly, and which verdicts count."""

import json

import pytest

from aimsciqa.bm25 import Bm25Retriever
from aimsciqa_assets.scidqa.manuscripts.evidence import (
    Asked,
    Candidate,
    answerability_row,
    candidates_of,
    evidence_rows,
    judge,
)
from tests.dialogues import held

ASKED = Asked("q1", "f", "final", "f.final", "Sparse attention", "How many seeds?", "Five seeds were used.")
READ = [
    Candidate("p1", "Training", "We repeated every run. Five random seeds (1–5) were used.", 2.0),
    Candidate("p2", "Results", "Means are over seeds. We repeated every run.", 1.0),
]


def reply(verdict: str, *quotes: tuple[int, str]) -> str:
    return json.dumps(
        {"verdict": verdict, "quotes": [{"paragraph": number, "quote": quote} for number, quote in quotes]}
    )


def judged(*replies: str):
    asked, result = held(judge(ASKED, READ), *replies)
    quotes = evidence_rows(result, "b")
    row = answerability_row(result, "b", quotes, {"model": "m", "model_revision": "1", "prompt_version": "p"})
    places = [
        (one["paragraph_id"], one["evidence_start"], one["evidence_end"], one["rejection_reason"])
        for one in quotes
    ]
    return len(asked), (row["verdict"], row["rejection_reason"]), places


def test_exact_quotes_get_their_offsets_wherever_they_stand():
    quotes = (
        (1, "Five random seeds (1–5) were used."),
        (1, "Means are over seeds."),
        (2, "We repeated every run."),
    )
    assert judged(reply("answerable", *quotes)) == (
        1,
        ("answerable", None),
        [("p1", 23, 57, None), ("p2", 0, 21, None), ("p2", 22, 44, None)],
    )
    assert READ[0].text[23:57] == quotes[0][1]


@pytest.mark.parametrize(
    ("given", "reason"),
    [("Five random seeds (1-5) were used.", "evidence_not_found"), (" ", "empty_evidence")],
)
def test_a_quote_that_is_not_exact_is_rejected_and_without_another_so_is_the_verdict(given, reason):
    rejected = (None, None, None, reason)
    assert judged(reply("partly", (1, given))) == (1, (None, "no_exact_quote"), [rejected])
    assert judged(reply("partly", (1, given), (2, "Means are over seeds."))) == (
        1,
        ("partly", None),
        [rejected, ("p2", 0, 21, None)],
    )


def test_verdicts_and_quotes_must_fit_together():
    assert judged(reply("answerable"), reply("unanswerable")) == (2, ("unanswerable", None), [])
    assert judged(reply("answerable"), reply("answerable")) == (2, (None, "not_quoted"), [])
    quoted = reply("unanswerable", (1, "We repeated every run."))
    assert judged(quoted, quoted) == (2, (None, "quoted_all_the_same"), [])
    assert judged("I cannot tell.", "Really.") == (2, (None, "malformed_reply"), [])


def test_a_paragraph_that_is_not_there_does_no_harm():
    assert judged(reply("partly", (7, "We repeated every run.")))[2] == [("p1", 0, 22, None)]
    assert judged(reply("partly", (-1, "We repeated every run.")))[2] == [("p1", 0, 22, None)]


def test_nothing_is_asked_about_a_version_without_text():
    asked, result = held(judge(ASKED, []))
    assert asked == []
    assert (result.outcome.reason, result.failure) == ("no_text", None)


def test_the_best_paragraphs_are_shown_in_reading_order():
    texts = ["Seeds of maize.", "Nothing of it.", "Five random seeds were used.", "Random words."]
    rows = [{"paragraph_id": str(n), "section": "", "text": text} for n, text in enumerate(texts)]
    found = candidates_of(rows, ["random seeds used five", "maize", "zebra"], Bm25Retriever, 2)
    assert [[one.paragraph_id for one in of] for of in found] == [["0", "2"], ["0", "1"], ["0", "1"]]
    assert candidates_of([], ["a", "b"], Bm25Retriever, 2) == [[], []]
