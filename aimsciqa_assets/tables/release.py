"""Tables of the release and the report."""

from aimsciqa_assets.tables.table import ID, ITEM, KIND, REASON, Column, Table

RELEASE = (
    Table(
        "release.items",
        "an item with a split, and whether it may be released; if not, why",
        (
            ITEM,
            KIND,
            Column("split", "VARCHAR", "dev or test", values=("dev", "test")),
            Column(
                "source_paper_id", ID, "the paper in hand; null where there is none, or several", null=True
            ),
            Column("target_paper_id", ID, "the gold paper; null where there is none, or several", null=True),
            Column("released", "BOOLEAN", "it is in the release"),
            Column(
                "place_only",
                "BOOLEAN",
                "a licence forbids its text: the release says where this stands, and no more",
            ),
            REASON,
        ),
        ("item_id",),
        by="",
    ),
    Table(
        "release.files",
        "a file of the release, as it was written",
        (
            Column("path", "VARCHAR", "inside the release folder"),
            Column("rows", "BIGINT", "its rows; null for one without rows", null=True),
            Column("bytes", "BIGINT", "its size"),
            Column("sha256", "VARCHAR", "SHA-256 of its bytes"),
        ),
        ("path",),
        by="",
    ),
    Table(
        "release.reports",
        "the report on corpus, items and evaluation: one HTML page",
        (
            Column("path", "VARCHAR", "its path"),
            Column("bytes", "BIGINT", "its size"),
            Column("sha256", "VARCHAR", "SHA-256 of its bytes"),
        ),
        ("path",),
        by="",
    ),
)
