import importlib

import pytest

from aimsciqa_assets.metrics import bertscore
from aimsciqa_assets.metrics.bertscore import BertScore, NoBertScoreError, why_none

MODEL = "nobody/has-this-model"


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package `bert_score` with a baseline for one model; importing it is an error."""
    folder = tmp_path / "packages" / "bert_score"
    baselines = folder / "rescale_baseline" / "en"
    (baselines / MODEL).parent.mkdir(parents=True)
    (baselines / f"{MODEL}.tsv").write_text("LAYER,P,R,F")
    (folder / "__init__.py").write_text("raise AssertionError('it need not be imported')")
    monkeypatch.syspath_prepend(str(folder.parent))
    importlib.invalidate_caches()
    return folder


def test_bert_score_says_in_one_line_why_there_is_none():
    with pytest.raises(NoBertScoreError) as error:
        BertScore(MODEL)
    assert "\n" not in str(error.value)


def test_without_the_package_the_advice_is_to_install_it(monkeypatch):
    monkeypatch.setattr(bertscore, "find_spec", lambda _name: None)
    assert why_none(MODEL) == "the package bert-score is not installed: pip install 'aimsciqa[bertscore]'"


def test_without_a_baseline_there_is_none(package):
    assert why_none("another/model") == "bert-score has no baseline for another/model"


def test_a_model_that_is_not_here_is_told_without_loading_anything(package):
    assert why_none(MODEL) == f"{MODEL} is not on this machine: `hf download {MODEL}`"


def test_nothing_is_amiss_where_package_and_model_are_here(package, monkeypatch):
    monkeypatch.setattr("huggingface_hub.snapshot_download", lambda model, local_files_only: f"/hub/{model}")
    assert why_none(MODEL) == ""
