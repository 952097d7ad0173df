import os
import subprocess
import sys
from itertools import permutations
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aimsciqa_assets.aim_sciqa.relations import similarity, tensors
from aimsciqa_assets.aim_sciqa.relations.blocks import PaperPairs
from aimsciqa_assets.aim_sciqa.relations.question_index import QuestionIndex
from aimsciqa_assets.aim_sciqa.relations.similarity import Comparison, compare
from tests.reference_cases import cases
from tests.unit.aim_sciqa.relations.questions import index_of

# Another name of torch for the processor: all is done by tensors, as on a GPU.
AS_ON_A_GPU = "cpu:0"

pytestmark = pytest.mark.slow  # A first run compiles the kernel, in every worker.


def every_pair(index: QuestionIndex, groups: int = 1) -> PaperPairs:
    pairs = np.array(list(permutations(range(len(index.paper_ids)), 2)), dtype=np.int64).reshape(-1, 2)
    return PaperPairs(pairs[:, 0], pairs[:, 1], np.arange(len(pairs)) % groups)


def by_a_loop(index: QuestionIndex, source: int, target: int, tau: float, top: int) -> list[tuple]:
    """Sections, core pair, number over tau, Sim and strength of two papers, by the book, in float64."""
    vectors = index.vectors.astype(np.float64)
    found = []
    for s in range(index.paper_starts[source], index.paper_starts[source + 1]):
        for t in range(index.paper_starts[target], index.paper_starts[target + 1]):
            similarity, count, core = 0.0, 0, (-2.0, 0, 0)
            for p in range(index.section_starts[s], index.section_starts[s + 1]):
                for q in range(index.section_starts[t], index.section_starts[t + 1]):
                    cosine = round(float(sum(vectors[p] * vectors[q])), 9)
                    if cosine >= tau:
                        similarity, count = similarity + abs(cosine), count + 1
                    core = max(core, (cosine, -p, -q))
            if count:
                found.append((-round(similarity, 9), s, t, -core[1], -core[2], count, core[0]))
    return sorted(found)[:top]


def assert_equal_to_a_loop(index: QuestionIndex, pairs: PaperPairs, how: Comparison) -> None:
    rows = compare(pairs, index, how).rows_by_key("pair", named=True)
    for pair, (source, target) in enumerate(zip(pairs.sources, pairs.targets, strict=True)):
        expected = by_a_loop(index, source, target, how.tau, how.top)
        found = rows.get(pair, [])
        columns = ("source_section", "target_section", "core_source", "core_target", "pairs_over_tau")
        assert [tuple(row[name] for name in columns) for row in found] == [one[1:6] for one in expected]
        assert [row["rank"] for row in found] == list(range(1, len(found) + 1))
        assert [row["similarity"] for row in found] == pytest.approx([-one[0] for one in expected], abs=1e-5)
        assert [row["strength"] for row in found] == pytest.approx([one[6] for one in expected], abs=1e-8)


@pytest.mark.parametrize("case", cases("section_similarity_eq4_eq5"))
def test_equations_4_and_5(case):
    index = index_of([[case["input"]["u"]], [case["input"]["v"]]])
    one = PaperPairs(np.array([0]), np.array([1]), np.array([0]))
    expected = case["expected"]
    found = compare(one, index, Comparison(case["input"]["tau"])).to_dicts()
    if not expected["n_pairs_over_tau"]:
        assert found == []
        return
    assert found[0]["similarity"] == pytest.approx(expected["sim"], abs=1e-5)
    assert found[0]["pairs_over_tau"] == expected["n_pairs_over_tau"]
    first_of_target = index.section_starts[1]
    assert (found[0]["core_source"], found[0]["core_target"] - first_of_target) == tuple(
        expected["best_pair"]
    )
    assert found[0]["strength"] == pytest.approx(expected["best_score"], abs=1e-6)


sections = st.lists(st.integers(1, 12), min_size=1, max_size=4)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(sections, min_size=2, max_size=5),
    st.integers(0, 2**32 - 1),
    st.sampled_from([-0.5, 0.0, 0.3, 0.9]),
    st.integers(1, 3),
    st.integers(1, 5),
    st.sampled_from([0, 0.5, 1]),
    st.sampled_from([1, 25, 512]),
)
def test_blocks_equal_a_loop_over_question_pairs(papers, seed, tau, top, groups, repeated, columns):
    random = np.random.default_rng(seed)
    few = random.normal(size=(4, 9))

    def vectors(count):
        fresh = random.normal(size=(count, 9))
        return np.where(random.random((count, 1)) < repeated, few[random.integers(0, 4, count)], fresh)

    index = index_of([[vectors(count) for count in counts] for counts in papers])
    with mock.patch.object(similarity, "_COLUMNS", columns):
        assert_equal_to_a_loop(index, every_pair(index, groups), Comparison(tau, top, device="cpu"))
    with (
        mock.patch.object(similarity, "_WORTH_A_GPU", 0),
        mock.patch.object(tensors, "_COSINES", 9 * columns),
        mock.patch.object(tensors, "_PADDED", 9 * columns),
    ):
        assert_equal_to_a_loop(index, every_pair(index, groups), Comparison(tau, top, device=AS_ON_A_GPU))


