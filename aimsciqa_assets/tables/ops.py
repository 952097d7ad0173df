"""Tables about the pipeline itself."""

from aimsciqa_assets.tables.table import ID, Column, Table

PART = Column("part", "VARCHAR", "the part of the table: a paper batch, a retriever, ...; empty: the whole")

OPS = (
    Table(
        "ops.rejections",
        "a reason for which rows of a table were rejected, with their number",
        (
            Column("table_name", "VARCHAR", "the table"),
            Column("rejection_reason", "VARCHAR", "the reason"),
            Column("rows", "BIGINT", "how many"),
        ),
        ("table_name", "rejection_reason"),
        by="",
    ),
)

LLM_CALLS = Table(
    "ops.llm_calls",
    "a call of a language model from which a row of a table was made, also one that was replaced since",
    (
        Column(
            "call_id",
            ID,
            "hash of table, row, number and fingerprint; of an answer without text, also of when",
        ),
        PART,
        Column("table_name", "VARCHAR", "the table whose rows were made from it"),
        Column("task", "VARCHAR", "what the model was asked for"),
        Column("key", ID, "what it was asked about: a paragraph, a relation"),
        Column("number", "INTEGER", "1 is the first call about it"),
        Column(
            "purpose",
            "VARCHAR",
            "answer: the first call; repair: after a malformed reply; part: about a part of a long input",
            values=("answer", "repair", "part"),
        ),
        Column("model", "VARCHAR", "the language model"),
        Column("model_revision", "VARCHAR", "its version"),
        Column(
            "sampling",
            "VARCHAR",
            "temperature and the like as sent, JSON; of a call without a reply: as the settings say",
        ),
        Column("fingerprint", "VARCHAR", "hash of all that determines the reply: its key in the journal"),
        Column("from_journal", "BOOLEAN", "the reply came from the journal and nothing was sent"),
        Column("outcome", "VARCHAR", "ok, or why there is no reply"),
        Column("detail", "VARCHAR", "what the server said about it"),
        Column("passing", "BOOLEAN", "the failure is transient: the next run asks again"),
        Column("finish_reason", "VARCHAR", "why the model stopped; length: it reached its token limit"),
        Column("attempts", "INTEGER", "how many attempts it took"),
        Column("latency_seconds", "DOUBLE", "duration of the attempt that succeeded"),
        Column("prompt_tokens", "BIGINT", "tokens sent"),
        Column("cached_tokens", "BIGINT", "of these, found in the server's prefix cache"),
        Column("reply_tokens", "BIGINT", "tokens received"),
        Column("reasoning_tokens", "BIGINT", "of these, thinking, as far as the server counts them"),
        Column(
            "cost",
            "DOUBLE",
            "what the reply cost when it was made; 0 if its part used a reply again; null without a price",
            null=True,
        ),
        Column("answered_at", "VARCHAR", "when, ISO 8601, UTC; empty without a reply"),
        Column(
            "replaced",
            "BOOLEAN",
            "another prompt, model or setting was asked since, or the request was sent again: no row is made "
            "from this call any more; null in rows of earlier versions",
            null=True,
        ),
        Column(
            "server",
            "VARCHAR",
            "host and port of the server that was asked last; null where nothing was sent, and in rows "
            "of earlier versions",
            null=True,
        ),
    ),
    ("call_id",),
    by="part",
)

MATERIALIZATIONS = Table(
    "ops.materializations",
    "a part of a table as it was last written, and what determined it",
    (
        Column("table_name", "VARCHAR", "the table"),
        PART,
        Column("fingerprint", "VARCHAR", "hash of code, settings and inputs: the same hash, the same rows"),
        Column("own", "VARCHAR", "the same hash without the contributions of other parts"),
        Column("inputs", "VARCHAR", "hash of the inputs of its own part alone", null=True),
        Column("seen", "VARCHAR[]", "the batches it looked at"),
        Column("rows", "BIGINT", "rows written"),
        Column(
            "determinants",
            "VARCHAR",
            "JSON of what the hashes are made of: code, prompt, settings, services, inputs; null for rows "
            "that an earlier version wrote or that come from outside",
            null=True,
        ),
        Column(
            "lacking",
            "VARCHAR[]",
            "columns that an upgrade added or altered after the rows were written; such rows are made anew",
            null=True,
        ),
    ),
    ("table_name", "part"),
    by="",
)

