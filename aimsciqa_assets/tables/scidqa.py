"""Tables of SciDQA's source: the notes of peer review, and the forums that they belong to."""

from typing import Final, get_args

from aimsciqa_assets.tables.table import BATCH, ID, REASON, Column, Table
from aimsciqa_assets.tables.vocabulary import NoteKind, NoteWriter

_FORUM: Final = Column("forum_id", ID, "the forum: the id of its first note, the submission")
_VENUE: Final = (
    Column("venue", "VARCHAR", "the venue: ICLR, NeurIPS, ...; null when unknown", null=True),
    Column("year", "INTEGER", "its year", null=True),
)
_DECISION: Final = Column(
    "decision", "VARCHAR", "the decision on the submission, where it is told", null=True
)
_LICENCE: Final = Column(
    "licence", "VARCHAR", "licence, short: CC BY, CC0, ...; null when unknown", null=True
)

SCIDQA_SOURCE = (
    Table(
        "scidqa.notes",
        "a note of a forum in its newest version: a submission, a review, a reply, ...",
        (
            Column("note_id", ID, "the note"),
            BATCH,
            _FORUM,
            Column("replyto", ID, "the note that it replies to; null for the submission", null=True),
            Column("invitation", "VARCHAR", "what the author of the note was invited to write; may be empty"),
            Column("kind", "VARCHAR", "what it is, by its invitation", values=get_args(NoteKind)),
            Column("writer", "VARCHAR", "who wrote it, by its signature", values=get_args(NoteWriter)),
            Column("signature", "VARCHAR", "its first signature; may be empty"),
            Column("title", "VARCHAR", "its title", null=True),
            Column(
                "text",
                "VARCHAR",
                "its readable text: the fields of its content in their order, each but the main one under "
                "its name. Empty where it may not be read. Offsets of quotes refer to it",
            ),
            Column("fields", "VARCHAR", "JSON: where the value of each field stands in it, [start, end]"),
            *_VENUE,
            _DECISION,
            _LICENCE,
            Column("created", "VARCHAR", "when it was written, ISO 8601, UTC", null=True),
            Column("modified", "VARCHAR", "when it was last changed, ISO 8601, UTC", null=True),
            Column(
                "stamp",
                "BIGINT",
                "the latest of its dates in milliseconds, by which its versions are compared; 0 for none",
            ),
            Column("raw_hash", "VARCHAR", "SHA-256 of the note as it came"),
            Column("deleted", "BOOLEAN", "it was deleted by those who wrote it"),
            Column("status", "VARCHAR", "whether its text is used", values=("accepted", "rejected")),
            REASON,
        ),
        ("note_id",),
    ),
    Table(
        "scidqa.forums",
        "a forum: a submission and everything that was written about it",
        (
            _FORUM,
            BATCH,
            Column("title", "VARCHAR", "title of the submission", null=True),
            *_VENUE,
            _DECISION,
            _LICENCE,
            Column("notes", "INTEGER", "notes of the forum, the rejected ones included"),
            Column("source", "VARCHAR", "where its newest notes came from", values=("file", "server")),
            Column(
                "problems",
                "VARCHAR[]",
                "what is wrong with its tree: root_missing; orphan or cycle with the id of the note, which "
                "was put below the submission",
            ),
        ),
        ("forum_id",),
    ),
    Table(
        "scidqa.rejected_lines",
        "a line of an imported file, or a part of it, that holds no note",
        (
            Column("file_id", ID, "SHA-256 of the file"),
            Column("line", "INTEGER", "number of the line, from 1"),
            Column("position", "INTEGER", "the note's place in a line that holds a forum, from 1; else 0"),
            Column("file_name", "VARCHAR", "name of the file"),
            Column("note_id", ID, "the note's id, where it has one", null=True),
            Column("rejection_reason", "VARCHAR", "why it is no note"),
            Column("detail", "VARCHAR", "what is wrong with it"),
        ),
        ("file_id", "line", "position"),
        by="",
    ),
)
