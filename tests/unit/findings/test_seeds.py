"""Questions that users want covered: which are new, and which groups fit them."""

import pytest
from aimsciqa_resources.warehouse import Warehouse
from typer import BadParameter

from aimsciqa_assets.findings.commands import _questions
from aimsciqa_assets.findings.drafting import ShownGroup
from aimsciqa_assets.findings.seeds import groups_for, take_seeds
from tests.fakes import WordEncoder


def group(name: str, kind: str, label: str, *statements: str) -> ShownGroup:
    findings = tuple(
        {"finding_id": f"{name}{number}", "paper_id": f"p{number}", "measure": "zinc", "statement": statement}
        for number, statement in enumerate(statements)
    )
    return ShownGroup(name, kind, label, findings)


GROUPS = [
    group("zinc", "measure", "grain zinc", "Zinc rose under drought.", "Zinc fell under drought."),
    group("one", "measure", "grain zinc", "Zinc rose under drought.", "Nobody knows whom voters trust."),
    group("votes", "measure", "turnout", "Turnout was high.", "Turnout was low in May."),
    group("paper", "paper", "grain zinc under drought", "We sold shares.", "They bought bonds."),
]


@pytest.mark.parametrize(
    ("seed", "fitting"),
    [
        ("Which papers report grain zinc under drought?", ["zinc", "one"]),
        ("How high was turnout?", ["votes"]),
        ("quarks", []),
    ],
)
def test_a_group_fits_by_the_findings_of_two_papers(seed, fitting):
    chosen = groups_for([seed], GROUPS, WordEncoder())
    assert [group.group_id for group in chosen[seed]] == fitting


def test_three_groups_are_shown_for_a_seed_at_most():
    many = [group(f"g{number}", "measure", "grain zinc", "Zinc rose.", "Zinc fell.") for number in range(9)]
    assert [one.group_id for one in groups_for(["grain zinc"], many, WordEncoder())["grain zinc"]] == [
        *("g0", "g1", "g2")
    ]
    assert groups_for(["grain zinc"], [], WordEncoder()) == {"grain zinc": []}


def test_a_question_in_another_spelling_is_known(tmp_path):
    warehouse = Warehouse(str(tmp_path / "warehouse.duckdb"))
    assert take_seeds(["How much zinc?", "How much iron?"], warehouse) == 2
    assert take_seeds(["how much  ZINC?", "How much iodine?"], warehouse) == 1
    kept = warehouse.read("select question from findings.seeds order by 1")["question"].to_list()
    assert kept == ["How much iodine?", "How much iron?", "How much zinc?"]


def test_lines_that_are_no_questions_are_passed_over(tmp_path):
    file = tmp_path / "questions.txt"
    file.write_text("# ours\n\nHow much  zinc?\nHow much zinc?\n")
    assert _questions(file) == ["How much zinc?"]
    for content, told in (
        (b"\xff\n", "line 1"),
        (b"why " * 200, "800 characters|799"),
        (b"#\n", "no question"),
    ):
        file.write_bytes(content)
        with pytest.raises(BadParameter, match=told):
            _questions(file)
