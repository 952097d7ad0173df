import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.frames import frame_of
from aimsciqa_assets.intake import InputFile, allocate, batches_needed_by

NONE_KNOWN = frame_of("corpus.input_files", [])


def file(name: str, paper: str | None = None) -> InputFile:
    return InputFile(file_id=f"sha-{name}", file_name=name, size=10, paper_id=paper)


def test_files_go_into_batches_by_name():
    rows = list(allocate([file("c.xml"), file("a.xml"), file("b.xml")], NONE_KNOWN, 2))
    assert [(row["file_name"], row["batch"], row["ingest"]) for row in rows] == [
        ("a.xml", "batch-0001", 1),
        ("b.xml", "batch-0001", 1),
        ("c.xml", "batch-0002", 1),
    ]


def test_later_files_go_into_new_batches():
    known = frame_of("corpus.input_files", list(allocate([file("a.xml")], NONE_KNOWN, 2)))
    rows = list(allocate([file("0.xml")], known, 2))
    assert [(row["batch"], row["ingest"]) for row in rows] == [("batch-0002", 2)]


def test_a_paper_is_taken_once_whatever_brings_it():
    known = frame_of("corpus.input_files", list(allocate([file("a.xml", "PMC1")], NONE_KNOWN, 9)))
    rows = list(allocate([file("b.xml", "PMC1"), file("c.pdf", "PMC2"), file("c.xml", "PMC2")], known, 9))
    assert [row["duplicate_of"] for row in rows] == ["sha-a.xml", None, "sha-c.pdf"]


def test_files_without_a_paper_are_no_duplicates_of_each_other():
    rows = list(allocate([file("a.xml"), file("b.xml")], NONE_KNOWN, 9))
    assert [row["duplicate_of"] for row in rows] == [None, None]


@given(st.lists(st.integers(1, 9), max_size=6), st.integers(1, 4))
def test_no_batch_is_too_large_and_no_file_is_lost(ingests, size):
    known = NONE_KNOWN
    for number, count in enumerate(ingests):
        files = [file(f"{number}-{i}.xml") for i in range(count)]
        known = pl.concat([known, frame_of("corpus.input_files", list(allocate(files, known, size)))])
    assert known.height == sum(ingests)
    assert known["file_id"].n_unique() == known.height
    assert all(count <= size for count in known.group_by("batch").len()["len"])
    assert (
        known.group_by("batch").agg(pl.col("ingest").n_unique())["ingest"].to_list()
        == [1] * known["batch"].n_unique()
    )


def test_a_batch_needs_those_of_its_ingest_and_before():
    known = NONE_KNOWN
    for names in (["a", "b"], ["c"], ["d"]):
        rows = list(allocate([file(name) for name in names], known, 1))
        known = pl.concat([known, frame_of("corpus.input_files", rows)])
    assert batches_needed_by("batch-0001", known) == {"batch-0001", "batch-0002"}
    assert batches_needed_by("batch-0003", known) == {"batch-0001", "batch-0002", "batch-0003"}
    assert batches_needed_by("batch-0009", known) == frozenset()
