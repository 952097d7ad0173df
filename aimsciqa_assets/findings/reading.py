"""Reads a paper: one request, or one for each part of a long paper; its card and its grounded findings.

A reply that cannot be used leaves the paper rejected. A finding whose quote does not stand in the paper, or
whose numbers contradict themselves, stays as a rejected row with its reason.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from aimsciqa_resources.language_model import Dialogue

from aimsciqa.measures.numbers import count_of, interval_of, number_of, numbers_in
from aimsciqa_assets.asking.task import Outcome, json_task
from aimsciqa_assets.findings.marked_text import MarkedPaper, Quote
from aimsciqa_assets.findings.replies import Card, PaperReading, ReadFinding
from aimsciqa_assets.platform.identity import row_id

Row = dict[str, Any]

READING: Final = json_task("findings_reading", PaperReading)
PERCENT_TOLERANCE: Final = 1.0
"""Percentage points by which a printed share may differ from its printed count."""
LONGEST_TEXT: Final = 5_000
"""Characters of a field at most: a model that repeats itself writes more."""


@dataclass(frozen=True, slots=True)
class ReadPaper:
    """What reading a paper gave: its card and findings, or the reason why there are none."""

    paper: MarkedPaper
    card: Card = field(default_factory=Card)
    findings: tuple[ReadFinding, ...] = ()
    parts: int = 0
    reason: str | None = None
    failure: str | None = None
    """Why there was no reply; the next run asks again."""


def read_paper(paper: MarkedPaper, most: int, part_tokens: int) -> Dialogue[ReadPaper]:
    """Ask for the card and the findings of a paper, part by part; an unreadable part is left out."""
    card, findings = Card(), tuple[ReadFinding, ...]()
    unreadable = list[str | None]()
    parts = list(paper.parts(part_tokens))
    if not parts:
        return ReadPaper(paper, reason="no_text")
    for part, blocks in enumerate(parts, start=1):
        outcome: Outcome[PaperReading] = yield from READING.ask(
            row_id(paper.paper_id, "reading", part),
            title=paper.title,
            most=most,
            card=card.model_dump_json() if part > 1 else "",
            part=part,
            earlier=len(findings),
            text=paper.text(blocks),
        )
        if outcome.failure:
            return ReadPaper(paper, parts=part, reason=outcome.reason, failure=outcome.failure)
        if outcome.value is None:
            unreadable.append(outcome.reason)
            continue
        card = _completed(card, outcome.value.card)
        findings += tuple(_numbered(outcome.value.findings, len(findings)))
    reason = unreadable[0] if unreadable and not findings else None
    return ReadPaper(paper, card, findings, len(parts) - len(unreadable), reason)


def _completed(card: Card, later: Card) -> Card:
    """Return the later card with what it leaves empty, or writes without end, from the earlier one."""
    values = {
        name: value for name, value in later.model_dump().items() if value and len(str(value)) <= LONGEST_TEXT
    }
    return Card(**card.model_dump() | values)


def _numbered(findings: Sequence[ReadFinding], earlier: int) -> Iterator[ReadFinding]:
    """Yield the findings numbered on; what they refer to by number is renumbered with them."""
    numbers = {finding.number: earlier + place for place, finding in enumerate(findings, start=1)}
    for place, finding in enumerate(findings, start=1):
        number = earlier + place
        yield finding.model_copy(
            update={
                "number": number,
                "repeats": _referred(finding.repeats, numbers, earlier, number),
                "contradicts": _referred(finding.contradicts, numbers, earlier, number),
            }
        )


def _referred(number: int, numbers: Mapping[int, int], earlier: int, own: int) -> int:
    referred = numbers.get(number, number if number <= earlier else 0)
    return 0 if number < 1 or referred == own else referred


def paper_row(read: ReadPaper, batch: str, made_by: Mapping[str, str]) -> Row:
    """Return the row of a paper in `findings.papers`."""
    card = read.card.model_dump()
    return {
        "paper_id": read.paper.paper_id,
        "batch": batch,
        **card,
        "findings": len(read.findings),
        "parts": read.parts,
        "status": "rejected" if read.reason else "kept",
        "rejection_reason": read.reason,
        **made_by,
    }


def finding_rows(read: ReadPaper, batch: str, most: int) -> list[Row]:
    """Return the rows of the findings of a paper in `findings.findings`."""
    rows = list[Row]()
    known = set[tuple[str, ...]]()
    for finding in read.findings:
        quote = read.paper.find(finding.quote, finding.place)
        row = _row(finding, quote, read.paper.paper_id, batch)
        same = (row["evidence"], finding.measure.casefold(), finding.value, finding.exposure.casefold())
        reason = fault_of(row)
        if reason is None and same in known:
            reason = "duplicate_finding"
        if reason is None and len(known) >= most:
            reason = "too_many_findings"
        if reason is None:
            known.add(same)
        rows.append(row | {"status": "rejected" if reason else "kept", "rejection_reason": reason})
    return rows


def _row(finding: ReadFinding, quote: Quote | None, paper: str, batch: str) -> Row:
    interval, count = interval_of(finding.spread), count_of(finding.count)
    row: Row = {
        "finding_id": row_id(paper, finding.number, finding.quote, finding.statement),
        "batch": batch,
        "paper_id": paper,
        "number": finding.number,
        "statement": finding.statement.strip(),
        "measure": finding.measure.strip(),
        "exposure": finding.exposure.strip(),
        "comparator": finding.comparator.strip(),
        "direction": finding.direction,
        "value": number_of(finding.value),
        "value_text": finding.value.strip(),
        "unit": finding.unit.strip(),
        "low": interval[0] if interval else None,
        "high": interval[1] if interval else None,
        "spread": finding.spread.strip(),
        "numerator": count[0] if count else None,
        "denominator": count[1] if count else None,
        "conditions": list(_conditions(finding.conditions)),
        "cited": finding.cited.strip(),
        "repeats": finding.repeats or None,
        "contradicts": finding.contradicts or None,
        "paragraph_id": quote.paragraph_id if quote else None,
        "evidence": quote.text if quote else finding.quote,
        "evidence_start": quote.start if quote else None,
        "evidence_end": quote.end if quote else None,
    }
    return row | {"flags": list(_flags(row))}


def _conditions(lines: Sequence[str]) -> Iterator[Row]:
    """Yield conditions by name; a line without a name has an empty one."""
    for line in lines:
        name, colon, value = line.partition(":")
        if line.strip():
            yield {
                "condition": name.strip().casefold() if colon else "",
                "stated": (value if colon else line).strip(),
            }


def fault_of(row: Mapping[str, Any]) -> str | None:
    """Return why a finding cannot be kept: spec 5, stage 1; None if it can."""
    if row["paragraph_id"] is None:
        return "evidence_not_found"
    if not (row["statement"] and row["measure"]):
        return "empty_finding"
    if any(len(str(value)) > LONGEST_TEXT for name, value in row.items() if name != "evidence"):
        return "long_finding"
    value = row["value"]
    quoted = [number.value for number in numbers_in(row["evidence"])]
    if value is not None and value not in quoted and -value not in quoted:
        return "value_not_in_quote"
    has_interval = value is not None and row["low"] is not None and _is_interval(row["spread"])
    if has_interval and not row["low"] <= value <= row["high"]:
        return "interval_excludes_estimate"
    if row["denominator"] is not None and row["numerator"] > row["denominator"]:
        return "count_above_total"
    return None


def _is_interval(spread: str) -> bool:
    """Say whether the ends are those of a confidence or credible interval, and no range of groups."""
    lowered = spread.casefold()
    return any(word in lowered for word in ("ci", "interval", "cri", "95%", "95 %"))


def _flags(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is odd about a finding and no reason to reject it."""
    value, whole = row["value"], row["denominator"]
    if value is None or not whole:
        return
    if row["unit"].startswith("%") and abs(100 * row["numerator"] / whole - value) > PERCENT_TOLERANCE:
        yield "count_and_percent_disagree"


