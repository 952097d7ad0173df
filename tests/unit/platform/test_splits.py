from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.platform.splits import Divided, components, sentences_of, split_items


def item(number, source, target="", *, variant="im", sentences=()):
    return Divided(f"i{number}", variant, f"p{source}", f"p{target}" if target else f"t{number}", sentences)


def items(papers, per_paper=3):
    return [item(f"{paper}.{n}", paper) for paper in range(papers) for n in range(per_paper)]


def in_test_part(parts):
    return sorted(item for item, part in parts.items() if part == "test")


def together(*some, apart="evidence"):
    return sorted(sorted(one.item_id for one in held) for held in components(some, apart))


def test_a_tenth_is_tested_and_no_source_is_in_both_parts():
    all_items = items(50)
    parts = split_items(all_items, seed=7)
    assert len(in_test_part(parts)) == 15
    in_test = {one.source for one in all_items if parts[one.item_id] == "test"}
    assert all(parts[one.item_id] == ("test" if one.source in in_test else "dev") for one in all_items)


def test_at_most_300_are_tested():
    assert len(in_test_part(split_items(items(2000, per_paper=2), seed=1))) == 300


def test_the_fraction_is_exact():
    parts = split_items(items(100, per_paper=1), seed=1, test_fraction=0.29)
    assert len(in_test_part(parts)) == 29


def test_small_sets_have_no_test_part():
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


def test_one_source_the_same_two_papers_and_the_same_sentence_go_together():
    one, mirror, other = item(1, 1, 2), item(2, 2, 1), item(3, 3, 2)
    assert together(one, mirror, other) == [["i1", "i2"], ["i3"]], "one target with other evidence is no bond"
    by_citation = item(4, 1, 5, variant="cim")
    assert together(one, other, by_citation) == [["i1", "i4"], ["i3"]]
    quoting = [item(5, 5, sentences=("s1", "s2")), item(6, 6, sentences=("s2",)), item(7, 7)]
    assert together(*quoting) == [["i5", "i6"], ["i7"]]
    assert together(*quoting, apart="facts") == [["i5"], ["i6"], ["i7"]]
    chain = [item(n, n, n + 1) for n in range(8, 12)] + [item(n + 50, n + 1, n) for n in range(8, 12)]
    assert len(together(*chain)) == 1


def test_a_component_goes_to_test_only_if_its_items_of_every_variant_fit():
    of_variant = {"im": 30, "cim": 30}
    single = [
        item(f"{variant}{n}", f"{variant}{n}", variant=variant)
        for variant, count in of_variant.items()
        for n in range(count - 4)
    ]
    large = [item(f"l{variant}{n}", "large", variant=variant) for variant in of_variant for n in range(4)]
    parts = split_items([*single, *large], seed=3)
    tested = [one.variant for one in single if parts[one.item_id] == "test"]
    assert (tested.count("im"), tested.count("cim")) == (3, 3)
    assert {parts[one.item_id] for one in large} == {"dev"}


def test_quotes_that_overlap_are_one_sentence_also_by_way_of_others():
    quotes = {"a": ("g", 0, 10), "b": ("g", 9, 20), "c": ("g", 19, 30), "d": ("g", 30, 40), "e": ("h", 0, 5)}
    assert sentences_of(quotes) == {"a": "g 0", "b": "g 0", "c": "g 0", "d": "g 30", "e": "h 0"}


@given(
    st.lists(st.tuples(*[st.sampled_from("abcdefghijkl")] * 2, st.sampled_from(("im", "cim"))), max_size=60),
    st.integers(),
    st.sampled_from(("evidence", "facts")),
)
def test_the_test_part_is_never_too_large_and_shares_nothing_that_must_be_apart(pairs, seed, apart):
    some = [
        item(n, source, target, variant=variant, sentences=(target,))
        for n, (source, target, variant) in enumerate(pairs)
    ]
    parts = split_items(some, seed, apart=apart)
    assert parts.keys() == {one.item_id for one in some}
    for variant in ("im", "cim"):
        of_variant = [one for one in some if one.variant == variant]
        tested = [one for one in of_variant if parts[one.item_id] == "test"]
        assert len(tested) <= len(of_variant) // 10
    bonds = {"dev": set(), "test": set()}
    for one in some:
        bonds[parts[one.item_id]].update(one.bonds(apart))
    assert not bonds["dev"] & bonds["test"]
