"""The reader on real PDFs beside their JATS, where they are there (`../shared`)."""

import json
from pathlib import Path

import pytest

from aimsciqa_assets.airqa.store.reading import read_paths
from benchmarks.pdf_reading import measure

PAPERS = Path(__file__).parents[5] / "shared" / "corpora" / "pdf" / "dev"
SOME = ("PMC4562040.pdf", "PMC7982173.pdf", "jose.00198.pdf")

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not PAPERS.exists(), reason="no real PDFs here")]


def test_some_papers_are_read_as_they_are():
    truths = [json.loads(line) for line in (PAPERS / "truth.jsonl").read_text().splitlines()]
    by_file = {truth["file"]: truth for truth in truths}
    for file, (_, contents) in zip(SOME, read_paths(PAPERS / name for name in SOME), strict=True):
        told = measure(contents, by_file[file])
        assert told.title_is_right, file
        assert told.floats_are_near, file
        assert told.references_are_near, file
        assert told.authors_are_right, file
        assert told.found >= told.headings - 1, file


def test_bad_files_are_rejected_by_name():
    files = sorted((PAPERS / "bad").glob("*.pdf"))
    assert [getattr(read, "reason", read) for read in read_paths(files)] == [
        *("no_text", "empty_file", "encrypted_pdf", "not_pdf", "scanned_pdf", "damaged_pdf"),
    ]
