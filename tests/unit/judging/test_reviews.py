"""Reviews: what is taken, what follows for the release, and what the release makes of it."""

import json
import threading

import pytest
from aimsciqa_resources.warehouse import WarehouseMissingError

from aimsciqa_assets.judging.review.reviews import (
    OutdatedReviewError,
    ReviewError,
    add_review,
    export_reviews,
    import_reviews,
    read_review,
)
from aimsciqa_assets.release.layout import releases_in
from aimsciqa_assets.release.verifying import verify
from aimsciqa_assets.release.writing import write_release
from aimsciqa_assets.settings import Settings
from tests.release_corpus import Corpus
from tests.reviewed import decide

pytestmark = pytest.mark.slow


@pytest.fixture
def warehouse(tmp_path):
    """Items i1, i2 and i3 may be released, i4 and i5 may not."""
    return Corpus().write(tmp_path)[0]


def review(item="i1", reviewer="anna", **said):
    number = item[1:]
    texts = {"of_question": f"merged_question of {number}", "of_answer": f"merged_answer of {number}"}
    return read_review({"item_id": item, "reviewer": reviewer, **texts, **said})


def why(warehouse) -> dict:
    return dict(warehouse.read("select item_id, rejection_reason from release.items").iter_rows())


def record(warehouse) -> tuple:
    query = "select fingerprint, rows from ops.materializations where table_name = 'benchmark.reviews'"
    return warehouse.read(query).row(0)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"reviewer": ""}, "reviewer"),
        ({"reviewer": "a\nb"}, "reviewer"),
        ({"reviewer": "x" * 81}, "reviewer"),
        ({"decision": "maybe"}, "decision"),
        ({"score": 6}, "score"),
        ({"score": "5"}, "score"),
        ({"score": True}, "score"),
        ({"question": "  "}, "question"),
        ({"answer": "x" * 20_001}, "answer"),
        ({"note": None}, "note"),
        ({"admin": 1}, "admin"),
    ],
)
def test_what_no_review_is(wrong, said):
    with pytest.raises(ReviewError, match=said):
        review(**wrong)
    with pytest.raises(ReviewError):
        read_review(None)


def test_a_review_is_appended_and_the_next_one_too(warehouse):
    add_review(review(decision="accept", score=4), warehouse)
    first = record(warehouse)
    add_review(review(decision="reject", note="No link."), warehouse)
    rows = warehouse.read(
        "select number, decision, score, note from benchmark.reviews order by number"
    ).rows()
    assert rows == [(1, "accept", 4, ""), (2, "reject", None, "No link.")]
    assert (first[1], record(warehouse)[1]) == (1, 2)
    assert record(warehouse)[0] != first[0]


def test_only_items_with_the_words_that_were_reviewed_are_reviewed(warehouse):
    with pytest.raises(OutdatedReviewError, match="'i9' is not among the accepted items"):
        add_review(review("i9"), warehouse)
    add_review(review(decision="reject"), warehouse)
    with warehouse.get_connection() as connection:
        connection.execute("update multi_hop.items set merged_answer = 'other' where item_id = 'i1'")
    assert decide(warehouse) == {}
    assert why(warehouse)["i1"] is None
    with pytest.raises(OutdatedReviewError, match="'i1' has other words now"):
        add_review(review(decision="reject"), warehouse)


def test_without_a_warehouse_nothing_is_made(tmp_path, warehouse):
    missing = type(warehouse)(database=str(tmp_path / "nowhere" / "warehouse.duckdb"))
    with pytest.raises(WarehouseMissingError):
        add_review(review(), missing)
    assert not (tmp_path / "nowhere").exists()


