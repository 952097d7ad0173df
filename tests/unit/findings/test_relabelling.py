"""Which papers a relabelling shows."""

from aimsciqa_assets.findings.relabelling import shown_papers


def test_the_papers_of_an_item_are_shown_with_the_nearest_of_each_in_an_order_that_tells_nothing():
    near = {"a": ["x", "y", "b"], "b": ["x", "z"]}
    assert sorted(shown_papers("item", ["a", "b", "c"], near, 5)) == ["a", "b", "c", "x", "y"]
    orders = {tuple(shown_papers(f"item {number}", ["a", "b"], near, 4)) for number in range(9)}
    assert len(orders) > 3
    assert sorted(shown_papers("item", ["c", "d"], {}, 12)) == ["c", "d"]
