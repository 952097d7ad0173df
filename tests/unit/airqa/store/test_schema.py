"""The eight tables: names and types as released, and the SQL and the description made from them."""

import duckdb

from aimsciqa_assets.airqa.store.schema import TABLES, encodable_columns, schema_description, schema_sql
from aimsciqa_assets.tables.airqa import STORE_TABLES

RELEASED = {
    "metadata": "paper_id UUID, title VARCHAR, abstract VARCHAR, num_pages INTEGER, conference_full VARCHAR, "
    "conference_abbreviation VARCHAR, pub_year INTEGER, volume VARCHAR, download_url VARCHAR, "
    "bibtex VARCHAR, authors VARCHAR[], pdf_path VARCHAR, tldr VARCHAR, tags VARCHAR[]",
    "pages": "page_id UUID, page_number INTEGER, page_width INTEGER, page_height INTEGER, "
    "page_content VARCHAR, page_summary VARCHAR, ref_paper_id UUID",
    "images": "image_id UUID, image_caption VARCHAR, image_summary VARCHAR, bounding_box INTEGER[4], "
    "ordinal INTEGER, ref_paper_id UUID, ref_page_id UUID",
    "chunks": "chunk_id UUID, text_content VARCHAR, ordinal INTEGER, ref_paper_id UUID, ref_page_id UUID",
    "tables": "table_id UUID, table_caption VARCHAR, table_content VARCHAR, table_summary VARCHAR, "
    "bounding_box INTEGER[4], ordinal INTEGER, ref_paper_id UUID, ref_page_id UUID",
    "sections": "section_id UUID, section_title VARCHAR, section_content VARCHAR, section_summary VARCHAR, "
    "ordinal INTEGER, page_numbers INTEGER[], ref_paper_id UUID",
    "equations": "equation_id UUID, equation_content VARCHAR, ordinal INTEGER, ref_paper_id UUID, "
    "ref_page_id UUID",
    "reference": "reference_id UUID, reference_content VARCHAR, ordinal INTEGER, ref_paper_id UUID, "
    "ref_page_id UUID",
}


def test_tables_and_types_are_those_that_were_released():
    declared = {one.name: ", ".join(f"{c.name} {c.type}" for c in one.columns) for one in TABLES}
    assert declared == RELEASED
    assert set(STORE_TABLES) == set(RELEASED)


def test_the_sql_makes_these_tables():
    with duckdb.connect() as connection:
        connection.execute(schema_sql())
        made = connection.execute(
            "select table_name, string_agg(column_name || ' ' || data_type, ', ' order by column_index) "
            "from duckdb_columns() where not internal group by table_name"
        ).fetchall()
        keys = connection.execute(
            "select table_name, constraint_type from duckdb_constraints() "
            "where constraint_type in ('PRIMARY KEY', 'FOREIGN KEY') order by all"
        ).fetchall()
    assert dict(made) == RELEASED
    assert [one for one, kind in keys if kind == "PRIMARY KEY"] == sorted(RELEASED)
    assert [one for one, kind in keys if kind == "FOREIGN KEY"].count("chunks") == 2


def test_the_description_has_the_released_form():
    described = schema_description()
    assert described["database_name"] == "papers"
    (pages,) = [one for one in described["database_schema"] if one["table"]["table_name"] == "pages"]
    assert pages["primary_keys"] == ["page_id"]
    assert pages["foreign_keys"] == [["ref_paper_id", "metadata", "paper_id"]]
    assert pages["columns"][4] == {
        "column_name": "page_content",
        "column_type": "VARCHAR",
        "description": "text of the page in reading order",
        "encodable": "text",
    }


def test_what_is_encoded_is_what_was_released():
    assert {f"{table.name}.{column.name}" for table, column in encodable_columns()} == {
        *("metadata.title", "metadata.abstract", "metadata.bibtex", "metadata.tldr"),
        *("pages.page_content", "pages.page_summary", "images.image_caption", "images.image_summary"),
        *("chunks.text_content", "tables.table_caption", "tables.table_content", "tables.table_summary"),
        *("sections.section_title", "sections.section_content", "sections.section_summary"),
        *("equations.equation_content", "reference.reference_content"),
        *("images.bounding_box", "tables.bounding_box"),
    }
