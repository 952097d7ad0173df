import polars as pl

from aimsciqa_assets.benchmark.retrieval.queries import query_rows, random_cluster

PAPERS = [f"P{number:02}" for number in range(20)]


def document(paper: str, *, in_hand: bool = False, gold: bool = False) -> dict:
    return {"paper_id": paper, "in_hand": in_hand, "gold": gold}


def item(number: int, target: str = "P01", split: str = "dev", **columns) -> dict:
    return {
        "item_id": f"i{number}",
        "variant": "im",
        "split": split,
        "query": "Which paper?",
        "question": "What?",
        "answer": "That.",
        "documents": [document("P00", in_hand=True), document(target, gold=True)],
    } | columns


def rows(*items: dict, pools=None, split="all", whole=(), papers=PAPERS, seed=1) -> list[dict]:
    names = [each["item_id"] for each in items]
    return list(
        query_rows(
            pl.DataFrame(list(items)),
            {name: ["P01", "P02", "P03"] for name in names} if pools is None else pools,
            papers,
            split=split,
            whole=whole,
            seed=seed,
        )
    )


def test_a_query_is_the_retrieval_question_with_its_papers():
    (row,) = rows(item(1))
    drawn = row.pop("random_cluster")
    assert row == {
        "item_id": "i1",
        "variant": "im",
        "split": "dev",
        "source_paper_id": "P00",
        "target_paper_id": "P01",
        "query": "Which paper?",
        "question": "What?",
        "answer": "That.",
        "cluster": ["P01", "P02", "P03"],
    }
    assert len(drawn) == 3
    assert "P01" in drawn
    assert "P00" not in drawn


def test_only_the_asked_split():
    items = item(1), item(2, split="test"), item(3)
    assert [row["item_id"] for row in rows(*items, split="test")] == ["i2"]
    assert [row["item_id"] for row in rows(*items)] == ["i1", "i2", "i3"]


def test_all_items_of_some_variants_whatever_their_split():
    items = item(1), item(2, split="test"), item(3, variant="cim"), item(4, variant="cim", split="test")
    assert [row["item_id"] for row in rows(*items, split="test", whole=["cim"])] == ["i2", "i3", "i4"]


def test_an_item_without_a_pool_is_looked_for_among_all_papers():
    both = [document("P01", gold=True), document("P02", gold=True)]
    (row,) = rows(item(1, documents=both), pools={})
    assert (row["cluster"], row["random_cluster"]) == (None, None)
    assert (row["source_paper_id"], row["target_paper_id"]) == (None, None)


def test_an_item_that_asks_for_no_paper_has_no_cluster():
    (row,) = rows(item(1, query=None, documents=[document("P01"), document("gone")]))
    assert (row["query"], row["cluster"], row["target_paper_id"]) == (None, None, None)


def test_papers_that_cannot_be_retrieved_are_no_candidates_and_a_target_among_them_no_query():
    pools = {"i1": ["P01", "P02", "gone"], "i2": ["P01"]}
    (row,) = rows(item(1), item(2, target="gone"), pools=pools)
    assert row["cluster"] == ["P01", "P02"]
    assert len(row["random_cluster"]) == 2


def test_random_clusters_differ_by_item_and_seed_and_are_the_same_every_time():
    first, second = rows(item(1), item(2))
    assert first["random_cluster"] != second["random_cluster"]
    assert rows(item(1))[0] == first
    assert {tuple(rows(item(1), seed=seed)[0]["random_cluster"]) for seed in range(5)} != {
        tuple(first["random_cluster"])
    }


def test_every_paper_is_drawn_equally_often():
    counts = dict.fromkeys(PAPERS, 0)
    for seed in range(3000):
        for paper in random_cluster(["P00"], ["P01"], PAPERS, 4, str(seed)):
            counts[paper] += 1
    assert counts.pop("P00") == 0
    assert counts.pop("P01") == 3000
    assert all(400 < count < 600 for count in counts.values())  # 500 expected


def test_a_small_corpus_gives_all_there_is():
    assert random_cluster(["P0"], ["P1"], ["P0", "P1", "P2"], 30, "1") == ["P1", "P2"]
    assert random_cluster(["P0"], ["P1"], ["P0", "P1"], 30, "1") == ["P1"]
