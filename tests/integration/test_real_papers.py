"""The whole pipeline on the 147 real papers of `../shared`, and the odd ones beside them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CORPORA = ROOT.parent / "shared" / "corpora"
AIMSCIQA = Path(sys.executable).with_name("aimsciqa")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CORPORA.is_dir(), reason="needs the real papers in ../shared/corpora"),
]


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("real") / "home"
    aimsciqa(folder, "ingest", str(CORPORA / "sample"))
    aimsciqa(folder, "run", "--preset", "demo", "--quiet")
    return folder


def aimsciqa(home: Path, *words: str) -> str:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("AIMSCIQA_")}
    done = subprocess.run(
        [AIMSCIQA, *words],
        env=inherited | {"AIMSCIQA_HOME": str(home)},
        text=True,
        stdout=subprocess.PIPE,
        check=True,
    )
    return done.stdout


def one(home: Path, query: str) -> int:
    return next(iter(json.loads(aimsciqa(home, "sql", query, "--format", "json"))[0].values()))


def test_every_paper_is_read(home):
    assert one(home, "select count(*) from corpus.papers") == 147
    assert one(home, "select count(*) from corpus.rejected_files") == 0
    assert one(home, "select count(*) from corpus.citation_edges") >= 167


def test_enough_pairs_and_items_are_kept(home):
    assert one(home, "select count(*) from single_hop.qa_pairs where status = 'kept'") >= 3000
    accepted = "select count(*) from multi_hop.items where status = 'accepted' and variant = "
    assert one(home, accepted + "'im'") >= 100
    assert one(home, accepted + "'cim'") >= 20


def test_every_cluster_has_thirty_members(home):
    sizes = "select count(*) as n from relations.clusters where variant = 'im' group by relation_id"
    assert one(home, f"select count(distinct n) * 1000 + any_value(n) from ({sizes})") == 1030


def test_the_benchmark_has_intervals_and_the_release_is_sound(home):
    scores = "select count(*) from benchmark.retrieval_scores where setting = 'cluster' and low <= value "
    assert one(home, scores + "and value <= high and measure = 'Hit@1'") == 4  # retrievers x variants
    oracle = "select count(*) from benchmark.answering_scores where setting = 'oracle' and low <= value"
    assert one(home, oracle + " and value <= high and measure = 'token_f1'") == 2
    assert "is sound" in aimsciqa(home, "release", "verify")
    assert (home / "report.html").stat().st_size < 1_000_000


def test_odd_papers_are_read_or_rejected_by_name(tmp_path):
    aimsciqa(tmp_path, "ingest", str(CORPORA / "odd"))
    # 19 papers are too few for clusters of 30, so only the corpus is of interest here.
    subprocess.run(
        [AIMSCIQA, "run", "--quiet", "--only-items"],
        env=os.environ | {"AIMSCIQA_HOME": str(tmp_path)},
        check=False,
    )
    assert one(tmp_path, "select count(*) from corpus.papers") >= 18
    unaccounted = (  # neither paper nor rejected file
        "select count(*) from corpus.input_files where file_id not in"
        " (select content_hash from corpus.papers union all select file_id from corpus.rejected_files)"
    )
    assert one(tmp_path, unaccounted) == 0
