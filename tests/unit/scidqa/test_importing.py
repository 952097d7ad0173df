"""Files of notes taken into a home."""

import gzip

import pytest
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.scidqa.intake.importing import UnreadableNotesError, import_notes
from tests.review_notes import reply, review, submission, write_lines

pytestmark = pytest.mark.slow

TABLES = ("scidqa.notes", "scidqa.forums", "scidqa.rejected_lines", "ops.materializations")


@pytest.fixture
def warehouse(tmp_path):
    return Warehouse(database=str(tmp_path / "home" / "warehouse.duckdb"))


def take(file, warehouse, per_batch=2):
    return import_notes(file, warehouse, forums_per_batch=per_batch, most_bytes=10_000)


def state(warehouse):
    return {table: warehouse.read(f"select * from {table} order by all").rows() for table in TABLES}


def notes(warehouse, columns="note_id"):
    return warehouse.read(f"select {columns} from scidqa.notes order by note_id").rows()


def test_threads_and_notes_of_any_order_become_forums_in_batches(warehouse, tmp_path):
    first = {"forum": "A", "venue": "ICLR", "year": 2020, "decision": "Accept", "title": "On A"}
    file = write_lines(
        tmp_path / "a.jsonl",
        first | {"notes": [submission("A"), review("A", "a1")]},
        reply("C", "c2", "c1"),
        submission("B"),
        review("C", "c1"),
        reply("A", "a2", "a1"),
    )
    written = take(file, warehouse).written
    assert (written.came, written.new, written.known, written.new_forums) == (6, 6, 0, 3)
    forums = warehouse.read(
        "select forum_id, batch, title, year, decision, notes, problems from scidqa.forums"
    )
    assert sorted(forums.rows()) == [
        ("A", "batch-0001", "Paper A", 2020, "Accept", 3, []),
        ("B", "batch-0002", "Paper B", 2020, None, 1, []),
        ("C", "batch-0001", None, 2020, None, 2, ["root_missing"]),
    ]
    assert notes(warehouse, "note_id, kind, writer, batch")[:3] == [
        ("A", "submission", "chairs", "batch-0001"),
        ("B", "submission", "chairs", "batch-0002"),
        ("a1", "review", "reviewer", "batch-0001"),
    ]


def test_the_same_file_again_changes_nothing(warehouse, tmp_path):
    thread = {"forum": "A", "notes": [submission("A"), review("A", "a1"), {"id": 3}]}
    file = write_lines(tmp_path / "a.jsonl", thread, "{broken")
    take(file, warehouse)
    before = state(warehouse)
    packed = tmp_path / "b.jsonl.gz"
    packed.write_bytes(gzip.compress(write_lines(tmp_path / "b.jsonl", thread).read_bytes()))
    assert (take(file, warehouse).written.known, state(warehouse)) == (2, before)
    assert take(packed, warehouse).written.new == 0
    assert state(warehouse)["scidqa.notes"] == before["scidqa.notes"]


def test_the_newest_version_counts_in_any_order(warehouse, tmp_path):
    old, new = review("A", "a1", "Old"), review("A", "a1", "New", at=9)
    take(write_lines(tmp_path / "a.jsonl", submission("A"), new, old), warehouse)
    assert notes(warehouse, "note_id, text") == [("A", ""), ("a1", "New")]
    assert take(write_lines(tmp_path / "b.jsonl", old), warehouse).written.known == 1
    gone = review("A", "a1", "New", at=10, ddate=1_580_000_000_000)
    assert take(write_lines(tmp_path / "c.jsonl", gone), warehouse).written.replaced == 1
    assert notes(warehouse, "note_id, text, deleted, rejection_reason")[1] == ("a1", "", True, "deleted")


def test_a_late_reply_goes_into_the_batch_of_its_forum(warehouse, tmp_path):
    take(write_lines(tmp_path / "a.jsonl", submission("A"), review("A", "a1")), warehouse)
    taken = take(write_lines(tmp_path / "b.jsonl", submission("B"), reply("A", "a2", "a1")), warehouse)
    assert taken.written.batches == ["batch-0001", "batch-0002"]
    assert notes(warehouse, "note_id, batch") == [
        ("A", "batch-0001"),
        ("B", "batch-0002"),
        ("a1", "batch-0001"),
        ("a2", "batch-0001"),
    ]
    assert warehouse.read("select notes from scidqa.forums order by forum_id").rows() == [(3,), (1,)]


def test_only_the_batches_that_change_get_another_record(warehouse, tmp_path):
    lines = [submission("A"), submission("B"), submission("C")]
    take(write_lines(tmp_path / "a.jsonl", *lines), warehouse, per_batch=1)
    query = "select part, fingerprint from ops.materializations where table_name = 'scidqa.notes'"
    before = dict(warehouse.read(query).rows())
    take(write_lines(tmp_path / "b.jsonl", review("B", "b1")), warehouse)
    after = dict(warehouse.read(query).rows())
    changed = {part for part in before | after if before.get(part) != after.get(part)}
    assert changed == {"batch-0002"}


def test_a_note_that_moves_leaves_its_earlier_forum(warehouse, tmp_path):
    take(write_lines(tmp_path / "a.jsonl", submission("A"), submission("B"), review("A", "r")), warehouse)
    take(write_lines(tmp_path / "b.jsonl", review("B", "r", at=5)), warehouse)
    assert warehouse.read("select forum_id, notes from scidqa.forums order by all").rows() == [
        ("A", 1),
        ("B", 2),
    ]


def test_nothing_is_lost_in_silence(warehouse, tmp_path):
    file = write_lines(
        tmp_path / "a.jsonl",
        submission("A"),
        "{broken",
        "",
        "[1]",
        {"forum": "A", "notes": [review("A", "a1", readers=["Program_Chairs"]), 7]},
        review("A", "long", "x" * 20_000),
    )
    taken = take(file, warehouse)
    assert taken.rejected == {"not_json": 1, "not_an_object": 1, "not_a_note": 1, "line_too_long": 1}
    assert taken.written.reasons == {"restricted": 1}
    rows = warehouse.read("select line, position, rejection_reason from scidqa.rejected_lines order by all")
    assert rows.rows() == [
        *((2, 0, "not_json"), (4, 0, "not_an_object")),
        *((5, 2, "not_a_note"), (6, 0, "line_too_long")),
    ]


def test_of_a_damaged_file_nothing_goes_in(warehouse, tmp_path):
    file = tmp_path / "a.jsonl.gz"
    lines = write_lines(tmp_path / "a.jsonl", *(review("A", str(n), str(n) * 50) for n in range(300)))
    file.write_bytes(gzip.compress(lines.read_bytes())[:-20])
    with pytest.raises(UnreadableNotesError, match="no whole gzip file"):
        take(file, warehouse)
    assert notes(warehouse) == []
    with pytest.raises(UnreadableNotesError, match="No such file"):
        take(tmp_path / "missing", warehouse)
