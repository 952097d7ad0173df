"""The eight tables of the paper store: names, types, meaning and what of them is encoded.

The description that prompts show (JSON) and the SQL that creates the tables are made from `TABLES`, so that
the three cannot differ. Names and types are those of AirQA's released databases.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

Encodable = Literal["text", "image"]

DATABASE: Final = "papers"
DESCRIPTION: Final = (
    "Scientific papers and what stands in them: pages, sections, chunks of text, tables, figures, equations "
    "and references. Every row belongs to one paper, most rows to one page of it."
)


@dataclass(frozen=True, slots=True)
class Column:
    """A column; `encodable` says that its cells are found by their meaning, as text or as a picture."""

    name: str
    type: str
    description: str
    encodable: Encodable | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table; its first column is its key. `foreign_keys` are (column, table, column)."""

    name: str
    description: str
    columns: tuple[Column, ...]
    foreign_keys: tuple[tuple[str, str, str], ...] = ()

    @property
    def key(self) -> str:
        """The column that identifies a row."""
        return self.columns[0].name

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of the columns, in their order."""
        return tuple(column.name for column in self.columns)


_PAPER: Final = Column("ref_paper_id", "UUID", "the paper: metadata.paper_id")
_PAGE: Final = Column("ref_page_id", "UUID", "the page: pages.page_id; null when the page is not known")
_OF_PAPER: Final = (("ref_paper_id", "metadata", "paper_id"),)
_ON_PAGE: Final = (*_OF_PAPER, ("ref_page_id", "pages", "page_id"))
_BOX: Final = "[x, y, width, height] in points from the top left corner of the page; null when not known"


def _ordinal(what: str, start: int = 0) -> Column:
    return Column("ordinal", "INTEGER", f"position of the {what}, from {start}")


TABLES: Final = (
    Table(
        "metadata",
        "A paper and its bibliographic data.",
        (
            Column("paper_id", "UUID", "identifies the paper"),
            Column("title", "VARCHAR", "title of the paper", "text"),
            Column("abstract", "VARCHAR", "abstract of the paper", "text"),
            Column("num_pages", "INTEGER", "number of pages"),
            Column("conference_full", "VARCHAR", "full name of the conference or journal"),
            Column("conference_abbreviation", "VARCHAR", "its short name; uncategorized when not known"),
            Column("pub_year", "INTEGER", "year of publication"),
            Column("volume", "VARCHAR", "volume of the proceedings or the journal"),
            Column("download_url", "VARCHAR", "web address of the paper"),
            Column("bibtex", "VARCHAR", "BibTeX entry of the paper", "text"),
            Column("authors", "VARCHAR[]", "names of the authors, in their order"),
            Column("pdf_path", "VARCHAR", "where the file was read from"),
            Column("tldr", "VARCHAR", "summary in a few sentences; null without a model", "text"),
            Column("tags", "VARCHAR[]", "keywords of the paper"),
        ),
    ),
    Table(
        "pages",
        "A page of a paper.",
        (
            Column("page_id", "UUID", "identifies the page"),
            Column("page_number", "INTEGER", "number of the page in the paper, from 1"),
            Column("page_width", "INTEGER", "width in points"),
            Column("page_height", "INTEGER", "height in points"),
            Column("page_content", "VARCHAR", "text of the page in reading order", "text"),
            Column("page_summary", "VARCHAR", "summary of the page; null without a model", "text"),
            _PAPER,
        ),
        _OF_PAPER,
    ),
    Table(
        "images",
        "A figure of a paper.",
        (
            Column("image_id", "UUID", "identifies the figure"),
            Column("image_caption", "VARCHAR", "caption with its label; empty when there is none", "text"),
            Column("image_summary", "VARCHAR", "summary of the figure; null without a model", "text"),
            Column("bounding_box", "INTEGER[4]", _BOX, "image"),
            _ordinal("figure on its page"),
            _PAPER,
            _PAGE,
        ),
        _ON_PAGE,
    ),
    Table(
        "chunks",
        "A piece of the text of a page, of bounded length and without overlap.",
        (
            Column("chunk_id", "UUID", "identifies the chunk"),
            Column("text_content", "VARCHAR", "text of the chunk", "text"),
            _ordinal("chunk on its page", 1),
            _PAPER,
            _PAGE,
        ),
        _ON_PAGE,
    ),
    Table(
        "tables",
        "A table of a paper.",
        (
            Column("table_id", "UUID", "identifies the table"),
            Column("table_caption", "VARCHAR", "caption with its label; empty when there is none", "text"),
            Column("table_content", "VARCHAR", "the table as HTML", "text"),
            Column("table_summary", "VARCHAR", "summary of the table; null without a model", "text"),
            Column("bounding_box", "INTEGER[4]", _BOX, "image"),
            _ordinal("table on its page"),
            _PAPER,
            _PAGE,
        ),
        _ON_PAGE,
    ),
    Table(
        "sections",
        "A section of a paper; abstract and references stand in metadata and reference.",
        (
            Column("section_id", "UUID", "identifies the section"),
            Column("section_title", "VARCHAR", "heading as printed", "text"),
            Column("section_content", "VARCHAR", "text up to the next heading", "text"),
            Column("section_summary", "VARCHAR", "summary of the section; null without a model", "text"),
            _ordinal("section in its paper"),
            Column("page_numbers", "INTEGER[]", "pages on which the section stands, from 1"),
            _PAPER,
        ),
        _OF_PAPER,
    ),
    Table(
        "equations",
        "A displayed equation of a paper.",
        (
            Column("equation_id", "UUID", "identifies the equation"),
            Column(
                "equation_content", "VARCHAR", "LaTeX; the printed characters when it came as PDF", "text"
            ),
            _ordinal("equation on its page"),
            _PAPER,
            _PAGE,
        ),
        _ON_PAGE,
    ),
    Table(
        "reference",
        "An entry of a paper's bibliography.",
        (
            Column("reference_id", "UUID", "identifies the entry"),
            Column("reference_content", "VARCHAR", "the entry as printed", "text"),
            _ordinal("entry in the bibliography"),
            _PAPER,
            _PAGE,
        ),
        _ON_PAGE,
    ),
)

SUMMARY_COLUMNS: Final = {
    "metadata": "tldr",
    "pages": "page_summary",
    "sections": "section_summary",
    "tables": "table_summary",
    "images": "image_summary",
}
"""By table, the column with what somebody wrote about the row; empty without a model."""


def table(name: str) -> Table:
    """The table of that name; raises `KeyError`."""
    return {one.name: one for one in TABLES}[name]


def encodable_columns() -> Iterator[tuple[Table, Column]]:
    """Every column whose cells are encoded, with its table."""
    for one in TABLES:
        for column in one.columns:
            if column.encodable:
                yield one, column


def schema_description(name: str = DATABASE) -> dict[str, Any]:
    """The description that prompts are made from, in the form of AirQA's schema files."""
    return {
        "database_name": name,
        "description": DESCRIPTION,
        "database_schema": [
            {
                "table": {"table_name": one.name, "description": one.description},
                "columns": [_described(column) for column in one.columns],
                "primary_keys": [one.key],
                "foreign_keys": [list(key) for key in one.foreign_keys],
            }
            for one in TABLES
        ],
    }


def _described(column: Column) -> dict[str, Any]:
    described: dict[str, Any] = {
        "column_name": column.name,
        "column_type": column.type,
        "description": column.description,
    }
    if column.encodable:
        described["encodable"] = column.encodable
    return described


def schema_sql() -> str:
    """The statements that create the tables, with comments."""
    return "\n\n".join(_create(one) for one in TABLES) + "\n"


def _create(one: Table) -> str:
    definitions = [(f"{column.name} {column.type}", column.description) for column in one.columns]
    definitions.append((f"PRIMARY KEY ({one.key})", ""))
    definitions += [
        (f"FOREIGN KEY ({column}) REFERENCES {other} ({key})", "") for column, other, key in one.foreign_keys
    ]
    last = len(definitions) - 1
    lines = [
        f"    {definition}{',' if at < last else ''}{f' -- {comment}' if comment else ''}"
        for at, (definition, comment) in enumerate(definitions)
    ]
    return "\n".join([f"-- {one.description}", f"CREATE TABLE IF NOT EXISTS {one.name} (", *lines, ");"])
