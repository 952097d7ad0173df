"""A batch of stored files becomes rows of the corpus tables; what is no paper becomes a rejected file."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from aimsciqa_assets.corpus.ingestion import READ_LIMIT
from aimsciqa_assets.corpus.paper import Paper, RejectedFileError
from aimsciqa_assets.corpus.reader import read_paper
from aimsciqa_assets.corpus.rows import Row, paper_rows
from aimsciqa_assets.frames import Frames, frame_of

TABLES = (
    "corpus.papers",
    "corpus.sections",
    "corpus.paragraphs",
    "corpus.captions",
    "corpus.keywords",
    "corpus.references",
    "corpus.citation_mentions",
    "corpus.rejected_files",
)

_RETIRED = {
    "superseded": "PubMed Central has a newer version, which took its place",
    "withdrawn": "PubMed Central has the article no more",
    "licence": "it is under another licence now, which is not among those that were asked for",
    "no_xml": "PubMed Central has no XML of its newest version",
}


def parse_batch(
    files: Iterable[Mapping[str, Any]],
    load: Callable[[str, int], bytes],
    advance: Callable[[int], None] = lambda _files: None,
) -> Frames:
    """Parse the files of a batch (rows of `corpus.input_files`); `load` gives the first
    bytes of a file by its id and a limit.
    """
    rows: dict[str, list[Row]] = defaultdict(list)
    for file in files:
        for table, new in _file_rows(file, load).items():
            rows[table] += new
        advance(1)
    return {table: frame_of(table, rows[table]) for table in TABLES}


def _file_rows(file: Mapping[str, Any], load: Callable[[str, int], bytes]) -> dict[str, list[Row]]:
    names = {"file_id": file["file_id"], "file_name": file["file_name"], "batch": file["batch"]}
    try:
        if file["retired"]:
            raise RejectedFileError(file["retired"], _RETIRED.get(file["retired"], ""))
        if file["duplicate_of"]:
            raise RejectedFileError("duplicate_paper", f"{file['paper_id']} came with {file['duplicate_of']}")
        paper = read_paper(load(file["file_id"], READ_LIMIT), file["file_name"])
        return paper_rows(_as_pmc_describes(paper, file), **names)
    except RejectedFileError as rejection:
        row = {**names, "rejection_reason": rejection.reason, "detail": rejection.detail}
        return {"corpus.rejected_files": [row]}


def _as_pmc_describes(paper: Paper, file: Mapping[str, Any]) -> Paper:
    """The paper with what PubMed Central says of it: a licence or a retraction may come after its file."""
    if not file["pmcid"]:
        return paper
    return replace(
        paper,
        pmcid=file["pmcid"],
        licence=file["licence"] or paper.licence,
        retracted=paper.retracted or file["retracted"],
    )
