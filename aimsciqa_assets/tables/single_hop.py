"""Tables of single-hop question answering."""

from aimsciqa_assets.tables.corpus import SECTION_KINDS
from aimsciqa_assets.tables.table import BATCH, ID, MODEL, PAPER, REASON, Column, Table

_TRIPLET = (
    Column("qa_id", ID, "hash of paragraph, position and triplet"),
    BATCH,
    PAPER,
    Column("section_id", ID, "its section"),
    Column("paragraph_id", ID, "the paragraph it was made from"),
    Column("position", "INTEGER", "order in the reply, from 0"),
    Column("question", "VARCHAR", "question"),
    Column("answer", "VARCHAR", "answer"),
    Column("evidence", "VARCHAR", "quote that carries the answer"),
    Column("evidence_start", "INTEGER", "offset of the evidence in the paragraph", null=True),
    Column("evidence_end", "INTEGER", "offset behind its last character", null=True),
    Column(
        "normalised_match",
        "BOOLEAN",
        "the evidence occurs in the paragraph, at least after folding white space and Unicode forms",
    ),
)

SINGLE_HOP = (
    Table(
        "single_hop.extractions",
        "a paragraph with the reply of the language model, or why there is none",
        (
            Column("paragraph_id", ID, "the paragraph"),
            BATCH,
            PAPER,
            Column("section_id", ID, "its section"),
            Column("status", "VARCHAR", "whether the reply could be read", values=("answered", "rejected")),
            REASON,
            Column("pairs", "INTEGER", "triplets in the reply"),
            Column("reply", "VARCHAR", "the raw reply; null when the model gave none", null=True),
            *MODEL,
        ),
        ("paragraph_id",),
    ),
    Table(
        "single_hop.triplets",
        "an entry of a reply, whose evidence was looked for in the paragraph: a triplet, or a malformed one",
        (
            *_TRIPLET,
            REASON,
            *MODEL,
        ),
        ("qa_id",),
    ),
    Table(
        "single_hop.similarities",
        "a triplet with exact evidence, and how near its question is to answer and evidence",
        (
            Column("qa_id", ID, "the triplet"),
            BATCH,
            Column("question_answer_similarity", "DOUBLE", "cosine Sim(Q, A)"),
            Column("question_evidence_similarity", "DOUBLE", "cosine Sim(Q, E)"),
            Column("alignment", "DOUBLE", "Sim(Q, A) - Sim(Q, E)"),
            Column("encoder", "VARCHAR", "the encoder"),
            Column("encoder_revision", "VARCHAR", "its version"),
        ),
        ("qa_id",),
    ),
    Table(
        "single_hop.qa_pairs",
        "a question-answer-evidence triplet, kept or rejected",
        (
            *_TRIPLET,
            Column(
                "question_answer_similarity", "DOUBLE", "Sim(Q, A); null without exact evidence", null=True
            ),
            Column(
                "question_evidence_similarity", "DOUBLE", "Sim(Q, E); null without exact evidence", null=True
            ),
            Column("alignment", "DOUBLE", "Sim(Q, A) - Sim(Q, E); null without exact evidence", null=True),
            Column("status", "VARCHAR", "kept, or rejected with a reason", values=("kept", "rejected")),
            REASON,
            *MODEL,
        ),
        ("qa_id",),
    ),
    Table(
        "single_hop.statistics",
        "a figure of Table 2 of the paper, over this corpus",
        (
            Column("item", "VARCHAR", "what is counted or averaged"),
            Column("value", "DOUBLE", "its value; null where there is nothing to average", null=True),
            Column("unit", "VARCHAR", "unit of the value"),
        ),
        ("item",),
        by="",
    ),
    Table(
        "single_hop.pairs_by_section",
        "a kind of section with its kept QA pairs (figures 3 and 4 of the paper)",
        (
            Column("kind", "VARCHAR", "section kind", values=SECTION_KINDS),
            Column("sections", "BIGINT", "sections of the kind"),
            Column("pairs", "BIGINT", "kept QA pairs in them (figure 4)"),
            Column("pairs_per_section", "DOUBLE", "their ratio (figure 3)"),
        ),
        ("kind",),
        by="",
    ),
)
