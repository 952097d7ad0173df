from aimsciqa_assets.airqa.extractor.merging import Single, pairs_of


def paired(papers: str, wanted: int = 9) -> list[str]:
    """The papers of each pair; each letter is the paper of a single."""
    singles = [Single(f"e{n}", paper, n) for n, paper in enumerate(papers)]
    pairs = list(pairs_of(singles, wanted))
    used = [single.number for pair in pairs for single in pair]
    assert len(used) == len(set(used))
    return ["".join(sorted(single.paper for single in pair)) for pair in pairs]


def test_singles_of_one_paper_at_the_end_find_partners():
    assert paired("abcdee") == ["be", "ce", "ad"]


def test_as_many_pairs_as_the_papers_allow():
    assert paired("aaab") == ["ab"]
    assert paired("aaabb") == ["ab", "ab"]
    assert paired("abcab") == ["ab", "ac"]
    assert paired("aaa") == []
    assert paired("") == []


def test_no_more_pairs_than_are_wanted():
    assert paired("abcd", wanted=1) == ["ac"]
