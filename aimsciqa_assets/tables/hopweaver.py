"""Tables of HopWeaver: documents, attempts at a question with every reply, items and their evidence."""

from typing import Final

from aimsciqa_assets.tables.table import BATCH, ID, ITEM, MODEL, REASON, Column, Table

KINDS: Final = ("bridge", "comparison")
ARMS: Final = ("standard", "diverse", "diverse_zs", "diverse_ft")
VERSIONS: Final = ("polished", "original")
POLISHINGS: Final = ("pass", "adjust", "reworked", "rejected", "error", "not_polished")

_ATTEMPT: Final = Column("attempt_id", ID, "the attempt: hash of kind and source document")
_KIND: Final = Column(
    "kind", "VARCHAR", "bridge: the first document leads to the second; comparison", values=KINDS
)
_QUESTION_PARTS: Final = (
    Column("second_paper_id", ID, "the document that was found; null without a question", null=True),
    Column("entity_a", "VARCHAR", "bridge: the bridge entity; comparison: subject of the first", null=True),
    Column("entity_b", "VARCHAR", "comparison: subject of the second document; else null", null=True),
    Column("attribute", "VARCHAR", "comparison: what is compared; else null", null=True),
    Column("in_common", "VARCHAR", "comparison: what the two share besides their kind", null=True),
)


def _evidence(which: str, column: str) -> tuple[Column, ...]:
    return (
        Column(f"{column}_paragraph_id", ID, f"where the evidence of the {which} stands", null=True),
        Column(f"{column}_start", "INTEGER", "offset of that evidence in the paragraph", null=True),
        Column(f"{column}_end", "INTEGER", "offset behind its last character", null=True),
        Column(f"{column}_evidence", "VARCHAR", "the evidence, exactly as it stands there", null=True),
    )


def _passage(which: str, column: str) -> Column:
    return Column(
        f"{column}_passage",
        "VARCHAR",
        f"bridge: the segment of the {which} document in the model's words; comparison: its fact",
        null=True,
    )


