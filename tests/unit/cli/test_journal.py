"""`aimsciqa journal forget` removes answers without text, and nothing else."""

from contextlib import closing
from dataclasses import replace

import pytest
from aimsciqa_resources.language_model.journal_places import open_journal
from typer.testing import CliRunner

from aimsciqa_assets.cli.commands import app
from tests.unit.resources.test_journal import ENTRY


@pytest.fixture
def journal(tmp_path, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_HOME", str(tmp_path))
    path = tmp_path / "journal.sqlite"
    with closing(open_journal(path)) as opened:
        opened.write([ENTRY, replace(ENTRY, fingerprint="a" * 32, text="")])
    return path


def test_empty_answers_are_removed(journal):
    result = CliRunner().invoke(app, ["journal", "forget", "--task", "single_hop", "--empty"])
    assert (result.exit_code, result.output) == (0, f"Removed 1 answers to single_hop from {journal}.\n")
    with closing(open_journal(journal)) as opened:
        assert list(opened.entries()) == [ENTRY]


@pytest.mark.parametrize("options", [["--task", "single_hop"], ["--empty"]])
def test_what_to_remove_must_be_said(journal, options):
    assert CliRunner().invoke(app, ["journal", "forget", *options]).exit_code == 2
    with closing(open_journal(journal)) as opened:
        assert len(list(opened.entries())) == 2
