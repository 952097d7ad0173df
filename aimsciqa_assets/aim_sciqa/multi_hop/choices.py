"""What the model is told where it chooses: several core pairs and retrieval questions of a relation.

It also sees the abstracts of both papers, what else they say on the matter, and the sentences around each
piece of evidence.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import polars as pl

from aimsciqa_assets.aim_sciqa.multi_hop.surroundings import surroundings

Row = dict[str, Any]
OtherFacts = Mapping[tuple[str, str], Sequence[str]]
"""What else the papers of a relation say, by relation and role: QA ids, the nearest first."""


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts that the inputs are made of: QA pairs by id (question, answer, section_id, paragraph_id and
    the offsets of the evidence), paragraphs, section titles, and papers (title, abstract), each by id.
    """

    pairs: Mapping[str, Row]
    paragraphs: Mapping[str, str]
    sections: Mapping[str, str]
    papers: Mapping[str, Row]

    def told_of(self, qa_id: str) -> Row:
        """Question, answer and surroundings of a QA pair."""
        pair = self.pairs[qa_id]
        return {
            "question": pair["question"],
            "answer": pair["answer"],
            "section": self.sections[pair["section_id"]],
            "context": surroundings(
                self.paragraphs[pair["paragraph_id"]], pair["evidence_start"], pair["evidence_end"]
            ),
        }

    def facts(self, qa_ids: Iterable[str]) -> list[Row]:
        """Section, question and answer of QA pairs, each text once."""
        told: dict[tuple[str, str], Row] = {}
        for pair in (self.pairs[one] for one in qa_ids):
            question, answer = pair["question"], pair["answer"]
            section = self.sections[pair["section_id"]]
            told.setdefault((question, answer), {"section": section, "question": question, "answer": answer})
        return list(told.values())


def offered_questions(
    candidates: pl.DataFrame, core: Mapping[str, Sequence[tuple[str, str]]], core_allowed: bool
) -> dict[str, list[str]]:
    """The retrieval QA pairs of each relation that the model chooses from, the best first.

    A pair that may become the core pair is none of them, unless it is `core_allowed` or there is no other.
    """
    of_relation: dict[str, list[str]] = {}
    for relation, qa_id in candidates.sort("relation_id", "rank").select("relation_id", "qa_id").iter_rows():
        of_relation.setdefault(relation, []).append(qa_id)
    offered = {}
    for relation in core.keys() & of_relation.keys():
        questions = of_relation[relation]
        targets = set() if core_allowed else {target for _, target in core[relation]}
        offered[relation] = [one for one in questions if one not in targets] or questions[:1]
    return offered


def choice_inputs(
    relations: pl.DataFrame,
    core: Mapping[str, Sequence[tuple[str, str]]],
    questions: Mapping[str, Sequence[str]],
    texts: Texts,
    others: OtherFacts = MappingProxyType({}),
) -> list[Row]:
    """What the model is told about each relation, and under `offered` what its numbers stand for."""
    inputs = []
    for relation in relations.iter_rows(named=True):
        pairs = core[relation["relation_id"]]
        # Papers repeat themselves: the same question twice is no choice.
        by_text = {texts.pairs[one]["question"]: one for one in reversed(questions[relation["relation_id"]])}
        retrieval = list(reversed(by_text.values()))
        told: Row = {
            "relation": relation | {"retrieval_qa_id": retrieval[0]},
            "offered": {"core_pairs": list(pairs), "retrieval": list(retrieval)},
        }
        for side in ("source", "target"):
            paper = texts.papers[relation[f"{side}_paper_id"]]
            told |= {f"{side}_title": paper["title"], f"{side}_abstract": paper["abstract"]}
            told[f"{side}_facts"] = texts.facts(others.get((relation["relation_id"], side), ()))
        told["core_pairs"] = [
            {"number": str(number)}
            | {f"source_{name}": value for name, value in texts.told_of(source).items()}
            | {f"target_{name}": value for name, value in texts.told_of(target).items()}
            for number, (source, target) in enumerate(pairs, 1)
        ]
        told["retrieval_pairs"] = [
            {"number": str(number), "question": pair["question"], "answer": pair["answer"]}
            for number, pair in enumerate((texts.pairs[one] for one in retrieval), 1)
        ]
        inputs.append(told)
    return inputs
