"""Tables of the necessity ledger: what each item needs, what models were asked for it, and how hard it is."""

from typing import Final

from aimsciqa_assets.tables.table import BOUNDS, ID, ITEM, KIND, MODEL, Column, Table

NECESSITY: Final = "necessity"
"""The gate that stands for the ledger."""

MODEL_TESTS: Final = ("renamed", "counterfactual")
"""Tests that no rule can decide."""
TESTS: Final = (
    *("answerability", "bridge_masked", *MODEL_TESTS, "shortcut", "guessing", "twin", "difficulty"),
)
LEDGER_VERDICTS: Final = ("pass", "fail", "unknown", "not_applicable")
READINGS: Final = (
    *("none", "alone", "all", "negatives", "masked", "renamed", "counterfactual", "third", "twin"),
)

_TEST = Column(
    "test",
    "VARCHAR",
    "answerability: all documents give the answer, none alone; bridge_masked: without the bridge the later "
    "hop leads nowhere; renamed: the answer stays when the bridge gets a made-up name; counterfactual: it "
    "follows another value in the last document; shortcut: no third document gives it; guessing: the "
    "question does not give it; twin: with a near document in place of one of its own there is no answer; "
    "difficulty: its cell has room for it",
    values=TESTS,
)
_BY = Column("model", "VARCHAR", "rules; the model that was asked, as the settings write it; none: no model")

QUALITY = (
    Table(
        "quality.searches",
        "a paper that was found for an item: by question and answer, question, masked hop, or last document",
        (
            Column("query", "VARCHAR", "what was searched for"),
            Column(
                "rank", "INTEGER", "place of the paper, from 1; the item's own papers follow the first ones"
            ),
            Column("paper_id", ID, "the paper"),
            Column("score", "DOUBLE", "its score"),
        ),
        ("query", "rank"),
        by="",
    ),
    Table(
        "quality.trials",
        "a question that was put to a model to test whether an item needs its documents",
        (
            Column("trial_id", ID, "hash of model, item, reading and document"),
            *MODEL,
            ITEM,
            KIND,
            Column("reading", "VARCHAR", "what the model could read", values=READINGS),
            Column("role", "VARCHAR", "alone: the one document; twin: the document replaced", null=True),
            Column("documents", "VARCHAR[]", "the papers that it was shown, in order"),
            Column("question", "VARCHAR", "what it was asked", null=True),
            Column("expected", "VARCHAR", "the right answer", null=True),
            Column("changed", "VARCHAR", "what was put in place of what in the documents", null=True),
            Column("prediction", "VARCHAR", "its answer; null when it gave none or declined", null=True),
            Column("score", "DOUBLE", "0, 0.5 or 1; null when there is no score", null=True),
            Column("judge", "VARCHAR", "who marked it: a model, or lexical"),
            Column("rejection_reason", "VARCHAR", "why there is no score", null=True),
            Column("reply", "VARCHAR", "the raw reply; null when there is none", null=True),
        ),
        ("trial_id",),
        by="model",
    ),
    Table(
        "quality.necessity",
        "the verdict of a test, by rules or by a model, on whether an item needs its documents and hops",
        (
            ITEM,
            KIND,
            _TEST,
            _BY,
            Column(
                "verdict",
                "VARCHAR",
                "pass: what the test looks for is not there; unknown: nothing was measured; not_applicable: "
                "the item has nothing to test",
                values=LEDGER_VERDICTS,
            ),
            Column("detail", "VARCHAR", "what the verdict is based on; no_model: it needs a model"),
        ),
        ("item_id", "test", "model"),
        by="",
    ),
    Table(
        "quality.twins",
        "an unanswerable twin: the item with a near document, which lacks the fact, for one of its own",
        (
            ITEM,
            KIND,
            Column("role", "VARCHAR", "the document that is replaced"),
            Column("paper_id", ID, "that document"),
            Column("twin_paper_id", ID, "the one in its place"),
            Column("rank", "INTEGER", "its place among the papers nearest to the one that it replaces"),
        ),
        ("item_id",),
        by="",
    ),
    Table(
        "quality.difficulty",
        "how hard an item is, and its place among the items of its cell",
        (
            ITEM,
            KIND,
            Column("hops", "INTEGER", "hops"),
            Column(
                "worst_rank",
                "INTEGER",
                "place of the worst of its documents when the question is searched for; null: not searched",
                null=True,
            ),
            Column("overlap", "DOUBLE", "share of the question's content words that its quotes hold"),
            Column(
                "pass_rate",
                "DOUBLE",
                "share of the answerers that are right with all documents; null: none was marked",
                null=True,
            ),
            Column("cell", "VARCHAR", "hops, class of the rank, of the overlap, and of the pass rate"),
            Column("place", "INTEGER", "place in its cell, drawn at random by the seed"),
        ),
        ("item_id",),
        by="",
    ),
    Table(
        "quality.necessity_rates",
        "a test of the ledger over the items of a kind: the share that passed",
        (
            KIND,
            _TEST,
            _BY,
            Column("passed", "BIGINT", "items that passed"),
            Column("failed", "BIGINT", "items that failed"),
            Column("unknown", "BIGINT", "items without a verdict"),
            Column("not_applicable", "BIGINT", "items with nothing to test"),
            Column("value", "DOUBLE", "passed of those with a verdict; null: none has one", null=True),
            *BOUNDS,
        ),
        ("variant", "test", "model"),
        by="",
    ),
)
