"""Tables of the manuscripts that SciDQA's reviews are about: their versions, and what these say."""

from aimsciqa_assets.tables.table import BATCH, ID, MODEL, REASON, Column, Table

_FORUM = Column("forum_id", ID, "the forum in which the paper was reviewed")
_VERSION = Column(
    "version",
    "VARCHAR",
    "initial: as it was sent to the reviewers; final: as it was in the end",
    values=("initial", "final"),
)
_QA = Column("qa_id", ID, "the question, a row of `scidqa.qa_pairs`")
KINDS = ("section", "paragraph", "figure", "table", "reference")

SCIDQA_MANUSCRIPTS = (
    Table(
        "scidqa.manuscripts",
        "a version of a paper that was reviewed, and the paper of the corpus that it is",
        (
            _FORUM,
            _VERSION,
            BATCH,
            Column(
                "paper_id", ID, "its paper: FORUM.initial or FORUM.final, unless the file was known before"
            ),
            Column("file_id", ID, "its file, a row of `corpus.input_files`"),
            Column("file_name", "VARCHAR", "the name under which the file came"),
            Column("same_as_initial", "BOOLEAN", "a final version that is the very file of the initial one"),
            Column(
                "uploaded", "VARCHAR", "when it was uploaded, ISO 8601, UTC; null when unknown", null=True
            ),
        ),
        ("forum_id", "version"),
    ),
    Table(
        "scidqa.changes",
        "a part of either version of a manuscript, and what became of it",
        (
            Column("change_id", ID, "hash of forum, kind and the two parts"),
            BATCH,
            _FORUM,
            Column("kind", "VARCHAR", "what the part is", values=KINDS),
            Column("name", "VARCHAR", "title of a section, label of a figure or table, else its beginning"),
            Column(
                "change",
                "VARCHAR",
                "what became of it in the final version",
                values=("added", "removed", "changed", "same"),
            ),
            Column("similarity", "DOUBLE", "how alike the two texts are, 0 to 1; 0 where there is one only"),
            Column("before_id", ID, "the section, paragraph, caption or reference; null if added", null=True),
            Column("after_id", ID, "the same in the final version; null if removed", null=True),
        ),
        ("change_id",),
    ),
    Table(
        "scidqa.change_summary",
        "a kind of parts, and in how many forums with both versions any of them changed (section 3.1)",
        (
            Column("kind", "VARCHAR", "what the parts are", values=KINDS),
            Column("forums", "BIGINT", "forums with both versions, the unchanged ones included"),
            Column("changed_forums", "BIGINT", "those in which a part of this kind is not the same"),
            Column("share", "DOUBLE", "their share", null=True),
            Column("added", "BIGINT", "parts that only the final version has"),
            Column("removed", "BIGINT", "parts that only the initial version has"),
            Column("changed", "BIGINT", "parts that were altered"),
            Column("same", "BIGINT", "parts that stayed as they are"),
        ),
        ("kind",),
        by="",
    ),
    Table(
        "scidqa.answerability",
        "a question and a version of its manuscript: whether that version answers it",
        (
            _QA,
            _VERSION,
            BATCH,
            _FORUM,
            Column("paper_id", ID, "the version's paper"),
            Column(
                "verdict",
                "VARCHAR",
                "whether the paragraphs that were found answer the question; null: no verdict",
                null=True,
                values=("answerable", "partly", "unanswerable"),
            ),
            REASON,
            Column("detail", "VARCHAR", "the model's reply, where it could not be used", null=True),
            Column("paragraphs_read", "INTEGER", "paragraphs that the model was shown"),
            *MODEL,
        ),
        ("qa_id", "version"),
    ),
    Table(
        "scidqa.evidence",
        "a passage that a model quoted from a version of a manuscript for the answer to a question",
        (
            _QA,
            _VERSION,
            Column("position", "INTEGER", "order of the quotes, from 1"),
            BATCH,
            Column("paper_id", ID, "the version's paper"),
            Column("paragraph_id", ID, "where the quote stands; null when it was found nowhere", null=True),
            Column("evidence", "VARCHAR", "the quote"),
            Column("evidence_start", "INTEGER", "offset in the paragraph's text, in characters", null=True),
            Column("evidence_end", "INTEGER", "offset behind its last character", null=True),
            Column("score", "DOUBLE", "what the retriever gave the paragraph", null=True),
            REASON,
        ),
        ("qa_id", "version", "position"),
    ),
    Table(
        "scidqa.contrasts",
        "a question with a verdict on both versions, and what the two verdicts say together",
        (
            _QA,
            _FORUM,
            Column("initial_paper_id", ID, "the initial version's paper"),
            Column("final_paper_id", ID, "the final version's paper"),
            Column("initial_verdict", "VARCHAR", "the verdict on the initial version"),
            Column("final_verdict", "VARCHAR", "the verdict on the final version"),
            Column(
                "contrast",
                "VARCHAR",
                "gained: only the final version answers it (the contrast set); lost: only the initial one; "
                "both; neither; partial: one verdict is partly and the other is another one",
                values=("gained", "lost", "both", "neither", "partial"),
            ),
        ),
        ("qa_id",),
        by="",
    ),
    Table(
        "scidqa.cited",
        "a question that cites another paper, and that paper in the corpus: its second document",
        (
            _QA,
            _FORUM,
            Column("paper_id", ID, "the cited paper"),
            Column("citing_paper_id", ID, "the version of the manuscript that cites it"),
            Column("reference_id", ID, "the entry of that version's bibliography"),
            Column(
                "cited_in",
                "VARCHAR",
                "where the question cites it",
                values=("question", "answer", "reference"),
            ),
        ),
        ("qa_id", "paper_id"),
        by="",
    ),
    Table(
        "scidqa.documents",
        "a document that an accepted question rests on: the manuscript, then the papers that it cites",
        (
            _QA,
            _FORUM,
            Column("position", "INTEGER", "order, from 1"),
            Column("role", "VARCHAR", "manuscript; cited_1, cited_2, ..."),
            Column("paper_id", ID, "its paper"),
            Column(
                "version",
                "VARCHAR",
                "of a manuscript: the one that the answer is about, or the only one; null of cited papers",
                null=True,
                values=("initial", "final"),
            ),
        ),
        ("qa_id", "role"),
        by="",
    ),
)
