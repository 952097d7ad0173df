"""The extractive model's multi-hop questions: two core pairs and a retrieval pair composed by rules.

What `compose` writes is the reply that the multi-hop prompt asks of a language model. It takes its statements
from the given pairs only, chooses among a few sentence patterns by what the questions ask for, and refuses
where the pairs share nothing specific or are not what they should be (one question, one full statement).
"""

from collections.abc import Mapping
from html import escape
from typing import Final

from aimsciqa_resources.language_model.extractive.composition import verdicts, wording
from aimsciqa_resources.language_model.extractive.composition.answers import read_answer
from aimsciqa_resources.language_model.extractive.composition.questions import read_question
from aimsciqa_resources.language_model.extractive.composition.wording import CorePair

REFUSAL: Final = "Cannot generate inter-document multi-hop question."
# Less than this, and the item is composed but its relation rejected.
RELATED: Final = 1.5


def compose(variables: Mapping[str, str]) -> str:
    """Write the reply to a multi-hop request with these variables: the XML, or the refusal sentence.

    Raises KeyError when a variable of the multi-hop prompt is missing.
    """
    source = _core_pair(variables["source_question"], variables["source_answer"])
    target = _core_pair(variables["target_question"], variables["target_answer"])
    retrieval = read_question(variables["retrieval_question"])
    if source is None or target is None or retrieval is None or not _relatedness(source, target):
        return REFUSAL
    title = variables["target_title"]
    finding = wording.finding(retrieval)
    which_paper = f"Which paper {finding}?"
    inter_document = (
        wording.inter_document_question(source, target),
        wording.inter_document_answer(source, target),
    )
    merged = wording.merged_question(source, target, finding), wording.merged_answer(source, target, title)
    return _written(
        {
            "Find Target Paper": (which_paper, f"Identified target paper: '{title}'."),
            "Generate Inter-document QA": inter_document,
            "Merge Complete QA": merged,
        },
        _verdicts(source, target, which_paper, inter_document, merged),
    )


def _core_pair(question: str, answer: str) -> CorePair | None:
    asked, answered = read_question(question), read_answer(answer, question)
    return None if asked is None or answered is None else CorePair(asked, answered, question, answer)


def _relatedness(source: CorePair, target: CorePair) -> float:
    """How well the pairs go together; 0 where they share nothing specific, however alike they ask."""
    shared = verdicts.relatedness((source.asked, source.answered), (target.asked, target.answered))
    if not shared:
        return 0.0
    alike = wording.are_alike(source.question, target.question)
    return shared + 0.5 * alike + wording.are_comparable(source.question, target.question)


def _verdicts(
    source: CorePair,
    target: CorePair,
    which_paper: str,
    inter_document: tuple[str, str],
    merged: tuple[str, str],
) -> dict[str, bool]:
    core = tuple((pair.question.kind, pair.asked, pair.answer.sentence) for pair in (source, target))
    return {
        "Fluency": verdicts.is_fluent(
            (which_paper, inter_document[0], merged[0]), (inter_document[1], merged[1])
        ),
        "Completeness": verdicts.is_complete(inter_document[0], inter_document[1], core, which_paper),
        "Cross-reference Necessity": verdicts.needs_both(core[0], core[1], merged[0]),
        "Relational Appropriateness": _relatedness(source, target) >= RELATED,
    }


def _written(components: Mapping[str, tuple[str, str]], verdict_of: Mapping[str, bool]) -> str:
    lines = ["<outputs>"]
    for component, (question, answer) in components.items():
        lines += [
            f'<component type="{component}">',
            f"<question>{escape(question, quote=False)}</question>",
            f"<answer>{escape(answer, quote=False)}</answer>",
            "</component>",
        ]
    lines.append('<component type="QA Validation">')
    for criterion, accepted in {**verdict_of, "Decision": all(verdict_of.values())}.items():
        lines.append(f'<score type="{criterion}">{"Accept" if accepted else "Reject"}</score>')
    return "\n".join([*lines, "</component>", "</outputs>"]) + "\n"
