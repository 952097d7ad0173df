"""Tables of the pairs that the multi-hop model refused, judged again by the criteria of a question."""

from aimsciqa_assets.tables.table import ID, KIND, MODEL, Column, Table

REFUSALS = (
    Table(
        "benchmark.refusals",
        "a criterion by which a pair that the multi-hop model refused was judged again",
        (
            Column("item_id", ID, "the refused item"),
            KIND,
            Column("criterion", "VARCHAR", "one of the four criteria of a composed question"),
            Column(
                "verdict",
                "VARCHAR",
                "whether the best question that could be made of the pair meets it; null: no verdict",
                null=True,
                values=("accept", "reject"),
            ),
            Column("rejection_reason", "VARCHAR", "why there is no verdict", null=True),
            *MODEL,
        ),
        ("item_id", "criterion"),
        by="",
    ),
    Table(
        "benchmark.refusal_shares",
        "a criterion, and the share of the refused pairs that fail it (section 4.4 of the paper)",
        (
            KIND,
            Column("criterion", "VARCHAR", "the criterion, or two of them together"),
            Column("judged", "BIGINT", "refused pairs with a verdict"),
            Column("failed", "BIGINT", "those that fail it"),
            Column("share", "DOUBLE", "their share"),
        ),
        ("variant", "criterion"),
        by="",
    ),
)
