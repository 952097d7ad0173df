import polars as pl

from aimsciqa_assets.aim_sciqa.relations.candidates import (
    citation_candidates,
    keyword_candidates,
)

KEYWORDS = pl.DataFrame(
    [
        ("a", "zinc"),
        ("a", "millet"),
        ("a", "trial"),
        ("b", "zinc"),
        ("c", "millet"),
        ("c", "trial"),
        ("d", "trial"),
        ("e", "sleep"),
    ],
    schema=["paper_id", "keyword"],
    orient="row",
)


def test_candidates_share_a_keyword_and_rare_keywords_count_more():
    found = keyword_candidates(pl.Series(["a"]), KEYWORDS)
    # zinc and millet are in two of five papers, trial in three: c has millet + trial, b zinc, d trial.
    assert found["target_paper_id"].to_list() == ["c", "b", "d"]
    assert found["shared"].to_list() == [2, 1, 1]
    assert found["rank"].to_list() == [1, 2, 3]


def test_a_source_is_not_its_own_candidate_and_may_have_none():
    found = keyword_candidates(pl.Series(["e", "b"]), KEYWORDS)
    assert found.select("source_paper_id", "target_paper_id").rows() == [("b", "a")]


def test_equal_candidates_come_by_id():
    keywords = pl.DataFrame({"paper_id": ["s", "z", "m", "b"], "keyword": ["k"] * 4})
    assert keyword_candidates(pl.Series(["s"]), keywords)["target_paper_id"].to_list() == ["b", "m", "z"]


def test_a_keyword_given_twice_counts_once():
    doubled = pl.concat([KEYWORDS, KEYWORDS])
    assert keyword_candidates(pl.Series(["a"]), doubled).equals(
        keyword_candidates(pl.Series(["a"]), KEYWORDS)
    )


def test_no_keywords_no_candidates():
    assert keyword_candidates(pl.Series(["a"]), KEYWORDS.clear()).is_empty()


def test_citation_candidates_need_a_cluster_to_be_told_from():
    pairs = pl.DataFrame({"source_paper_id": ["a", "a", "b", "x"], "target_paper_id": ["c", "c", "c", "a"]})
    edges = pl.DataFrame({"citing_paper_id": ["a", "a", "b"], "cited_paper_id": ["c", "d", "c"]})
    found = citation_candidates(pl.Series(["a", "b"]), pairs, edges, min_cited=2)
    assert found.rows() == [("a", "c")]


def test_all_citations_of_a_source_may_have_to_be_in_the_corpus():
    pairs = pl.DataFrame({"source_paper_id": ["a", "b"], "target_paper_id": ["c", "c"]})
    edges = pl.DataFrame(
        {
            "citing_paper_id": ["a", "a", "b", "b"],
            "cited_paper_id": ["c", "d", "c", "d"],
            "reference_ids": [["r1", "r2"], ["r3"], ["r4"], ["r5"]],
        }
    )
    sources = pl.Series(["a", "b"])
    listed = pl.DataFrame({"paper_id": ["a", "b"], "references": [3, 3]})
    assert citation_candidates(sources, pairs, edges, 1)["source_paper_id"].to_list() == ["a", "b"]
    assert citation_candidates(sources, pairs, edges, 1, listed)["source_paper_id"].to_list() == ["a"]


def test_the_number_of_shared_keywords_may_count_before_their_rarity():
    more = [("s", "k1"), ("s", "k2"), ("s", "rare"), ("t", "k1"), ("t", "k2"), ("u", "rare")]
    many = [(f"x{n}", keyword) for n in range(9) for keyword in ("k1", "k2")]
    keywords = pl.DataFrame([*more, *many], schema=["paper_id", "keyword"], orient="row")
    by_rarity, by_count = (
        keyword_candidates(pl.Series(["s"]), keywords, order)["target_paper_id"].to_list()
        for order in ("rarity", "count")
    )
    assert by_rarity[0] == "u"
    assert by_count[0] == "t"
    assert by_count[-1] == "u"


def test_a_group_is_the_shared_keyword_that_most_papers_have():
    found = keyword_candidates(pl.Series(["a", "c"]), KEYWORDS)
    groups = {row[:2]: row[2] for row in found.select("source_paper_id", "target_paper_id", "group").rows()}
    # All that share "trial" are one group, also where they share "millet", too.
    assert groups[("a", "c")] == groups[("c", "a")] == groups[("a", "d")] == groups[("c", "d")]
    assert groups[("a", "b")] != groups[("a", "c")]
