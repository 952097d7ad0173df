"""From replies to QA pairs: read, grounded in their paragraph, encoded, filtered by alignment.

Every item of a reply gets a row, which says whether it is kept or why it is rejected.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
from aimsciqa_resources.encoder import Encoder

from aimsciqa_assets.aim_sciqa.single_hop.alignment import Others, lowest, row_cosines
from aimsciqa_assets.aim_sciqa.single_hop.grounding import ground_triplet
from aimsciqa_assets.aim_sciqa.single_hop.replies import RejectedItem, Triplet, parse_triplets
from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.platform.frames import as_declared, frame_of, vector_frame
from aimsciqa_assets.platform.identity import row_id

Row = dict[str, Any]
Vectors = npt.NDArray[np.float32]
LEVELS = ("question", "answer", "qa")
LOW_ALIGNMENT = "low_alignment"


@dataclass(frozen=True, slots=True)
class PairVectors:
    """Vectors of QA pairs, `(n_pairs, dim)` float32 each, rows of unit length."""

    question: npt.NDArray[np.float32]
    answer: npt.NDArray[np.float32]
    evidence: npt.NDArray[np.float32]
    qa: npt.NDArray[np.float32]


def triplet_frame(extractions: pl.DataFrame, texts: Mapping[str, str]) -> pl.DataFrame:
    """Rows of `single_hop.triplets`, sorted by id: every item of the replies, rejected ones with a reason.

    `texts` holds the paragraphs by id.
    """
    rows = (
        row
        for extraction in extractions.iter_rows(named=True)
        for row in _items_of(extraction, texts[extraction["paragraph_id"]])
    )
    return frame_of("single_hop.triplets", rows).sort("qa_id")


def exact_pairs(triplets: pl.DataFrame) -> list[Row]:
    """The triplets whose evidence is an exact quote, by paper, section and id.

    This is the order in which relations read their vectors.
    """
    exact = triplets.filter(pl.col("rejection_reason").is_null())
    return exact.sort("paper_id", "section_id", "qa_id").to_dicts()


def encode_pairs(pairs: Sequence[Row], encode: Callable[[Sequence[str]], Vectors]) -> PairVectors:
    """Encode question, answer, evidence and question + answer of each pair."""
    columns = [
        [row["question"] for row in pairs],
        [row["answer"] for row in pairs],
        [row["evidence"] for row in pairs],
        [f"{row['question']} {row['answer']}" for row in pairs],
    ]
    vectors = encode([text for column in columns for text in column])
    return PairVectors(*vectors.reshape(len(columns), len(pairs), vectors.shape[1]))


def similarity_frame(pairs: Sequence[Row], vectors: PairVectors, encoder: Encoder) -> pl.DataFrame:
    """Rows of `single_hop.similarities`."""
    with_answer = row_cosines(vectors.question, vectors.answer)
    with_evidence = row_cosines(vectors.question, vectors.evidence)
    rows = (
        {
            "qa_id": row["qa_id"],
            "batch": row["batch"],
            "question_answer_similarity": float(answer),
            "question_evidence_similarity": float(evidence),
            "alignment": float(answer) - float(evidence),
            "encoder": encoder.name,
            "encoder_revision": encoder.revision,
        }
        for row, answer, evidence in zip(pairs, with_answer, with_evidence, strict=True)
    )
    return frame_of("single_hop.similarities", rows)


def embedding_frame(pairs: Sequence[Row], vectors: PairVectors, encoder: Encoder) -> pl.DataFrame:
    """Rows of `relations.embeddings`: three levels of each pair."""
    repeated = {
        name: pl.Series([row[name] for row in pairs] * len(LEVELS), dtype=pl.String)
        for name in ("qa_id", "batch", "paper_id", "section_id")
    }
    levels = {
        "level": pl.Series([level for level in LEVELS for _ in pairs], dtype=pl.String),
        "encoder": pl.Series([encoder.name] * len(pairs) * len(LEVELS), dtype=pl.String),
        "encoder_revision": pl.Series([encoder.revision] * len(pairs) * len(LEVELS), dtype=pl.String),
    }
    stacked = np.concatenate([vectors.question, vectors.answer, vectors.qa])
    return vector_frame("relations.embeddings", repeated | levels, stacked)


def encoded_before(similarities: pl.DataFrame | None, embeddings: pl.DataFrame | None) -> set[str]:
    """Ids of the pairs that have a row in `single_hop.similarities`, and all levels in the other table."""
    if similarities is None or embeddings is None:
        return set()
    whole = embeddings.group_by("qa_id").len().filter(pl.col("len") == len(LEVELS))
    return set(similarities.join(whole, on="qa_id", how="semi")["qa_id"])


def with_earlier(
    made: pl.DataFrame, earlier: pl.DataFrame | None, known: Collection[str], pairs: Sequence[Row]
) -> pl.DataFrame:
    """The rows of `pairs`, in their order (and level by level): those just made, and the `known` ones."""
    if earlier is None or not known:
        return made
    ids = [row["qa_id"] for row in pairs]
    order = pl.DataFrame({"qa_id": ids}, schema={"qa_id": pl.String}).with_row_index("place")
    before = earlier.filter(pl.col("qa_id").is_in(list(known)))
    # Of no pair it is not known how long its vectors are.
    rows = (pl.concat([made, before]) if made.height else before).join(order, on="qa_id")
    level = pl.col("level").replace_strict(list(LEVELS), [*range(len(LEVELS))])
    by = [level, pl.col("place")] if "level" in rows.columns else [pl.col("place")]
    return rows.sort(by).drop("place")


def filter_pairs(
    triplets: pl.DataFrame,
    similarities: pl.DataFrame,
    fraction: float,
    others: Others | None = None,
    before: int = 0,
) -> pl.DataFrame:
    """Rows of `single_hop.qa_pairs`: exact triplets with the lowest alignment are rejected.

    `similarities` are those of the exact triplets. With `others`, pairs of other batches, the lowest
    `fraction` is that of all these pairs together. `before` is the number of pairs that came earlier: of them
    and these together, `fraction` is removed.
    """
    removed = lowest(similarities["alignment"], similarities["qa_id"], fraction, before, others)
    low = pl.col("qa_id").is_in(list(removed))
    reason = pl.when(low).then(pl.lit(LOW_ALIGNMENT)).otherwise("rejection_reason")
    measured = triplets.join(similarities, on="qa_id", how="left", maintain_order="left")
    rows = measured.with_columns(rejection_reason=reason).with_columns(
        status=pl.when(pl.col("rejection_reason").is_null())
        .then(pl.lit("kept"))
        .otherwise(pl.lit("rejected"))
    )
    return as_declared("single_hop.qa_pairs", rows)


def _items_of(extraction: Mapping[str, Any], text: str) -> Iterator[Row]:
    parsed = parse_triplets(extraction["reply"])
    if isinstance(parsed, Fault):
        return
    shared = {
        name: extraction[name]
        for name in (
            "batch",
            "paper_id",
            "section_id",
            "paragraph_id",
            "model",
            "model_revision",
            "prompt_version",
        )
    }
    seen: set[Triplet] = set()
    items: Iterable[Triplet | RejectedItem] = (*parsed.triplets, *parsed.rejected)
    for position, item in enumerate(items):
        row = _item_row(item, text, repeated=item in seen)
        if isinstance(item, Triplet):
            seen.add(item)
        words = (row["question"], row["answer"], row["evidence"])
        yield {
            **shared,
            **row,
            "position": position,
            "qa_id": row_id(shared["paragraph_id"], position, *words),
        }


def _item_row(item: Triplet | RejectedItem, text: str, *, repeated: bool) -> Row:
    row: Row = {
        "question": "",
        "answer": "",
        "evidence": "",
        "evidence_start": None,
        "evidence_end": None,
        "normalised_match": False,
    }
    if isinstance(item, RejectedItem):
        # The start of what the model wrote instead of a triplet; the extraction's reply has all of it.
        return row | {"evidence": item.text, "rejection_reason": item.reason}
    grounding = ground_triplet(item, text)
    reason = grounding.reason or ("repeated" if repeated else None)
    return row | {
        "question": item.question,
        "answer": item.answer,
        "evidence": item.evidence,
        "evidence_start": grounding.start,
        "evidence_end": grounding.end,
        "normalised_match": grounding.normalised_match,
        "rejection_reason": reason,
    }
