"""Tables about the pipeline itself."""

from aimsciqa_assets.tables.table import BATCH, ID, Column, Table

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
        batched=False,
    ),
)

LLM_CALLS = Table(
    "ops.llm_calls",
    "a call of a language model that a row of a table came from",
    (
        Column("call_id", ID, "hash of table, row and number"),
        BATCH,
        Column("table_name", "VARCHAR", "the table whose rows were made from it"),
        Column("task", "VARCHAR", "what the model was asked for"),
        Column("key", ID, "what it was asked about: a paragraph, a relation"),
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
