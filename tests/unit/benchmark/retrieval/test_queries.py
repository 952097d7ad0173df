import polars as pl

from aimsciqa_assets.benchmark.retrieval.queries import query_rows, random_cluster

PAPERS = [f"P{number:02}" for number in range(20)]


def item(number: int, source: str = "P00", target: str = "P01", variant: str = "im") -> dict:
    return {
        "item_id": f"i{number}",
        "variant": variant,
        "relation_id": f"r{number}",
        "source_paper_id": source,
        "target_paper_id": target,
        "retrieval_question": "Which paper?",
        "merged_question": "What?",
        "merged_answer": "That.",
    }


def rows(*items: dict, splits=None, clusters=None, split="all", papers=PAPERS, seed=1) -> list[dict]:
    names = [each["item_id"] for each in items]
    return list(
        query_rows(
            pl.DataFrame(list(items)),
            splits or dict.fromkeys(names, "dev"),
            clusters or {each["relation_id"]: ["P01", "P02", "P03"] for each in items},
            papers,
            split=split,
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


def test_only_the_asked_split_and_only_items_with_a_split():
    splits = {"i1": "dev", "i2": "test"}
    items = item(1), item(2), item(3)
    assert [row["item_id"] for row in rows(*items, splits=splits, split="test")] == ["i2"]
    assert [row["item_id"] for row in rows(*items, splits=splits)] == ["i1", "i2"]


def test_papers_that_cannot_be_retrieved_are_no_candidates_and_a_target_among_them_no_query():
    clusters = {"r1": ["P01", "P02", "gone"], "r2": ["P01"]}
    (row,) = rows(item(1), item(2, target="gone"), clusters=clusters)
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
        for paper in random_cluster("P00", "P01", PAPERS, 4, str(seed)):
            counts[paper] += 1
    assert counts.pop("P00") == 0
    assert counts.pop("P01") == 3000
    assert all(400 < count < 600 for count in counts.values())  # 500 expected


def test_a_small_corpus_gives_all_there_is():
    assert random_cluster("P0", "P1", ["P0", "P1", "P2"], 30, "1") == ["P1", "P2"]
    assert random_cluster("P0", "P1", ["P0", "P1"], 30, "1") == ["P1"]
