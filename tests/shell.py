"""The `aimsciqa` command as a user runs it, and the queries that the docs give to it, for tests."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

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

    def __init__(self, home: Path, **settings: str) -> None:
        self.home = home
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("AIMSCIQA_")}
        own = {f"AIMSCIQA_{name}".upper(): value for name, value in settings.items()}
        self.environment = inherited | own | {"AIMSCIQA_HOME": str(home), "COLUMNS": "200"}

    def start(self, *words: str) -> subprocess.Popen:
        return subprocess.Popen(
            [AIMSCIQA, *words],
            env=self.environment,
            cwd=ROOT,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            bufsize=1,
        )

    def __call__(self, *words: str, fails: bool = False) -> str:
        process = self.start(*words)
        output, _ = process.communicate()
        assert (process.returncode != 0) == fails, output
        return output

    def rows(self, query: str) -> list[dict]:
        return json.loads(self("sql", query, "--format", "json"))
