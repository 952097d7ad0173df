"""What a release folder holds: its files, and the columns of its Parquet files.

Everything else in the folder is another form of these tables, in the same order, or tells about them.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from aimsciqa_assets.tables.benchmark import GATES

FORMAT: Final = "1"
"""Raised when a release of an earlier format can no longer be verified."""

SPLITS: Final = ("dev", "test")

CARD: Final = "README.md"
CROISSANT: Final = "croissant.json"
PROVENANCE: Final = "PROVENANCE.json"
ATTRIBUTION: Final = "ATTRIBUTION.csv"
CHECKSUMS: Final = "SHA256SUMS"
BEIR_CORPUS: Final = "beir/corpus.jsonl"
BEIR_QUERIES: Final = "beir/queries.jsonl"


def releases_in(home: Path) -> Path:
    """Where the releases of a corpus lie."""
    return home / "releases"


def beir_qrels(split: str) -> str:
    """Which paper answers which query."""
    return f"beir/qrels/{split}.tsv"


def squad(config: str, split: str) -> str:
    """The SQuAD form of a split; that of the items has the plain name."""
    return f"squad/{split}.json" if config == "multi_hop" else f"squad/{config}_{split}.json"


def json_lines(split: str) -> str:
    """The items of a split as JSON lines."""
    return f"data/multi_hop/{split}.jsonl"


_TEXT = pa.string()
_NUMBER = pa.int32()


def _required(name: str, kind: pa.DataType = _TEXT) -> pa.Field:
    return pa.field(name, kind, nullable=False)


def _fields(*names: str) -> list[pa.Field]:
    return [_required(name) for name in names]


_QUESTION_AND_ANSWER = pa.struct(_fields("question", "answer"))
_EVIDENCE = [
    *_fields("question", "answer", "evidence", "paragraph_id"),
    _required("evidence_start", _NUMBER),
    _required("evidence_end", _NUMBER),
]
_QA = pa.struct([*_fields("qa_id", "section", "section_kind"), *_EVIDENCE])
_PAPER = _fields("paper_id", "title", "licence")
_MODEL = _fields("model", "model_revision", "prompt_version")
_CITATION = pa.struct(
    [
        *_fields("paragraph_id", "sentence"),
        _required("sentence_start", _NUMBER),
        _required("sentence_end", _NUMBER),
        _required("markers", pa.list_(_TEXT)),
    ]
)
_VERDICTS = (
    "fluency",
    "completeness",
    "cross_reference_necessity",
    "relational_appropriateness",
    "decision",
)

MULTI_HOP: Final = pa.schema(
    [
        *_fields("item_id", "variant", "split", "question", "answer"),
        _required("find_target_paper", _QUESTION_AND_ANSWER),
        _required("inter_document_qa", _QUESTION_AND_ANSWER),
        _required("source", pa.struct([*_PAPER, _required("core_qa", _QA)])),
        _required("target", pa.struct([*_PAPER, _required("core_qa", _QA), _required("retrieval_qa", _QA)])),
        _required(
            "relation",
            pa.struct(
                [
                    _required("relation_id"),
                    _required("section_similarity", pa.float64()),
                    _required("core_qa_similarity", pa.float64()),
                    _required("rank", _NUMBER),
                ]
            ),
        ),
        _required("cluster", pa.list_(_TEXT)),
        _required("citations", pa.list_(_CITATION)),
        _required("validation", pa.struct([*_fields(*_VERDICTS), pa.field("decision_by_model", _TEXT)])),
        _required("gates", pa.struct([pa.field(gate, _TEXT) for gate in GATES])),
        _required("provenance", pa.struct(_MODEL)),
    ]
)
SINGLE_HOP: Final = pa.schema(
    [
        *_fields("qa_id", "split", "paper_id", "title", "section", "section_kind"),
        *_EVIDENCE,
        pa.field("question_answer_similarity", pa.float64()),
        pa.field("question_evidence_similarity", pa.float64()),
        *_MODEL,
    ]
)
PAPERS: Final = pa.schema(
    [
        _required("paper_id"),
        *(pa.field(name, _TEXT) for name in ("pmcid", "pmid", "doi")),
        _required("title"),
        pa.field("abstract", _TEXT),
        *_fields("first_author", "journal"),
        pa.field("year", _NUMBER),
        *_fields("published", "licence", "licence_url"),
        _required("retracted", pa.bool_()),
        *_fields("read_from", "content_hash"),
        _required("has_text", pa.bool_()),
    ]
)
PARAGRAPHS: Final = pa.schema(
    [
        *_fields("paragraph_id", "paper_id", "section_id"),
        _required("section_position", _NUMBER),
        *_fields("section", "section_kind"),
        _required("position", _NUMBER),
        *_fields("subsection", "text"),
    ]
)

CONFIGS: Final[Mapping[str, tuple[pa.Schema, Mapping[str, str]]]] = {
    "multi_hop": (MULTI_HOP, {split: f"data/multi_hop/{split}.parquet" for split in SPLITS}),
    "single_hop": (SINGLE_HOP, {split: f"data/single_hop/{split}.parquet" for split in SPLITS}),
    "papers": (PAPERS, {"corpus": "data/papers/papers.parquet"}),
    "paragraphs": (PARAGRAPHS, {"corpus": "data/papers/paragraphs.parquet"}),
}
"""What `load_dataset` can load: schema and Parquet file of each split, by name."""

Counts = dict[str, dict[str, int]]
"""Rows by config and split."""

Row = dict[str, Any]
"""A row as JSON has it."""
