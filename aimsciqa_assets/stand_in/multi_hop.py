"""The extractive model's multi-hop questions: two core pairs and a retrieval pair composed by rules.

What `compose` writes is the reply that the multi-hop prompt asks of a language model; `choose` does so where
several pairs are offered. Statements are taken from the given pairs only. An item is accepted where two
values of one measure or two effects on one outcome are compared; all else has a reason why not.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import Any, Final

from aimsciqa_assets.stand_in import context
from aimsciqa_assets.stand_in.composition import clues, verdicts, wording
from aimsciqa_assets.stand_in.composition.answers import read_answer
from aimsciqa_assets.stand_in.composition.clues import Clue
from aimsciqa_assets.stand_in.composition.codes import explained, spelled_out
from aimsciqa_assets.stand_in.composition.measures import measure
from aimsciqa_assets.stand_in.composition.questions import read_question
from aimsciqa_assets.stand_in.composition.relation import Comparison, CorePair, compared, is_one_of_several
from aimsciqa_assets.stand_in.composition.words import content, specific, with_names
from aimsciqa_assets.stand_in.context import Names

REFUSAL: Final = "Cannot generate inter-document multi-hop question."
# Words of its title that a paper may be searched by.
LONGEST_SUBJECT: Final = 3
# Words of a topic that still reads as "the source paper on ...".
LONGEST_TOPIC: Final = 6
# An abbreviation behind what it stands for, which is written out anyway.
_UNEXPLAINED: Final = re.compile(r" \([A-Z]{2,7}s?\)")
# What reports of other papers contain.
_CITES: Final = re.compile(
    r"et al|\[\d|\(\D*(?:19|20)\d\d|\b(?:previous|earlier|other|several) (?:stud|report|work|paper)|reported"
)
_REVIEWS: Final = frozenset({"review", "overview", "reviews", "reviewed"})


@dataclass(frozen=True, slots=True)
class Option:
    """A core pair and a retrieval pair of a relation, by their numbers, composed."""

    core_pair: int
    retrieval: int
    compared: Comparison
    clue: Clue
    texts: Mapping[str, tuple[str, str]]
    objections: Mapping[str, str]

    @property
    def order(self) -> tuple[int, bool, int, int, int]:
        """The smaller, the better: fewer objections, values before effects, then the most specific clue."""
        failed = sum(map(bool, (*self.objections.values(), self.clue.objection)))
        is_effect = self.compared.noun == "effect"
        return failed, is_effect, -self.clue.specificity, self.core_pair, self.retrieval


def compose(variables: Mapping[str, str]) -> str:
    """Write the reply to a multi-hop request with these variables: the XML, or the refusal with its reason.

    Raises KeyError when a variable of the multi-hop prompt is missing.
    """
    option = _option(variables)
    if isinstance(option, str):
        return f"{REFUSAL} {option}"
    told = option.clue.objection or option.objections["Completeness"]
    return _written(option, {**option.objections, "Completeness": told}, ())


def choose(variables: Mapping[str, Any]) -> str:
    """Write the reply to a request that offers several core and retrieval pairs: the best of all options.

    Raises KeyError when a variable of the prompt is missing.
    """
    titles = {
        name: variables[name]
        for name in ("source_title", "target_title", "source_abstract", "target_abstract")
    }
    options, refusals = [], []
    for core in variables["core_pairs"]:
        for found in variables["retrieval_pairs"]:
            retrieval = {"retrieval_question": found["question"], "retrieval_answer": found["answer"]}
            made = _option({**titles, **core, **retrieval}, int(core["number"]), int(found["number"]))
            refusals.append(made) if isinstance(made, str) else options.append(made)
    if not options:
        return f"{REFUSAL} {refusals[0] if refusals else 'Nothing is offered.'}"
    options = [_in_sight(option, variables) for option in options]
    best = min(options, key=lambda option: option.order)
    link = "Agreement" if wording.is_agreement(best.compared) else "Contrast"
    chosen = ("Core Pair", str(best.core_pair)), ("Unique QA", str(best.retrieval)), ("Link", link)
    return _written(best, {**best.objections, "Identifiability": best.clue.objection}, chosen)


def _in_sight(option: Option, variables: Mapping[str, Any]) -> Option:
    """The option with what only stands against it in the sight of all that is offered."""
    together = option.compared
    objection = ""
    pairs = ("source", together.source), ("target", together.target)
    if any(
        is_one_of_several(pair, _told_of(variables, paper), variables[f"{paper}_abstract"] or "")
        for paper, pair in pairs
    ):
        objection = "a paper reports several such values, and the question does not say which"
    abstracts = f"{variables['source_abstract']} {variables['target_abstract']}".lower()
    if together.noun == "effect" and not _REVIEWS.isdisjoint(abstracts.split()):
        objection = "a review reports no effects of its own"
    before = option.objections["Relational Appropriateness"]
    return replace(
        option, objections={**option.objections, "Relational Appropriateness": before or objection}
    )


def _told_of(variables: Mapping[str, Any], paper: str) -> Iterator[CorePair]:
    """All facts of a paper that are offered or told beside."""
    facts = [(core[f"{paper}_question"], core[f"{paper}_answer"]) for core in variables["core_pairs"]]
    if paper == "target":
        facts += [(found["question"], found["answer"]) for found in variables["retrieval_pairs"]]
    facts += [(fact["question"], fact["answer"]) for fact in variables[f"{paper}_facts"]]
    for question, answer in facts:
        asked, answered = read_question(question), read_answer(answer, question)
        if asked and answered:
            yield CorePair(asked, answered, question, "", "")


def _option(variables: Mapping[str, str], core_pair: int = 1, retrieval: int = 1) -> Option | str:
    """What is composed of a core pair and a retrieval pair, or why nothing is."""
    pairs = [_core_pair(variables, paper) for paper in ("source", "target")]
    asked = read_question(variables["retrieval_question"])
    answer = read_answer(variables["retrieval_answer"], variables["retrieval_question"])
    if pairs[0] is None or pairs[1] is None or asked is None or answer is None:
        return "One of the pairs is not one question with a full statement."
    source, target = _with_topic(pairs[0]), pairs[1]
    if not specific(source.question.direct).keys() & specific(target.question.direct).keys():
        return "The core questions name nothing in common."
    if source.question.phrase is None or target.question.phrase is None:
        return "A core question cannot be told within another sentence."
    together = compared(source, target)
    title = variables["target_title"]
    about = asked.about or target.question.about
    wanted = measure(together.target.question)
    secrets = (
        *(verdicts.news(one.asked, one.answer.sentence) for one in (source, target)),
        content(title).keys(),
    )
    found = clues.clue(
        "" if _is_much_of(about, title) else about, answer, wanted.named if wanted else (), secrets
    )
    question, merged = wording.inter_document_question(together), wording.merged_question(together, found)
    joined = wording.inter_document_answer(together)
    return Option(
        core_pair,
        retrieval,
        together,
        found,
        {
            "Find Target Paper": (found.question, f"Identified target paper: '{title}'."),
            "Generate Inter-document QA": (question, joined),
            "Merge Complete QA": (merged, wording.merged_answer(together, title)),
        },
        {
            "Fluency": verdicts.influency((question, merged), joined),
            "Completeness": verdicts.incompleteness(together, joined),
            "Cross-reference Necessity": verdicts.needlessness(together, merged),
            "Relational Appropriateness": together.objection,
        },
    )


def _is_much_of(subject: str, title: str) -> bool:
    """Whether a paper's subject is named in the words of its title, at a length that gives the paper away."""
    return len(subject.split()) > LONGEST_SUBJECT and subject.casefold() in title.casefold()


