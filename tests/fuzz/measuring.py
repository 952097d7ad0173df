"""What a reading process runs in the test: the product's own reading, with a note of what it took."""

import json
import os
import resource
import time
from pathlib import Path
from typing import Any

from aimsciqa_assets.corpus.rows import Row, file_rows
from aimsciqa_assets.tables import TABLES

NOTES = "FUZZ_NOTES"
"""Environment variable that names the folder for the notes, one file per process."""


def measured_rows(data: bytes, *, file_name: str, **arguments: Any) -> dict[str, list[Row]]:
    """`file_rows`, and a line about it."""
    start = time.process_time()
    try:
        rows = file_rows(data, file_name=file_name, **arguments)
        check(rows)
        return rows
    finally:
        note: dict[str, Any] = {
            "file_name": file_name,
            "bytes": len(data),
            "seconds": round(time.process_time() - start, 3),
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000,
        }
        with (Path(os.environ[NOTES]) / f"{os.getpid()}.jsonl").open("a") as notes:
            notes.write(json.dumps(note) + "\n")


def check(rows: dict[str, list[Row]]) -> None:
    """Every key once, every text UTF-8, and every row pointing to what is there, its quotes included."""
    for name, of_table in rows.items():
        keys = [tuple(row[column] for column in TABLES[name].key) for row in of_table]
        assert len(set(keys)) == len(keys), f"{name} has a key twice"
        assert all(row["batch"] for row in of_table)
    (paper,) = rows["corpus.papers"]
    assert {row["paper_id"] for of_table in rows.values() for row in of_table} == {paper["paper_id"]}
    json.dumps(rows, ensure_ascii=False).encode("utf-8")  # no lone surrogates
    sections = {row["section_id"] for row in rows["corpus.sections"]}
    paragraphs = {row["paragraph_id"]: row for row in rows["corpus.paragraphs"]}
    references = {row["reference_id"] for row in rows["corpus.references"]}
    assert {row["section_id"] for row in paragraphs.values()} == sections
    assert all(row["text"].strip() for row in paragraphs.values())
    # The first cell of a table may be empty.
    assert all(row["text"] == row["text"].strip() for row in paragraphs.values() if row["kind"] != "table")
    assert {row["section_id"] for row in rows["corpus.tables"]} <= {*sections}
    for mention in rows["corpus.citation_mentions"]:
        text = paragraphs[mention["paragraph_id"]]["text"]
        sentence = text[mention["sentence_start"] : mention["sentence_end"]]
        assert sentence == mention["sentence"] != "", "the sentence is not in its paragraph"
        assert mention["section_id"] == paragraphs[mention["paragraph_id"]]["section_id"]
        assert all(marker in text for marker in mention["markers"])
        assert references.issuperset(mention["reference_ids"]), "a reference that is not there"
        assert len(set(mention["reference_ids"])) == len(mention["reference_ids"])
