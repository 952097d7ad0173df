"""A query may begin with a comment; a misspelt option is still one."""

import pytest
from aimsciqa_resources.warehouse import WarehouseMissingError
from typer.testing import CliRunner

from aimsciqa_assets.cli.commands import app


@pytest.mark.parametrize("query", ["-- a comment\nselect 1", "--c\nselect 1", "select 1"])
def test_a_query_that_begins_with_a_comment_is_no_option(query, tmp_path):
    asked = CliRunner().invoke(app, ["sql", query], env={"AIMSCIQA_HOME": str(tmp_path)})
    assert isinstance(asked.exception, WarehouseMissingError)


@pytest.mark.parametrize("option", ["--formt=json", "--formt"])
def test_a_misspelt_option_is_named(option, tmp_path):
    asked = CliRunner().invoke(app, ["sql", option, "select 1"], env={"AIMSCIQA_HOME": str(tmp_path)})
    assert (asked.exit_code, "No such option: --formt" in asked.output) == (2, True)