def _core_pair(variables: Mapping[str, str], paper: str) -> CorePair | None:
    question, answer, section, title = (
        variables[f"{paper}_{part}"] for part in ("question", "answer", "section", "title")
    )
    context = variables.get(f"{paper}_context") or ""
    codes = explained(f"{context} {variables.get(f'{paper}_abstract') or ''}")
    question, answer = (spelled_out(_UNEXPLAINED.sub("", text), codes) for text in (question, answer))
    asked, answered = read_question(question), read_answer(answer, question)
    is_own = bool(context) and not _CITES.search(context)
    return CorePair(asked, answered, question, section, title, is_own) if asked and answered else None


def _with_topic(source: CorePair) -> CorePair:
    """The source's pair with the topic of its title, where the question does not say in whom or in what."""
    asked = measure(source.question)
    topic = (
        context.topic(source.title, "", Names.of(source.title, source.asked, source.answer.sentence)) or ""
    )
    is_as_written = topic[:1].islower() and topic[1:] in source.title
    if asked is None or asked.setting or len(topic.split()) > LONGEST_TOPIC or not is_as_written:
        return source
    return replace(source, question=replace(source.question, about=with_names(topic)))


def _written(option: Option, objections: Mapping[str, str], chosen: tuple[tuple[str, str], ...]) -> str:
    texts = (
        f'<component type="{component}">\n<question>{escape(question, quote=False)}</question>\n'
        f"<answer>{escape(answer, quote=False)}</answer>\n</component>"
        for component, (question, answer) in option.texts.items()
    )
    scores = [(criterion, f"Reject: {why}" if why else "Accept") for criterion, why in objections.items()]
    scores.append(("Decision", "Reject" if any(objections.values()) else "Accept"))
    choice = _component("Choice", chosen) if chosen else ()
    return (
        "\n".join(["<outputs>", *choice, *texts, *_component("QA Validation", scores), "</outputs>"]) + "\n"
    )


def _component(name: str, scores: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    lines = (f'<score type="{criterion}">{score}</score>' for criterion, score in scores)
    return f'<component type="{name}">', *lines, "</component>"