def quantity_rows(findings: Sequence[Mapping[str, Any]]) -> list[Row]:
    """Return which quantity each kept finding of one paper states (`findings.quantities`).

    Findings state one quantity if a reply says that one repeats the other, directly or through others. A
    quantity is in conflict if its findings have different values, or one is said to contradict another.
    """
    kept = {row["number"]: row for row in findings if row["status"] == "kept"}
    first: dict[int, int] = {}
    for number, row in sorted(kept.items()):
        root = row["repeats"]
        first[number] = first.get(root, number) if root in kept and root < number else number
    conflicting = {
        first[number]
        for pair in ((row["number"], row["contradicts"]) for row in kept.values())
        if pair[1] in kept
        for number in pair
    }
    values: dict[int, set[float]] = {}
    for number, row in kept.items():
        if row["value"] is not None:
            values.setdefault(first[number], set()).add(row["value"])
    return [
        {
            "finding_id": row["finding_id"],
            "batch": row["batch"],
            "paper_id": row["paper_id"],
            "quantity_id": kept[first[number]]["finding_id"],
            "in_conflict": first[number] in conflicting or len(values.get(first[number], ())) > 1,
        }
        for number, row in sorted(kept.items())
    ]


def with_status(read: ReadPaper, rows: Sequence[Mapping[str, Any]]) -> ReadPaper:
    """Return the reading, rejected if none of its findings could be kept."""
    if read.reason is None and not any(row["status"] == "kept" for row in rows):
        return replace(read, reason="no_finding")
    return read