FAILURES = Table(
    "ops.failures",
    "a part of a table whose last run failed, and why; the row is deleted when a run succeeds",
    (
        Column("table_name", "VARCHAR", "the table"),
        PART,
        Column("message", "VARCHAR", "the error"),
        Column("traceback", "VARCHAR", "where in the program it was raised"),
        Column("failed_at", "VARCHAR", "when, ISO 8601, UTC"),
    ),
    ("table_name", "part"),
    by="",
)

SCHEMA_VERSIONS = Table(
    "ops.schema_versions",
    "a form that the tables of this warehouse got, by the program that made or altered them",
    (
        Column("number", "INTEGER", "1 is the first form"),
        Column("fingerprint", "VARCHAR", "hash of the names, types and words of all columns as declared"),
        Column("program", "VARCHAR", "the version of aimsciqa"),
        Column("since", "VARCHAR", "when, ISO 8601, UTC"),
    ),
    ("number",),
    by="",
)

PMC_LOOKS = Table(
    "ops.pmc_looks",
    "a look at PubMed Central that succeeded: what it looked for, and its result",
    (
        Column("look_id", ID, "hash of what was looked for and when"),
        Column("kind", "VARCHAR", "what was looked for", values=("search", "ids", "news")),
        Column("search", "VARCHAR", "the search, without days; empty for a list of ids"),
        Column(
            "since", "VARCHAR", "first day of entry that was searched; null when all days were", null=True
        ),
        Column(
            "until", "VARCHAR", "last day of entry that was searched; the next look begins shortly before"
        ),
        Column(
            "found_by",
            "VARCHAR",
            "the service that found the articles",
            values=("E-utilities", "OAI-PMH", "ids"),
        ),
        Column(
            "inventory", "VARCHAR", "the inventory that known articles were compared with, if any", null=True
        ),
        Column("found", "BIGINT", "articles that were found"),
        Column("looked_at", "BIGINT", "articles that were looked at: new ones, and those that changed"),
        Column("fetched", "BIGINT", "new papers"),
        Column("replaced", "BIGINT", "papers with a newer version"),
        Column("relabelled", "BIGINT", "papers with another licence, or retracted"),
        Column(
            "retired",
            "BIGINT",
            "papers that left the corpus: withdrawn, under another licence, or without XML",
        ),
        Column("passed_over", "BIGINT", "articles that are not wanted, or have no XML"),
        Column("failed", "BIGINT", "articles that could not be fetched; the next look tries again"),
        Column("started_at", "VARCHAR", "ISO 8601, UTC"),
        Column("seconds", "DOUBLE", "how long it took"),
    ),
    ("look_id",),
    by="",
)

REVIEW_FETCHES = Table(
    "ops.review_fetches",
    "a venue of OpenReview, and how far its review threads are known",
    (
        Column("venue", "VARCHAR", "the venue: ICLR.cc/2020/Conference"),
        Column("until", "VARCHAR", "when its last fetch began that succeeded, ISO 8601, UTC"),
        Column("whole", "VARCHAR", "when the last one began that read all of its threads"),
    ),
    ("venue",),
    by="",
)

BOOKKEEPING = frozenset(
    table.name
    for table in (FAILURES, LLM_CALLS, MATERIALIZATIONS, PMC_LOOKS, REVIEW_FETCHES, SCHEMA_VERSIONS)
)
"""Tables that are written alongside those of the assets, and are not assets themselves."""
