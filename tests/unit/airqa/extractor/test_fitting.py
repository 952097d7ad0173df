"""Samples of an export as TRL takes them, and their cut to a number of tokens."""

import pytest
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.airqa.extractor.exporting import export
from aimsciqa_assets.airqa.extractor.fitting import ExportError, fitted, rows_of
from aimsciqa_assets.airqa.extractor.reading import Choice
from aimsciqa_assets.airqa.extractor.windows import Cut
from tests.extractor_trajectories import SYSTEM, both


@pytest.fixture
def exported(tmp_path):
    warehouse = both(Warehouse(str(tmp_path / "w.duckdb")))

    def export_to(cut=Cut()):  # noqa: B008, a cut does not change
        (tmp_path / "out").mkdir()
        export(warehouse, tmp_path / "out", cut, Choice(), lambda arguments: None)
        return tmp_path / "out"

    return export_to


def words(messages, tools):
    """Each message is as long as it has words."""
    return sum(len(one["content"].split()) for one in messages)


def told(row):
    return [one["content"].split()[-1] for one in row.get("messages") or row["prompt"] + row["completion"]]


def test_texts_become_prompt_and_completion(exported):
    _, second, *_ = rows_of(exported(), "text")
    assert second["prompt"][:2] == [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": "Question: long?"},
    ]
    assert [one["role"] for one in second["prompt"]] == ["system", *("user", "assistant") * 2, "user"]
    assert second["completion"] == [
        {"role": "assistant", "content": "[Thought]: t3\n[Action]:\nRetrieve(query='q3', limit=5)"}
    ]
    assert second["tools"] is None


def test_tool_calls_are_taken_as_they_are(exported):
    _, second, *_ = rows_of(exported(), "tool_calls")
    assert second["completion"][0]["tool_calls"][0]["function"]["arguments"] == {"query": "q3", "limit": 5}
    assert "Retrieve" in second["tools"]


def test_a_window_that_is_too_long_loses_its_oldest_turns(exported):
    _, second, *_ = rows_of(exported(), "text")
    assert words(second["prompt"] + second["completion"], None) == 24
    assert fitted(second, 24, words) == second
    shorter = fitted(second, 23, words)
    assert told(shorter) == ["questions.", "long?", "2", "action", "limit=5)"]
    assert told(fitted(second, 15, words)) == ["questions.", "long?", "limit=5)"]
    assert fitted(second, 9, words) is None


def test_a_whole_trajectory_loses_its_last_turns(exported):
    (whole,) = rows_of(exported(Cut(window=0)), "text")
    assert told(whole) == ["questions.", "short?", "1')", "1}", "image>'])"]
    shorter = fitted(whole, words(whole["messages"], None) - 1, words)
    assert [one["role"] for one in shorter["messages"]] == ["system", "user", "assistant"]
    assert told(shorter)[-1] == "1')"
    assert fitted(whole, 3, words) is None


def test_a_folder_that_is_no_export_is_named(tmp_path):
    with pytest.raises(ExportError, match="aimsciqa extractor export writes them"):
        list(rows_of(tmp_path, "text"))


def test_an_export_with_pictures_is_for_llama_factory(exported):
    with pytest.raises(ExportError, match="has pictures"):
        list(rows_of(exported(Cut(views=True)), "text"))
