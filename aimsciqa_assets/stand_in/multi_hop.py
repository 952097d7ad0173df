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
from aimsciqa_assets.stand_in.composition import relation, verdicts, wording
from aimsciqa_assets.stand_in.composition.answers import read_answer
from aimsciqa_assets.stand_in.composition.questions import read_question
from aimsciqa_assets.stand_in.composition.wording import CorePair
from aimsciqa_assets.stand_in.composition.words import content, specific, with_names
from aimsciqa_assets.stand_in.context import Names

REFUSAL: Final = "Cannot generate inter-document multi-hop question."
# Words of its title that a paper may be searched by.
LONGEST_SUBJECT: Final = 3
# Words of a topic that still reads as "the source paper on ...".
LONGEST_TOPIC: Final = 6


def compose(variables: Mapping[str, str]) -> str:
    """Write the reply to a multi-hop request with these variables: the XML, or the refusal with its reason.

    Raises KeyError when a variable of the multi-hop prompt is missing.
    """
    source, target = (_core_pair(variables, paper) for paper in ("source", "target"))
    retrieval = read_question(variables["retrieval_question"])
    if source is None or target is None or retrieval is None:
        return f"{REFUSAL} One of the pairs is not one question with a full statement."
    source, title = _with_topic(source, variables), variables["target_title"]
    if not specific(source.question.direct).keys() & specific(target.question.direct).keys():
        return f"{REFUSAL} The core questions name nothing in common."
    about = retrieval.about or target.question.about
    found = wording.finding(
        replace(retrieval, about="" if _is_much_of(about, title) else about),
        read_answer(variables["retrieval_answer"], retrieval.direct),
        (*(verdicts.news(one.asked, one.answer.sentence) for one in (source, target)), content(title).keys()),
    )
    question = wording.inter_document_question(source, target)
    merged = wording.merged_question(source, target, found)
    standing = wording.standing(source, target)
    answer = wording.inter_document_answer(source, target, standing)
    core = source.as_given(), target.as_given()
    sections = variables["source_section"], variables["target_section"]
    topic = specific(variables["source_title"]).keys() & specific(title).keys()
    return _written(
        {
            "Find Target Paper": (found.question, f"Identified target paper: '{title}'."),
            "Generate Inter-document QA": (question, answer),
            "Merge Complete QA": (merged, wording.merged_answer(source, target, title, standing)),
        },
        {
            "Fluency": verdicts.influency((question, merged), answer),
            "Completeness": verdicts.unfindable(found.told, variables["retrieval_answer"])
            or verdicts.incompleteness(question, answer, core, found.told, standing),
            "Cross-reference Necessity": verdicts.needlessness(*core, merged),
            "Relational Appropriateness": relation.objection(
                source.question, target.question, sections, topic
            ),
        },
    )


def _is_much_of(subject: str, title: str) -> bool:
    """Whether a paper's subject is named in the words of its title, at a length that gives the paper away."""
    return len(subject.split()) > LONGEST_SUBJECT and subject.casefold() in title.casefold()


def _core_pair(variables: Mapping[str, str], paper: str) -> CorePair | None:
    question, answer = (variables[f"{paper}_{part}"] for part in ("question", "answer"))
    asked, answered = read_question(question), read_answer(answer, question)
    return CorePair(asked, answered, question) if asked and answered else None


def _with_topic(source: CorePair, variables: Mapping[str, str]) -> CorePair:
    """The source's pair with the topic of its title, where the question does not say in whom or in what."""
    asked = relation.attribute(source.question)
    title, said = variables["source_title"], (source.asked, source.answer.sentence)
    topic = context.topic(title, "", Names.of(title, *said)) or ""
    is_as_written = topic[:1].islower() and topic[1:] in title
    if asked is None or asked.setting or len(topic.split()) > LONGEST_TOPIC or not is_as_written:
        return source
    return replace(source, question=replace(source.question, about=with_names(topic)))


def _written(components: Mapping[str, tuple[str, str]], objections: Mapping[str, str]) -> str:
    texts = (
        f'<component type="{component}">\n<question>{escape(question, quote=False)}</question>\n'
        f"<answer>{escape(answer, quote=False)}</answer>\n</component>"
        for component, (question, answer) in components.items()
    )
    scores = (
        f'<score type="{criterion}">{f"Reject: {objection}" if objection else "Accept"}</score>'
        for criterion, objection in objections.items()
    )
    decision = f'<score type="Decision">{"Reject" if any(objections.values()) else "Accept"}</score>'
    validation = '<component type="QA Validation">', *scores, decision, "</component>"
    return "\n".join(["<outputs>", *texts, *validation, "</outputs>"]) + "\n"
