import numpy as np
import polars as pl
import pytest

from aimsciqa_assets.frames import as_declared, frame_of, vector_frame, vectors_of


def test_rows_get_the_declared_types_even_when_there_are_none():
    frame = frame_of("multi_hop.splits", [])
    assert frame.schema == {
        "item_id": pl.String,
        "variant": pl.String,
        "source_paper_id": pl.String,
        "split": pl.String,
    }


def test_a_row_with_other_columns_is_an_error():
    with pytest.raises(ValueError, match=r"multi_hop.splits: columns differ: \['part', 'split'\]"):
        frame_of(
            "multi_hop.splits", [{"item_id": "i", "variant": "im", "source_paper_id": "p", "part": "dev"}]
        )


def test_vectors_go_in_and_out_unchanged():
    names = ("qa_id", "batch", "paper_id", "section_id", "level", "encoder", "encoder_revision")
    vectors = np.arange(6, dtype=np.float32).reshape(2, 3)
    frame = vector_frame("relations.embeddings", {name: ["x", "y"] for name in names}, vectors)
    assert frame.schema["vector"] == pl.Array(pl.Float32, 3)
    assert vectors_of(frame["vector"]).tolist() == vectors.tolist()


def test_no_vectors_still_have_a_dimension():
    names = ("qa_id", "batch", "paper_id", "section_id", "level", "encoder", "encoder_revision")
    empty = {name: pl.Series([], dtype=pl.String) for name in names}
    frame = vector_frame("relations.embeddings", empty, np.zeros((0, 3), dtype=np.float32))
    assert frame.schema["vector"] == pl.Array(pl.Float32, 3)
    assert frame.is_empty()


def test_query_results_are_cast_to_the_declared_types():
    rows = pl.DataFrame({"rows": [3], "rejection_reason": ["r"], "table_name": ["t"], "extra": [1]})
    frame = as_declared("ops.rejections", rows)
    assert frame.columns == ["table_name", "rejection_reason", "rows"]
