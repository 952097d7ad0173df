"""An export of a home: its files, what LLaMA-Factory and `datasets` read from them, and the card."""

import json
from hashlib import sha256

import pytest
import yaml
from aimsciqa_resources.tokens import token_counts
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.airqa.extractor.exporting import export
from aimsciqa_assets.airqa.extractor.reading import Choice
from aimsciqa_assets.airqa.extractor.windows import Cut
from tests import llama_factory
from tests.extractor_trajectories import both, long_rows, short_rows, trajectory_row, write_trajectories

pytestmark = pytest.mark.slow


@pytest.fixture
def exported(tmp_path):
    warehouse = both(Warehouse(str(tmp_path / "w.duckdb")))

    def export_to(name, cut=Cut(), choice=Choice(), picture=None):  # noqa: B008, they do not change
        folder = tmp_path / name
        folder.mkdir()
        export(warehouse, folder, cut, choice, picture)
        return folder

    export_to.warehouse = warehouse
    return export_to


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def words(row, *, learnt, mask_history=True):
    return " ".join(
        word for word, of in llama_factory.labelled(row, mask_history=mask_history) if of is learnt
    )


def test_the_files_of_an_export(exported):
    folder = exported("out")
    assert sorted(path.name for path in folder.iterdir()) == [
        *("README.md", "dataset_info.json", "sharegpt.jsonl", "statistics.json"),
        *("tool_calls.jsonl", "train.yaml"),
    ]
    ids = ["long:1", "long:3", "short:1", "short:2"]
    assert [row["id"] for row in lines(folder / "sharegpt.jsonl")] == ids
    assert [row["id"] for row in lines(folder / "tool_calls.jsonl")] == ids


def test_llama_factory_learns_the_last_turn_of_a_window(exported):
    rows = llama_factory.read(exported("out"), "extractor")
    assert len(rows) == 4
    assert words(rows[1], learnt=True) == "[Thought]: t3 [Action]: Retrieve(query='q3', limit=5)"
    assert words(rows[1], learnt=False) == (
        "You answer questions. Question: long? [Thought]: t1 [Action]: Retrieve(query='q1', limit=5) "
        "[Observation]: found 1 mumble 2 [Observation]: [Error]: no action"
    )


def test_llama_factory_learns_all_turns_of_a_whole_trajectory(exported):
    folder = exported("out", Cut(window=0))
    (row,) = llama_factory.read(folder, "extractor")
    settings = yaml.safe_load((folder / "train.yaml").read_text())
    assert settings["mask_history"] is False
    assert words(row, learnt=True, mask_history=False) == (
        "[Thought]: t1 [Action]: Query(sql='SELECT 1') "
        "[Thought]: t2 [Action]: Answer(answer=['a', '< image>'])"
    )


def test_llama_factory_finds_the_pictures(exported, tmp_path):
    def picture(arguments):
        (tmp_path / "out" / "images").mkdir(exist_ok=True)
        (tmp_path / "out" / "images" / "a.png").write_bytes(b"png")
        return "images/a.png"

    folder = exported("out", Cut(views=True), picture=picture)
    rows = llama_factory.read(folder, "extractor")
    pictures = [[path.name for path in row["images"]] for row in rows]
    assert pictures == [[], [], [], ["a.png"], ["a.png"], ["a.png"], [], []]
    settings = yaml.safe_load((folder / "train.yaml").read_text())
    assert (settings["template"], settings["model_name_or_path"]) == (
        "qwen2_vl",
        "Qwen/Qwen2.5-VL-7B-Instruct",
    )


def test_the_configuration_has_the_papers_numbers(exported):
    assert yaml.safe_load((exported("out") / "train.yaml").read_text()) == {
        "model_name_or_path": "Qwen/Qwen2.5-7B-Instruct",
        "stage": "sft",
        "do_train": True,
        "finetuning_type": "lora",
        "lora_target": "all",
        "lora_rank": 16,
        "lora_alpha": 16,
        "lora_dropout": 0.05,
        "dataset_dir": ".",
        "dataset": "extractor",
        "template": "qwen",
        "cutoff_len": 4096,
        "mask_history": True,
        "per_device_train_batch_size": 1,
        "gradient_accumulation_steps": 16,
        "learning_rate": 0.0001,
        "num_train_epochs": 1.0,
        "lr_scheduler_type": "cosine",
        "warmup_ratio": 0.1,
        "optim": "adamw_torch",
        "bf16": True,
        "seed": 42,
        "output_dir": "saves/extractor",
    }


def test_trajectories_are_chosen_by_kind_and_by_their_answer(exported):
    kinds = exported("kinds", choice=Choice(kinds=("retrieval", "multiple")))
    assert [row["id"] for row in lines(kinds / "sharegpt.jsonl")] == ["short:1", "short:2"]
    told = json.loads((kinds / "statistics.json").read_text())
    assert told["trajectories_left_out"] == {"no_answer": 1, "other_kind": 1}
    correct = exported("correct", choice=Choice(correct_only=True))
    assert [row["id"] for row in lines(correct / "sharegpt.jsonl")] == ["long:1", "long:3"]
    told = json.loads((correct / "statistics.json").read_text())
    assert told["trajectories_left_out"] == {"no_answer": 1, "not_correct": 1}


