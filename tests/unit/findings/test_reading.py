# ruff: noqa: E501 (a case is easier to read on one line)
"""What is kept of a paper that a model has read."""

import json

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
        ({"quote": "39 of 41 knew", "value": "39", "count": "5 of 0"}, "count_above_total"),
        ({"quote": "39 of 41 knew", "value": "39", "count": "1" * 5_000}, None),
        ({"quote": "39 of 41 knew", "conditions": ["site: x"] * 1_000}, "long_finding"),
        ({"statement": "s" * 10**7}, "long_finding"),
        ({"quote": "A finding of another paper.", "value": None, "conditions": None}, "evidence_not_found"),
        ({"value": 63.9}, None),
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


def _replies(dialogue, replies: dict[int, str]) -> ReadPaper:
    """The result of a dialogue, with a reply for each part by its number."""
    request = next(dialogue)
    try:
        while True:
            request = dialogue.send(ModelReply(request.key, replies[request.variables["part"]], None))
    except StopIteration as end:
        return end.value


def test_a_paper_of_300_pages_keeps_what_was_read_beside_an_unreadable_part():
    pages = [
        {
            "paper_id": "A",
            "paragraph_id": f"p{page}",
            "section": "S",
            "kind": "text",
            "text": f"Page {page}." * 30,
        }
        for page in range(1, 301)
    ]
    finding = {"statement": "s", "quote": "Page 7.", "place": "P7", "measure": "m"}
    findings = [finding | {"number": 1}, finding | {"number": 2, "repeats": 1}]
    later = json.dumps({"card": {}, "findings": findings})
    first = json.dumps({"card": {"design": "survey"}, "findings": findings})
    dialogue = read_paper(marked_papers({"A": "T"}, pages)["A"], 40, 6_000)
    read = _replies(dialogue, {1: first, 2: later, 3: "[1, 2]", 4: later, 5: later})
    assert (read.reason, read.failure, read.parts, read.card.design) == (None, None, 4, "survey")
    assert [(finding.number, finding.repeats) for finding in read.findings] == [
        *((1, 0), (2, 1), (3, 0), (4, 3), (5, 0), (6, 5), (7, 0), (8, 7)),
    ]


@pytest.mark.parametrize(
    "reply",
    ["[1, 2]", "5", "null", '{"card": {}}', '{"card": {}, "findings": [{"value": NaN}]}', "[" * 10_000],
)
def test_a_reply_without_card_and_findings_rejects_the_paper(reply):
    read = _replies(read_paper(PAPER, 40, 6_000), {1: reply})
    assert (read.reason, read.findings, read.failure) == ("malformed_reply", (), None)


def test_a_paper_without_text_is_not_asked_about():
    with pytest.raises(StopIteration) as end:
        next(read_paper(marked_papers({"B": "T"}, [])["B"], 40, 6_000))
    assert end.value.value.reason == "no_text"


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
