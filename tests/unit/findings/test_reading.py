# ruff: noqa: E501 (a case is easier to read on one line)
"""What is kept of a paper that a model has read."""

import pytest
from aimsciqa_resources.language_model import ModelReply

from aimsciqa_assets.findings.marked_text import marked_papers
from aimsciqa_assets.findings.reading import ReadPaper, finding_rows, quantity_rows, read_paper
from aimsciqa_assets.findings.replies import ReadFinding

TABLE = "Table 1. Knowledge\nGroup | Good, n (%) | Poor\nNurses | 58 (63.9) | 30\nDoctors | 10 (20) | 40"
ROWS = [
    ("p1", "Abstract", "text", "Good knowledge was found in 63.9% of nurses."),
    ("p2", "Results", "text", "The odds ratio was 1.97 (95% CI 1.12–3.40). In 2019, 39 of 41 knew."),
    ("p3", "Results", "table", TABLE),
]
PAPER = marked_papers(
    {"A": "A survey of nurses"},
    [dict(zip(("paragraph_id", "section", "kind", "text"), row, strict=True), paper_id="A") for row in ROWS],
)["A"]


def read(**fields) -> ReadFinding:
    quote = fields.pop("quote", "Good knowledge was found in 63.9% of nurses.")
    return ReadFinding(
        **{"number": 1, "statement": "s", "quote": quote, "place": "P1", "measure": "good knowledge"} | fields
    )


def rows_of(*findings: ReadFinding, most: int = 40) -> list[dict]:
    return finding_rows(ReadPaper(PAPER, findings=findings), "b", most)


def test_a_paper_is_shown_with_marks_under_its_sections():
    assert PAPER.text() == (
        "# Abstract\n[P1] Good knowledge was found in 63.9% of nurses.\n"
        "# Results\n[P2] The odds ratio was 1.97 (95% CI 1.12–3.40). In 2019, 39 of 41 knew.\n"
        f"[T1] {TABLE}"
    )


@pytest.mark.parametrize(
    ("quote", "place", "paragraph", "text"),
    [
        ("63.9% of nurses", "P1", "p1", "63.9% of nurses"),
        ("63.9% of nurses", "T7", "p1", "63.9% of nurses"),
        ("Nurses | 58 (63.9) | 30", "T1", "p3", "Nurses | 58 (63.9) | 30"),
        ("Nurses | 30", "T1", "p3", "Nurses | 58 (63.9) | 30"),
        ("58 (63.9) | 30", "", "p3", "58 (63.9) | 30"),
    ],
)
def test_a_quote_is_found_in_text_and_tables(quote, place, paragraph, text):
    found = PAPER.find(quote, place)
    assert (found.paragraph_id, found.text) == (paragraph, text)
    assert (
        next(block.text for block in PAPER.blocks if block.paragraph_id == paragraph)[found.start : found.end]
        == text
    )


@pytest.mark.parametrize("quote", ["Nurses | 40", "64% of nurses", "", "30 | Nurses"])
def test_other_quotes_are_not_found(quote):
    assert PAPER.find(quote) is None


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"value": "63.9"}, None),
        ({"value": ""}, None),
        ({"quote": "63,9% of nurses"}, "evidence_not_found"),
        ({"value": "64"}, "value_not_in_quote"),
        ({"measure": " "}, "empty_finding"),
        ({"quote": "The odds ratio was 1.97 (95% CI 1.12–3.40).", "value": "1.97", "spread": "95% CI 1.12–3.40"}, None),
        ({"quote": "The odds ratio was 1.97 (95% CI 1.12–3.40).", "value": "1.97", "spread": "95% CI 2.1 to 3.4"},
         "interval_excludes_estimate"),
        ({"quote": "39 of 41 knew", "value": "39", "count": "41 of 39"}, "count_above_total"),
    ],
)  # fmt: skip
def test_a_finding_is_kept_or_rejected_with_a_reason(fields, reason):
    (row,) = rows_of(read(**fields))
    assert (row["rejection_reason"], row["status"]) == (reason, "rejected" if reason else "kept")


def test_a_share_that_does_not_fit_its_count_is_marked():
    (row,) = rows_of(read(value="63.9", unit="% of nurses", count="20 of 40"))
    assert (row["status"], row["flags"]) == ("kept", ["count_and_percent_disagree"])


def test_repetitions_and_too_many_findings_are_rejected():
    one, two = read(value="63.9"), read(number=2, value="63.9")
    assert [row["rejection_reason"] for row in rows_of(one, two)] == [None, "duplicate_finding"]
    other = read(number=2, quote="39 of 41 knew", value="39")
    assert [row["rejection_reason"] for row in rows_of(one, other, most=1)] == [None, "too_many_findings"]


def test_mentions_of_a_quantity_are_one_quantity_with_its_conflicts():
    rows = rows_of(
        read(value="63.9"),
        read(number=2, quote="Nurses | 58 (63.9) | 30", value="58", repeats=1),
        read(number=3, quote="39 of 41 knew", value="39"),
        read(number=4, quote="In 2019, 39 of 41", value="41", contradicts=3, measure="m"),
        read(number=5, quote="nowhere", value="", repeats=3),
    )
    ids = {row["finding_id"]: row["number"] for row in rows}
    quantities = quantity_rows(rows)
    assert [(ids[row["finding_id"]], ids[row["quantity_id"]], row["in_conflict"]) for row in quantities] == [
        (1, 1, True),
        (2, 1, True),
        (3, 3, True),
        (4, 4, True),
    ]


def _ended(dialogue, first: ModelReply, later: str) -> ReadPaper:
    """The result of a dialogue that gets one reply, and another one from then on."""
    request = dialogue.send(first)
    try:
        while True:
            request = dialogue.send(ModelReply(request.key, later, None))
    except StopIteration as end:
        return end.value


def test_a_long_paper_is_read_in_parts_whose_findings_are_numbered_on():
    reply = (
        '{{"card": {{"design": "{0}"}}, "findings": [{{"number": {2}, "statement": "s", "quote": "q", '
        '"place": "P1", "measure": "m", "repeats": {1}}}]}}'
    )
    dialogue = read_paper(PAPER, 40, 20)
    first = next(dialogue)
    assert "[P1]" in first.messages[1].text
    assert "[T1]" not in first.messages[1].text
    result = _ended(
        dialogue, ModelReply(first.key, reply.format("survey", 0, 1), None), reply.format("", 1, 9)
    )
    assert result.card.design == "survey"
    assert [finding.number for finding in result.findings] == list(range(1, result.parts + 1))
    assert [finding.repeats for finding in result.findings][:2] == [0, 1]
