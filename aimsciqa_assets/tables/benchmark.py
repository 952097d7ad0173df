"""Tables of the evaluation: retrieval, answering, quality gates, evidence, and ratings by judges."""

from aimsciqa_assets.tables.answering import ANSWERING
from aimsciqa_assets.tables.corpus import SECTION_KINDS
from aimsciqa_assets.tables.quality import NECESSITY
from aimsciqa_assets.tables.ratings import RATINGS
from aimsciqa_assets.tables.table import BOUNDS, ID, INTERVAL, ITEM, KIND, RESAMPLED, Column, Table

RETRIEVAL_SETTINGS = ("cluster", "random", "full")
GATES = ("single_document", "closed_book", "unique_retrieval", "no_duplicate")
RELABELLING = "relabelling"
VERDICTS = ("pass", "fail", "unknown")
MISSING = ("zero", "skip")

_RETRIEVER = Column("retriever", "VARCHAR", "the retriever, as the settings write it")
_RETRIEVAL_SETTING = Column(
    "setting",
    "VARCHAR",
    "the papers to rank: the item's cluster, as many random papers, or all (also for items without cluster)",
    values=RETRIEVAL_SETTINGS,
)
BENCHMARK = (
    Table(
        "benchmark.queries",
        "an item that is evaluated: its query, and the papers among which its target is looked for",
        (
            ITEM,
            KIND,
            Column("split", "VARCHAR", "dev or test", values=("dev", "test")),
            Column(
                "source_paper_id",
                ID,
                "the paper in hand, never among the candidates; null where there is none, or several",
                null=True,
            ),
            Column("target_paper_id", ID, "the gold paper; null where there is none, or several", null=True),
            Column("query", "VARCHAR", "the retrieval question; null: nothing is retrieved", null=True),
            Column("question", "VARCHAR", "the item's question (the merged one)"),
            Column("answer", "VARCHAR", "its answer"),
            Column("cluster", "VARCHAR[]", "papers of the cluster, the target among them, by id", null=True),
            Column(
                "random_cluster",
                "VARCHAR[]",
                "as many random papers, the target among them, by id",
                null=True,
            ),
        ),
        ("item_id",),
        by="",
    ),
    Table(
        "benchmark.rankings",
        "the ranking of a retriever for a query: the rank of the gold paper, and the first papers",
        (
            _RETRIEVER,
            ITEM,
            KIND,
            _RETRIEVAL_SETTING,
            Column("candidates", "INTEGER", "papers that were ranked"),
            Column(
                "rank", "INTEGER", "place of the gold paper, from 1; of the first where there are several"
            ),
            Column("papers", "VARCHAR[]", "the first 50 papers; ties by id"),
            Column("scores", "DOUBLE[]", "their scores"),
        ),
        ("retriever", "item_id", "setting"),
        by="retriever",
    ),
    Table(
        "benchmark.retrieval_scores",
        "a measure of a retriever (Table 6 of the paper)",
        (
            _RETRIEVER,
            KIND,
            _RETRIEVAL_SETTING,
            Column("measure", "VARCHAR", "Hit@1, MRR@5, nDCG@10, ..."),
            *INTERVAL,
            Column("queries", "BIGINT", "how many"),
            Column("clusters", "BIGINT", RESAMPLED, null=True),
        ),
        ("retriever", "variant", "setting", "measure"),
        by="",
    ),
    Table(
        "benchmark.evidence_access",
        "a measure of evidence accessibility: how well a retriever finds the gold papers among all papers",
        (
            _RETRIEVER,
            KIND,
            Column(
                "measure",
                "VARCHAR",
                "MAP (at 10), Recall@5, Recall@10, Recall@20, nDCG@5, nDCG@10, Support F1 (at 10)",
            ),
            Column("value", "DOUBLE", "mean over the queries; null: none counts", null=True),
            *BOUNDS,
            Column("queries", "BIGINT", "queries that count"),
            Column("without_gold", "BIGINT", "queries without gold papers"),
            Column("without_ranking", "BIGINT", "queries with gold papers for which nothing was found"),
            Column("missing", "VARCHAR", "what these two score (benchmark.evidence_missing)", values=MISSING),
        ),
        ("retriever", "variant", "measure"),
        by="",
    ),
    Table(
        "benchmark.retrieval_comparisons",
        "two retrievers compared on the same queries",
        (
            Column("retriever", "VARCHAR", "one retriever"),
            Column("other", "VARCHAR", "the other retriever"),
            KIND,
            _RETRIEVAL_SETTING,
            Column("measure", "VARCHAR", "what is compared"),
            Column("difference", "DOUBLE", "mean of the one minus mean of the other"),
            *BOUNDS,
            Column("p_value", "DOUBLE", "two-sided, paired randomisation test", null=True),
            Column("p_adjusted", "DOUBLE", "after Holm, over the pairs of retrievers", null=True),
            Column("queries", "BIGINT", "how many"),
            Column("clusters", "BIGINT", RESAMPLED, null=True),
        ),
        ("retriever", "other", "variant", "setting", "measure"),
        by="",
    ),
    *ANSWERING,
    Table(
        "benchmark.gates",
        "the verdict of a quality gate on an accepted item",
        (
            ITEM,
            Column(
                "gate",
                "VARCHAR",
                "single_document: neither paper alone gives the answer; closed_book: memory does not; "
                "unique_retrieval: two retrievers rank the gold paper first in its cluster; "
                "no_duplicate: no earlier item asks nearly the same, or rests on the same core QA pairs in "
                "either direction; relabelling: a model names the papers of an item of Findings by their "
                "cards alone; necessity, where release.gates names it: no test of quality.necessity "
                "that counts failed",
                values=(*GATES, RELABELLING, NECESSITY),
            ),
            Column("verdict", "VARCHAR", "whether it passed; unknown: no data to decide", values=VERDICTS),
            Column("detail", "VARCHAR", "what the verdict is based on"),
        ),
        ("item_id", "gate"),
        by="",
    ),
    Table(
        "benchmark.evidence_coverage",
        "a section, and how many of its sentences are evidence of a kept QA pair",
        (
            Column("section_id", ID, "the section"),
            Column("paper_id", ID, "its paper"),
            Column("kind", "VARCHAR", "section kind", values=SECTION_KINDS),
            Column("pairs", "INTEGER", "its kept QA pairs"),
            Column("sentences", "INTEGER", "sentences"),
            Column("evidence_sentences", "INTEGER", "sentences of which at least half is evidence"),
            Column(
                "coverage",
                "DOUBLE",
                "share of evidence sentences; null for a section without text",
                null=True,
            ),
        ),
        ("section_id",),
        by="",
    ),
    *RATINGS,
)
