"""What the reading processes run in tests: the product's functions, with a note of each file that is read."""

import os
from pathlib import Path
from typing import Any
from unittest.mock import patch

from aimsciqa_assets.corpus import rows
from aimsciqa_assets.corpus.intake import folder
from aimsciqa_assets.reading import kept
from aimsciqa_assets.reading.paper import Paper
from aimsciqa_assets.reading.reader import read_paper

NOTES = "NOTES_OF_READERS"
"""Environment variable that names the file of notes."""

_paper_in, _file_rows = folder.paper_in, rows.file_rows


def paper_in(data: bytes, **arguments: Any) -> Any:
    with patch.object(kept, "read_paper", _noted):
        return _paper_in(data, **arguments)


def file_rows(data: bytes, **arguments: Any) -> Any:
    with patch.object(kept, "read_paper", _noted):
        return _file_rows(data, **arguments)


def _noted(data: bytes, file_name: str) -> Paper:
    with Path(os.environ[NOTES]).open("a") as notes:
        notes.write(f"{file_name}\n")
    return read_paper(data, file_name)
