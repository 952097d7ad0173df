"""The accepted items that the summary of a run shows in full, whichever system made them."""

import pytest
from rich.console import Console

from aimsciqa_assets.cli.summary import print_summary
from tests.report_warehouse import add_item, add_paper, empty_warehouse, insert

pytestmark = pytest.mark.slow

QUOTES = {"first": "Zinc rose.", "second": "Iron fell."}


class Tables:
    """Reads tables in memory, as a warehouse reads its file."""

    def __init__(self, connection):
        self.connection = connection

    def read(self, query, parameters=None):
        return self.connection.sql(query, params=parameters).pl()


@pytest.fixture
def connection():
    with empty_warehouse() as made:
        for paper in "abcd":
            add_paper(made, paper)
        yield made


def add_woven(connection, item: str, kind: str, first: str, second: str, *, original: bool = False) -> None:
    """An accepted item of HopWeaver; of a polished one the original, too."""
    row = {"item_id": item, "attempt_id": item, "kind": kind, "status": "accepted", "model": "m"}
    insert(connection, "hopweaver.items", row)
    insert(connection, "hopweaver.attempts", {"attempt_id": item, "kind": kind, "status": "drafted"})
    for version in ("polished", "original")[: 1 + original]:
        told = {"question": f"{version} question of {item}?", "answer": f"Answer of {item}."}
        named = {"version_id": f"{item} {version}", "item_id": item, "kind": kind, "version": version}
        insert(connection, "hopweaver.versions", named | told)
    for position, (role, paper) in enumerate((("first", first), ("second", second)), 1):
        quote = {"position": position, "role": role, "paper_id": paper, "evidence": QUOTES[role]}
        insert(connection, "hopweaver.evidence", {"item_id": item} | quote)


def add_composed(connection, item: str, source: str, target: str, variant: str, strength: float) -> None:
    """An accepted item of AIM-SciQA, with a cluster of two papers."""
    add_item(connection, item, source, target, variant=variant, relation_id=item)
    insert(connection, "relations.candidate_relations", {"relation_id": item, "strength": strength})
    cluster = ({"relation_id": item, "paper_id": paper} for paper in (target, "d"))
    insert(connection, "relations.clusters", *cluster)


def told(connection) -> tuple[str, list[list[str]]]:
    """The heading above the examples, and the examples: lines of a label and a text."""
    console = Console(record=True, width=200)
    print_summary(Tables(connection), console)
    text = console.export_text()
    before, _, after = text.partition("accepted item")
    heading = before.rsplit("─", 1)[1] + "accepted item" + after.split("─", 1)[0]
    body = after.split("\n", 1)[1].split("──", 1)[0].strip()
    items = [block.splitlines() for block in body.split("\n\n") if block]
    return heading.strip(), [[f"{line[:19].rstrip()}: {line[19:]}" for line in lines] for lines in items]


def test_without_an_item_there_is_none(connection):
    assert told(connection) == ("No accepted item", [])


def test_items_of_hopweaver_alone_are_shown(connection):
    add_woven(connection, "w", "bridge", "a", "b")
    assert told(connection) == (
        "An accepted item",
        [
            [
                "Question: polished question of w?",
                "Answer: Answer of w.",
                "First: Title of a (a)",
                "  evidence: Zinc rose.",
                "Second: Title of b (b)",
                "  evidence: Iron fell.",
                "Kind: bridge",
            ]
        ],
    )


def test_the_two_are_of_different_kinds_and_no_originals(connection):
    add_woven(connection, "v", "bridge", "a", "b", original=True)
    add_woven(connection, "w", "bridge", "a", "c", original=True)
    add_woven(connection, "x", "comparison", "a", "d")
    heading, items = told(connection)
    assert heading == "Two of the accepted items"
    assert [item[0] for item in items] == [
        "Question: polished question of v?",
        "Question: polished question of x?",
    ]


def test_of_aim_sciqa_the_strongest_of_each_variant_are_shown_before_others(connection):
    add_composed(connection, "weak", "a", "b", "im", 0.6)
    add_composed(connection, "strong", "b", "c", "im", 0.9)
    add_composed(connection, "cited", "a", "b", "cim", 0.5)
    add_woven(connection, "w", "bridge", "c", "a")
    _, items = told(connection)
    assert items == [
        [
            "Question: Merged question of strong ?",
            "Answer: Merged answer .",
            "Source: Title of b (b)",
            "  evidence: Zinc rose.",
            "Target: Title of c (c)",
            "  evidence: Zinc rose.",
            "Search query: Which paper ?",
            "Kind: im; 2 papers to choose from",
        ],
        [
            "Question: Merged question of cited ?",
            "Answer: Merged answer .",
            "Source: Title of a (a)",
            "  evidence: Zinc rose.",
            "Target: Title of b (b)",
            "  evidence: Zinc rose.",
            "Search query: Which paper ?",
            "Kind: cim; 2 papers to choose from",
        ],
    ]


def test_the_two_have_different_targets(connection):
    add_composed(connection, "strong", "a", "c", "im", 0.9)
    add_composed(connection, "cited", "b", "c", "cim", 0.5)
    assert told(connection)[0] == "An accepted item"


def test_the_second_is_not_the_first_the_other_way_round(connection):
    add_composed(connection, "there", "a", "c", "im", 0.9)
    add_composed(connection, "back", "c", "a", "cim", 0.8)
    assert told(connection)[0] == "An accepted item"
    add_composed(connection, "other", "b", "d", "cim", 0.5)
    assert told(connection)[0] == "Two of the accepted items"
