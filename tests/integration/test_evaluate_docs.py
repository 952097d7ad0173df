"""The commands and programs of `docs/evaluate.md` run, in their order, on a release of their own."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from aimsciqa.command_line import app
from tests.evaluated_corpus import write_evaluated_release

pytestmark = pytest.mark.slow

PAGE = (Path(__file__).parents[2] / "docs" / "evaluate.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)


@pytest.fixture
def folder(made_once, tmp_path, monkeypatch):
    made = made_once("evaluated-release", write_evaluated_release) / "release"
    shutil.copytree(made, tmp_path / "aimsciqa-release")
    shutil.copy(made / "baselines" / "runs" / "bm25.full.trec", tmp_path / "my.trec")
    shutil.copy(made / "baselines" / "answers" / "some_model.oracle.jsonl", tmp_path / "my-answers.jsonl")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_commands_run(folder):
    typed = [shlex.split(line) for line in blocks("bash")[1].splitlines()]
    assert len(typed) == 3
    for words in typed:
        assert words[:2] == ["aimsciqa", "evaluate"]
        done = CliRunner().invoke(app, words[1:])
        assert done.exit_code == 0, done.output
    assert '"task": "answering"' in (folder / "scores.json").read_text()


def test_the_programs_run(folder, monkeypatch, capsys):
    datasets = pytest.importorskip("datasets")
    pytest.importorskip("beir")
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(folder / "cache"))
    names: dict[str, object] = {}
    programs = blocks("python")
    assert len(programs) == 4
    for program in programs:
        exec(compile(program, "evaluate.md", "exec"), names)
    said = capsys.readouterr().out
    assert "retrieval, cluster" in said
    assert "retrieval, full" in said
    assert "i2 ['P10', 'P4', 'P8']" in said
    assert names["clusters"] == {"i2": {"P10": 1.0, "P4": 0.5, "P8": 0.333333}}
    # The source of the query is no candidate.
    assert sorted(names["results"]["i2"]) == ["P1", "P10", "P2", "P4", "P5", "P6", "P7", "P8"]