def test_cosines_that_lie_on_tau_count():
    # 3-4-5: the cosine is 0.6, which float32 cannot say.
    index = index_of([[[[1, 0]]], [[[3, 4]]]])
    assert_equal_to_a_loop(index, every_pair(index), Comparison(0.6))
    assert compare(every_pair(index), index, Comparison(0.6))["pairs_over_tau"].to_list() == [1, 1]


def test_the_first_of_equal_pairs_is_the_core_pair_in_both_directions():
    index = index_of([[[[1, 0], [1, 0]]], [[[0, 1], [1, 0], [1, 0]]]])
    found = compare(every_pair(index), index, Comparison(0.3))
    assert found.select("core_source", "core_target").rows() == [(0, 3), (3, 0)]


@pytest.mark.parametrize("device", ["cpu", AS_ON_A_GPU])
def test_large_papers_and_small_ones_share_blocks(device, monkeypatch):
    monkeypatch.setattr(similarity, "_WORTH_A_GPU", 1000)
    random = np.random.default_rng(7)
    sizes = [1, 700, 3, 1, 40, 2000, 5]
    index = index_of([[random.normal(size=(size, 3))] for size in sizes])
    pairs = every_pair(index)
    found = compare(pairs, index, Comparison(0.0, device=device, threads=3))
    products = index.vectors.astype(np.float64) @ index.vectors.astype(np.float64).T
    ends = index.section_starts
    for row in found.iter_rows(named=True):
        source, target = pairs.sources[row["pair"]], pairs.targets[row["pair"]]
        block = products[ends[source] : ends[source + 1], ends[target] : ends[target + 1]]
        assert row["similarity"] == pytest.approx(block[block >= 0].sum(), rel=1e-6, abs=1e-5)
        assert row["strength"] == pytest.approx(block.max(), abs=1e-7)


@pytest.mark.parametrize(
    ("how", "off"),
    [
        (Comparison(0.3, device=AS_ON_A_GPU), 1e-5),
        (Comparison(0.3, device="cpu", precision="bfloat16"), 0.5),
        (Comparison(0.3, device=AS_ON_A_GPU, precision="bfloat16"), 0.5),
    ],
)
def test_other_products_give_the_same_sections(how, off, monkeypatch):
    monkeypatch.setattr(similarity, "_WORTH_A_GPU", 0)
    random = np.random.default_rng(3)
    topics = random.normal(size=(6, 32))
    index = index_of(
        [[topics[random.integers(0, 6, 8)] + random.normal(size=(8, 32)) for _ in range(3)] for _ in range(6)]
    )
    expected = compare(every_pair(index), index, Comparison(0.3, device="cpu"))
    found = compare(every_pair(index), index, how)
    assert found["pair"].equals(expected["pair"])
    assert abs(found["similarity"] - expected["similarity"]).max() < off


ROOT = Path(__file__).parents[4]
FIRST_COMPARISON = """
import sys

import numpy as np

from aimsciqa_assets.aim_sciqa.relations.similarity import Comparison, compare
from tests.unit.aim_sciqa.relations.questions import index_of
from tests.unit.aim_sciqa.relations.test_similarity import every_pair

random = np.random.default_rng(5)
index = index_of([[random.normal(size=(60, 256))] for _ in range(12)])
found = [compare(every_pair(index), index, Comparison(0.0, threads=1)) for _ in range(2)]
sys.exit(not found[0].equals(found[1]))
"""


def test_the_first_comparison_of_a_process_equals_later_ones_to_the_last_bit():
    # A BLAS that comes in only with the first product knows of no limit of its threads.
    environment = {**os.environ, "OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"}
    subprocess.run([sys.executable, "-c", FIRST_COMPARISON], cwd=ROOT, env=environment, check=True)


def test_nothing_to_compare():
    index = index_of([[[[1, 0]]]])
    assert compare(every_pair(index), index, Comparison(0.3)).is_empty()
