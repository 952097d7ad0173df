"""Tables of citation-guided pairs and multi-hop items."""

from typing import get_args

from aimsciqa_assets.tables.table import BATCH, ID, ITEM, MODEL, REASON, VARIANT, Column, Table
from aimsciqa_assets.tables.vocabulary import Link

LINKS: tuple[Link, ...] = get_args(Link)
_VERDICT = ("accept", "reject")

MULTI_HOP = (
    Table(
        "citation_guided.pairs",
        "a single-citation sentence that leads from a source to a target in the corpus",
        (
            Column("mention_id", ID, "the citing sentence"),
            Column("source_paper_id", ID, "the citing paper"),
            Column("target_paper_id", ID, "the cited paper"),
            Column("reference_id", ID, "the one reference it names"),
            Column("section_id", ID, "the section of the sentence"),
            Column("sentence", "VARCHAR", "the citing sentence"),
        ),
        ("mention_id",),
        by="",
    ),
    Table(
        "multi_hop.items",
        "an inter-document multi-hop item, accepted or not, with all its parts",
        (
            Column("item_id", ID, "hash of relation and retrieval QA"),
            BATCH,
            VARIANT,
            Column("relation_id", ID, "the relation it was made from"),
            Column("source_paper_id", ID, "source"),
            Column("target_paper_id", ID, "target"),
            Column("core_source_qa_id", ID, "core QA pair, source side"),
            Column("core_target_qa_id", ID, "core QA pair, target side"),
            Column("retrieval_qa_id", ID, "retrieval QA of the target"),
            Column("retrieval_question", "VARCHAR", "Which paper ...? (step 1)", null=True),
            Column("retrieval_answer", "VARCHAR", "Identified target paper: ...", null=True),
            Column("inter_document_question", "VARCHAR", "step 2", null=True),
            Column("inter_document_answer", "VARCHAR", "step 2", null=True),
            Column("merged_question", "VARCHAR", "the item's question (step 3)", null=True),
            Column("merged_answer", "VARCHAR", "the item's answer (step 3)", null=True),
            Column("fluency", "VARCHAR", "verdict", null=True, values=_VERDICT),
            Column("completeness", "VARCHAR", "verdict", null=True, values=_VERDICT),
            Column("cross_reference_necessity", "VARCHAR", "verdict", null=True, values=_VERDICT),
            Column("relational_appropriateness", "VARCHAR", "verdict", null=True, values=_VERDICT),
            Column(
                "identifiability",
                "VARCHAR",
                "verdict on the retrieval question, where the model chose; else null",
                null=True,
                values=_VERDICT,
            ),
            Column("decision", "VARCHAR", "the verdicts together", null=True, values=_VERDICT),
            Column("decision_by_model", "VARCHAR", "what the model said", null=True, values=_VERDICT),
            Column(
                "status",
                "VARCHAR",
                "what became of it",
                values=("accepted", "pre_rejected", "rejected", "invalid"),
            ),
            REASON,
            Column(
                "link",
                "VARCHAR",
                "how the two facts belong together, where the model chose; else null",
                null=True,
                values=LINKS,
            ),
            Column("core_pair_rank", "INTEGER", "rank of the core pair that the model chose", null=True),
            Column("retrieval_rank", "INTEGER", "rank of the retrieval QA that the model chose", null=True),
            Column("reply", "VARCHAR", "the raw reply; null when the model gave none", null=True),
            *MODEL,
        ),
        ("item_id",),
    ),
    Table(
        "multi_hop.splits",
        "an accepted item and the split it belongs to",
        (
            ITEM,
            VARIANT,
            Column("source_paper_id", ID, "its source: all its items, of both variants, are in one split"),
            Column("split", "VARCHAR", "dev or test", values=("dev", "test")),
        ),
        ("item_id",),
        by="",
    ),
    Table(
        "multi_hop.statistics",
        "a figure of Table 3 of the paper, over this corpus; lengths are in words",
        (
            VARIANT,
            Column("split", "VARCHAR", "dev or test", values=("dev", "test")),
            Column("items", "BIGINT", "accepted items"),
            Column("core_pairs", "BIGINT", "different core pairs of them, in either direction", null=True),
            Column("mirrored_items", "BIGINT", "items whose core pair another one of them has", null=True),
            Column("dropped_mirrors", "BIGINT", "relations of the variant in relations.mirrors", null=True),
            Column("retrieval_question_words", "DOUBLE", "average length", null=True),
            Column("inter_document_question_words", "DOUBLE", "average length", null=True),
            Column("merged_question_words", "DOUBLE", "average length", null=True),
            Column("inter_document_answer_words", "DOUBLE", "average length", null=True),
            Column("merged_answer_words", "DOUBLE", "average length", null=True),
        ),
        ("variant", "split"),
        by="",
    ),
)
