"""Draws QA pairs or items for people to rate, and looks up the texts that the raters need."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.items import FORMS
from aimsciqa_assets.judging.audit.criteria import SINGLE_HOP, Kind
from aimsciqa_assets.judging.audit.sheet import AuditError, Cells, Sheet
from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.platform.drawing import drawn
from aimsciqa_assets.platform.queries import query_of

Row = Mapping[str, Any]

_PAIRS = "select qa_id as subject_id from single_hop.qa_pairs where status = 'kept'"
_DIGITS_OF_A_NAME = 8


@dataclass(frozen=True, slots=True)
class Sample:
    """A sheet, and how many subjects there were to draw from."""

    sheet: Sheet
    available: int

    @property
    def drawn_from(self) -> str:
        """What the subjects are, in words."""
        return name_of(self.sheet.kind)


def name_of(kind: Kind) -> str:
    """What a sheet is drawn from, in words."""
    return "kept QA pairs" if kind == SINGLE_HOP else "accepted items"


def subjects_of(kind: Kind, warehouse: Warehouse) -> list[str]:
    """The ids of what may be drawn, and rated."""
    if kind == SINGLE_HOP:
        found = warehouse.read(_PAIRS)
    else:
        names = [of_form.name for of_form in FORMS[kind].kinds]
        found = warehouse.read(query_of("audit.subjects").text, {"kinds": names})
    return found["subject_id"].to_list()


def sample(kind: Kind, number: int, seed: int, warehouse: Warehouse) -> Sample:
    """Draw `number` subjects at random, or all of them where there are fewer.

    The same data and seed give the same sheet, with the same name. Raises `AuditError` where there are none.
    """
    ids = subjects_of(kind, warehouse)
    if not ids:
        raise AuditError(f"There are no {name_of(kind)} to draw from yet: run `aimsciqa run` first.")
    chosen = drawn(ids, number, seed)
    query, cells = ("single_hop", _single_hop) if kind == SINGLE_HOP else ("items", _item)
    rows = warehouse.read(query_of(f"audit.{query}").text, {"ids": chosen}).rows(named=True)
    shown = {row["subject_id"]: cells(row) for row in rows}
    columns = dict.fromkeys(name for told in shown.values() for name in told)
    subjects = {subject: {name: shown[subject].get(name, "") for name in columns} for subject in chosen}
    fingerprint = digest({"seed": seed, "subjects": subjects, "order": chosen})[:_DIGITS_OF_A_NAME]
    return Sample(Sheet(f"{kind}-{len(chosen)}-{fingerprint}", kind, subjects), len(ids))


def _single_hop(row: Row) -> Cells:
    paragraph, start, end = row["paragraph"], row["evidence_start"], row["evidence_end"]
    return {
        "question": row["question"],
        "answer": row["answer"],
        "evidence": row["evidence"],
        "paragraph": f"{paragraph[:start]}[[{paragraph[start:end]}]]{paragraph[end:]}",
        "paragraph_before": row["paragraph_before"],
        "paragraph_after": row["paragraph_after"],
        "section": " > ".join(filter(None, (row["section"], row["subsection"]))),
        "paper": row["paper"],
        "link": _link(row["pmcid"], row["doi"], row["paper_id"]),
    }


def _item(row: Row) -> Cells:
    cells = {"question": row["question"], "answer": row["answer"]}
    documents = {document["role"]: document for document in row["documents"]}
    quotes = {role: document["quote"] or {} for role, document in documents.items()}
    cells |= {f"{role}_evidence": quote.get("evidence") or "" for role, quote in quotes.items()}
    for role, quote in quotes.items():
        cells |= {f"{role}_{part}": quote.get(part) or "" for part in ("question", "answer")}
    cells |= {f"{role}_paper": document["paper"] or "" for role, document in documents.items()}
    for role, document in documents.items():
        cells[f"{role}_link"] = _link(document["pmcid"], document["doi"], document["paper_id"])
    # The first step comes last, next to the papers among which it looks.
    for step in reversed(row["steps"] or []):
        cells |= {f"{step['name']}_{part}": step[part] or "" for part in ("question", "answer")}
    return cells | ({"other_papers": row["other_papers"] or ""} if row["has_pool"] else {})


def _link(pmcid: str | None, doi: str | None, paper: str) -> str:
    """Where the paper can be read; its id when it has neither PMCID nor DOI."""
    if pmcid:
        return f"https://pmc.ncbi.nlm.nih.gov/articles/{pmcid}/"
    return f"https://doi.org/{doi}" if doi else paper
