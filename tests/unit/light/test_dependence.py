from aimsciqa.measures.dependence import clusters_of


def test_items_are_joined_by_shared_facts_also_in_a_chain():
    facts = {"a": ["1", "2"], "b": ["3"], "c": ["2", "4"], "d": ["4"], "e": []}
    assert clusters_of(facts, "edcba") == {"a": "a", "c": "a", "d": "a", "b": "b", "e": "e"}


def test_items_without_facts_stand_alone():
    assert clusters_of({}, ["a", "b"]) == {"a": "a", "b": "b"}
