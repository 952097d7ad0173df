from aimsciqa_assets.benchmark.dependence import clusters_of


def test_items_that_share_a_fact_are_a_cluster_also_in_a_chain():
    facts = {"b": ["f1", "f2"], "a": ["f2", "f3"], "c": ["f3"], "d": ["f4"], "e": ["f4"], "f": ["f5"]}
    assert clusters_of(facts, ["a", "b", "c", "d", "e", "f", "g"]) == {
        "a": "a",
        "b": "a",
        "c": "a",
        "d": "d",
        "e": "d",
        "f": "f",
        "g": "g",
    }


def test_an_item_that_is_not_asked_about_joins_nobody():
    assert clusters_of({"a": ["f1"], "b": ["f1", "f2"], "c": ["f2"]}, ["a", "c"]) == {"a": "a", "c": "c"}


def test_without_facts_every_item_is_by_itself():
    assert clusters_of({}, ["b", "a"]) == {"a": "a", "b": "b"}
