from collections import Counter
from itertools import permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.aim_sciqa.relations.blocks import Block, PaperPairs, dense_blocks

papers = st.integers(0, 15)
pairs = st.lists(
    st.tuples(papers, papers, st.integers(-1, 3)).filter(lambda pair: pair[0] != pair[1]),
    unique_by=lambda pair: pair[:2],
    max_size=200,
)


def blocks_of(given_pairs, questions, most_rows) -> list[Block]:
    columns = np.array(given_pairs, dtype=np.int64).reshape(-1, 3).T
    found = dense_blocks(PaperPairs(*columns), np.array(questions), most_rows)
    return [block for blocks in found for block in blocks.each()]


@given(pairs, st.lists(st.integers(1, 30), min_size=16, max_size=16), st.integers(1, 90))
def test_every_pair_stands_in_one_block_at_its_place(some, questions, most_rows):
    seen = Counter()
    for block in blocks_of(some, questions, most_rows):
        assert block.pairs.shape == (len(block.rows), len(block.columns))
        for papers_of_side in (block.rows, block.columns):
            assert len(set(papers_of_side)) == len(papers_of_side)
        assert sum(questions[paper] for paper in block.rows) <= most_rows or len(block.rows) == 1
        for (i, j), pair in np.ndenumerate(block.pairs):
            if pair >= 0:
                assert some[pair][:2] == (block.rows[i], block.columns[j])
                seen[int(pair)] += 1
    assert seen == Counter(range(len(some)))


def test_papers_of_a_keyword_make_full_blocks():
    every = [(source, target, 0) for source, target in permutations(range(40), 2)]
    found = blocks_of(every, [50] * 40, 400)
    wanted = sum((block.pairs >= 0).sum() for block in found)
    compared = sum(block.pairs.size for block in found)
    assert wanted == len(every)
    assert wanted > 0.95 * compared
    assert len(found) == 5


def test_pairs_that_have_nothing_in_common_are_not_filled_up():
    scattered = [(source, 20 + source, 0) for source in range(20)]
    assert all(block.pairs.size == 1 for block in blocks_of(scattered, [10] * 40, 400))
