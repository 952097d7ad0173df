"""The help of every command fits into 80 columns, and no name in it is cut."""

import re

import pytest
import typer
from typer.testing import CliRunner

from aimsciqa_assets.cli.commands import app


def commands(group=None, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    group = group or typer.main.get_command(app)
    found = [path]
    for name, command in getattr(group, "commands", {}).items():
        found += commands(command, (*path, name))
    return found


@pytest.mark.parametrize("path", commands(), ids=" ".join)
def test_the_help_cuts_no_name(path):
    told = CliRunner().invoke(app, [*path, "--help"], env={"COLUMNS": "80", "TERMINAL_WIDTH": "80"}).output
    assert "Usage: " in told
    assert "…" not in told
    assert max(map(len, told.splitlines())) <= 80


def test_the_version_is_printed():
    result = CliRunner().invoke(app, ["--version"])
    assert result.exit_code == 0
    assert re.fullmatch(r"aimsciqa \d+\.\d+\.\d+\n", result.output)


def test_the_new_commands_are_among_them():
    assert {("items",), ("show",), ("settings",), ("prompts", "sample")} <= set(commands())
