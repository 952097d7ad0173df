"""A release is loaded by the packages that others load data with, offline."""

import shutil
import subprocess

import pytest

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
}


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


@pytest.mark.parametrize(("config", "split"), ROWS)
def test_the_datasets_package_loads_each_config(release, load_dataset, config, split):
    assert load_dataset(release, config, split=split).num_rows == ROWS[config, split]


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
