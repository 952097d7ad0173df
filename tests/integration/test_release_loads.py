"""A release is loaded by the packages that others load data with, offline."""

import json
import os
import shutil
import subprocess
import sysconfig
import venv
from pathlib import Path

import pytest

import aimsciqa
from aimsciqa_assets.release.writing import write_release
from tests.release_corpus import Corpus, item

pytestmark = pytest.mark.slow

ROWS = {
    ("multi_hop", "dev"): 2,
    ("multi_hop", "test"): 1,
    ("single_hop", "dev"): 93,
    ("single_hop", "test"): 3,
    ("papers", "corpus"): 9,
    ("paragraphs", "corpus"): 32,
    ("corpus", "corpus"): 9,
    ("queries", "queries"): 3,
    ("qrels", "dev"): 2,
    ("qrels", "test"): 1,
    ("top_ranked", "dev"): 2,
    ("top_ranked", "test"): 1,
    ("full-top_ranked", "dev"): 2,
    ("full-top_ranked", "test"): 1,
}
SAME = {("full-corpus", "corpus"): 9, ("full-queries", "queries"): 3, ("full-qrels", "test"): 1}


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    home = tmp_path_factory.mktemp("release")
    warehouse, settings = Corpus().write(home)
    write_release(warehouse, settings, home / "release")
    return home / "release"


@pytest.fixture
def load_dataset(tmp_path, monkeypatch):
    datasets = pytest.importorskip("datasets")
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path / "cache"))

    def load(folder, *arguments, **options):
        return datasets.load_dataset(str(folder), *arguments, cache_dir=str(tmp_path / "cache"), **options)

    return load


@pytest.mark.parametrize(("config", "split"), ROWS | SAME)
def test_the_datasets_package_loads_each_config(release, load_dataset, config, split):
    assert load_dataset(release, config, split=split).num_rows == (ROWS | SAME)[config, split]


@pytest.mark.parametrize(
    ("setting", "candidates"),
    [
        ("", {"i1": ["P10", "P2", "P8"], "i3": ["P10", "P6", "P8"]}),
        (
            "full-",
            {
                "i1": ["P10", "P2", "P3", "P4", "P5", "P6", "P7", "P8"],
                "i3": ["P1", "P10", "P2", "P3", "P4", "P6", "P7", "P8"],
            },
        ),
    ],
)
def test_mteb_finds_the_columns_and_candidates_that_it_looks_for(release, load_dataset, setting, candidates):
    """As the documentation of its loader says: configs by name, columns by name, a split of the task."""
    documents = load_dataset(release, f"{setting}corpus", split="corpus")
    assert documents.column_names == ["_id", "title", "text"]
    assert load_dataset(release, f"{setting}queries", split="queries").column_names == ["_id", "text"]
    qrels = load_dataset(release, f"{setting}qrels", split="dev")
    assert qrels.to_dict() == {"query-id": ["i1", "i3"], "corpus-id": ["P2", "P6"], "score": [1, 1]}
    ranked = load_dataset(release, f"{setting}top_ranked", split="dev")
    assert dict(zip(ranked["query-id"], ranked["corpus-ids"], strict=True)) == candidates
    assert {paper for papers in candidates.values() for paper in papers} <= set(documents["_id"])


