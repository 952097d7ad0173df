"""What a release folder holds: its files, and the columns of its Parquet files.

Everything else in the folder is another form of these tables, in the same order, or describes them.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from aimsciqa.release import SPLITS
from aimsciqa_assets.items import FORMS
from aimsciqa_assets.items.published import (
    EVIDENCE,
    GENERAL,
    MADE_BY,
    NUMBER,
    TEXT,
    Published,
    fields,
    required,
)

CARD: Final = "README.md"
CROISSANT: Final = "croissant.json"
ATTRIBUTION: Final = "ATTRIBUTION.csv"
CHECKSUMS: Final = "SHA256SUMS"
UNANSWERABLE: Final = "unanswerable.jsonl"
"""The unanswerable twins of items, where settings.necessity.twins_released asks for them."""


def releases_in(home: Path) -> Path:
    """Where the releases of a corpus lie."""
    return home / "releases"


def beir_top_ranked(split: str) -> str:
    """The cluster of each query, as a run for BEIR's rerankers."""
    return f"beir/top_ranked/{split}.trec"


def beir_excluded(split: str) -> str:
    """The papers that are no candidates of a query, in the form of qrels."""
    return f"beir/excluded/{split}.tsv"


def squad(config: str, split: str) -> str:
    """The SQuAD form of a split; that of AIM-SciQA's items has the plain name."""
    return f"squad/{split}.json" if config == "multi_hop" else f"squad/{config}_{split}.json"


def json_lines(form: str, split: str) -> str:
    """The items of a form and split as JSON lines."""
    return f"data/{form}/{split}.jsonl"


SINGLE_HOP: Final = pa.schema(
    [
        *fields("qa_id", "split", "paper_id", "title", "section", "section_kind"),
        *EVIDENCE,
        pa.field("question_answer_similarity", pa.float64()),
        pa.field("question_evidence_similarity", pa.float64()),
        *MADE_BY,
    ]
)
PAPERS: Final = pa.schema(
    [
        required("paper_id"),
        *(pa.field(name, TEXT) for name in ("pmcid", "pmid", "doi")),
        required("title"),
        pa.field("abstract", TEXT),
        *fields("first_author", "journal"),
        pa.field("year", NUMBER),
        *fields("published", "licence", "licence_url"),
        required("retracted", pa.bool_()),
        pa.field("retraction", TEXT),
        *fields("read_from", "content_hash"),
        required("has_text", pa.bool_()),
    ]
)
PARAGRAPHS: Final = pa.schema(
    [
        *fields("paragraph_id", "paper_id", "section_id"),
        required("section_position", NUMBER),
        *fields("section", "section_kind"),
        required("position", NUMBER),
        *fields("subsection", "text"),
    ]
)

DOCUMENTS: Final = pa.schema(fields("_id", "title", "text"))
QUERIES: Final = pa.schema(fields("_id", "text"))
QRELS: Final = pa.schema([*fields("query-id", "corpus-id"), required("score", NUMBER)])
TOP_RANKED: Final = pa.schema([required("query-id"), required("corpus-ids", pa.list_(TEXT))])

Config = tuple[pa.Schema, Mapping[str, str]]
"""The schema of a config, and the Parquet file of each of its splits."""

_CORPUS: Final[Mapping[str, Config]] = {
    "single_hop": (SINGLE_HOP, {split: f"data/single_hop/{split}.parquet" for split in SPLITS}),
    "papers": (PAPERS, {"corpus": "data/papers/papers.parquet"}),
    "paragraphs": (PARAGRAPHS, {"corpus": "data/papers/paragraphs.parquet"}),
}
CANDIDATES: Final[Mapping[str, Config]] = {
    "corpus": (DOCUMENTS, {"corpus": "mteb/corpus.parquet"}),
    "queries": (QUERIES, {"queries": "mteb/queries.parquet"}),
    "qrels": (QRELS, {split: f"mteb/qrels/{split}.parquet" for split in SPLITS}),
    "top_ranked": (TOP_RANKED, {split: f"mteb/top_ranked/{split}.parquet" for split in SPLITS}),
    "full-top_ranked": (TOP_RANKED, {split: f"mteb/full-top_ranked/{split}.parquet" for split in SPLITS}),
}
"""What MTEB's loader looks for: the setting `cluster` under the plain names, `full` under its own."""
ALIASES: Final[Mapping[str, str]] = {f"full-{name}": name for name in ("corpus", "queries", "qrels")}
"""Configs of the setting `full` that are the same as those of `cluster`."""


def configs(forms: Iterable[str]) -> dict[str, Config]:
    """The configs of a release with items of these forms, which `load_dataset` can load, by name."""
    return {form: _config(form) for form in forms} | dict(_CORPUS) | dict(CANDIDATES)


def tables(forms: Iterable[str]) -> dict[str, Config]:
    """The configs without those that only repeat others for retrieval."""
    return {form: _config(form) for form in forms} | dict(_CORPUS)


def forms_in(names: Iterable[str]) -> list[str]:
    """The forms among the names of configs. Raises `KeyError` for an unknown name."""
    return [FORMS[name].name for name in names if name not in _CORPUS and name not in CANDIDATES]


def published(form: str) -> Published:
    """The shape in which a release holds the items of a form."""
    of_form = FORMS[form].published
    return of_form() if of_form else GENERAL


def _config(form: str) -> Config:
    return published(form).schema, {split: f"data/{form}/{split}.parquet" for split in SPLITS}


Counts = dict[str, dict[str, int]]
"""Rows by config and split."""

Row = dict[str, Any]
"""A row as JSON has it."""
