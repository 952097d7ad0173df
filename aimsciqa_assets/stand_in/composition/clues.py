"""What the target paper is searched by: one of its findings, told so that it is understood alone."""

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import Final

from aimsciqa_assets.stand_in.composition.answers import Answer
from aimsciqa_assets.stand_in.composition.relation import mentions_procedure
from aimsciqa_assets.stand_in.composition.words import FIELD_STEMS, content, is_event, is_term, specific

# Words of a finding that still reads well inside a question.
LONGEST: Final = 26
# Specificity under which a finding does not tell its paper from all others.
IDENTIFYING: Final = 6
# Everyday words that must tell outsiders what a finding is about.
UNDERSTOOD: Final = 3
_ASIDE: Final = re.compile(r"\s*\([^()]*\)")
_VALUE: Final = re.compile(r"(?<![\w.])(?!(?:19|20)\d\d\b)\d+(?:[.,]\d+)*")
_CODE: Final = re.compile(r"\d|[A-Z].*[A-Z]|^[A-Z]$")
# What points to a sentence before, or leaves open of what something is told.
_OPEN: Final = re.compile(
    r"\b(?:respectively|as expected|of (?:whom|which)|(?<!between )(?<![\d.])[\d.]+ and \d[\d.]*"
    r"|in (?:both|all|either|each) (?:cases|instances|groups|trials|environments))\b"
    r"|\bthe (?:first|second|third|largest|remaining|two|three|four|five|rest|others?|same)\b"
    r"|\b(?:such|these|those|this|former|latter|another|above|additional|its|their)\b"
    r"|\b(?:present|current) study\b"
    r"|^(?:it|there|that|which|the (?:authors?|study|results?|analys[ei]s))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clue:
    """What a paper is searched by: its subject ("on Zika virus ", or nothing), and what it reports.

    `objection` says why it does not find its paper.
    """

    subject: str
    told: str
    objection: str = ""

    @property
    def question(self) -> str:
        """Ask for the paper: "Which paper on Zika virus reports ...?"."""
        return f"Which paper {self.subject}{self.told}?"

    @property
    def paper(self) -> str:
        """Describe the paper: "the paper on Zika virus that reports ..."."""
        return f"the paper {self.subject}that {self.told}"

    @property
    def specificity(self) -> int:
        """The more, the fewer papers it fits."""
        return specificity(self.told)


def clue(about: str, answer: Answer, asked: Iterable[str], secrets: Iterable[Set[str]]) -> Clue:
    """Make a clue of the answer of a retrieval pair.

    `asked` are the names of what is asked of the paper, `secrets` sets of stems that must not be given away,
    such as the news of the core answers.
    """
    told = _ASIDE.sub("", answer.told)
    subject = f"on {about} " if about else ""
    return Clue(subject, told, _objection(told, _ASIDE.sub("", answer.reported), asked, secrets))


def specificity(text: str) -> int:
    """Words by which a paper can be told from others of its field; a term and a number count twice."""
    named = specific(text)
    numbers = 2 * len(_VALUE.findall(text))
    return numbers + sum(1 + is_term(word) for stemmed, word in named.items() if stemmed not in FIELD_STEMS)


def _objection(told: str, finding: str, asked: Iterable[str], secrets: Iterable[Set[str]]) -> str:
    stems = content(finding).keys()
    plain = [word for stem, word in specific(finding).items() if not _CODE.search(word)]
    has_name = any(is_term(word) for word in specific(finding).values())
    if stems & {*asked} - FIELD_STEMS:
        return "the paper is searched by what is asked of it"
    if any(secret and 2 * len(stems & secret) >= len(secret) for secret in secrets):
        return "what the paper is searched by gives its title or an answer away"
    if len(told.split()) > LONGEST or _OPEN.search(finding):
        return "what the paper is searched by cannot be understood alone"
    if mentions_procedure(finding) or not is_event(finding) or not (has_name or _VALUE.search(finding)):
        return "what the paper is searched by is no finding of its own"
    if len(plain) < UNDERSTOOD or specificity(finding) < IDENTIFYING:
        return "many papers fit what the paper is searched by"
    return ""
