"""Every table once: its columns, types, key and meaning. DDL, checks and docs all come from here.

A table's name is also its asset key: `TABLES["corpus.papers"]` is the asset `corpus/papers`.
"""

from dataclasses import dataclass
from typing import get_args

from aimsciqa_assets.corpus.paper import SectionKind

_ID = "VARCHAR"
EMBEDDING_TYPE = "FLOAT[]"
"""Placeholder type of a vector; the encoder's dimension makes it `FLOAT[384]` and the like."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column. `values` lists the only values allowed; `null` says whether the column may be empty."""

    name: str
    type: str
    meaning: str
    null: bool = False
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table. `row` says what a row is; `key` identifies it; `batched` tables are written batch by batch."""

    name: str
    row: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    batched: bool = True

    @property
    def schema(self) -> str:
        """The stage: the part of the name before the dot."""
        return self.name.split(".")[0]

    @property
    def asset_key(self) -> list[str]:
        """The Dagster asset key: schema and table."""
        return self.name.split(".")

    def ddl(self, dimension: int | None = None) -> str:
        """`create table if not exists ...`; `dimension` is the length of the vectors, where there are any."""
        lines = []
        for column in self.columns:
            kind = f"FLOAT[{dimension}]" if column.type == EMBEDDING_TYPE and dimension else column.type
            line = f'"{column.name}" {kind}' + ("" if column.null else " not null")
            if column.values:
                allowed = ", ".join(f"'{value}'" for value in column.values)
                line += f' check ("{column.name}" in ({allowed}))'
            lines.append(line)
        body = ",\n    ".join(lines)
        return f'create table if not exists "{self.schema}"."{self.name.split(".")[1]}" (\n    {body}\n)'


_BATCH = Column("batch", "VARCHAR", "the paper batch that made the row")
_PAPER = Column("paper_id", _ID, "the paper")
_REASON = Column("rejection_reason", "VARCHAR", "why it was rejected; null when it was not", null=True)
_MODEL = (
    Column("model", "VARCHAR", "the language model that wrote it"),
    Column("model_revision", "VARCHAR", "the model's version"),
    Column("prompt_version", "VARCHAR", "hash of the prompt"),
)
_VARIANT = Column("variant", "VARCHAR", "im: implicit similarity; cim: citation", values=("im", "cim"))

SECTION_KINDS: tuple[str, ...] = get_args(SectionKind)

_CORPUS = (
    Table(
        "corpus.input_files",
        "a file that was ingested, and the paper batch it was put into",
        (
            Column("file_id", _ID, "SHA-256 of its bytes; its name in the file store"),
            Column("file_name", "VARCHAR", "its path inside the ingested folder"),
            Column("bytes", "BIGINT", "its size"),
            _BATCH,
            Column("ingest", "INTEGER", "which ingest brought it: batches of one ingest see each other"),
            Column("paper_id", _ID, "the paper it holds; null when it holds none", null=True),
            Column("duplicate_of", _ID, "file_id of the earlier file with the same paper", null=True),
        ),
        ("file_id",),
        batched=False,
    ),
    Table(
        "corpus.papers",
        "a paper",
        (
            Column("paper_id", _ID, "PMCID, else doi:..., else pmid:..., else file:<hash>"),
            _BATCH,
            Column("source", "VARCHAR", "what it was read from", values=("jats", "pdf")),
            Column("file_name", "VARCHAR", "the input file"),
            Column("content_hash", "VARCHAR", "SHA-256 of the input file"),
            Column("pmcid", "VARCHAR", "PubMed Central id", null=True),
            Column("pmid", "VARCHAR", "PubMed id", null=True),
            Column("doi", "VARCHAR", "DOI, lower case, without resolver", null=True),
            Column("title", "VARCHAR", "title"),
            Column("abstract", "VARCHAR", "abstract; empty when there is none"),
            Column("journal", "VARCHAR", "journal"),
            Column("year", "INTEGER", "year of first publication", null=True),
            Column("published", "VARCHAR", "date of first publication as far as known, ISO"),
            Column("first_author", "VARCHAR", "surname of the first author"),
            Column("article_type", "VARCHAR", "JATS article-type"),
            Column("language", "VARCHAR", "language of the article"),
            Column("licence", "VARCHAR", "licence, short: CC BY, CC0, ...; empty when unknown"),
            Column("licence_url", "VARCHAR", "where the licence stands"),
            Column("retracted", "BOOLEAN", "the paper was retracted"),
            Column("has_full_text", "BOOLEAN", "it has paragraphs outside the abstract"),
            Column("repairs", "VARCHAR[]", "what was wrong with the file and was mended"),
            Column("title_key", "VARCHAR", "normalised title, for matching", null=True),
            Column("bibliographic_key", "VARCHAR", "surname|year|volume|page, for matching", null=True),
        ),
        ("paper_id",),
    ),
    Table(
        "corpus.sections",
        "a top-level section of a paper, or its abstract",
        (
            Column("section_id", _ID, "hash of paper, position and title"),
            _BATCH,
            _PAPER,
            Column("position", "INTEGER", "order in the paper, from 0; the abstract comes first"),
            Column("title", "VARCHAR", "title as written; empty when there is none"),
            Column("kind", "VARCHAR", "what the section is for", values=SECTION_KINDS),
        ),
        ("section_id",),
    ),
    Table(
        "corpus.paragraphs",
        "a paragraph, as a person would read it",
        (
            Column("paragraph_id", _ID, "hash of section, position and text"),
            _BATCH,
            _PAPER,
            Column("section_id", _ID, "its section"),
            Column("position", "INTEGER", "order in the section, from 0"),
            Column("subsection", "VARCHAR", "path of titles below the section"),
            Column("text", "VARCHAR", "its text; evidence is quoted from here"),
        ),
        ("paragraph_id",),
    ),
    Table(
        "corpus.captions",
        "the caption of a table or figure, kept apart from the paragraphs",
        (
            Column("caption_id", _ID, "hash of paper, position and text"),
            _BATCH,
            _PAPER,
            Column("section_id", _ID, "the section it stands in, where known", null=True),
            Column("position", "INTEGER", "order in the paper, from 0"),
            Column("kind", "VARCHAR", "of what", values=("table", "figure")),
            Column("label", "VARCHAR", "label as written: Table 1"),
            Column("text", "VARCHAR", "the caption"),
        ),
        ("caption_id",),
    ),
    Table(
        "corpus.keywords",
        "a paper and one of its keywords",
        (
            _BATCH,
            _PAPER,
            Column("keyword", "VARCHAR", "normalised: lower case, folded plural and hyphens"),
            Column("as_written", "VARCHAR", "as the paper has it"),
            Column("origin", "VARCHAR", "who chose it", values=("author", "subject", "extracted")),
        ),
        ("paper_id", "keyword"),
    ),
    Table(
        "corpus.references",
        "an entry of a paper's bibliography",
        (
            Column("reference_id", _ID, "hash of paper and key"),
            _BATCH,
            _PAPER,
            Column("key", "VARCHAR", "its id inside the paper"),
            Column("position", "INTEGER", "order in the bibliography, from 0"),
            Column("label", "VARCHAR", "label as written"),
            Column("text", "VARCHAR", "the entry as one line"),
            Column("title", "VARCHAR", "title of the cited work"),
            Column("first_author", "VARCHAR", "surname of its first author"),
            Column("year", "INTEGER", "year", null=True),
            Column("journal", "VARCHAR", "journal or book"),
            Column("volume", "VARCHAR", "volume"),
            Column("first_page", "VARCHAR", "first page or article number"),
            Column("doi", "VARCHAR", "DOI", null=True),
            Column("pmid", "VARCHAR", "PubMed id", null=True),
            Column("pmcid", "VARCHAR", "PubMed Central id", null=True),
            Column("title_key", "VARCHAR", "normalised title, for matching", null=True),
            Column("bibliographic_key", "VARCHAR", "surname|year|volume|page, for matching", null=True),
        ),
        ("reference_id",),
    ),
    Table(
        "corpus.citation_mentions",
        "a sentence that cites, with the references it names",
        (
            Column("mention_id", _ID, "hash of paragraph and offsets"),
            _BATCH,
            _PAPER,
            Column("section_id", _ID, "its section"),
            Column("paragraph_id", _ID, "its paragraph"),
            Column("sentence_start", "INTEGER", "offset of the sentence in the paragraph, in characters"),
            Column("sentence_end", "INTEGER", "offset behind its last character"),
            Column("sentence", "VARCHAR", "the sentence"),
            Column("markers", "VARCHAR[]", "the markers as they stand"),
            Column("reference_ids", "VARCHAR[]", "every reference it names, each once"),
            Column("is_single", "BOOLEAN", "it names exactly one reference"),
        ),
        ("mention_id",),
    ),
    Table(
        "corpus.rejected_files",
        "an input file that did not become a paper, and why",
        (
            Column("file_id", _ID, "SHA-256 of its bytes"),
            _BATCH,
            Column("file_name", "VARCHAR", "its path inside the ingested folder"),
            Column("rejection_reason", "VARCHAR", "short reason"),
            Column("detail", "VARCHAR", "more about it"),
        ),
        ("file_id",),
    ),
    Table(
        "corpus.citation_edges",
        "a paper of the corpus that cites another",
        (
            Column("citing_paper_id", _ID, "the citing paper"),
            Column("cited_paper_id", _ID, "the cited paper"),
            Column(
                "method",
                "VARCHAR",
                "how the reference was matched, the surest way first",
                values=("doi", "pmid", "pmcid", "title", "bibliographic"),
            ),
            Column("reference_ids", "VARCHAR[]", "the entries that name the cited paper"),
        ),
        ("citing_paper_id", "cited_paper_id"),
        batched=False,
    ),
    Table(
        "corpus.source_papers",
        "a paper, and whether it may be a source (spec 1.1); if not, why",
        (
            _PAPER,
            Column("accessible_citations", "INTEGER", "its references that lead to papers in scope"),
            Column("eligible", "BOOLEAN", "it may be a source"),
            _REASON,
        ),
        ("paper_id",),
        batched=False,
    ),
)

_SINGLE_HOP = (
    Table(
        "single_hop.extractions",
        "a paragraph that the language model was asked about",
        (
            Column("paragraph_id", _ID, "the paragraph"),
            _BATCH,
            _PAPER,
            Column("section_id", _ID, "its section"),
            Column("status", "VARCHAR", "whether the reply could be read", values=("answered", "rejected")),
            _REASON,
            Column("pairs", "INTEGER", "triplets in the reply"),
            Column("reply", "VARCHAR", "the raw reply; null when the model gave none", null=True),
            *_MODEL,
        ),
        ("paragraph_id",),
    ),
    Table(
        "single_hop.similarities",
        "a triplet with exact evidence, and how near its question is to answer and evidence",
        (
            Column("qa_id", _ID, "the triplet"),
            _BATCH,
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
            Column("qa_id", _ID, "hash of paragraph, position and triplet"),
            _BATCH,
            _PAPER,
            Column("section_id", _ID, "its section"),
            Column("paragraph_id", _ID, "the paragraph it was made from"),
            Column("position", "INTEGER", "order in the reply, from 0"),
            Column("question", "VARCHAR", "question"),
            Column("answer", "VARCHAR", "answer"),
            Column("evidence", "VARCHAR", "quote that carries the answer"),
            Column("evidence_start", "INTEGER", "offset of the evidence in the paragraph", null=True),
            Column("evidence_end", "INTEGER", "offset behind its last character", null=True),
            Column("normalised_match", "BOOLEAN", "found after folding white space and Unicode forms"),
            Column(
                "question_answer_similarity", "DOUBLE", "Sim(Q, A); null without exact evidence", null=True
            ),
            Column("question_evidence_similarity", "DOUBLE", "Sim(Q, E), likewise", null=True),
            Column("alignment", "DOUBLE", "Sim(Q, A) - Sim(Q, E), likewise", null=True),
            Column("status", "VARCHAR", "its fate", values=("kept", "rejected")),
            _REASON,
            *_MODEL,
        ),
        ("qa_id",),
    ),
)

_RELATIONS = (
    Table(
        "relations.embeddings",
        "a QA pair with exact evidence at one level, as a vector",
        (
            Column("qa_id", _ID, "the QA pair"),
            _BATCH,
            _PAPER,
            Column("section_id", _ID, "its section"),
            Column("level", "VARCHAR", "what was encoded", values=("question", "answer", "qa")),
            Column("vector", EMBEDDING_TYPE, "unit-length vector"),
            Column("encoder", "VARCHAR", "the encoder"),
            Column("encoder_revision", "VARCHAR", "its version"),
        ),
        ("qa_id", "level"),
    ),
    Table(
        "relations.section_pairs",
        "one of the top-K section pairs of two papers, with its core QA pair (eq. 4 and 5)",
        (
            Column("section_pair_id", _ID, "hash of variant and the two sections"),
            _BATCH,
            _VARIANT,
            Column("source_paper_id", _ID, "source"),
            Column("target_paper_id", _ID, "target"),
            Column("source_section_id", _ID, "section of the source"),
            Column("target_section_id", _ID, "section of the target"),
            Column("similarity", "DOUBLE", "Sim: the sum of the cosines that reach tau (eq. 5)"),
            Column("pairs_over_tau", "INTEGER", "how many question pairs reach tau"),
            Column("core_source_qa_id", _ID, "core QA pair: the two most similar questions"),
            Column("core_target_qa_id", _ID, "its target side"),
            Column("strength", "DOUBLE", "cosine of the core QA pair (eq. 4)"),
            Column("rank", "INTEGER", "1 is the document pair's most similar section pair"),
        ),
        ("section_pair_id",),
    ),
    Table(
        "relations.candidate_relations",
        "a selected relation: at most three per source and variant",
        (
            Column("relation_id", _ID, "hash of variant and core QA pair"),
            _BATCH,
            _VARIANT,
            Column("source_paper_id", _ID, "source"),
            Column("target_paper_id", _ID, "target"),
            Column("source_section_id", _ID, "section of the source"),
            Column("target_section_id", _ID, "section of the target"),
            Column("core_source_qa_id", _ID, "core QA pair, source side"),
            Column("core_target_qa_id", _ID, "core QA pair, target side"),
            Column("similarity", "DOUBLE", "Sim of the section pair (eq. 5)"),
            Column("strength", "DOUBLE", "cosine of the core QA pair"),
            Column("rank", "INTEGER", "1 is the source's strongest relation"),
        ),
        ("relation_id",),
    ),
    Table(
        "relations.clusters",
        "a member of a relation's paper cluster",
        (
            _BATCH,
            Column("relation_id", _ID, "the relation"),
            _VARIANT,
            Column("source_paper_id", _ID, "the source, never a member"),
            Column("paper_id", _ID, "the member"),
            Column("role", "VARCHAR", "the target, or a distractor", values=("target", "distractor")),
            Column("origin", "VARCHAR", "how it came in", values=("keyword", "random", "citation")),
            Column("position", "INTEGER", "order in the cluster, from 0; the target stands first"),
        ),
        ("relation_id", "paper_id"),
    ),
    Table(
        "relations.retrieval_questions",
        "a relation's retrieval QA: the target's QA pair farthest from the rest of the cluster",
        (
            _BATCH,
            Column("relation_id", _ID, "the relation"),
            _VARIANT,
            Column("qa_id", _ID, "the retrieval QA, one of the target's"),
            Column("total_distance", "DOUBLE", "sum of cosine distances to the other papers' QA pairs"),
            Column("pool", "INTEGER", "how many QA pairs of other papers it was compared with"),
        ),
        ("relation_id",),
    ),
)

_VERDICT = ("accept", "reject")
_MULTI_HOP = (
    Table(
        "citation_guided.pairs",
        "a single-citation sentence that leads from a source to a target in the corpus",
        (
            Column("mention_id", _ID, "the citing sentence"),
            Column("source_paper_id", _ID, "the citing paper"),
            Column("target_paper_id", _ID, "the cited paper"),
            Column("reference_id", _ID, "the one reference it names"),
            Column("section_id", _ID, "where it stands"),
            Column("sentence", "VARCHAR", "the citing sentence"),
        ),
        ("mention_id",),
        batched=False,
    ),
    Table(
        "multi_hop.items",
        "an inter-document multi-hop item, accepted or not, with all its parts",
        (
            Column("item_id", _ID, "hash of relation and retrieval QA"),
            _BATCH,
            _VARIANT,
            Column("relation_id", _ID, "the relation it was made from"),
            Column("source_paper_id", _ID, "source"),
            Column("target_paper_id", _ID, "target"),
            Column("core_source_qa_id", _ID, "core QA pair, source side"),
            Column("core_target_qa_id", _ID, "core QA pair, target side"),
            Column("retrieval_qa_id", _ID, "retrieval QA of the target"),
            Column("retrieval_question", "VARCHAR", "which paper ...? (step 1)", null=True),
            Column("retrieval_answer", "VARCHAR", "Identified target paper: ...", null=True),
            Column("inter_document_question", "VARCHAR", "step 2", null=True),
            Column("inter_document_answer", "VARCHAR", "step 2", null=True),
            Column("merged_question", "VARCHAR", "the item's question (step 3)", null=True),
            Column("merged_answer", "VARCHAR", "the item's answer (step 3)", null=True),
            Column("fluency", "VARCHAR", "verdict", null=True, values=_VERDICT),
            Column("completeness", "VARCHAR", "verdict", null=True, values=_VERDICT),
            Column("cross_reference_necessity", "VARCHAR", "verdict", null=True, values=_VERDICT),
            Column("relational_appropriateness", "VARCHAR", "verdict", null=True, values=_VERDICT),
            Column("decision", "VARCHAR", "the four verdicts together", null=True, values=_VERDICT),
            Column("decision_by_model", "VARCHAR", "what the model said", null=True, values=_VERDICT),
            Column(
                "status",
                "VARCHAR",
                "its fate",
                values=("accepted", "pre_rejected", "rejected", "invalid"),
            ),
            _REASON,
            Column("reply", "VARCHAR", "the raw reply; null when the model gave none", null=True),
            *_MODEL,
        ),
        ("item_id",),
    ),
    Table(
        "multi_hop.splits",
        "an accepted item and the split it belongs to",
        (
            Column("item_id", _ID, "the item"),
            _VARIANT,
            Column("source_paper_id", _ID, "its source: all its items are in one split"),
            Column("split", "VARCHAR", "dev or test", values=("dev", "test")),
        ),
        ("item_id",),
        batched=False,
    ),
)

_STATISTICS = (
    Table(
        "single_hop.statistics",
        "a figure of Table 2 of the paper, over this corpus",
        (
            Column("item", "VARCHAR", "what is counted or averaged"),
            Column("value", "DOUBLE", "its value; null where there is nothing to average", null=True),
            Column("unit", "VARCHAR", "unit of the value"),
        ),
        ("item",),
        batched=False,
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
        batched=False,
    ),
    Table(
        "multi_hop.statistics",
        "a figure of Table 3 of the paper, over this corpus; lengths are in words",
        (
            _VARIANT,
            Column("split", "VARCHAR", "dev or test", values=("dev", "test")),
            Column("items", "BIGINT", "accepted items"),
            Column("retrieval_question_words", "DOUBLE", "average length", null=True),
            Column("inter_document_question_words", "DOUBLE", "average length", null=True),
            Column("merged_question_words", "DOUBLE", "average length", null=True),
            Column("inter_document_answer_words", "DOUBLE", "average length", null=True),
            Column("merged_answer_words", "DOUBLE", "average length", null=True),
        ),
        ("variant", "split"),
        batched=False,
    ),
    Table(
        "ops.rejections",
        "a reason for which rows of a table were rejected, with their number",
        (
            Column("table_name", "VARCHAR", "the table"),
            Column("rejection_reason", "VARCHAR", "the reason"),
            Column("rows", "BIGINT", "how many"),
        ),
        ("table_name", "rejection_reason"),
        batched=False,
    ),
)

LLM_CALLS = Table(
    "ops.llm_calls",
    "a call of a language model that a row of a table came from",
    (
        Column("call_id", _ID, "hash of table, row and number"),
        _BATCH,
        Column("table_name", "VARCHAR", "the table whose rows were made from it"),
        Column("task", "VARCHAR", "what the model was asked for"),
        Column("key", _ID, "what it was asked about: a paragraph, a relation"),
        Column("number", "INTEGER", "1 is the first call about it"),
        Column(
            "purpose",
            "VARCHAR",
            "a first answer, one after a malformed reply, or one about a part",
            values=("answer", "repair", "part"),
        ),
        Column("model", "VARCHAR", "the language model"),
        Column("model_revision", "VARCHAR", "its version"),
        Column("sampling", "VARCHAR", "temperature and the like, JSON"),
        Column("fingerprint", "VARCHAR", "hash of all that determines the reply: its key in the journal"),
        Column("from_journal", "BOOLEAN", "the reply was there already and nothing was sent"),
        Column("outcome", "VARCHAR", "ok, or why there is no reply"),
        Column("detail", "VARCHAR", "what the server said of it"),
        Column("passing", "BOOLEAN", "it failed, and may succeed another time: the next run asks again"),
        Column("finish_reason", "VARCHAR", "why the model stopped; length: at its token limit"),
        Column("attempts", "INTEGER", "attempts it took"),
        Column("latency_seconds", "DOUBLE", "duration of the attempt that succeeded"),
        Column("prompt_tokens", "BIGINT", "tokens sent"),
        Column("cached_tokens", "BIGINT", "of these, found in the server's prefix cache"),
        Column("reply_tokens", "BIGINT", "tokens received"),
        Column("reasoning_tokens", "BIGINT", "of these, thinking, as far as the server counts them"),
        Column(
            "cost",
            "DOUBLE",
            "what the reply cost when it was made, 0 for the same reply again; null without a price",
            null=True,
        ),
        Column("answered_at", "VARCHAR", "when, ISO 8601, UTC; empty without a reply"),
    ),
    ("call_id",),
)

MATERIALIZATIONS = Table(
    "ops.materializations",
    "a table (or one batch of it) as it was last written, and what determined it",
    (
        Column("table_name", "VARCHAR", "the table"),
        Column("batch", "VARCHAR", "the batch; empty for tables without batches"),
        Column("fingerprint", "VARCHAR", "hash of code, settings and inputs: the same hash, the same rows"),
        Column("own", "VARCHAR", "the same without what other batches contributed"),
        Column("seen", "VARCHAR[]", "the batches it looked at"),
        Column("rows", "BIGINT", "rows written"),
    ),
    ("table_name", "batch"),
    batched=False,
)

BOOKKEEPING = frozenset({LLM_CALLS.name, MATERIALIZATIONS.name})
"""Tables that are written beside those of the assets, and are no assets themselves."""

TABLES: dict[str, Table] = {
    table.name: table
    for table in (*_CORPUS, *_SINGLE_HOP, *_RELATIONS, *_MULTI_HOP, *_STATISTICS, LLM_CALLS, MATERIALIZATIONS)
}
