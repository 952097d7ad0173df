"""Tables of the reviews that people write on the review page, and of what follows from them."""

from aimsciqa_assets.tables.table import ITEM, Column, Table

REVIEW_DECISIONS = ("accepted", "rejected", "disputed", "open")

REVIEWS = (
    Table(
        "benchmark.reviews",
        "all that a person said of an item on the review page at one time; the next one by the same person "
        "takes its place",
        (
            ITEM,
            Column("reviewer", "VARCHAR", "who reviewed"),
            Column("number", "INTEGER", "number of the review of this item by this person, from 1"),
            Column("reviewed_at", "VARCHAR", "when, in UTC"),
            Column(
                "decision",
                "VARCHAR",
                "what the person decided; null: nothing (any more)",
                null=True,
                values=("accept", "reject"),
            ),
            Column(
                "question", "VARCHAR", "the question as the person edited it; null: not edited", null=True
            ),
            Column("answer", "VARCHAR", "the answer as the person edited it; null: not edited", null=True),
            Column("score", "INTEGER", "1 (very poor) to 5 (very good)", null=True),
            Column("note", "VARCHAR", "what the person wrote about the item; may be empty"),
            Column("of_question", "VARCHAR", "the question that was reviewed"),
            Column("of_answer", "VARCHAR", "the answer that was reviewed"),
        ),
        ("item_id", "reviewer", "number"),
        by="",
    ),
    Table(
        "benchmark.review_decisions",
        "an item that people reviewed, and what follows for the release",
        (
            ITEM,
            Column(
                "decision",
                "VARCHAR",
                "accepted or rejected by those who decided; disputed: they do not agree, so it is not "
                "released; open: nobody decided",
                values=REVIEW_DECISIONS,
            ),
            Column("reviewers", "BIGINT", "people who reviewed it"),
            Column("accepts", "BIGINT", "those who accept it"),
            Column("rejects", "BIGINT", "those who reject it"),
            Column("score", "DOUBLE", "mean of their ratings, 1 to 5", null=True),
            Column("question", "VARCHAR", "the question as it was edited last; null: not edited", null=True),
            Column("answer", "VARCHAR", "the answer as it was edited last; null: not edited", null=True),
        ),
        ("item_id",),
        by="",
    ),
)
