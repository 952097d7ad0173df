"""The extractive model's multi-hop questions: two core pairs and a retrieval pair composed by rules.

What `compose` writes is the reply that the multi-hop prompt asks of a language model. It takes its statements
from the given pairs only, chooses among a few sentence patterns by what the questions ask for, and refuses
where the pairs share nothing specific or are not what they should be (one question, one full statement).
"""

from collections.abc import Mapping
from dataclasses import replace
from html import escape
from typing import Final

from aimsciqa_assets.stand_in import context
from aimsciqa_assets.stand_in.composition import verdicts, wording
from aimsciqa_assets.stand_in.composition.answers import read_answer
from aimsciqa_assets.stand_in.composition.questions import read_question
from aimsciqa_assets.stand_in.composition.relation import relatedness
from aimsciqa_assets.stand_in.composition.wording import CorePair
from aimsciqa_assets.stand_in.composition.words import content, specific, with_names
from aimsciqa_assets.stand_in.context import Names

REFUSAL: Final = "Cannot generate inter-document multi-hop question."
# Less than this, and the item is composed but its relation rejected.
RELATED: Final = 1.75
# Words of its title that a paper may be searched by.
LONGEST_SUBJECT: Final = 3
# Words of a topic that still reads as "the source paper on ...".
LONGEST_TOPIC: Final = 6


def compose(variables: Mapping[str, str]) -> str:
    """Write the reply to a multi-hop request with these variables: the XML, or the refusal sentence.

    Raises KeyError when a variable of the multi-hop prompt is missing.
    """
    source, target = (_core_pair(variables, paper) for paper in ("source", "target"))
    retrieval = read_question(variables["retrieval_question"])
    if source is None or target is None or retrieval is None:
        return REFUSAL
    title = variables["target_title"]
    topic = specific(variables["source_title"]).keys() & specific(title).keys()
    related = relatedness(source.question, target.question, topic)
    if not related:
        return REFUSAL
    about = retrieval.about or target.question.about
    found = wording.finding(
        replace(retrieval, about="" if _is_much_of(about, title) else about),
        read_answer(variables["retrieval_answer"], retrieval.direct),
        (source.news(), target.news(), content(title)),
    )
    question = wording.inter_document_question(source, target)
    answer = wording.inter_document_answer(source, target)
    merged = wording.merged_question(source, target, found)
    core = source.as_given(), target.as_given()
    return _written(
        {
            "Find Target Paper": (found.question, f"Identified target paper: '{title}'."),
            "Generate Inter-document QA": (question, answer),
            "Merge Complete QA": (merged, wording.merged_answer(source, target, title)),
        },
        {
            "Fluency": verdicts.is_fluent((question, merged), answer)
            and not verdicts.repeats(found.told, target.question.direct),
            "Completeness": verdicts.is_complete(question, answer, core, found.told),
            "Cross-reference Necessity": verdicts.needs_both(*core, merged),
            "Relational Appropriateness": related >= RELATED,
        },
    )


def _is_much_of(subject: str, title: str) -> bool:
    """Whether a paper's subject is named in the words of its title, at a length that gives the paper away."""
    return len(subject.split()) > LONGEST_SUBJECT and subject.casefold() in title.casefold()


def _core_pair(variables: Mapping[str, str], paper: str) -> CorePair | None:
    title, question, answer = (variables[f"{paper}_{part}"] for part in ("title", "question", "answer"))
    asked, answered = read_question(question), read_answer(answer, question)
    if asked is None or answered is None:
        return None
    topic = context.topic(title, "", Names.of(title, question, answer)) or ""
    is_short = len(topic.split()) <= LONGEST_TOPIC
    return CorePair(asked, answered, question, with_names(topic) if is_short else "")


def _written(components: Mapping[str, tuple[str, str]], verdict_of: Mapping[str, bool]) -> str:
    texts = (
        f'<component type="{component}">\n<question>{escape(question, quote=False)}</question>\n'
        f"<answer>{escape(answer, quote=False)}</answer>\n</component>"
        for component, (question, answer) in components.items()
    )
    scores = (
        f'<score type="{criterion}">{"Accept" if accepted else "Reject"}</score>'
        for criterion, accepted in {**verdict_of, "Decision": all(verdict_of.values())}.items()
    )
    validation = '<component type="QA Validation">', *scores, "</component>"
    return "\n".join(["<outputs>", *texts, *validation, "</outputs>"]) + "\n"
