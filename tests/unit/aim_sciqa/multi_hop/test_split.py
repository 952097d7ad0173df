import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.aim_sciqa.multi_hop.split import split_items


def items(papers, per_paper=3):
    return [(f"i{paper}.{n}", f"p{paper}") for paper in range(papers) for n in range(per_paper)]


def in_test_part(parts):
    return [item for item, part in parts.items() if part == "test"]


def test_a_tenth_is_tested_and_no_source_is_in_both_parts():
    all_items = items(50)
    parts = split_items(all_items, seed=7)
    assert len(in_test_part(parts)) == 15
    in_test = {source for item, source in all_items if parts[item] == "test"}
    assert all(parts[item] == ("test" if source in in_test else "dev") for item, source in all_items)


def test_at_most_300_are_tested():
    assert len(in_test_part(split_items(items(2000, per_paper=2), seed=1))) == 300


def test_the_fraction_is_exact():
    parts = split_items(items(100, per_paper=1), seed=1, test_fraction=0.29)
    assert len(in_test_part(parts)) == 29


def test_small_sets_have_no_in_test_part():
    assert in_test_part(split_items(items(3), seed=1)) == []
    assert split_items([], seed=1) == {}


def test_the_order_of_the_items_has_no_influence_but_the_seed_has():
    all_items = items(50)
    parts = split_items(all_items, seed=7)
    assert split_items(reversed(all_items), seed=7) == parts
    assert split_items(all_items, seed=8) != parts


def test_one_more_paper_moves_few_items():
    before, after = split_items(items(100), seed=7), split_items(items(101), seed=7)
    assert sum(before[item] != after[item] for item in before) <= 6


def test_an_item_has_one_source():
    with pytest.raises(ValueError, match="item i1 has two source papers: p1 and p2"):
        split_items([("i1", "p1"), ("i1", "p2")], seed=1)


@given(st.dictionaries(st.text(max_size=3), st.sampled_from("abcdefghijkl"), max_size=60), st.integers())
def test_the_test_part_is_never_too_large(source_of, seed):
    parts = split_items(source_of.items(), seed)
    assert parts.keys() == source_of.keys()
    assert len(in_test_part(parts)) <= len(source_of) // 10
    sources = set(source_of.values())
    parts_of = [{parts[item] for item in parts if source_of[item] == source} for source in sources]
    assert all(len(found) == 1 for found in parts_of)
