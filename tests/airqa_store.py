"""A store of papers for tests: the eight tables of AirQA's schema, with given rows."""

from pathlib import Path
from typing import Any

import duckdb

_BY_TABLE = {
    "metadata": "paper_id uuid primary key, title varchar, abstract varchar, num_pages integer, "
    "conference_full varchar, conference_abbreviation varchar, pub_year integer, volume varchar, "
    "download_url varchar, bibtex varchar, authors varchar[], pdf_path varchar, tldr varchar, tags varchar[]",
    "pages": "page_id uuid primary key, page_number integer, page_width integer, page_height integer, "
    "page_content varchar, page_summary varchar, ref_paper_id uuid",
    "images": "image_id uuid primary key, image_caption varchar, image_summary varchar, "
    "bounding_box integer[4], ordinal integer, ref_paper_id uuid, ref_page_id uuid",
    "chunks": "chunk_id uuid primary key, text_content varchar, ordinal integer, ref_paper_id uuid, "
    "ref_page_id uuid",
    "tables": "table_id uuid primary key, table_caption varchar, table_content varchar, "
    "table_summary varchar, bounding_box integer[4], ordinal integer, ref_paper_id uuid, ref_page_id uuid",
    "sections": "section_id uuid primary key, section_title varchar, section_content varchar, "
    "section_summary varchar, ordinal integer, page_numbers integer[], ref_paper_id uuid",
    "equations": "equation_id uuid primary key, equation_content varchar, ordinal integer, "
    "ref_paper_id uuid, ref_page_id uuid",
    "reference": "reference_id uuid primary key, reference_content varchar, ordinal integer, "
    "ref_paper_id uuid, ref_page_id uuid",
}
PAPER = "e00dcbd6-facc-5d2d-9da1-eee11a20fe71"
SMALL: dict[str, list[dict[str, Any]]] = {
    "metadata": [
        {
            "paper_id": PAPER,
            "title": "Title one",
            "abstract": "abs",
            "num_pages": 2,
            "pub_year": 2023,
            "authors": ["A B", "C D"],
            "tldr": "tldr",
            "tags": ["t1", "t2"],
        }
    ],
    "pages": [
        {
            "page_id": f"00000000-0000-0000-0000-0000000000{number:02}",
            "page_number": number,
            "page_width": 612,
            "page_height": 792,
            "page_content": " ".join(["word"] * 100 * (number - 1)),
            "page_summary": "s",
            "ref_paper_id": PAPER,
        }
        for number in range(1, 26)
    ],
}


def store_at(path: Path, rows: dict[str, list[dict[str, Any]]] | None = None) -> Path:
    """Write a store with these rows of its tables, by default one paper of 25 pages."""
    with duckdb.connect(str(path)) as connection:
        for table, columns in _BY_TABLE.items():
            connection.execute(f"create table {table} ({columns})")
        for table, found in (SMALL if rows is None else rows).items():
            for row in found:
                marks = ", ".join("?" for _ in row)
                connection.execute(
                    f"insert into {table} ({', '.join(row)}) values ({marks})", list(row.values())
                )
    return path