def test_statistics_count_errors_before_and_after_their_removal(exported):
    total = json.loads((exported("out") / "statistics.json").read_text())["counts"]["total"]
    assert total["actions"] == {"Retrieve": 4, "Answer": 2, "Query": 2, "View": 1, "none": 1}
    assert total["wrong_actions"] == {"sql": 1, "unparsable": 1}
    assert (total["trajectories"], total["turns"], total["samples"]) == (2, 10, 4)
    assert total["samples_left_out"] == {"view": 4, "wrong_action": 2}
    assert total["error_action_rate"] == 0.2
    assert total["error_action_rate_of_samples"] == 0.0
    assert total["turns_per_trajectory"] == 5.0
    kept = exported("kept", Cut(removes_errors=False))
    counts = json.loads((kept / "statistics.json").read_text())["counts"]
    assert list(counts) == ["total", "retrieval", "single"]
    # Of long:1 to long:4, the second and the fourth are wrong.
    assert counts["single"]["error_action_rate_of_samples"] == 0.5
    assert counts["retrieval"]["error_action_rate_of_samples"] == 0.0


def test_tokens_are_those_of_the_samples(exported):
    counts = json.loads((exported("out") / "statistics.json").read_text())["counts"]
    system, task, first, told, second = token_counts(
        [
            "You answer questions.",
            "Question: short?",
            "[Thought]: t1\n[Action]:\nQuery(sql='SELECT 1')",
            '[Observation]: {"1": 1}',
            "[Thought]: t2\n[Action]:\nAnswer(answer=['a', '<image>'])",
        ]
    )
    of = counts["retrieval"]
    assert of["longest_sample"] == system + task + first + told + second
    assert of["tokens"] == 2 * (system + task) + first + first + told + second
    assert of["tokens_learnt"] == first + second
    assert of["samples_over_cutoff"] == 0


def test_a_sample_that_is_longer_than_the_cutoff_is_told(tmp_path):
    turns = short_rows()
    turns[0]["observation"] = "word " * 4100
    warehouse = write_trajectories(Warehouse(str(tmp_path / "w.duckdb")), [trajectory_row("short")], turns)
    (tmp_path / "out").mkdir()
    told = export(warehouse, tmp_path / "out", Cut(), Choice()).told
    assert told["counts"]["total"]["samples_over_cutoff"] == 1


def test_the_same_trajectories_give_the_same_bytes(exported, tmp_path):
    first, again = exported("first"), exported("again")
    # The rows of another home came in another order.
    rows = [trajectory_row("short", "retrieval", score=0), trajectory_row("long")]
    turns = [*short_rows()[::-1], *long_rows()[::-1]]
    failed = {"status": "rejected", "rejection_reason": "no_answer", "score": None, "ended": "failed"}
    other = write_trajectories(
        Warehouse(str(tmp_path / "other.duckdb")), [*rows, trajectory_row("none", **failed)], turns
    )
    (tmp_path / "other").mkdir()
    export(other, tmp_path / "other", Cut(), Choice())

    def marks(folder):
        return {path.name: sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}

    assert marks(first) == marks(again) == marks(tmp_path / "other")


def test_datasets_loads_both_files_of_an_export(exported, tmp_path):
    datasets = pytest.importorskip("datasets", reason="datasets is part of the extra train")
    folder = exported("out")
    cache = str(tmp_path / "cache")
    chosen = datasets.load_dataset(str(folder), split="train", cache_dir=cache)
    assert chosen["id"][:] == ["long:1", "long:3", "short:1", "short:2"]
    assert chosen[0]["conversations"][0] == {"from": "human", "value": "Question: long?"}
    calls = datasets.load_dataset(str(folder), "tool_calls", split="train", cache_dir=cache)
    # Arguments of different actions keep their own names, and gain no others.
    assert [row["completion"][0]["tool_calls"][0]["function"]["arguments"] for row in calls] == [
        {"query": "q1", "limit": 5},
        {"query": "q3", "limit": 5},
        {"sql": "SELECT 1"},
        {"answer": ["a", "<image>"]},
    ]


def test_the_card_says_what_was_chosen_and_left_out(exported):
    card = (exported("out", choice=Choice(kinds=("single",), correct_only=True)) / "README.md").read_text()
    told = card.splitlines()
    assert "- a window of 5 turns before the one that is learnt" in told
    assert "- questions: single" in told
    assert "- trajectories with a correct answer only" in told
    assert "- qwen r1, actions as markdown, prompts v1" in told
    assert "| error action rate of the trajectories | 25.00 % | 25.00 % |" in told
    assert "| error action rate of what is learnt | 0.00 % | 0.00 % |" in told
    assert "| samples | wrong_action | 2 |" in told
    assert "| trajectories | other_kind | 1 |" in told


def test_an_export_of_nothing_says_so(tmp_path):
    warehouse = write_trajectories(Warehouse(str(tmp_path / "w.duckdb")), [], [])
    (tmp_path / "out").mkdir()
    assert export(warehouse, tmp_path / "out", Cut(), Choice()).samples == 0
    card = (tmp_path / "out" / "README.md").read_text()
    assert "configs" not in card
    assert "| samples | 0 |" in card