LOAD_WITH_MTEB = """
import json, sys
from mteb.abstasks.retrieval_dataset_loaders import RetrievalDatasetLoader

loaded = RetrievalDatasetLoader(sys.argv[1], None, split=sys.argv[2], config=sys.argv[3] or None).load()
found = loaded | {name: loaded[name]["id"][:] for name in ("corpus", "queries")}
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def mteb(tmp_path_factory) -> Path:
    """The Python of an environment with MTEB and the packages of this one. Needs a package index."""
    folder = tmp_path_factory.mktemp("mteb")
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", "mteb==2.26.24"], check=True)
    (own,) = folder.glob("lib/python*/site-packages")
    (own / "shared.pth").write_text(sysconfig.get_path("purelib"))
    return python


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("config", "split", "golds", "candidates"),
    [
        ("", "dev", {"i1": {"P2": 1}, "i3": {"P6": 1}}, {"i1": 3, "i3": 3}),
        ("", "test", {"i2": {"P4": 1}}, {"i2": 3}),
        ("full", "dev", {"i1": {"P2": 1}, "i3": {"P6": 1}}, {"i1": 8, "i3": 8}),
        ("full", "test", {"i2": {"P4": 1}}, {"i2": 8}),
    ],
)
def test_the_loader_of_mteb_loads_a_release(release, mteb, tmp_path, config, split, golds, candidates):
    done = subprocess.run(
        [mteb, "-c", LOAD_WITH_MTEB, release, split, config],
        env=os.environ | {"HF_DATASETS_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["relevant_docs"] == golds
    assert found["queries"] == list(golds)
    assert len(found["corpus"]) == 9
    assert {query: len(papers) for query, papers in found["top_ranked"].items()} == candidates


def test_the_items_are_what_is_loaded_by_default(release, load_dataset):
    loaded = load_dataset(release)
    assert sorted(loaded) == ["dev", "test"]
    assert loaded["test"][0]["target"]["retrieval_qa"]["evidence"] == "Paper 4 gave 𝛽-carotene 22 mg – daily."
    assert loaded["dev"][1]["citations"][0]["markers"] == ["[1]"]


def test_the_datasets_package_misses_a_row_that_the_card_promises(release, load_dataset, tmp_path):
    copy = shutil.copytree(release, tmp_path / "copy")
    card = copy / "README.md"
    card.write_text(card.read_text().replace("num_examples: 2\n", "num_examples: 3\n"))
    exceptions = pytest.importorskip("datasets.exceptions")
    with pytest.raises(exceptions.NonMatchingSplitsSizesError):
        load_dataset(copy, "multi_hop")


def test_a_split_without_items_is_not_in_the_way(tmp_path, load_dataset):
    warehouse, settings = Corpus(items=[item(1, source=1, target=2)]).write(tmp_path)
    write_release(warehouse, settings, tmp_path / "release")
    assert load_dataset(tmp_path / "release").num_rows == {"dev": 1}


@pytest.mark.parametrize(
    ("split", "qrels"), [("dev", {"i1": {"P2": 1}, "i3": {"P6": 1}}), ("test", {"i2": {"P4": 1}})]
)
def test_beir_loads_corpus_queries_and_qrels(release, split, qrels):
    loader = pytest.importorskip("beir.datasets.data_loader").GenericDataLoader
    corpus, queries, found = loader(data_folder=str(release / "beir")).load(split=split)
    assert found == qrels
    assert queries == {name: f"retrieval_question of {name[1:]}" for name in qrels}
    assert corpus["P1"] == {"title": "Paper 1", "text": "Abstract of 1."}
    assert len(corpus) == 9


def test_beir_reads_clusters_as_a_run_and_sources_as_qrels(release):
    util = pytest.importorskip("beir.util")
    found = util.load_runfile(str(release / "beir" / "top_ranked" / "dev.trec"))
    assert {query: list(papers) for query, papers in found.items()} == {
        "i1": ["P10", "P2", "P8"],
        "i3": ["P10", "P6", "P8"],
    }
    loader = pytest.importorskip("beir.datasets.data_loader").GenericDataLoader
    _, _, excluded = loader(data_folder=str(release / "beir"), qrels_folder="excluded").load(split="dev")
    assert excluded == {"i1": {"P1": 1}, "i3": {"P5": 1}}


def test_a_run_of_the_release_has_the_same_measures_in_beir(release):
    """BEIR evaluates by scores; those of the run are such that no order of ties matters."""
    retrieval = pytest.importorskip("beir.retrieval.evaluation")
    util = pytest.importorskip("beir.util")
    run = release / "baselines" / "runs" / "bm25.cluster.trec"
    _, _, recall, _ = retrieval.EvaluateRetrieval.evaluate(
        {"i1": {"P2": 1}, "i3": {"P6": 1}}, util.load_runfile(str(run)), [1]
    )
    found = aimsciqa.load(release).evaluate_retriever(run, split="dev")
    assert recall["Recall@1"] == pytest.approx(found.mean("Hit@1"), abs=1e-5)


def test_croissant_validates_and_gives_the_records(release):
    mlcroissant = pytest.importorskip("mlcroissant")
    dataset = mlcroissant.Dataset(str(release / "croissant.json"))
    assert dataset.metadata.ctx.issues.errors == set()
    names = {record_set.id for record_set in dataset.metadata.record_sets}
    assert names == {f"{config}_{split}" for config, split in ROWS}
    for (config, split), rows in ROWS.items():
        assert sum(1 for _ in dataset.records(f"{config}_{split}")) == rows
    (record,) = dataset.records("multi_hop_test")
    assert (
        record["multi_hop_test/source/core_qa/evidence"].decode() == "Paper 3 gave 𝛽-carotene 02 mg – daily."
    )
    assert record["multi_hop_test/cluster"] == [b"P10", b"P4", b"P8"]


def test_sha256sum_takes_the_checksums(release):
    checked = subprocess.run(
        ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"],
        cwd=release,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (checked.returncode, checked.stdout) == (0, "")
