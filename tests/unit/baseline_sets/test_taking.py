"""What is drawn of a file, the documents that it brings, and where its evidence stands."""

import json

import pytest

from aimsciqa_assets.baseline_sets.evidence import evidence_rows, item_rows
from aimsciqa_assets.baseline_sets.taking import Draw, draw, set_of
from aimsciqa_assets.corpus.intake.folder import NothingToIngestError
from tests.published_sets import as_lines, as_list, hotpot, musique, wiki

MOST = 10**6


def test_a_draw_takes_so_many_of_each_kind_and_a_larger_one_holds_it(tmp_path):
    records = [
        hotpot(n, kind) for kind in ("bridge", "comparison") for n in range(9 if kind == "bridge" else 0)
    ]
    records += [hotpot(100 + n, "comparison") for n in range(2)]
    file = as_list(tmp_path / "dev.json", *records)

    def ids(number: int, seed: int = 42) -> set[str]:
        made = draw(Draw(file, "hotpotqa", number, seed, MOST), tmp_path / "documents.jsonl")
        assert made.read == 11
        assert dict(made.sound) == {"hotpotqa_bridge": 9, "hotpotqa_comparison": 2}
        return {row["record_id"] for row in made.records}

    assert len(ids(3)) == 5
    assert ids(3) < ids(5) < ids(0)
    assert ids(0) == {row["_id"] for row in records}
    assert ids(3) != ids(3, seed=1)


def test_a_document_of_several_items_is_one(tmp_path):
    file = as_list(tmp_path / "dev.json", hotpot(1), hotpot(2), hotpot(3, "comparison"))
    documents = tmp_path / "documents.jsonl"
    made = draw(Draw(file, "hotpotqa", 0, 42, MOST), documents)
    lines = [json.loads(line) for line in documents.read_text().splitlines()]
    assert [line["title"] for line in lines] == ["Mole of Ostrey", "Ana Feld", "Quay of Ostrey", "Lido Brask"]
    assert lines[2] == {
        "id": lines[2]["id"],
        "title": "Quay of Ostrey",
        "contents": "Quay of Ostrey\n\nThe quay was opened in 1899.",
        "use": "evaluation",
    }
    assert len(made.contexts) == 12
    assert {row["paper_id"] for row in made.contexts} == {f"doc:{line['id']}" for line in lines}
    first = [row for row in made.supports if row["item_id"] == made.records[0]["item_id"]]
    assert [(row["position"], row["document"], row["role"]) for row in first] == [
        (1, 1, "first"),
        (2, 2, "second"),
    ]


def test_records_that_cannot_be_used_are_rows(tmp_path):
    file = as_lines(
        tmp_path / "a.jsonl", musique(1), musique(1), musique(2, id="4hop1__1"), musique(3, answer=1)
    )
    with file.open("a") as more:
        more.write("{half\n")
    made = draw(Draw(file, "musique", 50, 42, MOST), tmp_path / "documents.jsonl")
    assert [(row["file_name"], row["record_id"], row["rejection_reason"]) for row in made.records] == [
        ("a.jsonl:2", "2hop__1_9", "same_id"),
        ("a.jsonl:3", "4hop1__1", "other_kind"),
        ("a.jsonl:4", "2hop__3_9", "unreadable"),
        ("a.jsonl:5", None, "unreadable"),
        ("a.jsonl:1", "2hop__1_9", None),
    ]
    assert len({row["item_id"] for row in made.records}) == 5
    assert dict(made.reasons) == {"same_id": 1, "other_kind": 1, "unreadable": 2}


def test_files_that_are_no_set(tmp_path):
    assert set_of(as_list(tmp_path / "a.json", wiki(1)), MOST) == "2wiki"
    with pytest.raises(NothingToIngestError, match="--set hotpotqa, 2wiki or musique"):
        set_of(as_lines(tmp_path / "b.jsonl", {"id": 1}), MOST)
    with pytest.raises(NothingToIngestError, match="No such file"):
        set_of(tmp_path / "none.json", MOST)
    useless = as_list(tmp_path / "c.json", wiki(1, "inference"), wiki(2, "inference"))
    with pytest.raises(NothingToIngestError, match=r"can be used: other_kind \(2\)"):
        draw(Draw(useless, "2wiki", 50, 42, MOST), tmp_path / "documents.jsonl")
    (tmp_path / "d.json").write_text("[{")
    with pytest.raises(NothingToIngestError, match="Nothing of it was taken in"):
        set_of(tmp_path / "d.json", MOST)


def test_evidence_has_the_offsets_of_its_paragraph():
    support = {"item_id": "i", "document_batch": "b", "document": 1, "role": "first"}
    wanted = [
        support | {"position": 1, "paper_id": "p", "sentence": "It is  old."},
        support | {"position": 2, "paper_id": "p", "sentence": "It is new."},
        support | {"position": 3, "paper_id": "q", "sentence": "It is old."},
    ]
    rows = list(evidence_rows(wanted, {"p": [("p0", "None."), ("p1", "Now. It\tis old.")]}))
    names = ("paragraph_id", "evidence", "evidence_start", "evidence_end", "rejection_reason")
    assert [tuple(row[name] for name in names) for row in rows] == [
        ("p1", "It\tis old.", 5, 15, None),
        (None, None, None, None, "evidence_not_exact"),
        (None, None, None, None, "document_missing"),
    ]


def test_an_item_needs_all_its_evidence():
    records = [
        {"item_id": one, "status": status, "file_name": "f", "rejection_reason": reason, "detail": None}
        for one, status, reason in (
            *(("a", "drawn", None), ("b", "drawn", None), ("c", "drawn", None)),
            ("d", "rejected", "other_kind"),
        )
    ]
    supports = [
        {"item_id": one, "position": n, "paper_id": "p", "sentence": "S."} for one in "abc" for n in (1, 2)
    ]
    evidence = [
        {"item_id": "a", "position": 1, "rejection_reason": None},
        {"item_id": "a", "position": 2, "rejection_reason": None},
        {"item_id": "b", "position": 1, "rejection_reason": None},
        {"item_id": "c", "position": 1, "rejection_reason": None},
        {"item_id": "c", "position": 2, "rejection_reason": "evidence_not_exact"},
    ]
    found = [(row["status"], row["rejection_reason"]) for row in item_rows(records, supports, evidence)]
    assert found == [
        ("accepted", None),
        ("rejected", "document_missing"),
        ("rejected", "evidence_not_exact"),
        ("rejected", "other_kind"),
    ]
