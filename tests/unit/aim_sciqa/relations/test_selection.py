import polars as pl

from aimsciqa_assets.aim_sciqa.relations.selection import select_relations


def pair(number: int, source: str, strength: float, variant: str = "im") -> dict:
    return {
        "section_pair_id": f"pair{number}",
        "batch": "batch-0001",
        "variant": variant,
        "source_paper_id": source,
        "target_paper_id": f"t{number}",
        "source_section_id": f"s{number}",
        "target_section_id": f"u{number}",
        "similarity": 1.0,
        "pairs_over_tau": 1,
        "core_source_qa_id": f"q{number}",
        "core_target_qa_id": f"r{number}",
        "strength": strength,
        "rank": 1,
    }


def test_a_source_keeps_its_three_strongest_relations_of_each_variant():
    pairs = [pair(n, "a", strength) for n, strength in enumerate([0.5, 0.9, 0.7, 0.8])]
    pairs += [pair(9, "a", 0.1, "cim"), pair(8, "b", 0.2)]
    selected = select_relations(pl.DataFrame(pairs), 3)
    rows = selected.select("variant", "source_paper_id", "target_paper_id", "rank").rows()
    assert sorted(rows) == [
        ("cim", "a", "t9", 1),
        ("im", "a", "t1", 1),
        ("im", "a", "t2", 3),
        ("im", "a", "t3", 2),
        ("im", "b", "t8", 1),
    ]


def test_equal_strengths_are_ordered_by_id():
    pairs = pl.DataFrame([pair(n, "a", 0.5) for n in (3, 1, 2)])
    assert select_relations(pairs, 2)["target_paper_id"].to_list() == ["t1", "t2"]


def test_relation_ids_do_not_depend_on_rank():
    few = select_relations(pl.DataFrame([pair(1, "a", 0.5)]), 3)
    more = select_relations(pl.DataFrame([pair(1, "a", 0.5), pair(2, "a", 0.6)]), 3)
    assert few["relation_id"][0] in more["relation_id"].to_list()
