"""Makes requests of candidate relations, and items of the replies."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import polars as pl
from aimsciqa_resources.language_model import Dialogue, LanguageModel, beginning_with

from aimsciqa_assets.aim_sciqa.multi_hop.replies import CRITERIA, Composition, Malformed
from aimsciqa_assets.aim_sciqa.multi_hop.task import MULTI_HOP, Written
from aimsciqa_assets.aim_sciqa.multi_hop.validation import decide
from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.task import Outcome
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.identity import row_id

Row = dict[str, Any]


def relation_inputs(
    relations: pl.DataFrame,
    retrieval: pl.DataFrame,
    pairs: pl.DataFrame,
    titles: Mapping[str, str],
    section_titles: Mapping[str, str],
) -> list[Row]:
    """What the model is told about each relation: titles, sections, core QA pairs and retrieval QA.

    `pairs` has `qa_id, question, answer` of every QA pair that a relation uses.
    """
    texts = {row["qa_id"]: row for row in pairs.iter_rows(named=True)}
    chosen: dict[str, str] = dict(retrieval.select("relation_id", "qa_id").iter_rows())
    inputs = []
    for relation in relations.iter_rows(named=True):
        source, target = texts[relation["core_source_qa_id"]], texts[relation["core_target_qa_id"]]
        unique = texts[chosen[relation["relation_id"]]]
        inputs.append(
            {
                "relation": relation | {"retrieval_qa_id": unique["qa_id"]},
                "source_title": titles[relation["source_paper_id"]],
                "source_section": section_titles[relation["source_section_id"]],
                "source_question": source["question"],
                "source_answer": source["answer"],
                "target_title": titles[relation["target_paper_id"]],
                "target_section": section_titles[relation["target_section_id"]],
                "target_question": target["question"],
                "target_answer": target["answer"],
                "retrieval_question": unique["question"],
                "retrieval_answer": unique["answer"],
            }
        )
    return inputs


def item_dialogues(inputs: Iterable[Row]) -> Iterator[Dialogue[Outcome[Written]]]:
    """One dialogue per relation."""
    for row in inputs:
        told = {name: value for name, value in row.items() if name != "relation"}
        relation = row["relation"]
        yield beginning_with(relation["source_paper_id"], MULTI_HOP.ask(relation["relation_id"], **told))


def items_of(outcomes: Iterable[Outcome[Written]], inputs: list[Row], model: LanguageModel) -> pl.DataFrame:
    """Rows of `multi_hop.items`, one per relation, sorted by id."""
    by_id = {row["relation"]["relation_id"]: row for row in inputs}
    made_by = {"model": model.name, "model_revision": model.revision, "prompt_version": MULTI_HOP.version}
    rows = [_item_row(outcome, by_id[outcome.key]) | made_by for outcome in outcomes]
    return frame_of("multi_hop.items", rows).sort("item_id")


def _item_row(outcome: Outcome[Written], told: Row) -> Row:
    relation = told["relation"]
    read = Malformed(outcome.reason or "") if isinstance(outcome.read, Fault) else outcome.read
    fate = decide(read, target_title=told["target_title"], source_title=told["source_title"])
    parts = read if isinstance(read, Composition) else None
    return {
        "item_id": row_id(relation["relation_id"], relation["retrieval_qa_id"]),
        "batch": relation["batch"],
        "variant": relation["variant"],
        "relation_id": relation["relation_id"],
        "source_paper_id": relation["source_paper_id"],
        "target_paper_id": relation["target_paper_id"],
        "core_source_qa_id": relation["core_source_qa_id"],
        "core_target_qa_id": relation["core_target_qa_id"],
        "retrieval_qa_id": relation["retrieval_qa_id"],
        "retrieval_question": parts and parts.retrieval.question,
        "retrieval_answer": parts and parts.retrieval.answer,
        "inter_document_question": parts and parts.inter_document.question,
        "inter_document_answer": parts and parts.inter_document.answer,
        "merged_question": parts and parts.merged.question,
        "merged_answer": parts and parts.merged.answer,
        **{criterion: _verdict(parts.verdicts.get(criterion) if parts else None) for criterion in CRITERIA},
        "decision": _verdict(fate.decision),
        "decision_by_model": _verdict(parts.decision if parts else None),
        "status": fate.status,
        "rejection_reason": fate.rejection_reason or None,
        "reply": outcome.text,
    }


def _verdict(accepted: bool | None) -> str | None:
    return None if accepted is None else "accept" if accepted else "reject"
