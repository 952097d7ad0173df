"""`aimsciqa journal` names what its total leaves out; `journal forget` removes answers without text alone."""

from contextlib import closing
from dataclasses import replace

import pytest
from aimsciqa_resources.language_model.journal_places import open_journal
from aimsciqa_resources.language_model.prices import Price
from rich.console import Console
from typer.testing import CliRunner

from aimsciqa_assets.cli.commands import app
from aimsciqa_assets.cli.summary import print_journal
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


@pytest.mark.parametrize(
    ("priced", "told"),
    [
        (["m", "other"], None),
        (["m"], "The cost leaves out models without a price: other."),
        (["elsewhere"], "The cost leaves out models without a price: m, other."),
        ([], "What they cost is told if AIMSCIQA_MODEL_PRICES names a price table."),
    ],
)
def test_the_total_says_which_models_have_no_price(tmp_path, priced, told):
    with closing(open_journal(tmp_path / "journal.sqlite")) as opened:
        opened.write([replace(ENTRY, fingerprint=model * 32, model=model) for model in ("m", "other")])
    printed = Console(record=True, width=120)
    print_journal(tmp_path / "journal.sqlite", dict.fromkeys(priced, Price(1.0, 1.0, 1.0)), printed)
    *_, last = printed.export_text().splitlines()
    assert last == told if told else last.startswith("in all")


@pytest.mark.parametrize("options", [["--task", "single_hop"], ["--empty"]])
def test_what_to_remove_must_be_said(journal, options):
    assert CliRunner().invoke(app, ["journal", "forget", *options]).exit_code == 2
    with closing(open_journal(journal)) as opened:
        assert len(list(opened.entries())) == 2