def test_reviewers_at_the_same_time_lose_nothing(warehouse):
    def work(reviewer):
        for _ in range(3):
            add_review(review(reviewer=reviewer, decision="accept"), warehouse)

    threads = [threading.Thread(target=work, args=(name,)) for name in ("anna", "ben", "cleo")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counts = "select reviewer, list(number order by number) from benchmark.reviews group by all order by all"
    assert warehouse.read(counts).rows() == [(name, [1, 2, 3]) for name in ("anna", "ben", "cleo")]
    assert record(warehouse)[1] == 9


def test_the_latest_review_of_a_person_counts(warehouse):
    add_review(review(decision="reject"), warehouse)
    assert decide(warehouse) == {"i1": "rejected"}
    assert why(warehouse)["i1"] == "rejected_in_review"
    add_review(review(decision="accept"), warehouse)
    assert decide(warehouse) == {"i1": "accepted"}
    assert why(warehouse)["i1"] is None
    add_review(review(score=3), warehouse)
    assert decide(warehouse) == {"i1": "open"}


def test_where_reviewers_disagree_the_item_stays_out_until_they_agree(warehouse):
    for reviewer, decision in (("anna", "accept"), ("ben", "accept"), ("cleo", "reject")):
        add_review(review(reviewer=reviewer, decision=decision), warehouse)
    assert decide(warehouse) == {"i1": "disputed"}
    assert why(warehouse)["i1"] == "disputed_in_review"
    majority = {"AIMSCIQA_RELEASE_REVIEWS": "majority"}
    assert decide(warehouse, majority) == {"i1": "accepted"}
    add_review(review(reviewer="dan", decision="reject"), warehouse)
    assert decide(warehouse, majority) == {"i1": "disputed"}
    add_review(review(reviewer="ben", decision="reject"), warehouse)
    assert decide(warehouse, majority) == {"i1": "rejected"}
    for reviewer in ("ben", "cleo", "dan"):
        add_review(review(reviewer=reviewer, decision="accept"), warehouse)
    assert decide(warehouse) == {"i1": "accepted"}
    assert why(warehouse)["i1"] is None


def test_a_release_of_accepted_items_only(warehouse):
    add_review(review("i2", decision="accept"), warehouse)
    add_review(review("i3", score=5), warehouse)
    decide(warehouse, {"AIMSCIQA_RELEASE_REVIEWED_ONLY": "true"})
    assert why(warehouse) == {
        "i1": "not_accepted_in_review",
        "i2": None,
        "i3": "not_accepted_in_review",
        "i4": "source_no_derivatives",
        "i5": "target_licence_unknown",
    }


def test_the_release_leaves_out_and_replaces(tmp_path, warehouse):
    add_review(review("i1", decision="accept", question="A better question?"), warehouse)
    add_review(review("i3", decision="reject"), warehouse)
    add_review(
        review("i2", reviewer="ben", decision="reject", answer="An answer of somebody who rejects."),
        warehouse,
    )
    add_review(review("i2", reviewer="ben", decision="accept"), warehouse)
    decide(warehouse)
    settings = Settings.preset_of("demo", {})
    folder = releases_in(tmp_path) / settings.release.name
    write_release(warehouse, settings, folder)
    lines = [
        json.loads(line)
        for split in ("dev", "test")
        for line in (folder / "data" / "multi_hop" / f"{split}.jsonl").read_text().splitlines()
    ]
    texts = {line["item_id"]: (line["question"], line["answer"], line["original"]) for line in lines}
    assert texts == {
        "i1": (
            "A better question?",
            "merged_answer of 1",
            {"question": "merged_question of 1", "answer": "merged_answer of 1"},
        ),
        "i2": ("merged_question of 2", "merged_answer of 2", None),
    }
    assert "rejected_in_review" in (folder / "PROVENANCE.json").read_text()
    assert verify(folder).problems == ()


def test_the_latest_edit_counts_and_one_that_brings_the_original_back_is_none(warehouse):
    def edits():
        decide(warehouse)
        return warehouse.read("select question, answer from benchmark.review_decisions").rows()

    add_review(review(question="By Anna?", answer="By Anna."), warehouse)
    add_review(review(reviewer="ben", question="By Ben?", decision="accept"), warehouse)
    assert edits() == [("By Ben?", "By Anna.")]
    add_review(review(reviewer="cleo", question="By Cleo?", decision="reject"), warehouse)
    assert edits() == [("By Ben?", "By Anna.")]
    add_review(review(reviewer="ben", question="merged_question of 1", decision="accept"), warehouse)
    assert edits() == [(None, "By Anna.")]


def test_reviews_go_out_and_come_in_again(tmp_path, warehouse):
    add_review(review(decision="accept", score=5, note="Zinc – good."), warehouse)
    add_review(review("i2", decision="reject"), warehouse)
    file = tmp_path / "reviews.jsonl"
    assert export_reviews(file, warehouse) == 2
    other = Corpus().write(tmp_path / "other")[0]
    with file.open("a") as lines:
        lines.write('no json\n\n{"item_id": "i1"}\n')
        lines.write(json.dumps({**json.loads(file.read_text().splitlines()[0]), "item_id": "i8"}) + "\n")
    added = import_reviews(file, other)
    assert (len(added.new), added.known) == (2, 0)
    assert [problem.split(":")[0] for problem in added.problems] == ["line 3", "line 5", "line 6"]
    again = import_reviews(file, other)
    assert (len(again.new), again.known) == (0, 2)
    rows = "select * from benchmark.reviews order by item_id"
    assert other.read(rows).rows() == warehouse.read(rows).rows()


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85"])
def test_a_review_with_any_mark_goes_out_and_comes_in_again(tmp_path, warehouse, mark):
    file = tmp_path / "reviews.jsonl"
    add_review(review(decision="accept", note=f"One{mark}two", answer=f"Zinc{mark}fell."), warehouse)
    export_reviews(file, warehouse)
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    other = Corpus().write(tmp_path / "other")[0]
    added = import_reviews(file, other)
    assert added.problems == []
    assert [(row["note"], row["answer"]) for row in added.new] == [(f"One{mark}two", f"Zinc{mark}fell.")]


def test_lines_that_readers_would_understand_in_different_ways_are_no_reviews(tmp_path, warehouse):
    line = review(decision="accept").model_dump_json()
    file = tmp_path / "reviews.jsonl"
    doubled = line.replace("{", '{"reviewer": "ben", ', 1).encode()
    file.write_bytes(
        b"\n".join(
            (
                line.encode(),
                doubled,
                line.replace('"score":null', '"score":NaN').encode(),
                line.replace("anna", "ann\xe9").encode("latin-1"),
            )
        )
    )
    added = import_reviews(file, warehouse)
    assert len(added.new) == 1
    assert added.problems == [
        "line 2: no JSON: an object has the key 'reviewer' twice",
        "line 3: no JSON: NaN is not a finite number",
        f"line 4: no JSON: it is not UTF-8 (byte {line.index('anna') + 4})",
    ]
