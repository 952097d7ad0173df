"""Core pairs of two sections: looked at, refused with a reason, or ranked."""

import numpy as np
import polars as pl
import pytest

from aimsciqa_assets.aim_sciqa.relations.core_pairs import (
    Ranking,
    examined,
    ranked_core_pairs,
    rarity_of,
    with_best_core_pairs,
)
from aimsciqa_assets.aim_sciqa.relations.statements import Statement

STATEMENTS = {
    "s1": Statement("How was lark DNA kept?", "Lark DNA was stored at 4 degrees.", "results"),
    "s2": Statement("How did frost change lark weight?", "Frost lowered lark weight by 3 g.", "results"),
    "t1": Statement("How was lark DNA kept?", "Lark DNA was stored at 20 degrees.", "results"),
    "t2": Statement("How did rain change lark weight?", "Rain raised lark weight by 2 g.", "results"),
    "t3": Statement("Where do larks sing?", "A lark sings above fields.", "discussion"),
}
VECTORS = {"s1": [1, 0], "s2": [0.6, 0.8], "t1": [1, 0], "t2": [0.6, 0.8], "t3": [0.8, 0.6]}
SECTIONS = {"S": ["s1", "s2"], "T": ["t1", "t2", "t3"]}
PAIR = {
    "section_pair_id": "p",
    "batch": "b",
    "variant": "im",
    "source_paper_id": "S1",
    "target_paper_id": "T1",
    "source_section_id": "S",
    "target_section_id": "T",
    "similarity": 2.0,
    "core_source_qa_id": "s1",
    "core_target_qa_id": "t1",
    "strength": 1.0,
}


def questions_of(section):
    ids = SECTIONS[section]
    return ids, np.array([VECTORS[one] for one in ids], dtype=np.float32)


def ranked(most=3, tau=0.3, considered=60) -> pl.DataFrame:
    how = Ranking(tau, most, considered)
    return ranked_core_pairs(pl.DataFrame([PAIR]), STATEMENTS, questions_of, lambda _word: 1.0, how)


def test_every_pair_over_tau_has_a_row_with_its_rank_or_the_reason():
    rows = {(row["source_qa_id"], row["target_qa_id"]): row for row in ranked().iter_rows(named=True)}
    assert len(rows) == 6
    assert rows["s1", "t1"]["rejection_reason"] == "routine_method"
    assert (rows["s2", "t2"]["rank"], rows["s2", "t2"]["shared_attributes"]) == (1, ["weight"])
    assert rows["s2", "t2"]["strength"] == pytest.approx(1.0)
    # A statement is offered once: t3 is sound, and s2 has a better partner.
    assert (rows["s2", "t3"]["rank"], rows["s2", "t3"]["rejection_reason"]) == (None, None)


def test_pairs_below_tau_and_beyond_those_considered_are_not_looked_at():
    assert ranked(tau=0.97).height == 2 + 0
    assert ranked(considered=1).height == 1


def test_the_best_core_pair_takes_the_place_of_the_most_similar_one():
    section_pairs = pl.DataFrame([PAIR, PAIR | {"section_pair_id": "unsound", "strength": 2.0}])
    (row,) = with_best_core_pairs(section_pairs, ranked(), 3).to_dicts()
    assert (row["section_pair_id"], row["core_source_qa_id"], row["core_target_qa_id"]) == ("p", "s2", "t2")
    assert row["strength"] == pytest.approx(1.0)
    assert row.keys() == PAIR.keys()


def test_the_strongest_section_pairs_of_each_source_are_examined():
    pairs = [PAIR | {"section_pair_id": f"p{n}", "strength": n / 10} for n in range(5)]
    assert examined(pl.DataFrame(pairs), 2)["section_pair_id"].to_list() == ["p4", "p3"]


def test_a_word_of_one_paper_is_rare_and_one_of_all_papers_is_not():
    rarity = rarity_of({"everywhere": 100, "some": 10, "once": 1}, 100)
    assert [rarity(word) for word in ("everywhere", "some", "once", "never")] == [0.0, 0.5, 1.0, 1.0]
