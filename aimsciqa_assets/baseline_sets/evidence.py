"""Where supporting sentences stand in the documents, and what becomes of the records."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

Row = dict[str, Any]

NOT_EXACT: Final = "evidence_not_exact"
DOCUMENT_MISSING: Final = "document_missing"


def evidence_rows(
    supports: Iterable[Mapping[str, Any]], paragraphs: Mapping[str, Sequence[tuple[str, str]]]
) -> Iterator[Row]:
    """Rows of `baseline_sets.evidence`; `paragraphs` are ids and texts of each document, in order.

    White space may differ: the evidence has it as the paragraph has it.
    """
    for support in supports:
        row = {name: support[name] for name in ("item_id", "position", "document", "role", "paper_id")}
        held = paragraphs.get(support["paper_id"], ())
        place = next((found for one in held if (found := _place(support["sentence"], *one))), None)
        missing = NOT_EXACT if held else DOCUMENT_MISSING
        row["batch"] = support["document_batch"]
        yield row | (place or dict.fromkeys(_PLACE)) | {"rejection_reason": None if place else missing}


_PLACE: Final = ("paragraph_id", "evidence", "evidence_start", "evidence_end")


def _place(sentence: str, paragraph_id: str, text: str) -> Row | None:
    found = re.search(r"\s+".join(map(re.escape, sentence.split())), text)
    if found is None or not found[0]:
        return None
    return dict(zip(_PLACE, (paragraph_id, found[0], found.start(), found.end()), strict=True))


def item_rows(
    records: Iterable[Mapping[str, Any]],
    supports: Iterable[Mapping[str, Any]],
    evidence: Iterable[Mapping[str, Any]],
) -> Iterator[Row]:
    """Rows of `baseline_sets.items`: a record is accepted when all its supports stand in their documents."""
    found = {(row["item_id"], row["position"]): row["rejection_reason"] for row in evidence}
    wrong: dict[str, tuple[str, str]] = {}
    for support in supports:
        reason = found.get((support["item_id"], support["position"]), DOCUMENT_MISSING)
        if reason:
            wrong.setdefault(support["item_id"], (reason, f"{support['paper_id']}: {support['sentence']}"))
    for record in records:
        row = {name: value for name, value in record.items() if name != "file_name"}
        if record["status"] == "drawn":
            reason, detail = wrong.get(record["item_id"], (None, None))
            row |= {"rejection_reason": reason, "detail": detail}
        yield row | {"status": "rejected" if row["rejection_reason"] else "accepted"}
