"""Tables of SciDQA's pairs: discussions, requests in them, replies of the model, questions and answers."""

from typing import Final

from aimsciqa_assets.tables.table import BATCH, ID, MODEL, REASON, Column, Table

RELEVANCE: Final = ("relevant", "irrelevant", "ambiguous")
VERSIONS: Final = ("initial", "revised")

_DISCUSSION: Final = Column("discussion_id", ID, "the discussion: hash of its notes and their texts")
_FORUM: Final = Column("forum_id", ID, "the forum")
_REPLY: Final = (
    Column(
        "status",
        "VARCHAR",
        "answered: its reply could be read; rejected: it could not, or there is none",
        values=("answered", "rejected"),
    ),
    REASON,
    Column("pairs", "INTEGER", "pairs in the reply"),
    Column("reply", "VARCHAR", "the reply as the model gave it; null where there is none", null=True),
    *MODEL,
)

SCIDQA_PAIRS = (
    Table(
        "scidqa.discussions",
        "a review with what authors and reviewers wrote below it: whether pairs are looked for in it",
        (
            _DISCUSSION,
            BATCH,
            _FORUM,
            Column("review_note_id", ID, "the review, a row of scidqa.notes"),
            Column("reply_note_ids", "VARCHAR[]", "the notes below it, in their order"),
            Column("requests", "INTEGER", "sentences of the review that ask for something"),
            Column("cues", "VARCHAR", "JSON: how often each cue occurs in review and replies"),
            Column("status", "VARCHAR", "whether the model is asked about it", values=("kept", "rejected")),
            REASON,
        ),
        ("discussion_id",),
    ),
    Table(
        "scidqa.requests",
        "a sentence of a review that a rule takes for a question or request",
        (
            Column("note_id", ID, "the review, a row of scidqa.notes"),
            BATCH,
            Column("position", "INTEGER", "its place among those of the review, from 0"),
            Column("sentence_start", "INTEGER", "offset of the sentence in the text of the note"),
            Column("sentence_end", "INTEGER", "offset behind its last character"),
            Column("cue", "VARCHAR", "the first cue that it has, a name of cues.toml"),
        ),
        ("note_id", "position"),
    ),
    Table(
        "scidqa.root_replies",
        "a reply of the authors below the submission: to which discussions it belongs",
        (
            Column("note_id", ID, "the reply, a row of scidqa.notes"),
            BATCH,
            _FORUM,
            Column("review_note_ids", "VARCHAR[]", "the reviews whose writers it names"),
            REASON,
        ),
        ("note_id",),
    ),
    Table(
        "scidqa.extractions",
        "a discussion that the model was asked about, with its reply",
        (_DISCUSSION, BATCH, _FORUM, *_REPLY),
        ("discussion_id",),
    ),
    Table(
        "scidqa.edits",
        "a discussion whose pairs the model was asked to judge and rewrite, with its reply",
        (_DISCUSSION, BATCH, _FORUM, *_REPLY),
        ("discussion_id",),
    ),
    Table(
        "scidqa.qa_pairs",
        "a question of a review with the authors' answer, as the model found them: accepted, or why not",
        (
            Column("qa_id", ID, "the pair: hash of its discussion and of what the model extracted"),
            BATCH,
            _FORUM,
            _DISCUSSION,
            Column("position", "INTEGER", "its place in the reply, from 0"),
            Column("review_note_id", ID, "the note that asks"),
            Column(
                "reply_note_id", ID, "the note that answers; null where the quote was not found", null=True
            ),
            Column(
                "question",
                "VARCHAR",
                "the question in the third person, with the references that it cites; as it was extracted "
                "where the pair was not edited",
            ),
            Column("answer", "VARCHAR", "the answer, likewise"),
            Column("extracted_question", "VARCHAR", "the question as the model extracted it"),
            Column("extracted_answer", "VARCHAR", "the answer as the model extracted it"),
            Column("question_quote", "VARCHAR", "the quote of the review, as the model copied it"),
            Column("question_start", "INTEGER", "its offset in the text of that note", null=True),
            Column("question_end", "INTEGER", "offset behind its last character", null=True),
            Column("answer_quote", "VARCHAR", "the quote of the authors' reply, as the model copied it"),
            Column("answer_start", "INTEGER", "its offset in the text of that note", null=True),
            Column("answer_end", "INTEGER", "offset behind its last character", null=True),
            Column("added", "VARCHAR", "JSON: what editing put in; null without an edit", null=True),
            Column("cited_references", "VARCHAR", "JSON: the texts that it cites, by mark"),
            Column(
                "relevance",
                "VARCHAR",
                "the model's verdict; null without an edit",
                null=True,
                values=RELEVANCE,
            ),
            Column("why", "VARCHAR", "the reason of the verdict", null=True),
            Column(
                "version",
                "VARCHAR",
                "what the answer is about: revised if rule or model says so; null without an edit",
                null=True,
                values=VERSIONS,
            ),
            Column("version_rule", "VARCHAR", "what the words of the reply say", null=True, values=VERSIONS),
            Column("version_model", "VARCHAR", "what the model says", null=True, values=VERSIONS),
            Column(
                "perplexity_before",
                "DOUBLE",
                "perplexity of extracted question and answer; null without a model for it",
                null=True,
            ),
            Column("perplexity_after", "DOUBLE", "that of the edited ones, without references", null=True),
            Column("multi_document", "BOOLEAN", "whether other papers are needed to answer", null=True),
            Column("status", "VARCHAR", "what became of it", values=("accepted", "rejected")),
            REASON,
            *MODEL,
        ),
        ("qa_id",),
    ),
)
