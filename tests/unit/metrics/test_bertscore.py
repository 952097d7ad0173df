import importlib
import sys

import polars as pl
import pytest

from aimsciqa_assets.benchmark.answering.measuring import by_models
from aimsciqa_assets.metrics import bertscore
from aimsciqa_assets.metrics.bertscore import BertScore, NoBertScoreError, why_none
from aimsciqa_assets.settings.benchmark import BenchmarkSettings

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
    assert why_none(MODEL) == "the package bert-score is not installed: pip install '.[bertscore]'"


def test_without_a_baseline_there_is_none(package):
    assert why_none("another/model") == "bert-score has no baseline for another/model"


def test_a_model_that_is_not_here_is_told_without_loading_anything(package):
    assert why_none(MODEL) == f"{MODEL} is not on this machine: `hf download {MODEL}`"


def test_nothing_is_amiss_where_package_and_model_are_here(package, monkeypatch):
    monkeypatch.setattr("huggingface_hub.snapshot_download", lambda model, local_files_only: f"/hub/{model}")
    assert why_none(MODEL) == ""


FAKE = """
from types import SimpleNamespace

class BERTScorer:
    def __init__(self, **told):
        BERTScorer.told = told
        self._tokenizer = SimpleNamespace(model_max_length=10**30)

    def score(self, predictions, answers):
        one = SimpleNamespace(tolist=lambda: [float(len(text)) for text in predictions])
        return one, one, one
"""


def test_the_settings_say_from_which_folder_it_is_loaded_and_whether_it_is_rescaled(package, monkeypatch):
    """The package is a fake, because the real one is an extra: what it is told is seen."""
    for name in ("bert_score", "bert_score.utils"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    (package / "__init__.py").write_text(FAKE)
    (package / "utils.py").write_text(f"model2layers = {{{MODEL!r}: 7}}")
    folder = package / "weights"
    assert why_none(MODEL, folder) == f"{folder} is no folder of a model: it has no config.json"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    chosen = BenchmarkSettings(
        bert_score_model=MODEL, bert_score_rescaled=False, bert_score_folder=str(folder)
    )
    rows = [
        {"answer_id": "a", "item_id": "q", "prediction": "four"},
        {"answer_id": "b", "item_id": "q", "prediction": None},
    ]
    right = pl.DataFrame([{"item_id": "q", "answer": "five"}])
    assert by_models(rows, right, chosen) == {"bert_score": {"a": 4.0}}
    told = sys.modules["bert_score"].BERTScorer.told
    assert (told["model_type"], told["num_layers"], told["rescale_with_baseline"]) == (str(folder), 7, False)
