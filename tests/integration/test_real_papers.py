"""The whole pipeline on real papers of `../shared`, and the odd ones beside them.

`make test-long` takes 36 papers, just enough for clusters of 30, and an encoder that takes no time. Most who
run `make test` have no ../shared, so it takes none. `make test-nightly` takes all 147 as a user would.
"""

import shutil
from dataclasses import dataclass

import pytest

from tests.aim_sciqa_alone import AIM_SCIQA
from tests.model_server import ModelServer
from tests.shell import ROOT, QuickShell, Shell

CORPORA = ROOT.parent / "shared" / "corpora"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.long,
    pytest.mark.skipif(not CORPORA.is_dir(), reason="needs the real papers in ../shared/corpora"),
]


@dataclass(frozen=True)
class Sample:
    """How many papers, and the least that is made of them."""

    papers: int
    edges: int
    pairs: int
    items: int
    citing_items: int
    hit_intervals: int
    f1_intervals: int


SOME = Sample(36, 35, 600, 3, 1, hit_intervals=2, f1_intervals=2)
ALL = Sample(147, 167, 3000, 100, 20, hit_intervals=4, f1_intervals=2)


@pytest.fixture(
    scope="module", params=[SOME, pytest.param(ALL, marks=pytest.mark.nightly)], ids=["some", "all"]
)
def sample(request) -> Sample:
    return request.param


@pytest.fixture(scope="module")
def shell(sample, tiny_encoder, tmp_path_factory) -> Shell:
    """The papers, run to the end."""
    folder = tmp_path_factory.mktemp("real")
    (folder / "papers").mkdir()
    for paper in sorted((CORPORA / "sample").iterdir())[: sample.papers]:
        shutil.copy(paper, folder / "papers")
    if sample is ALL:
        shell = Shell(folder / "home")
    else:
        shell = QuickShell(folder / "home", benchmark_retrievers="bm25", **tiny_encoder)
    # Rules compose next to nothing of real papers, so that a model of the tests' own does.
    with ModelServer() as server:
        composing = {"BACKEND": "server", "NAME": "m", "BASE_URL": server.url}
        shell.environment |= AIM_SCIQA
        shell.environment |= {f"AIMSCIQA_MULTI_HOP_MODEL_{name}": value for name, value in composing.items()}
        shell("ingest", str(folder / "papers"))
        shell("run", "--preset", "demo", "--quiet")
    return shell


def one(shell: Shell, query: str) -> int:
    return next(iter(shell.rows(query)[0].values()))


def test_every_paper_is_read(shell, sample):
    assert one(shell, "select count(*) from corpus.papers") == sample.papers
    assert one(shell, "select count(*) from corpus.rejected_files") == 0
    assert one(shell, "select count(*) from corpus.citation_edges") >= sample.edges


def test_enough_pairs_and_items_are_kept(shell, sample):
    assert one(shell, "select count(*) from single_hop.qa_pairs where status = 'kept'") >= sample.pairs
    accepted = "select count(*) from multi_hop.items where status = 'accepted' and variant = "
    assert one(shell, accepted + "'im'") >= sample.items
    assert one(shell, accepted + "'cim'") >= sample.citing_items


def test_every_cluster_has_thirty_members(shell):
    sizes = "select count(*) as n from relations.clusters where variant = 'im' group by relation_id"
    assert one(shell, f"select count(distinct n) * 1000 + any_value(n) from ({sizes})") == 1030


def test_the_benchmark_has_intervals_and_the_release_is_sound(shell, sample):
    scores = "select count(*) from benchmark.retrieval_scores where setting = 'cluster' and low <= value "
    assert one(shell, scores + "and value <= high and measure = 'Hit@1'") == sample.hit_intervals
    oracle = "select count(*) from benchmark.answering_scores where setting = 'oracle' and low <= value"
    assert one(shell, oracle + " and value <= high and measure = 'token_f1'") == sample.f1_intervals
    assert "is sound" in shell("release", "verify")
    assert (shell.home / "report.html").stat().st_size < 1_000_000


def test_odd_papers_are_read_or_rejected_by_name(tmp_path, tiny_encoder):
    shell = QuickShell(tmp_path / "home", **tiny_encoder)
    shell("ingest", str(CORPORA / "odd"))
    # Only the corpus is of interest here, whether there are items or not.
    shell("run", "--quiet", "--only-items", "--batch", "batch-0001")
    assert one(shell, "select count(*) from corpus.papers") >= 18
    unaccounted = (  # neither paper nor rejected file
        "select count(*) from corpus.input_files where file_id not in"
        " (select content_hash from corpus.papers union all select file_id from corpus.rejected_files)"
    )
    assert one(shell, unaccounted) == 0
