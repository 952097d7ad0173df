"""Questions of reviews as items: which manuscript each rests on, and how models answer them."""

import pytest

from aimsciqa_assets.platform.queries import Query
from tests.review_questions import review_questions

pytestmark = pytest.mark.slow


def test_accepted_pairs_with_a_manuscript_are_items(tmp_path):
    resources = review_questions(tmp_path)

    def rows(part: str, columns: str) -> list[tuple]:
        query = Query("a.b", f"-- One row: it.\nselect {columns} from item_{part} order by all\n")
        return resources["warehouse"].read(query.text).rows()

    assert rows("questions", "item_id, variant, split, question, query") == [
        ("q1", "review_question", "dev", "How many seeds?", None),
        ("q2", "review_question", "dev", "How long?", None),
        ("q4", "review_question", "dev", "Is it dense?", None),
    ]
    assert rows("documents", "item_id, position, role, paper_id, in_hand, gold") == [
        ("q1", 1, "manuscript", "M.final", True, False),
        ("q1", 2, "cited_1", "C", False, False),
        ("q2", 1, "manuscript", "M.initial", True, False),
        ("q4", 1, "manuscript", "N.initial", True, False),
    ]
    assert rows("quotes", "item_id, position, role, name, evidence") == [
        ("q1", 1, "manuscript", "support", "Each run had five seeds.")
    ]
