import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.platform.frames import as_declared, frame_of, keys_of, vector_frame, vectors_of
from aimsciqa_assets.tables import TABLES


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
    read = pl.DataFrame({"row": [0, 1]}).with_columns(frame["vector"])
    assert vectors_of(np.array([1, 0]), [read]).tolist() == vectors[::-1].tolist()


@given(st.sets(st.integers(0, 99), min_size=1), st.integers(1, 9), st.randoms())
def test_vectors_get_the_order_of_their_rows_whatever_comes_first(chosen, at_once, random):
    rows, found = (random.sample(sorted(chosen), len(chosen)) for _ in range(2))
    table = np.arange(300, dtype=np.float32).reshape(100, 3)
    frame = pl.DataFrame({"row": found, "vector": table[found]})
    vectors = vectors_of(np.array(rows), frame.iter_slices(at_once))
    assert vectors.dtype == np.float32
    assert vectors.tolist() == table[rows].tolist()


def test_no_rows_are_an_empty_matrix():
    assert vectors_of(np.array([], dtype=np.int64), []).shape == (0, 0)


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


def test_half_a_surrogate_pair_is_written_as_its_escape_and_costs_no_other_row():
    row = {"file_id": "f", "file_name": "caf\udce9.xml", "batch": "b", "reason": "r", "detail": "d"}
    row = {column.name: row.get(column.name, "x") for column in TABLES["corpus.rejected_files"].columns}
    frame = frame_of("corpus.rejected_files", [row, row | {"file_name": "café.xml"}])
    assert frame["file_name"].to_list() == [r"caf\udce9.xml", "café.xml"]
    listed = {"markers": ["[1]", "\ud800"], "reference_ids": [], "is_single": True}
    numbers = {"sentence_start": 1, "sentence_end": 2}
    columns = TABLES["corpus.citation_mentions"].columns
    row = {column.name: (listed | numbers).get(column.name, "x") for column in columns}
    assert frame_of("corpus.citation_mentions", [row])["markers"].to_list() == [["[1]", r"\ud800"]]


def test_the_keys_of_frames_tell_which_rows_they_hold_in_any_order():
    rows = pl.DataFrame({"paper_id": ["P1", "P2"]})
    made = keys_of({"corpus.admitted_papers": rows})
    assert keys_of({"corpus.admitted_papers": rows[::-1]}) == made
    assert keys_of({"corpus.admitted_papers": rows[:1]}) != made
