"""Training on an export by TRL and PEFT: what the loss is on, that it falls, and that the adapter loads."""

import json
from dataclasses import replace

import pytest
from aimsciqa_resources.warehouse import Warehouse
from typer.testing import CliRunner

from aimsciqa_assets.airqa.extractor import training
from aimsciqa_assets.airqa.extractor.exporting import export
from aimsciqa_assets.airqa.extractor.fitting import rows_of
from aimsciqa_assets.airqa.extractor.reading import Choice
from aimsciqa_assets.airqa.extractor.recipe import PAPER
from aimsciqa_assets.airqa.extractor.windows import Cut
from aimsciqa_assets.cli.commands import app
from tests.extractor_trajectories import both
from tests.tiny_language_model import write_language_model

pytestmark = pytest.mark.slow

FAST = replace(PAPER, learning_rate=0.03, epochs=12.0, accumulation=2)
LAST = "[Thought]: t3\n[Action]:\nRetrieve(query='q3', limit=5)<|im_end|>\n"


@pytest.fixture(scope="module", autouse=True)
def _trainers():
    """Here and not above, where each worker would load them to see which tests there are."""
    for module in ("trl", "peft"):
        pytest.importorskip(module, reason=f"{module} is part of the extra train")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with an export of windows, one of whole trajectories, and a tiny model."""
    folder = tmp_path_factory.mktemp("training")
    warehouse = both(Warehouse(str(folder / "w.duckdb")))
    for name, cut in (("windows", Cut()), ("whole", Cut(window=0))):
        (folder / name).mkdir()
        export(warehouse, folder / name, cut, Choice())
    texts = (folder / "windows" / "sharegpt.jsonl").read_text().splitlines()
    write_language_model(folder / "model", texts)
    return folder


def learnt(trainer):
    """The text of each sample, and the part of it that the loss is on."""
    decode = trainer.processing_class.decode
    return [
        (decode(row["input_ids"]), decode([token for token in row["labels"] if token != -100]))
        for row in trainer.train_dataset
    ]


def trainer(place, name, form="text"):
    rows = list(rows_of(place / name, form))
    return training.trainer_of(str(place / "model"), rows, place / "checkpoints", PAPER)


def test_the_loss_is_on_the_last_turn_of_a_window_alone(place):
    _, (text, label), *_ = learnt(trainer(place, "windows"))
    assert label == LAST
    assert text.endswith(f"[Error]: no action<|im_end|>\n<|im_start|>assistant\n{LAST}")
    assert text.count("<|im_start|>assistant") == 3


def test_the_loss_is_on_all_turns_of_a_whole_trajectory(place):
    ((_, label),) = learnt(trainer(place, "whole"))
    assert label == (
        "[Thought]: t1\n[Action]:\nQuery(sql='SELECT 1')<|im_end|>"
        "[Thought]: t2\n[Action]:\nAnswer(answer=['a', '< image>'])<|im_end|>"
    )


def test_trl_alone_reads_the_tool_calls_of_an_export(place):
    import trl
    from datasets import load_dataset

    rows = load_dataset(str(place / "windows"), "tool_calls", split="train", cache_dir=str(place / "cache"))
    arguments = trl.SFTConfig(output_dir=str(place / "alone"), report_to=[], bf16=False)
    (_, (text, label), *_) = learnt(trl.SFTTrainer(str(place / "model"), args=arguments, train_dataset=rows))
    assert label == 't3 call Retrieve {"query": "q3", "limit": 5}<|im_end|>\n'
    assert text.endswith(f"<|im_start|>assistant\n{label}")


@pytest.fixture(scope="module")
def trained(place):
    return training.train(place / "windows", str(place / "model"), place / "adapter", FAST)


def test_the_loss_falls_and_the_adapter_changes_what_transformers_say(place, trained):
    assert (trained.samples, trained.shortened, trained.too_long) == (4, 0, 0)
    # Four samples, two in a step, twelve times.
    assert len(trained.losses) == 24
    assert trained.losses[-1] < 0.5 * trained.losses[0]
    import torch
    from peft import AutoPeftModelForCausalLM
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(place / "adapter")
    tokens = tokenizer(LAST, return_tensors="pt")
    model = AutoPeftModelForCausalLM.from_pretrained(place / "adapter").eval()
    with torch.no_grad():
        after = model(**tokens, labels=tokens["input_ids"]).loss
        with model.disable_adapter():
            before = model(**tokens, labels=tokens["input_ids"]).loss
    assert after < before
    adapter = json.loads((place / "adapter" / "adapter_config.json").read_text())
    assert (adapter["r"], adapter["lora_alpha"], adapter["lora_dropout"]) == (16, 16, 0.05)


def test_the_record_says_what_was_trained_on_what(place, trained):
    record = json.loads((place / "adapter" / "training.json").read_text())
    assert record["base"] == str(place / "model")
    assert record["form"] == "text"
    assert record["recipe"]["learning_rate"] == 0.03
    assert record["losses"] == list(trained.losses)
    assert len(record["samples_sha256"]) == 64


def test_a_folder_is_trained_into_once(place, trained, tmp_path):
    with pytest.raises(training.FolderTakenError, match="has come to its end"):
        training.train(place / "windows", str(place / "model"), place / "adapter", FAST)
    (tmp_path / "begun").mkdir()
    (tmp_path / "begun" / "training.json").write_text('{"base": "other"}')
    with pytest.raises(training.FolderTakenError, match="Another training was begun"):
        training.train(place / "windows", str(place / "model"), tmp_path / "begun", FAST)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "text").write_text("")
    with pytest.raises(training.FolderTakenError, match="not an empty folder"):
        training.train(place / "windows", str(place / "model"), tmp_path / "mine", FAST)


def test_the_command_tells_how_the_loss_went(place, tmp_path):
    options = ("--model", str(place / "model"), "--out", str(tmp_path / "out"), "--cutoff", "110")
    faster = ("--accumulation", "1", "--learning-rate", "0.01", "--messages", "tool_calls")
    result = CliRunner().invoke(app, ["extractor", "train", str(place / "windows"), *options, *faster])
    assert result.exit_code == 0, result.output
    told, shortened = result.stdout.splitlines()
    assert told.startswith("4 samples, 4 steps, loss 7.")
    assert shortened == "1 samples lost turns: they are longer than 110 tokens."
    again = CliRunner().invoke(app, ["extractor", "train", str(place / "windows"), *options, *faster])
    assert again.exit_code == 1
    assert "has come to its end: name another folder" in again.stderr.replace("\n", " ")


def test_a_training_that_was_killed_goes_on(place, trained, tmp_path, monkeypatch):
    saved = []

    class KilledError(BaseException):
        """The process ends, as by a signal."""

    def killed(self, output_dir=None, _internal_call=False):
        saved.append(output_dir)
        if len(saved) == 3:
            raise KilledError
        save(self, output_dir, _internal_call)

    import trl

    save = trl.SFTTrainer.save_model
    monkeypatch.setattr(training, "_SAVED_AFTER", 5)
    with monkeypatch.context() as dying:
        dying.setattr(trl.SFTTrainer, "save_model", killed)
        with pytest.raises(KilledError):
            training.train(place / "windows", str(place / "model"), tmp_path / "out", FAST)
    assert "losses" not in json.loads((tmp_path / "out" / "training.json").read_text())
    resumed = training.train(place / "windows", str(place / "model"), tmp_path / "out", FAST)
    # The first ten steps are those before the end of the process.
    assert resumed.losses == pytest.approx(trained.losses, rel=1e-4)
