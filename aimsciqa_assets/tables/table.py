"""What a table and a column are, and the columns that many tables share."""

from dataclasses import dataclass

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
    """A table. `row` says what a row is; the columns of `key` identify a row.

    `by` is the column by whose values it is written in parts (batch, retriever, ...); "": written whole.
    """

    name: str
    row: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    by: str = "batch"

    @property
    def batched(self) -> bool:
        """Whether it is written in parts by paper batch."""
        return self.by == "batch"

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


ID = "VARCHAR"
BATCH = Column("batch", "VARCHAR", "the paper batch that made the row")
PAPER = Column("paper_id", ID, "the paper")
ITEM = Column("item_id", ID, "the item")
REASON = Column(
    "rejection_reason", "VARCHAR", "why it was rejected; null when it was not rejected", null=True
)
MODEL = (
    Column("model", "VARCHAR", "the language model that wrote it"),
    Column("model_revision", "VARCHAR", "the model's version"),
    Column("prompt_version", "VARCHAR", "hash of the prompt"),
)
VARIANT = Column("variant", "VARCHAR", "im: implicit similarity; cim: citation", values=("im", "cim"))
KIND = Column("variant", "VARCHAR", "the kind of the item: im, cim, or another one (docs/items.md)")
BOUNDS = (
    Column("low", "DOUBLE", "lower end of the 95 % bootstrap interval", null=True),
    Column("high", "DOUBLE", "upper end", null=True),
)
INTERVAL = (Column("value", "DOUBLE", "mean over the queries"), *BOUNDS)
RESAMPLED = "groups of items that share a fact, or single items: what the interval is drawn over"
