"""Every module, query and folder that the documentation or a docstring names in backticks is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = (
    "aimsciqa",
    "aimsciqa_assets",
    "resources",
    "dbt_like_sql",
    "prompts",
    "benchmarks",
    "tests",
    "docker",
)
FILES = sorted(
    path for folder in (*ROOMS, "docs", "examples") for path in (ROOT / folder).rglob("*") if path.is_file()
)
THERE = {f"/{path.relative_to(ROOT)}" for path in FILES} | {
    f"/{folder.relative_to(ROOT)}/" for path in FILES for folder in path.parents if ROOT in folder.parents
}
PAGES = [ROOT / "README.md", *(path for path in FILES if path.suffix == ".md" and "docs" in path.parts)]
MODULES = [path for path in FILES if path.suffix == ".py" and "tests" not in path.parts]

BLOCK = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
NAMED = re.compile(r"`((?:[\w.-]+/)*[\w.-]*\w\.(?:py|sql|j2|toml)|(?:[\w.-]+/)+)`")
# Files of examples, of a user's home and of a release.
OF_OTHERS = {
    "bridge_entities.py",
    "dbt_like_sql/items/my_system/",
    "pyproject.toml",
    "aimsciqa.toml",
    "airqa/papers.sql",
    "bad/",
    "baselines/",
    "runs/",
    "answers/",
    "beir/",
    "images/",
}


def missing(text: str) -> list[str]:
    """What a text names and is not there; `.../` stands for any folders."""
    names = [name.split(".../")[-1] for name in NAMED.findall(BLOCK.sub("", text))]
    ends = [f"/{name}" for name in names if name not in OF_OTHERS]
    return [end[1:] for end in ends if not any(path.endswith(end) for path in THERE)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_names_is_there(page):
    assert missing(page.read_text(encoding="utf-8")) == []


def test_what_a_module_names_is_there():
    named = {path.name: missing(path.read_text(encoding="utf-8")) for path in MODULES}
    assert {name: gone for name, gone in named.items() if gone} == {}


def test_what_is_not_there_is_found():
    text = "`gone.py`, `text/sentences.py` in `text/`, `gone/`\n```\n`code.py`\n```\n`resources/.../away.py`"
    assert missing(text) == ["gone.py", "gone/", "away.py"]
