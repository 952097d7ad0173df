"""What the model said where it chose among several pairs, in all places where people look at an item."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from lxml import html

from aimsciqa_assets.cli.browsing import _pieces, parts_of
from aimsciqa_assets.cli.terminal import console
from aimsciqa_assets.release.layout import releases_in
from aimsciqa_assets.release.report.browsing import FILTERS, Browsed, values_of
from aimsciqa_assets.release.report.page import article_of
from aimsciqa_assets.release.verifying import verify
from aimsciqa_assets.release.writing import write_release
from tests.release_corpus import Corpus, item

pytestmark = pytest.mark.slow

CHOICE = {"link": "part_and_whole", "core_pair_rank": 2, "retrieval_rank": 4}
REJECTED = {
    "status": "rejected",
    "decision": "reject",
    "rejection_reason": "rejected:identifiability",
    "identifiability": "reject",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Three items: i1 of a model that chose, i2 of one that had no choice, i3 rejected for its question."""
    home = tmp_path_factory.mktemp("chosen")
    corpus = Corpus(
        items=[
            item(1, source=1, target=2, identifiability="accept", **CHOICE),
            item(2, source=3, target=4, split="test"),
            item(3, source=5, target=6, **REJECTED, **CHOICE),
        ]
    )
    warehouse, settings = corpus.write(home)
    folder = releases_in(home) / settings.release.name
    write_release(warehouse, settings, folder)
    return warehouse, folder


def test_show_tells_of_verdict_link_and_ranks(made):
    warehouse, _ = made
    told = {name: parts_of(warehouse, name) for name in ("i1", "i2", "i3")}
    verdicts = {
        name: {one["name"]: one["verdict"] for one in parts["verdicts"]} for name, parts in told.items()
    }
    assert [verdicts[name]["identifiability"] for name in told] == ["accept", None, "reject"]
    chosen = [tuple(told[name][part] for part in CHOICE) for name in told]
    assert chosen == [("part_and_whole", 2, 4), (None, None, None), ("part_and_whole", 2, 4)]
    lines = {name: written(parts) for name, parts in told.items()}
    assert "  identifiability             reject" in lines["i3"]
    assert "  link of the facts   part and whole" in lines["i3"]
    assert "  core pair           number 2 of those offered" in lines["i3"]
    assert "  retrieval question  number 4 of those offered" in lines["i3"]
    assert not [line for line in lines["i2"] if "identifiab" in line or "link" in line or "offered" in line]


def written(parts) -> list[str]:
    with console.capture() as capture:
        for piece in _pieces(parts):
            console.print(piece)
    return [line.rstrip() for line in capture.get().splitlines()]


def test_the_report_and_the_review_page_tell_of_verdict_and_link(made):
    warehouse, _ = made
    browsed = Browsed.of(lambda query, told: warehouse.read(query.text, told).to_dicts(), 100)
    verdict_against = [name for name, _ in FILTERS].index("verdict") + 2
    assert {row[0]: row[verdict_against] for row in map(values_of, browsed.listed)} == {
        "i1": [],
        "i2": [],
        "i3": ["identifiability"],
    }
    # The same article stands in the report and on the review page.
    shown = {
        row["item_id"]: html.fromstring(article_of(row, 1, 3)).xpath("//ul[@class='verdicts']/li")
        for row in browsed.articles(["i1", "i2", "i3"])
    }
    lines = {name: [line.text_content() for line in found] for name, found in shown.items()}
    assert lines["i1"][-2:] == ["identifiability accept", "link of the two facts part and whole"]
    assert lines["i2"][-1] == "relational appropriateness accept"
    assert lines["i3"][-2:] == ["identifiability reject", "link of the two facts part and whole"]


def test_the_release_has_verdict_and_link_in_every_form(made):
    _, folder = made
    assert verify(folder).problems == ()
    assert said_in(folder, "dev") == ("accept", "part_and_whole")
    assert said_in(folder, "test") == (None, None)


def said_in(folder: Path, split: str) -> tuple[str | None, str | None]:
    """Verdict and link of the one item of a split: the same in both forms."""
    (row,) = pq.read_table(folder / f"data/multi_hop/{split}.parquet").to_pylist()
    (line,) = (folder / f"data/multi_hop/{split}.jsonl").read_text().splitlines()
    said = [
        (one["validation"]["identifiability"], one["relation"]["link"]) for one in (row, json.loads(line))
    ]
    assert said[0] == said[1]
    return said[0]


@pytest.mark.parametrize(
    "unlike",
    [{"identifiability": "reject", **CHOICE}, {"identifiability": "accept"}, CHOICE],
    ids=["rejected", "without a link", "without a verdict"],
)
def test_a_released_item_whose_choice_is_no_whole_one_is_found(tmp_path, unlike):
    warehouse, settings = Corpus(items=[item(1, source=1, target=2, **unlike)]).write(tmp_path)
    write_release(warehouse, settings, tmp_path / "release")
    assert verify(tmp_path / "release").problems == (
        "items are what they claim (multi hop): this rule is broken (1): i1 · im",
    )
