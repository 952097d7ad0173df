"""Draws QA pairs or items for people to rate, and looks up the texts that the raters need."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.items import FORMS
from aimsciqa_assets.judging.audit.criteria import SINGLE_HOP, Kind
from aimsciqa_assets.judging.audit.sheet import AuditError, Cells, Sheet
from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.platform.drawing import drawn
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.settings.sections import AuditSettings

Row = Mapping[str, Any]

OTHER_PAPER = "other_paper_"
"""Begins the columns with titles and abstracts of the papers among which the target is looked for."""

_DIGITS_OF_A_NAME = 8


@dataclass(frozen=True, slots=True)
class Sample:
    """A sheet, how many subjects there were to draw from, and what they are, in words."""

    sheet: Sheet
    available: int
    drawn_from: str


def name_of(kind: Kind) -> str:
    """What may be rated on a sheet, in words."""
    return "QA pairs with exact evidence" if kind == SINGLE_HOP else "accepted items"


def subjects_of(kind: Kind, warehouse: Warehouse) -> list[str]:
    """The ids of all that may be rated."""
    return [subject for subjects in _groups(kind, warehouse).values() for subject in subjects]


def sample(kind: Kind, number: int, seed: int, warehouse: Warehouse, chosen: AuditSettings) -> Sample:
    """Draw `number` subjects at random, or all of them where there are fewer.

    QA pairs of both sides of the alignment filter, if the settings want them, are half of a sheet each. The
    same data, settings and seed give the same sheet, with the same name. Raises `AuditError` where there are
    none.
    """
    drawn_from, groups = _wanted(kind, _groups(kind, warehouse), chosen)
    ids = [subject for group in groups for subject in group]
    if not ids:
        raise AuditError(f"There are no {drawn_from} to draw from yet: run `aimsciqa run` first.")
    picked = drawn(_of_each(groups, number, seed), number, seed)
    query, cells = ("single_hop", _single_hop) if kind == SINGLE_HOP else ("items", _item)
    rows = warehouse.read(query_of(f"audit.{query}").text, {"ids": picked}).rows(named=True)
    shown = {row["subject_id"]: cells(row) for row in rows}
    if not chosen.abstracts:
        shown = {subject: _without_abstracts(told) for subject, told in shown.items()}
    columns = dict.fromkeys(name for told in shown.values() for name in told)
    subjects = {subject: {name: shown[subject].get(name, "") for name in columns} for subject in picked}
    fingerprint = digest({"seed": seed, "subjects": subjects, "order": picked})[:_DIGITS_OF_A_NAME]
    return Sample(Sheet(f"{kind}-{len(picked)}-{fingerprint}", kind, subjects), len(ids), drawn_from)


def _groups(kind: Kind, warehouse: Warehouse) -> dict[str, list[str]]:
    """The ids of what may be rated: of pairs by the side of the filter, of items by their split."""
    if kind == SINGLE_HOP:
        found = warehouse.read(query_of("audit.pairs").text)
        names = {True: "kept", False: "filtered"}
        of = [names[is_kept] for is_kept in found["is_kept"]]
    else:
        kinds = [of_form.name for of_form in FORMS[kind].kinds]
        found = warehouse.read(query_of("audit.subjects").text, {"kinds": kinds})
        of = [split or "" for split in found["split"]]
    groups: dict[str, list[str]] = {}
    for group, subject in zip(of, found["subject_id"], strict=True):
        groups.setdefault(group, []).append(subject)
    return groups


def _wanted(
    kind: Kind, groups: Mapping[str, list[str]], chosen: AuditSettings
) -> tuple[str, list[list[str]]]:
    """What the settings want to be rated: in words, and the ids in groups, each drawn from by itself."""
    if kind == SINGLE_HOP and chosen.pairs == "both":
        named = "QA pairs, half of them kept and half taken out by the alignment filter"
        return named, [groups.get("kept", []), groups.get("filtered", [])]
    if kind == SINGLE_HOP:
        return "kept QA pairs", [groups.get("kept", [])]
    if chosen.split == "test":
        return "accepted items of the test split", [groups.get("test", [])]
    return name_of(kind), [[subject for group in groups.values() for subject in group]]


def _of_each(groups: Sequence[Sequence[str]], number: int, seed: int) -> list[str]:
    """An equal share of each group, and more of the others where a group has too few."""
    picked: list[str] = []
    for place, group in enumerate(sorted(groups, key=len)):
        share = -(-(number - len(picked)) // (len(groups) - place))
        picked += drawn(group, share, seed)
    return picked


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
    if not row["has_pool"]:
        return cells
    others = row["other_papers"] or []
    # A cell each: a spreadsheet holds no cell with thirty abstracts.
    texts = {f"{OTHER_PAPER}{number}": _text(paper) for number, paper in enumerate(others, 1)}
    return cells | {"other_papers": "\n".join(paper["title"] for paper in others)} | texts


def _without_abstracts(cells: Cells) -> Cells:
    return {name: text for name, text in cells.items() if not name.startswith(OTHER_PAPER)}


def _text(paper: Row) -> str:
    return "\n".join(filter(None, (paper["title"], paper["abstract"])))


def _link(pmcid: str | None, doi: str | None, paper: str) -> str:
    """Where the paper can be read; its id when it has neither PMCID nor DOI."""
    if pmcid:
        return f"https://pmc.ncbi.nlm.nih.gov/articles/{pmcid}/"
    return f"https://doi.org/{doi}" if doi else paper
