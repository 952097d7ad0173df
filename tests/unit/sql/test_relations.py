"""Relations that mirror each other, the items made of them, Table 3, and the checks of clusters."""

import pytest

from aimsciqa_assets.settings import Settings
from tests.report_warehouse import insert
from tests.unit.sql.querying import run


def relation(name: str, source: str, target: str, **columns) -> dict:
    return {
        "relation_id": name,
        "variant": "im",
        "batch": "b1",
        "source_paper_id": source.upper(),
        "target_paper_id": target.upper(),
        "core_source_qa_id": source,
        "core_target_qa_id": target,
        "strength": 0.9,
        "rank": 1,
    } | columns


BOTH_WAYS = (relation("ab", "a", "b", rank=2), relation("ba", "b", "a"))


@pytest.mark.parametrize(
    ("relations", "dropped"),
    [
        (BOTH_WAYS, [("ab", "ba")]),
        ((BOTH_WAYS[0] | {"batch": "b2"}, BOTH_WAYS[1]), [("ba", "ab")]),
        ((BOTH_WAYS[0] | {"strength": 0.91}, BOTH_WAYS[1]), [("ba", "ab")]),
        ((BOTH_WAYS[0] | {"rank": 1}, BOTH_WAYS[1]), [("ba", "ab")]),
        ((BOTH_WAYS[0], BOTH_WAYS[1] | {"variant": "cim"}), []),
        ((BOTH_WAYS[0], BOTH_WAYS[1] | {"core_target_qa_id": "another"}), []),
    ],
)
def test_one_of_two_relations_that_mirror_each_other_is_kept(connection, relations, dropped):
    files = [{"file_id": f"f{n}", "batch": f"b{n}", "ingest": n} for n in (1, 2)]
    insert(connection, "corpus.input_files", *files)
    insert(connection, "relations.candidate_relations", *relations)
    rows = run(connection, "relations.mirrors")
    assert rows.select("relation_id", "kept_relation_id").rows() == dropped
    both = Settings.preset_of("demo", {"AIMSCIQA_RELATIONS_MIRRORS": "both"})
    assert run(connection, "relations.mirrors", both).is_empty()


def test_a_batch_is_stale_where_mirrors_and_items_do_not_fit(connection):
    batches = {"r1": "b1", "r2": "b2", "r3": "b3"}
    relations = [relation(name, name, "t", batch=batch) for name, batch in batches.items()]
    insert(connection, "relations.candidate_relations", *relations)
    insert(connection, "relations.mirrors", {"relation_id": "r1"})
    insert(
        connection,
        "multi_hop.items",
        *({"item_id": name, "relation_id": name, "batch": batches[name]} for name in ("r1", "r2")),
    )
    assert set(run(connection, "stale.items")["batch"]) == {"b1", "b3"}


def test_table_3_counts_words(connection):
    insert(
        connection,
        "multi_hop.items",
        {
            "item_id": "i1",
            "retrieval_question": "Which  paper is it?",
            "inter_document_question": "One two three?",
            "merged_question": "One two three four five six?",
            "inter_document_answer": "a b",
            "merged_answer": "a b c",
        },
    )
    insert(connection, "multi_hop.splits", {"item_id": "i1", "variant": "im", "split": "test"})
    rows = run(connection, "multi_hop.statistics").rows()
    assert rows == [("im", "test", 1, 1, 0, 0, 4.0, 3.0, 6.0, 2.0, 3.0)]


def test_table_3_says_how_many_facts_the_items_rest_on(connection):
    pairs = [("a", "b"), ("b", "a"), ("a", "c")]
    items = [
        {"item_id": f"i{n}", "core_source_qa_id": source, "core_target_qa_id": target}
        for n, (source, target) in enumerate(pairs)
    ]
    insert(connection, "multi_hop.items", *items)
    insert(connection, "multi_hop.splits", *({"item_id": item["item_id"]} for item in items))
    insert(connection, "relations.mirrors", {"relation_id": "r1"}, {"relation_id": "r2", "variant": "cim"})
    (row,) = run(connection, "multi_hop.statistics").rows(named=True)
    named = ("items", "core_pairs", "mirrored_items", "dropped_mirrors")
    assert [row[name] for name in named] == [3, 2, 2, 1]


def member(relation: str, paper_id: str, role: str = "distractor", *, of: int = 30) -> dict:
    return {
        "batch": "b",
        "cluster_size": of,
        "relation_id": relation,
        "variant": "im",
        "source_paper_id": "S",
        "paper_id": paper_id,
        "role": role,
        "origin": "keyword",
    }


AS_LARGE_AS_IT_MAY_BE = "tests.clusters_are_as_large_as_the_corpus_allows"


def test_clusters_of_a_small_corpus_are_small_and_say_so(connection):
    of_batch = [member(relation, f"P{n}", of=4) for relation in ("r1", "r2") for n in range(4)]
    insert(connection, "relations.clusters", *of_batch)
    assert run(connection, AS_LARGE_AS_IT_MAY_BE).is_empty()
    connection.execute("update relations.clusters set cluster_size = 30 where relation_id = 'r2'")
    assert run(connection, AS_LARGE_AS_IT_MAY_BE)["relation_id"].to_list() == ["r2"]


def test_a_cluster_that_is_too_large_is_found(connection):
    insert(connection, "relations.clusters", *(member("r1", f"P{n}", of=31) for n in range(31)))
    assert run(connection, AS_LARGE_AS_IT_MAY_BE)["relation_id"].to_list() == ["r1"]


def test_the_cluster_checks_find_what_they_are_for(connection):
    whole = [member("r1", "T", "target"), *(member("r1", f"P{n}") for n in range(29))]
    short = [member("r2", "S", of=29), *(member("r2", f"P{n}", of=29) for n in range(28))]
    insert(connection, "relations.clusters", *whole, *short)
    relations = [{"relation_id": f"r{n}", "variant": "im", "target_paper_id": "T"} for n in (1, 2)]
    insert(connection, "relations.candidate_relations", *relations)
    assert run(connection, AS_LARGE_AS_IT_MAY_BE)["relation_id"].to_list() == ["r2"]
    assert run(connection, "tests.clusters_hold_their_target")["relation_id"].to_list() == ["r2"]
    assert run(connection, "tests.no_source_in_its_own_cluster")["relation_id"].to_list() == ["r2"]
