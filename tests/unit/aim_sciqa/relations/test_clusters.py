import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.aim_sciqa.relations.clusters import citation_clusters, similarity_clusters

PAPERS = [f"p{number:02d}" for number in range(40)]


def relations(*pairs) -> pl.DataFrame:
    rows = [("b", f"{source}>{target}", "im", source, target) for source, target in pairs]
    names = ["batch", "relation_id", "variant", "source_paper_id", "target_paper_id"]
    return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")


def nearest(by_source) -> pl.DataFrame:
    rows = [
        (source, target, rank)
        for source, targets in by_source.items()
        for rank, target in enumerate(targets, start=1)
    ]
    schema = {"source_paper_id": pl.String, "target_paper_id": pl.String, "rank": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def cluster(by_keywords, papers=PAPERS, source="p00", target="p05", seed=1) -> pl.DataFrame:
    return similarity_clusters(
        relations((source, target)), nearest({source: by_keywords}), papers, size=30, seed=seed
    )


def test_the_nearest_papers_by_keywords_fill_the_cluster():
    found = cluster(PAPERS[1:])
    assert found["paper_id"].to_list() == ["p05", *PAPERS[1:5], *PAPERS[6:31]]
    assert found["origin"].unique().to_list() == ["keyword"]
    assert found["position"].to_list() == list(range(30))
    assert found["role"].to_list() == ["target"] + 29 * ["distractor"]


def test_missing_members_are_drawn_from_papers_without_a_shared_keyword():
    found = cluster(["p05", "p07"])
    drawn = found.filter(pl.col("origin") == "random")["paper_id"].to_list()
    assert len(drawn) == len(set(drawn)) == 28
    assert not {"p00", "p05", "p07"} & set(drawn)
    assert cluster(["p05", "p07"], PAPERS[::-1]).equals(found)
    assert not cluster(["p05", "p07"], seed=2).equals(found)


def test_papers_that_may_not_be_used_are_passed_over():
    found = cluster(["p01", "retracted", "p02"])
    assert found["paper_id"].to_list()[:3] == ["p05", "p01", "p02"]
    assert found["origin"].to_list()[0] == "random"


def test_a_small_corpus_gives_clusters_of_all_its_papers_and_their_rows_say_so():
    found = cluster(["p01"], PAPERS[:10], target="p01")
    assert sorted(found["paper_id"]) == PAPERS[1:10]
    assert found["position"].to_list() == list(range(9))
    assert found["cluster_size"].to_list() == 9 * [9]
    assert cluster(PAPERS[1:])["cluster_size"].to_list() == 30 * [30]


@given(
    st.lists(
        st.tuples(st.permutations(PAPERS), st.lists(st.sampled_from(PAPERS), unique=True)),
        min_size=1,
        max_size=4,
        unique_by=lambda drawn: drawn[0][0],
    )
)
def test_every_cluster_has_its_size_its_target_and_not_its_source(drawn):
    pairs = [(papers[0], papers[1]) for papers, _ in drawn]
    by_source = {
        papers[0]: [paper for paper in by_keywords if paper != papers[0]] for papers, by_keywords in drawn
    }
    found = similarity_clusters(relations(*pairs), nearest(by_source), PAPERS, size=30, seed=1)
    for source, target in pairs:
        members = found.filter(pl.col("relation_id") == f"{source}>{target}")["paper_id"].to_list()
        near = [paper for paper in by_source[source] if paper != target]
        assert members[: 1 + len(near[:29])] == [target, *near[:29]]
        assert len(set(members)) == len(members) == 30
        assert source not in members


def test_no_relations_no_clusters():
    assert similarity_clusters(relations(), nearest({}), [], size=30, seed=1).is_empty()


def test_the_citation_cluster_is_all_that_the_source_cites():
    edges = pl.DataFrame({"citing_paper_id": ["a"] * 5 + ["x"], "cited_paper_id": [*"dcbad", "z"]})
    found = citation_clusters(relations(("a", "c")), edges)
    assert found.select("paper_id", "role", "origin", "position", "cluster_size").rows() == [
        ("c", "target", "citation", 0, 3),
        ("b", "distractor", "citation", 1, 3),
        ("d", "distractor", "citation", 2, 3),
    ]
