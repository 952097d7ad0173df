"""The `aimsciqa` command as a user runs it, and the queries that the docs give to it, for tests."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from aimsciqa_assets.cli import main
from aimsciqa_assets.cli.terminal import console, errors

ROOT = Path(__file__).parents[1]
AIMSCIQA = Path(sys.executable).with_name("aimsciqa")


def documented_queries() -> dict[str, str]:
    """The queries of `docs/queries.md` by the question that each answers."""
    page = (ROOT / "docs" / "queries.md").read_text()
    found = re.findall(r"^## (.+?)$(?:(?!^## ).)*?^```sql\n(.*?)^```", page, flags=re.DOTALL | re.MULTILINE)
    assert len(found) == page.count("\n## ") == page.count("```sql")
    return dict(found)


class Shell:
    """Runs `aimsciqa` in a home of its own, with settings such as `model_name="m"` in its environment."""

    folder = ROOT
    """Where the commands are typed."""

    def __init__(self, home: Path, *, width: int = 200, **settings: str) -> None:
        self.home = home
        self.width = width
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("AIMSCIQA_")}
        own = {f"AIMSCIQA_{name}".upper(): value for name, value in settings.items()}
        self.environment = inherited | own | {"AIMSCIQA_HOME": str(home), "COLUMNS": str(width)}

    def start(self, *words: str) -> subprocess.Popen:
        return subprocess.Popen(
            [AIMSCIQA, *words],
            env=self.environment,
            cwd=self.folder,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            bufsize=1,
        )

    def __call__(self, *words: str, fails: int = 0) -> str:
        """What the command says. `fails` is its exit code: 1 with advice, 2 where the words are wrong."""
        process = self.start(*words)
        output, _ = process.communicate()
        assert process.returncode == fails, output
        return output

    def rows(self, query: str) -> list[dict]:
        return json.loads(self("sql", query, "--format", "json"))


class QuickShell(Shell):
    """The same commands in this process, without the seconds that a new one takes to import what it needs.

    It is for what a command says and writes. What a process does when it is killed, or beside others, needs a
    process: `Shell`.
    """

    def __call__(self, *words: str, fails: int = 0) -> str:
        output = io.StringIO()
        with (
            contextlib.chdir(self.folder),
            contextlib.redirect_stdout(output),
            contextlib.redirect_stderr(output),
            mock.patch.dict(os.environ, self.environment, clear=True),
            mock.patch.object(sys, "argv", ["aimsciqa", *words]),
            # The command ends its process without further ado.
            mock.patch.object(os, "_exit", sys.exit),
            # The consoles of this process were made before, and as wide as its terminal.
            mock.patch.object(console, "_width", self.width),
            mock.patch.object(errors, "_width", self.width),
            pytest.raises(SystemExit) as end,
        ):
            main()
        assert end.value.code == fails, output.getvalue()
        return output.getvalue()
