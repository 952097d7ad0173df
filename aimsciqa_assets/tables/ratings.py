"""Tables of the evaluation: how judges rate the items, how reliable they are, and which of them count."""

from aimsciqa_assets.tables.table import BOUNDS, ITEM, KIND, MODEL, Column, Table

SHOWN = ("paragraphs", "segments", "facts", "documents")

RATINGS = (
    Table(
        "benchmark.ratings",
        "the rating of one dimension of an item by a judge, in one run",
        (
            Column("judge", "VARCHAR", "the model that judged, as the settings write it"),
            ITEM,
            Column("run", "INTEGER", "number of the run, from 1; each run asks the same judge again"),
            Column("dimension", "VARCHAR", "multi_hop, or one of the ten Likert dimensions"),
            Column(
                "score", "INTEGER", "1 to 5; for multi_hop 0 or 1; null when the judge gave none", null=True
            ),
            Column(
                "rejection_reason",
                "VARCHAR",
                "why there is no score. own_family: the judge's family wrote the item, so it was not asked; "
                "too_many_documents: it has more than a judge is shown",
                null=True,
            ),
            Column("shown", "VARCHAR", "what the judge was shown of each document", values=SHOWN),
            Column("shown_words", "INTEGER", "words of a document at most; null: no limit", null=True),
            *MODEL,
        ),
        ("judge", "item_id", "run", "dimension"),
        by="judge",
    ),
    Table(
        "benchmark.reliability",
        "a dimension of a judge's ratings: mean, spread and agreement of its runs; `all`: of all judges",
        (
            Column("judge", "VARCHAR", "the judge; all: each judge's mean over its runs is a rating"),
            Column("dimension", "VARCHAR", "the dimension; overall: mean of a rating's Likert dimensions"),
            Column("items", "BIGINT", "items with a rating"),
            Column("raters", "BIGINT", "runs, or judges"),
            Column("mean", "DOUBLE", "mean over the items of their mean rating"),
            Column(
                "average_sd",
                "DOUBLE",
                "sample standard deviation, averaged over the items with at least two ratings; null if none",
                null=True,
            ),
            Column(
                "krippendorff_alpha",
                "DOUBLE",
                "ordinal; null where it is undefined: one rater only, or all ratings equal",
                null=True,
            ),
            Column(
                "fleiss_kappa",
                "DOUBLE",
                "on rounded ratings, over the items that all raters rated; null where it is undefined",
                null=True,
            ),
        ),
        ("judge", "dimension"),
        by="",
    ),
    Table(
        "benchmark.judge_choice",
        "a quality judge: its place among the judges by their reliability, and whether the rule chooses it",
        (
            Column("judge", "VARCHAR", "the judge"),
            Column("place", "INTEGER", "1 is the most reliable; null: it has no rank", null=True),
            Column(
                "mean_rank",
                "DOUBLE",
                "mean of its ranks by alpha, kappa and spread, among judges of no writer's family",
                null=True,
            ),
            Column("items", "BIGINT", "items with a rating"),
            Column("raters", "BIGINT", "runs"),
            Column("krippendorff_alpha", "DOUBLE", "of its overall ratings; high is good", null=True),
            Column("fleiss_kappa", "DOUBLE", "of its overall ratings; high is good", null=True),
            Column("average_sd", "DOUBLE", "of its overall ratings; low is good", null=True),
            Column("chosen", "BOOLEAN", "whether the rule chooses it"),
            Column("counts", "BOOLEAN", "whether its ratings count (benchmark.judges_counting)"),
            Column(
                "rejection_reason",
                "VARCHAR",
                "why it is not chosen. own_family: its family wrote items; not_measured: alpha, kappa or "
                "spread is undefined; less_reliable: benchmark.judges_chosen others are better",
                null=True,
            ),
            Column("detail", "VARCHAR", "what that is based on"),
        ),
        ("judge",),
        by="",
    ),
    Table(
        "benchmark.rating_scores",
        "a dimension of the items of a kind, as the judges that count rate it together",
        (
            KIND,
            Column("shown", "VARCHAR", "what the judges were shown", values=SHOWN),
            Column("dimension", "VARCHAR", "the dimension; overall: mean of a rating's Likert dimensions"),
            Column("value", "DOUBLE", "mean over the items; of multi_hop the share of Yes"),
            *BOUNDS,
            Column("items", "BIGINT", "items with a rating"),
            Column("judges", "BIGINT", "judges that rated them"),
        ),
        ("variant", "shown", "dimension"),
        by="",
    ),
)
