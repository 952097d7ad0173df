"""Every relative link of the documentation leads to a file that is there, and to a heading of that name."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *(path for name in ("docs", "docker", "examples") for path in (ROOT / name).rglob("*.md")),
    ]
)
CODE = re.compile(r"^```.*?^```|(`+).+?\1(?!`)", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)|^\[[^\]]+\]:\s*(\S+)|(?:src|href)=\"([^\"]+)\"", re.MULTILINE)
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:")


def links_of(text: str) -> list[str]:
    """The targets of all links and pictures outside of code; those to other places left out."""
    # What is code inside the words of a link is no reason to overlook the link.
    prose = CODE.sub("code", text)
    found = ["".join(groups) for groups in LINK.findall(prose)]
    return [target for target in found if not ELSEWHERE.match(target)]


def anchors_of(text: str) -> set[str]:
    """The anchors that GitHub gives to the headings; of equal ones the second ends in -1."""
    anchors: set[str] = set()
    for title in re.findall(
        r"^#{1,6}\s+(.+?)\s*#*$", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M), re.M
    ):
        slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        number = 0
        while (anchor := f"{slug}-{number}" if number else slug) in anchors:
            number += 1
        anchors.add(anchor)
    return anchors


def broken(page: Path) -> list[str]:
    found = []
    for target in links_of(page.read_text(encoding="utf-8")):
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or (anchor and anchor not in anchors_of(file.read_text(encoding="utf-8"))):
            found.append(target)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(page):
    assert broken(page) == []


def test_the_pages_with_links_are_among_them():
    names = {page.relative_to(ROOT).as_posix() for page in PAGES}
    assert {"README.md", "docs/queries.md", "docker/README.md", "examples/demo_corpus/README.md"} <= names
    assert len(links_of((ROOT / "README.md").read_text())) >= 10


def test_links_that_lead_nowhere_are_found(tmp_path):
    (tmp_path / "there.md").write_text("# A heading: `sql`, and more\n## Twice\n## Twice\n")
    page = tmp_path / "page.md"
    page.write_text(
        "[a](there.md) [`b`](there.md#a-heading-sql-and-more) [c](#own) [d](there.md#twice-1)\n# Own\n"
        "[web](https://example.org/none) `[code](none.md)`\n```\n[code](none.md)\n```\n"
        '[e](gone.md) ![f](gone.png) [g](there.md#gone) [h](#gone) <img src="gone.svg">\n[i]: gone.txt\n'
    )
    assert broken(page) == ["gone.md", "gone.png", "there.md#gone", "#gone", "gone.svg", "gone.txt"]
