"""What else two papers say on the matter of their core pairs."""

import numpy as np
import polars as pl

from aimsciqa_assets.aim_sciqa.relations.other_facts import other_facts
from aimsciqa_assets.aim_sciqa.relations.question_index import QuestionIndex

RELATION = {
    "relation_id": "r",
    "batch": "b",
    "variant": "im",
    "source_paper_id": "S",
    "target_paper_id": "T",
}


def index(**degrees: float) -> QuestionIndex:
    """Questions on a circle, by id; the first letter names paper and section."""
    angles = np.deg2rad(list(degrees.values()))
    rows = pl.DataFrame({"qa_id": list(degrees)}).with_columns(
        paper_id=pl.col("qa_id").str.slice(0, 1).str.to_uppercase(),
        section_id=pl.col("qa_id").str.slice(0, 1),
    )
    return QuestionIndex.of(rows, np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32))


def facts(core: list[tuple[str, str]], most: int, **degrees: float) -> list[tuple]:
    found = other_facts(pl.DataFrame([RELATION]), {"r": core}, index(**degrees), most)
    return (
        found.with_columns(pl.col("similarity").round(3)).select("role", "rank", "qa_id", "similarity").rows()
    )


def test_the_nearest_to_any_core_question_of_either_paper_come_first_and_core_pairs_never():
    assert facts([("s1", "t1"), ("s2", "t2")], 2, s1=0, s2=90, s3=60, s4=85, s5=10, t1=0, t2=90, t3=45) == [
        ("source", 1, "s4", 0.996),
        ("source", 2, "s5", 0.985),
        ("target", 1, "t3", 0.707),
    ]


def test_equally_near_ones_stand_in_the_order_of_the_index():
    found = facts([("s1", "t1")], 5, s1=0, s3=10, s2=-10, t1=0)
    assert [row[2] for row in found] == ["s2", "s3"]


def test_what_was_replaced_meanwhile_is_left_out():
    assert facts([("gone", "t1")], 5, s3=10, t1=0) == [("source", 1, "s3", 0.985)]
    assert facts([("gone", "gone")], 5, s3=10, t3=0) == []
    assert facts([("gone", "t1")], 5, t1=0, t2=60) == [("target", 1, "t2", 0.5)]
