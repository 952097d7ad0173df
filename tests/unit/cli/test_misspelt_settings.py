"""Every command refuses a variable that nothing reads, also those that need no settings."""

import pytest
from typer.testing import CliRunner

from aimsciqa_assets.cli.commands import app
from aimsciqa_assets.settings import SettingsError


@pytest.mark.parametrize("words", [["status"], ["sql", "select 1"], ["reset", "--yes"], ["journal"]])
def test_a_misspelt_home_is_refused_before_anything_is_done(words, tmp_path, monkeypatch):
    (tmp_path / "data" / "files").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AIMSCIQA_HOME")
    monkeypatch.setenv("AIMSCIQA_HOMEE", str(tmp_path / "elsewhere"))
    result = CliRunner().invoke(app, words)
    assert isinstance(result.exception, SettingsError)
    assert "AIMSCIQA_HOMEE. Did you mean AIMSCIQA_HOME?" in str(result.exception)
    assert (tmp_path / "data" / "files").exists()


def test_the_list_of_commands_is_given_all_the_same(monkeypatch):
    monkeypatch.setenv("AIMSCIQA_HOMEE", "x")
    assert CliRunner().invoke(app, ["--help"]).exit_code == 0
