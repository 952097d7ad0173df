"""Tables of AirQA: papers that were read for the paper store, its rows and vectors, what was published."""

from typing import Final

from aimsciqa_assets.tables.table import BATCH, ID, MODEL, REASON, Column, Table

STORE_TABLES: Final = (
    *("metadata", "pages", "images", "chunks"),
    *("tables", "sections", "equations", "reference"),
)
"""The tables of the paper store; `airqa/store/schema.py` has their columns."""

_UUID: Final = Column("uuid", "VARCHAR", "the paper's id in the paper store")
_TABLE: Final = Column("table_name", "VARCHAR", "the table of the paper store", values=STORE_TABLES)
_KEY: Final = Column("primary_key", "VARCHAR", "the key of the row in that table")
_PAGE: Final = Column("page_number", "INTEGER", "the page on which it stands, from 1; -1 when none")
_COLUMN: Final = Column("column_name", "VARCHAR", "the column of the cell")
_OF_CELL: Final = (_TABLE, _COLUMN, _KEY, BATCH, _UUID, _PAGE)
_VECTOR_COLUMNS: Final = (
    *_OF_CELL,
    Column("vector", "DOUBLE[]", "unit-length vector"),
    Column("encoder", "VARCHAR", "the encoder"),
    Column("encoder_revision", "VARCHAR", "its version"),
)
_CELL: Final = ("table_name", "column_name", "primary_key", "batch")

AIRQA = (
    Table(
        "airqa.papers",
        "a file of the batch that was read for the paper store, or why it is not in it",
        (
            Column("file_id", ID, "the file, a row of corpus.input_files"),
            BATCH,
            Column("paper_id", ID, "the paper of the corpus; null when the corpus has none", null=True),
            Column("uuid", "VARCHAR", "its id in the paper store; null when it is not in it", null=True),
            Column("source", "VARCHAR", "pdf, jats or mineru; null when rejected", null=True),
            Column("title", "VARCHAR", "the title that was read; null when rejected", null=True),
            *(
                Column(name, "INTEGER", f"how many {name} were found; null when rejected", null=True)
                for name in ("pages", "sections", "tables", "images", "equations")
            ),
            Column("entries", "INTEGER", "entries of its bibliography; null when rejected", null=True),
            REASON,
            Column("detail", "VARCHAR", "what the reason is about; null when not rejected", null=True),
        ),
        ("file_id",),
    ),
    Table(
        "airqa.rows",
        "a row of the paper store, ready to be published",
        (
            _TABLE,
            _KEY,
            BATCH,
            _UUID,
            _PAGE,
            Column("row", "VARCHAR", "the row as a JSON object"),
        ),
        ("table_name", "primary_key", "batch"),
    ),
    Table(
        "airqa.vectors",
        "the vector of an encodable cell of the paper store",
        _VECTOR_COLUMNS,
        _CELL,
    ),
    Table(
        "airqa.summaries",
        "an empty cell of the paper store that a model was to fill: a summary, a tldr, or tags",
        (
            *_OF_CELL,
            Column("text", "VARCHAR", "what it wrote; tags as a JSON list; null unless written", null=True),
            Column(
                "status",
                "VARCHAR",
                "written; left_out: there was nothing to read; rejected: two replies that the store cannot "
                "take; failed: no reply",
                values=("written", "left_out", "rejected", "failed"),
            ),
            REASON,
            Column("reply", "VARCHAR", "the reply that was rejected; null when none was", null=True),
            Column("was_cut", "BOOLEAN", "whether the model was shown the beginning of the text only"),
            Column("has_image", "BOOLEAN", "whether it was shown the figure as a picture"),
            *MODEL,
        ),
        _CELL,
    ),
    Table("airqa.summary_vectors", "the vector of a summary or tldr", _VECTOR_COLUMNS, _CELL),
    Table(
        "airqa.store",
        "a paper of the paper store as it was published",
        (
            _UUID,
            Column("from_batch", "VARCHAR", "the batch it was taken from: the first that has it"),
            Column("store_rows", "INTEGER", "rows of it in the eight tables"),
            Column("store_vectors", "INTEGER", "vectors of its cells"),
            Column("store_summaries", "INTEGER", "summaries and tldr of it, whoever wrote them"),
        ),
        ("uuid",),
        by="",
    ),
)
