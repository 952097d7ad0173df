"""Tables of the audit: ratings of sampled pairs and items by people, on sheets."""

from aimsciqa_assets.tables.table import ID, Column, Table

AUDIT = (
    Table(
        "benchmark.audit_ratings",
        "the rating of one criterion of a sampled pair or item by a person",
        (
            Column("sheet", "VARCHAR", "the sheet that was handed out"),
            Column("kind", "VARCHAR", "what was sampled: single_hop, or the form of the items"),
            Column("subject_id", ID, "the QA pair or item"),
            Column("rater", "VARCHAR", "who rated"),
            Column("criterion", "VARCHAR", "what was rated"),
            Column("score", "DOUBLE", "the rating"),
            Column("comment", "VARCHAR", "what the rater wrote about the subject; may be empty"),
        ),
        ("sheet", "subject_id", "rater", "criterion"),
        by="",
    ),
    Table(
        "benchmark.audit_distribution",
        "a rating of an audit, and how often it was given (Fig. 5 of the paper)",
        (
            Column("sheet", "VARCHAR", "the sheet"),
            Column("kind", "VARCHAR", "what was sampled: single_hop, or the form of the items"),
            Column("criterion", "VARCHAR", "what was rated"),
            Column("score", "DOUBLE", "the rating"),
            Column("ratings", "BIGINT", "how often it was given"),
            Column("share", "DOUBLE", "its share of the criterion's ratings"),
        ),
        ("sheet", "criterion", "score"),
        by="",
    ),
    Table(
        "benchmark.audit_agreement",
        "a criterion of an audit: ratings and agreement of the raters",
        (
            Column("sheet", "VARCHAR", "the sheet"),
            Column("kind", "VARCHAR", "what was sampled: single_hop, or the form of the items"),
            Column("criterion", "VARCHAR", "the criterion"),
            Column("subjects", "BIGINT", "pairs or items that were rated"),
            Column("raters", "BIGINT", "people"),
            Column("mean", "DOUBLE", "mean rating"),
            Column("perfect", "BIGINT", "subjects whose ratings are all the highest"),
            Column(
                "gwet_ac1",
                "DOUBLE",
                "null where it is undefined: no two people rated the same subject",
                null=True,
            ),
            Column(
                "fleiss_kappa",
                "DOUBLE",
                "over the subjects that all raters rated; null where it is undefined",
                null=True,
            ),
            Column("krippendorff_alpha", "DOUBLE", "ordinal; null where it is undefined", null=True),
        ),
        ("sheet", "criterion"),
        by="",
    ),
)
