"""Draws QA pairs or items for people to rate, and looks up what these need to see."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.judging.audit.criteria import Kind
from aimsciqa_assets.judging.audit.sheet import AuditError, Cells, Sheet
from aimsciqa_assets.judging.drawing import drawn
from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.platform.queries import query_of

Row = Mapping[str, Any]

SUBJECTS: Final[Mapping[Kind, str]] = {
    "single_hop": "select qa_id as subject_id from single_hop.qa_pairs where status = 'kept'",
    "multi_hop": "select item_id as subject_id from multi_hop.items where status = 'accepted'",
}
"""What may be drawn, and rated."""

NAMES: Final[Mapping[Kind, str]] = {"single_hop": "kept QA pairs", "multi_hop": "accepted items"}
_SIGNS = 8


@dataclass(frozen=True, slots=True)
class Sample:
    """A sheet, and how many subjects there were to draw from."""

    sheet: Sheet
    available: int

    @property
    def drawn_from(self) -> str:
        """What the subjects are, in words."""
        return NAMES[self.sheet.kind]


def sample(kind: Kind, number: int, seed: int, warehouse: Warehouse) -> Sample:
    """Draw `number` subjects at random, or all of them where there are fewer.

    The same data and seed give the same sheet, whose name says so. Raises `AuditError` where there are none.
    """
    ids = warehouse.read(SUBJECTS[kind])["subject_id"].to_list()
    if not ids:
        raise AuditError(f"There are no {NAMES[kind]} to draw from yet: run `aimsciqa run` first.")
    chosen = drawn(ids, number, seed)
    rows = warehouse.read(query_of(f"audit.{kind}").text, {"ids": chosen}).rows(named=True)
    shown = {row["subject_id"]: _SHOWN[kind](row) for row in rows}
    subjects = {subject: shown[subject] for subject in chosen}
    mark = digest({"seed": seed, "subjects": subjects, "order": chosen})[:_SIGNS]
    return Sample(Sheet(f"{kind}-{len(chosen)}-{mark}", kind, subjects), len(ids))


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


def _multi_hop(row: Row) -> Cells:
    links = {
        f"{side}_link": _link(row[f"{side}_pmcid"], row[f"{side}_doi"], row[f"{side}_paper_id"])
        for side in ("source", "target")
    }
    names = (
        "question answer source_evidence target_evidence source_question source_answer target_question "
        "target_answer source_paper target_paper"
    ).split()
    of_steps = (
        "inter_document_question inter_document_answer retrieval_question retrieval_answer other_papers"
    ).split()
    return {name: row[name] for name in names} | links | {name: row[name] for name in of_steps}


_SHOWN: Final = {"single_hop": _single_hop, "multi_hop": _multi_hop}


def _link(pmcid: str | None, doi: str | None, paper: str) -> str:
    """Where the paper can be read; its id when nobody knows."""
    if pmcid:
        return f"https://pmc.ncbi.nlm.nih.gov/articles/{pmcid}/"
    return f"https://doi.org/{doi}" if doi else paper
