import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.relations.clusters import ClusterTooSmallError, citation_cluster, similarity_cluster

PAPERS = [f"p{number:02d}" for number in range(40)]


def test_the_nearest_papers_by_keywords_fill_the_cluster():
    cluster = similarity_cluster("p00", "p05", PAPERS[1:], PAPERS, size=30, seed="s")
    assert [member.paper_id for member in cluster] == ["p05", *PAPERS[1:5], *PAPERS[6:31]]
    assert {member.origin for member in cluster} == {"keyword"}
    assert [member.role for member in cluster].count("target") == 1


def test_missing_members_are_drawn_from_papers_without_a_shared_keyword():
    cluster = similarity_cluster("p00", "p05", ["p05", "p07"], PAPERS, size=30, seed="s")
    drawn = [member.paper_id for member in cluster if member.origin == "random"]
    assert len(drawn) == 28
    assert not {"p00", "p05", "p07"} & set(drawn)
    again = similarity_cluster("p00", "p05", ["p05", "p07"], PAPERS[::-1], size=30, seed="s")
    assert again == cluster
    other_seed = similarity_cluster("p00", "p05", ["p05", "p07"], PAPERS, size=30, seed="t")
    assert other_seed != cluster


def test_a_corpus_that_is_too_small_is_an_error_that_says_what_to_do():
    with pytest.raises(
        ClusterTooSmallError, match=r"needs 30 papers.*has only 9 that were read\. Ingest more"
    ):
        similarity_cluster("p00", "p01", ["p01"], PAPERS[:10], size=30, seed="s")


@given(st.lists(st.sampled_from(PAPERS), unique=True), st.data())
def test_every_cluster_has_its_size_its_target_and_not_its_source(by_keywords, data):
    source, target = data.draw(st.lists(st.sampled_from(PAPERS), min_size=2, max_size=2, unique=True))
    cluster = similarity_cluster(source, target, by_keywords, PAPERS, size=30, seed="s")
    members = [member.paper_id for member in cluster]
    assert len(set(members)) == len(members) == 30
    assert members[0] == target
    assert source not in members


def test_the_citation_cluster_is_all_that_the_source_cites():
    cluster = citation_cluster("a", "c", ["d", "c", "b", "a", "d"])
    assert [(member.paper_id, member.role) for member in cluster] == [
        ("c", "target"),
        ("b", "distractor"),
        ("d", "distractor"),
    ]
