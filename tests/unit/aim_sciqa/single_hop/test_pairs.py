import json

import polars as pl

from aimsciqa_assets.aim_sciqa.single_hop.alignment import Others
from aimsciqa_assets.aim_sciqa.single_hop.pairs import (
    LEVELS,
    embedding_frame,
    encode_pairs,
    encoded_before,
    exact_pairs,
    filter_pairs,
    similarity_frame,
    triplet_frame,
    with_earlier,
)
from aimsciqa_assets.platform.frames import frame_of
from tests.fakes import WordEncoder

TEXT = "Iron rose by 5 mg. Zinc fell by 2 mg."
TRIPLET = {"question": "How did iron change?", "evidence": "Iron rose by 5 mg.", "answer": "It rose by 5 mg."}


def triplets_of(*items: object) -> pl.DataFrame:
    extraction = {
        "paragraph_id": "p1",
        "batch": "batch-0001",
        "paper_id": "PMC1",
        "section_id": "s1",
        "status": "answered",
        "rejection_reason": None,
        "pairs": len(items),
        "reply": json.dumps(items),
        "model": "m",
        "model_revision": "1",
        "prompt_version": "v",
    }
    return triplet_frame(frame_of("single_hop.extractions", [extraction]), {"p1": TEXT})


def test_exact_evidence_keeps_its_offsets():
    (pair,) = triplets_of(TRIPLET).to_dicts()
    assert (pair["evidence_start"], pair["evidence_end"], pair["rejection_reason"]) == (0, 18, None)
    assert TEXT[0:18] == pair["evidence"]
    (second,) = triplets_of(TRIPLET | {"evidence": "Zinc fell"}).to_dicts()
    assert (second["evidence_start"], second["evidence_end"]) == (19, 28)


def test_every_item_of_a_reply_gets_a_row_with_its_fate():
    triplets = triplets_of(
        TRIPLET,
        TRIPLET | {"evidence": "Iron  rose by 5 mg."},
        TRIPLET | {"evidence": "Copper rose."},
        TRIPLET | {"evidence": ""},
        TRIPLET | {"answer": " "},
        TRIPLET,
        {"question": "Half?"},
        "no object",
    )
    rows = triplets.to_dicts()
    fates = {row["position"]: (row["rejection_reason"], row["normalised_match"]) for row in rows}
    assert fates == {
        0: (None, True),
        1: ("evidence_not_found", True),
        2: ("evidence_not_found", False),
        3: ("empty_evidence", False),
        4: ("empty_answer", False),
        5: ("repeated", True),
        6: ("missing_field", False),
        7: ("not_an_object", False),
    }
    assert triplets["qa_id"].n_unique() == 8
    assert triplets["qa_id"].is_sorted()
    assert [pair["position"] for pair in exact_pairs(triplets)] == [0]


def test_pairs_are_encoded_in_the_order_in_which_relations_read_them():
    triplets = triplets_of(*(TRIPLET | {"question": f"Question {n}?"} for n in range(4)))
    section = pl.Series(["s2", "s1", "s2", "s1"])
    paper = pl.Series(["P2", "P2", "P1", "P1"])
    placed = triplets.with_columns(section_id=section, paper_id=paper)
    pairs = exact_pairs(placed)
    assert [(pair["paper_id"], pair["section_id"]) for pair in pairs] == [
        ("P1", "s1"),
        ("P1", "s2"),
        ("P2", "s1"),
        ("P2", "s2"),
    ]


def test_vectors_similarities_and_filter_belong_together():
    triplets = [
        TRIPLET | {"question": f"How did iron change in {word}?", "answer": answer}
        for word, answer in zip(
            "abcdefghij", ["Iron did change."] * 9 + ["Unrelated words only."], strict=True
        )
    ]
    read = triplets_of(*triplets)
    pairs, encoder = exact_pairs(read), WordEncoder()
    vectors = encode_pairs(pairs, encoder.encode)
    similarities = similarity_frame(pairs, vectors, encoder)
    frame = filter_pairs(read, similarities, 0.1)
    assert frame.filter(pl.col("status") == "rejected")["answer"].to_list() == ["Unrelated words only."]
    assert frame["rejection_reason"].drop_nulls().to_list() == ["low_alignment"]
    embedded = embedding_frame(pairs, vectors, encoder)
    assert embedded.height == 30
    assert embedded.group_by("level").len()["len"].to_list() == [10, 10, 10]


def test_the_lowest_tenth_can_be_taken_over_other_batches_too():
    triplets = triplets_of(*({**TRIPLET, "question": f"Question {n}?"} for n in range(9)))
    pairs, encoder = exact_pairs(triplets), WordEncoder()
    similarities = similarity_frame(pairs, encode_pairs(pairs, encoder.encode), encoder)
    assert set(filter_pairs(triplets, similarities, 0.1)["status"]) == {"kept"}
    better = Others(pl.Series([2.0]), lambda _at: ["other"])
    assert filter_pairs(triplets, similarities, 0.1, better)["status"].to_list().count("rejected") == 1
    worse = Others(pl.Series([-2.0]), lambda _at: ["other"])
    assert filter_pairs(triplets, similarities, 0.1, worse)["status"].to_list().count("rejected") == 0


def test_no_pairs_are_no_problem():
    encoder = WordEncoder()
    vectors = encode_pairs([], encoder.encode)
    assert similarity_frame([], vectors, encoder).is_empty()
    assert embedding_frame([], vectors, encoder).schema["vector"] == pl.Array(pl.Float32, 64)
    assert filter_pairs(triplets_of(), similarity_frame([], vectors, encoder), 0.1).is_empty()


def test_pairs_of_before_keep_their_vectors_in_the_order_of_all_pairs():
    pairs = [{"qa_id": name} for name in "abc"]
    similarities = pl.DataFrame({"qa_id": ["c", "a", "gone", "half"]})
    levels = [(name, level) for level in LEVELS for name in ("a", "c", "gone")] + [("half", "qa")]
    embeddings = pl.DataFrame(levels, schema=["qa_id", "level"], orient="row").with_columns(
        vector=pl.lit(1.0)
    )
    known = encoded_before(similarities, embeddings)
    assert known == {"a", "c", "gone"}
    assert with_earlier(pl.DataFrame({"qa_id": ["b"]}), similarities, known, pairs)["qa_id"].to_list() == [
        *"abc"
    ]
    made = pl.DataFrame({"qa_id": ["b"] * 3, "level": [*LEVELS], "vector": 2.0})
    rows = with_earlier(made, embeddings, known, pairs)
    assert rows["qa_id"].to_list() == [*"abcabcabc"]
    assert rows["level"].unique(maintain_order=True).to_list() == [*LEVELS]
    assert rows["vector"].to_list() == [1.0, 2.0, 1.0] * 3


def test_without_rows_of_before_all_pairs_are_new():
    made = pl.DataFrame({"qa_id": ["b"]})
    assert encoded_before(None, None) == set()
    assert with_earlier(made, None, set(), [{"qa_id": "b"}]) is made