HOPWEAVER = (
    Table(
        "hopweaver.documents",
        "a document of the batch: whether questions are made of it, and if not, why",
        (
            Column("paper_id", ID, "the document, a row of corpus.papers"),
            BATCH,
            Column("characters", "INTEGER", "length of title and paragraphs"),
            Column("words", "INTEGER", "the same in words"),
            Column("tokens", "INTEGER", "the same in tokens of the packaged encoder's tokenizer"),
            Column(
                "status",
                "VARCHAR",
                "source: questions may start from it; candidate: it may be found only; excluded: neither",
                values=("source", "candidate", "excluded"),
            ),
            Column("rejection_reason", "VARCHAR", "why it is no source; null when it is one", null=True),
        ),
        ("paper_id",),
    ),
    Table(
        "hopweaver.document_vectors",
        "the vector of a document's text, for the search for second documents",
        (
            Column("paper_id", ID, "the document"),
            BATCH,
            Column("vector", "DOUBLE[]", "unit-length vector"),
            Column("encoder", "VARCHAR", "the encoder"),
            Column("encoder_revision", "VARCHAR", "its version"),
        ),
        ("paper_id",),
    ),
    Table(
        "hopweaver.attempts",
        "an attempt to make a question that starts from a source document, of either kind, before polishing",
        (
            _ATTEMPT,
            BATCH,
            _KIND,
            Column("paper_id", ID, "the source document: the first one of the question"),
            Column("status", "VARCHAR", "whether a question came of it", values=("drafted", "rejected")),
            REASON,
            Column("documents_tried", "INTEGER", "candidates that the model was asked about"),
            *_QUESTION_PARTS,
            Column("question", "VARCHAR", "the question, as it was made first", null=True),
            Column("answer", "VARCHAR", "its answer", null=True),
            Column("reasoning_path", "VARCHAR", "how the answer is reached", null=True),
            Column("question_1", "VARCHAR", "bridge: the question of the first hop", null=True),
            Column("answer_1", "VARCHAR", "bridge: its answer, the entity", null=True),
            Column("question_2", "VARCHAR", "bridge: the question of the second hop", null=True),
            Column("answer_2", "VARCHAR", "bridge: its answer", null=True),
            _passage("first", "first"),
            *_evidence("first document", "first"),
            _passage("second", "second"),
            *_evidence("second document", "second"),
            *_evidence("first document for what the two share", "first_common"),
            *_evidence("second document for what the two share", "second_common"),
            *MODEL,
        ),
        ("attempt_id",),
    ),
    Table(
        "hopweaver.bridges",
        "the first step of a bridge question: an entity of the source, its segment, and what to search for",
        (
            _ATTEMPT,
            BATCH,
            Column("paper_id", ID, "the source document"),
            Column("entity", "VARCHAR", "the bridge entity", null=True),
            Column("entity_type", "VARCHAR", "what it is", null=True),
            Column("segment", "VARCHAR", "what the source says of it, in the model's words", null=True),
            Column("query", "VARCHAR", "what is searched for", null=True),
            *_evidence("segment", "segment"),
            Column("status", "VARCHAR", "whether the step gave all that", values=("found", "rejected")),
            REASON,
        ),
        ("attempt_id",),
    ),
    Table(
        "hopweaver.comparisons",
        "the steps of a comparison before the search: subject of the source, and what to search for",
        (
            _ATTEMPT,
            BATCH,
            Column("paper_id", ID, "the source document"),
            Column("subject", "VARCHAR", "what the document is about", null=True),
            Column("subject_type", "VARCHAR", "what kind of thing that is", null=True),
            Column("without_subject", "VARCHAR", "why it has none, in the model's words", null=True),
            Column("concreteness", "DOUBLE", "how concrete the subject is, 1 to 5", null=True),
            Column("scored_by", "VARCHAR", "the model that scored subject and attributes", null=True),
            Column(
                "search",
                "VARCHAR",
                "recommended: for an entity that the model named; diversified: by its three queries; "
                "templated: by three queries that were made by rule",
                null=True,
                values=("recommended", "diversified", "templated"),
            ),
            Column("queries", "VARCHAR[]", "what is searched for", null=True),
            Column("templated_because", "VARCHAR", "what was wrong with the model's queries", null=True),
            Column("suggested_entity", "VARCHAR", "the entity to compare with", null=True),
            Column("suggested_attribute", "VARCHAR", "the attribute to compare by", null=True),
            Column("first_paragraph", "VARCHAR", "what the question was made of, of the source", null=True),
            Column("second_paragraph", "VARCHAR", "the same of the second document", null=True),
            Column("status", "VARCHAR", "whether it came to a search", values=("found", "rejected")),
            REASON,
        ),
        ("attempt_id",),
    ),
    Table(
        "hopweaver.attributes",
        "an attribute of the subject of a comparison's source, kept or not",
        (
            _ATTEMPT,
            BATCH,
            Column("position", "INTEGER", "order in the reply, from 1"),
            Column("name", "VARCHAR", "what it is called"),
            Column("value", "VARCHAR", "what the document says"),
            Column(
                "comparability", "DOUBLE", "how well it can be compared, 1 to 5; null: no score", null=True
            ),
            Column("kept", "BOOLEAN", "whether a question may compare it"),
        ),
        ("attempt_id", "position"),
    ),
    Table(
        "hopweaver.candidates",
        "a document that the search of an attempt found, tried or not",
        (
            _ATTEMPT,
            BATCH,
            _KIND,
            Column("paper_id", ID, "the document that was found"),
            Column("rank", "INTEGER", "1 is tried first"),
            Column("score", "DOUBLE", "its score when it was selected: the three terms, weighted"),
            Column("relevance", "DOUBLE", "what the retriever gave it for the query"),
            Column("source_similarity", "DOUBLE", "cosine with the source"),
            Column("redundancy", "DOUBLE", "largest cosine with a document selected before it; 0: none"),
            Column("reranker_score", "DOUBLE", "what the cross-encoder gave it; null without one", null=True),
            Column("queries", "VARCHAR[]", "the queries that found it"),
            Column("tried", "BOOLEAN", "whether the model was asked about it"),
            Column(
                "outcome",
                "VARCHAR",
                "chosen: the question was made with it; rejected; not_tried: an earlier one was chosen, or "
                "the attempt had ended",
                values=("chosen", "rejected", "not_tried"),
            ),
            REASON,
            Column("connection", "VARCHAR", "bridge: how the entity connects the two documents", null=True),
            Column("question_1", "VARCHAR", "bridge: the question of the first hop", null=True),
            Column("answer_1", "VARCHAR", "bridge: its answer", null=True),
            Column("question_2", "VARCHAR", "bridge: the question of the second hop", null=True),
            Column("answer_2", "VARCHAR", "bridge: its answer", null=True),
            Column("question", "VARCHAR", "the question over both documents", null=True),
            Column("answer", "VARCHAR", "its answer", null=True),
            Column("reasoning_path", "VARCHAR", "how the answer is reached", null=True),
        ),
        ("attempt_id", "paper_id"),
    ),
    Table(
        "hopweaver.replies",
        "a reply of the model on the way to a question",
        (
            _ATTEMPT,
            BATCH,
            Column("position", "INTEGER", "order in the attempt, from 1"),
            Column("step", "VARCHAR", "the task that was asked"),
            Column("paper_id", ID, "the candidate that it is about; null before the search", null=True),
            Column("reply", "VARCHAR", "the raw reply; null when the model gave none", null=True),
            Column("rejection_reason", "VARCHAR", "what is wrong with it; null when it was used", null=True),
        ),
        ("attempt_id", "position"),
    ),
    Table(
        "hopweaver.items",
        "a bridge or comparison question, accepted or not: one row for each attempt",
        (
            Column("item_id", ID, "hash of the attempt"),
            BATCH,
            _KIND,
            _ATTEMPT,
            Column("first_paper_id", ID, "the source document"),
            *_QUESTION_PARTS,
            Column("status", "VARCHAR", "what became of it", values=("accepted", "rejected")),
            REASON,
            Column("question", "VARCHAR", "the question: polished where it was changed", null=True),
            Column("answer", "VARCHAR", "its answer", null=True),
            Column("reasoning_path", "VARCHAR", "how the answer is reached", null=True),
            _passage("first", "first"),
            _passage("second", "second"),
            Column("original_question", "VARCHAR", "the question before it was polished", null=True),
            Column("original_answer", "VARCHAR", "the answer before it was polished", null=True),
            Column("original_reasoning_path", "VARCHAR", "the path before it was polished", null=True),
            Column(
                "polisher_status",
                "VARCHAR",
                "what the polisher said; error: no reply could be read; null without a question",
                null=True,
                values=POLISHINGS,
            ),
            Column("polisher_reason", "VARCHAR", "why the polisher rejected it, in its words", null=True),
            Column("polisher_reply", "VARCHAR", "its raw reply; null when there is none", null=True),
            Column("documents_tried", "INTEGER", "candidates that the model was asked about"),
            *MODEL,
            Column("polisher_model", "VARCHAR", "the model that polished it", null=True),
            Column("polisher_model_revision", "VARCHAR", "that model's version", null=True),
            Column("polisher_prompt_version", "VARCHAR", "hash of the polisher's prompt", null=True),
        ),
        ("item_id",),
    ),
    Table(
        "hopweaver.readings",
        "what the strict reader said of a question, in the version that goes on",
        (
            ITEM,
            BATCH,
            _KIND,
            Column("status", "VARCHAR", "passed: every check", values=("passed", "failed", "error")),
            REASON,
            Column("failed", "VARCHAR[]", "the checks that it failed, in their order"),
            Column("solution", "VARCHAR", "how the reader solves the question by the quotes", null=True),
            Column("reply", "VARCHAR", "the raw reply; null when there is none", null=True),
            *MODEL,
        ),
        ("item_id",),
    ),
    Table(
        "hopweaver.evidence",
        "a quote that an item with a question rests on, exactly as it stands in its document",
        (
            ITEM,
            BATCH,
            Column("position", "INTEGER", "1: of the first document, 2: of the second"),
            Column("role", "VARCHAR", "the document", values=("first", "second")),
            Column("paper_id", ID, "the document"),
            Column("name", "VARCHAR", "what the quote carries", values=("segment", "fact")),
            Column("question", "VARCHAR", "the question of the hop that it answers", null=True),
            Column("answer", "VARCHAR", "the answer of that hop", null=True),
            Column("paragraph_id", ID, "where it stands"),
            Column("evidence", "VARCHAR", "the quote"),
            Column("evidence_start", "INTEGER", "offset in the paragraph"),
            Column("evidence_end", "INTEGER", "offset behind its last character"),
        ),
        ("item_id", "position"),
    ),
    Table(
        "hopweaver.versions",
        "a version of an accepted item that is evaluated and released (`hopweaver.evaluated`)",
        (
            Column("version_id", ID, "the id of the item; of the original beside it, a hash of that"),
            BATCH,
            ITEM,
            _KIND,
            Column("version", "VARCHAR", "which one", values=VERSIONS),
            Column("question", "VARCHAR", "the question in this version"),
            Column("answer", "VARCHAR", "its answer"),
        ),
        ("version_id",),
    ),
    Table(
        "hopweaver.splits",
        "a version of an accepted item and the split it belongs to",
        (
            Column("version_id", ID, "the version"),
            ITEM,
            Column("split", "VARCHAR", "dev or test", values=("dev", "test")),
        ),
        ("version_id",),
        by="",
    ),
    Table(
        "hopweaver.feedback",
        "a candidate that was tried for the training of a reranker, and whether it served its query",
        (
            _ATTEMPT,
            BATCH,
            Column("query", "VARCHAR", "what was searched for"),
            Column("paper_id", ID, "the candidate"),
            Column("position", "INTEGER", "order in which candidates were tried, from 1"),
            Column(
                "label",
                "VARCHAR",
                "positive: it gave sub-questions; negative: it did not; neither: the model did not reply",
                values=("positive", "negative", "neither"),
            ),
            REASON,
        ),
        ("attempt_id", "paper_id"),
    ),
    Table(
        "hopweaver.rerankers",
        "a reranker that was trained on feedback, beside the model that it came from",
        (
            Column("folder", "VARCHAR", "the folder of the model; a retriever can name it"),
            Column("base", "VARCHAR", "the cross-encoder that was trained"),
            Column("recipe", "VARCHAR", "how, as JSON"),
            Column("queries", "INTEGER", "queries that it was trained on"),
            Column("held_out_queries", "INTEGER", "queries that it was not trained on"),
            Column(
                "first_before", "DOUBLE", "share of held-out queries with a positive first: base", null=True
            ),
            Column("first_after", "DOUBLE", "the same after training", null=True),
            Column("mrr_before", "DOUBLE", "mean of 1/rank of the first positive, held out: base", null=True),
            Column("mrr_after", "DOUBLE", "the same after training", null=True),
        ),
        ("folder",),
        by="",
    ),
    Table(
        "hopweaver.reranker_curve",
        "a step of the optimiser, and the loss over its groups",
        (
            Column("step", "INTEGER", "from 1"),
            Column("epoch", "DOUBLE", "how often all groups were seen by then"),
            Column("loss", "DOUBLE", "mean cross-entropy of the groups of the step"),
            Column("learning_rate", "DOUBLE", "the learning rate"),
        ),
        ("step",),
        by="",
    ),
    Table(
        "hopweaver.reranker_ranks",
        "a held-out query, and the rank of its first positive before and after training",
        (
            Column("query", "VARCHAR", "the query"),
            Column("documents", "INTEGER", "documents that were ranked"),
            Column("rank_before", "INTEGER", "from 1; of equal scores the negatives stand first"),
            Column("rank_after", "INTEGER", "the same after training"),
        ),
        ("query",),
        by="",
    ),
    Table(
        "hopweaver.ablation",
        "an attempt at a bridge question with one of the ways to find the second document",
        (
            Column("arm", "VARCHAR", "the way: standard, diverse, diverse_zs or diverse_ft", values=ARMS),
            Column("paper_id", ID, "the source document"),
            Column("success", "BOOLEAN", "whether it gave a question"),
            Column("documents_tried", "INTEGER", "candidates that the model was asked about"),
            REASON,
        ),
        ("arm", "paper_id"),
        by="",
    ),
)
