"""A file -> the contents of the paper store: a PDF by its layout, JATS by its XML, or MinerU's JSON as it is.

`read_file` runs in a reading process: the layout model is C++, needs memory, and takes a third of a second
for a page.
"""

from collections.abc import Generator, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from aimsciqa_assets.reading.contents import Contents
from aimsciqa_assets.reading.isolation import PDF_LIMITS, Load, read_isolated
from aimsciqa_assets.reading.paper import RejectedFileError
from aimsciqa_assets.reading.reader import MINERU

_PDF = b"%PDF-"
_START = 1024


def read_file(data: bytes, *, file_id: str, file_name: str) -> dict[str, Any]:
    """The contents of a file as JSON can hold them, with its `source`; raises `RejectedFileError`."""
    start = data[:_START].lstrip()
    if start.startswith(MINERU):
        from aimsciqa_assets.airqa.store.mineru import contents_of_bundle

        return {"source": "mineru", "contents": contents_of_bundle(data).as_json()}
    if _PDF in data[:_START] or not start or file_name.lower().endswith(".pdf"):
        # Heavy, and not needed for XML.
        from aimsciqa_assets.reading.pdf.reader import read_pdf

        return {"source": "pdf", "contents": read_pdf(data).as_json()}
    from aimsciqa_assets.airqa.store.jats import contents_of_jats

    return {"source": "jats", "contents": contents_of_jats(data).as_json()}


def read_files(
    files: Iterable[Mapping[str, str]], load: Load
) -> Generator[tuple[str, Contents] | RejectedFileError, None, None]:
    """For each file (`file_id`, `file_name`), in order, its source and its contents, or why it has none."""
    with closing(read_isolated(read_file, files, load, PDF_LIMITS)) as readings:
        for read in readings:
            if isinstance(read, RejectedFileError):
                yield read
            else:
                yield read["source"], Contents.from_json(read["contents"])


def read_paths(paths: Iterable[Path]) -> Generator[tuple[str, Contents] | RejectedFileError, None, None]:
    """The same for files of a folder."""

    def load(path: str, most: int) -> bytes:
        with Path(path).open("rb") as file:
            return file.read(most)

    yield from read_files(({"file_id": str(path), "file_name": path.name} for path in paths), load)
