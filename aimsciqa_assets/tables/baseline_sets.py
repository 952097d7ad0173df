"""Tables of the published sets: what was taken of them, where its evidence stands, and the items."""

from typing import Final

from aimsciqa_assets.tables.table import BATCH, ID, ITEM, REASON, Column, Table

_SET: Final = Column("set_name", "VARCHAR", "the set", values=("hotpotqa", "2wiki", "musique"))
_RECORD: Final = (
    Column("record_id", "VARCHAR", "its id in the set; null where it has none", null=True),
    Column("kind", "VARCHAR", "its kind: hotpotqa_bridge, ...; null where that cannot be told", null=True),
)
_TOLD: Final = (
    REASON,
    Column("detail", "VARCHAR", "what is wrong with it; null when it was not rejected", null=True),
    Column("question", "VARCHAR", "the question; null of a record that was rejected", null=True),
    Column("answer", "VARCHAR", "its answer", null=True),
)
_ROLE: Final = Column("role", "VARCHAR", "the document: first, second, ...")
_DOCUMENT: Final = Column("document", "INTEGER", "position of the document in the item, from 1")

BASELINE_SETS = (
    Table(
        "baseline_sets.records",
        "a record of a published file that was drawn, or cannot be used",
        (
            ITEM,
            _SET,
            *_RECORD,
            Column(
                "file_name", "VARCHAR", "the file, and the number of the record or line in it: dev.json:17"
            ),
            Column("status", "VARCHAR", "whether it was drawn", values=("drawn", "rejected")),
            *_TOLD,
        ),
        ("item_id",),
        by="",
    ),
    Table(
        "baseline_sets.supports",
        "a supporting sentence of a record that was drawn; of MuSiQue, a supporting paragraph",
        (
            ITEM,
            Column("position", "INTEGER", "order in the item, from 1"),
            _SET,
            Column(
                "document_batch",
                "VARCHAR",
                "the paper batch of its document; null when that was not taken in",
                null=True,
            ),
            _DOCUMENT,
            _ROLE,
            Column("paper_id", ID, "the document, a row of corpus.papers"),
            Column("sentence", "VARCHAR", "the sentence as the set has it"),
        ),
        ("item_id", "position"),
        by="",
    ),
    Table(
        "baseline_sets.contexts",
        "a document of the context of a record that was drawn: supporting, or a distractor",
        (
            ITEM,
            Column("paper_id", ID, "the document"),
            _SET,
            Column("position", "INTEGER", "order in the context, from 1"),
        ),
        ("item_id", "paper_id"),
        by="",
    ),
    Table(
        "baseline_sets.hops",
        "a sub-question of a record that was drawn, where the set has them",
        (
            ITEM,
            Column("position", "INTEGER", "order in the item, from 1"),
            _SET,
            _DOCUMENT,
            _ROLE,
            Column("question", "VARCHAR", "the sub-question"),
            Column("answer", "VARCHAR", "its answer"),
            Column("bridge", "VARCHAR", "the earlier answer that stands in it, if one does", null=True),
        ),
        ("item_id", "position"),
        by="",
    ),
    Table(
        "baseline_sets.evidence",
        "where a supporting sentence stands in its document, or that it does not",
        (
            ITEM,
            BATCH,
            Column("position", "INTEGER", "order in the item, from 1"),
            _DOCUMENT,
            _ROLE,
            Column("paper_id", ID, "the document"),
            Column("paragraph_id", ID, "where it stands; null when it does not", null=True),
            Column("evidence", "VARCHAR", "the sentence, exactly as it stands there", null=True),
            Column("evidence_start", "INTEGER", "offset in the paragraph", null=True),
            Column("evidence_end", "INTEGER", "offset behind its last character", null=True),
            REASON,
        ),
        ("item_id", "position"),
    ),
    Table(
        "baseline_sets.items",
        "a record of a published set, accepted as an item or not",
        (
            ITEM,
            _SET,
            *_RECORD,
            Column("status", "VARCHAR", "what became of it", values=("accepted", "rejected")),
            *_TOLD,
        ),
        ("item_id",),
        by="",
    ),
)
