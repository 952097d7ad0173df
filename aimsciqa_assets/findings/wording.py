"""A question in the making: its wording and facts, and how papers and findings are shown to models."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any, Final, Protocol

from aimsciqa_assets.findings.marked_text import MarkedPaper
from aimsciqa_assets.findings.replies import Computation, Fact

Row = dict[str, Any]

_LETTERS: Final = (
    *ascii_uppercase,
    *(f"{first}{second}" for first in ascii_uppercase for second in ascii_uppercase),
)


@dataclass(frozen=True, slots=True)
class DraftFact:
    """A fact of a draft: the finding that it is, or, without one, a quote found in the paper."""

    paper_id: str
    finding_id: str | None
    claim: str
    amount: str
    unit: str
    evidence: str


@dataclass(frozen=True, slots=True)
class Wording:
    """A question with its answer, its facts and its computations, as it is after a step."""

    type: str
    question: str
    answer: str
    facts: tuple[DraftFact, ...]
    computations: tuple[Computation, ...] = ()

    @property
    def papers(self) -> tuple[str, ...]:
        """Return the papers of its facts, each once, in the order of the facts."""
        return tuple(dict.fromkeys(fact.paper_id for fact in self.facts))


class Worded(Protocol):
    """A reply that holds a question: a draft, a challenge or a reading."""

    question: str
    answer: str
    facts: list[Fact]
    computations: list[Computation]


@dataclass(frozen=True, slots=True)
class Shown:
    """Papers with their letters and findings with their marks, as a request shows them."""

    letters: Mapping[str, str]
    marks: Mapping[str, str]
    findings: Mapping[str, Row]

    @classmethod
    def of(cls, papers: Sequence[str], findings: Sequence[Row]) -> "Shown":
        """Return the letters of papers and the marks of findings in their order."""
        marks = {row["finding_id"]: f"F{number}" for number, row in enumerate(findings, start=1)}
        by_mark = {marks[row["finding_id"]]: row for row in findings}
        return cls(dict(zip(papers, _LETTERS, strict=False)), marks, by_mark)

    def paper(self, letter: str) -> str | None:
        """Return the paper with a letter."""
        wanted = letter.strip().upper().removeprefix("PAPER").strip()
        return next((paper for paper, known in self.letters.items() if known == wanted), None)

    def fact(self, fact: Fact, texts: Mapping[str, MarkedPaper] | None = None) -> DraftFact | None:
        """Return a fact of a reply, or None if neither its finding nor its quote is there.

        `texts` are the papers in which new quotes are looked for.
        """
        paper = self.paper(fact.paper)
        if paper is None:
            return None
        finding = self.findings.get(fact.finding.strip().strip("[]"))
        if finding is not None and finding["paper_id"] == paper:
            # An edited fact may quote more than the finding does.
            longer = (
                texts[paper].find(fact.quote, fact.place) if texts and paper in texts and fact.quote else None
            )
            quote = longer.text if longer else finding["evidence"]
            named = finding["finding_id"] if quote == finding["evidence"] else None
            return DraftFact(paper, named, fact.statement or quote, fact.value, fact.unit, quote)
        if texts is None or paper not in texts:
            return None
        quote = texts[paper].find(fact.quote, fact.place)
        if quote is None:
            return None
        return DraftFact(paper, None, fact.statement or quote.text, fact.value, fact.unit, quote.text)


def wording_of(
    kind: str, reply: Worded, shown: Shown, texts: Mapping[str, MarkedPaper] | None = None
) -> Wording | None:
    """Return the wording of a reply, or None if one of its facts is neither shown nor quoted."""
    facts = [shown.fact(fact, texts) for fact in reply.facts]
    known = tuple(fact for fact in facts if fact is not None)
    if len(known) < len(facts):
        return None
    return Wording(kind, reply.question.strip(), reply.answer.strip(), known, tuple(reply.computations))


def card_text(letter: str, card: Mapping[str, Any]) -> str:
    """Return a card as a few lines; what the paper does not say is left out."""
    instruments = "; ".join(
        f"{instrument['instrument']} ({instrument['cut_off']})"
        if instrument["cut_off"]
        else instrument["instrument"]
        for instrument in card["instruments"] or ()
    )
    parts = {
        "design": card["design"],
        "studied": card["population"],
        "place": card["place"],
        "period": card["period"],
        "sample": card["sample_size"],
        "instruments": instruments,
        "materials": "; ".join((card["materials"] or ())[:12]),
    }
    lines = [f"{name}: {value}" for name, value in parts.items() if value]
    return "\n".join([f"Paper {letter}: {card['description']}", *lines])


def finding_text(mark: str, letter: str, finding: Row, source: str = "") -> str:
    """Return a finding as one line with everything that limits it, and its quote.

    `source` is the letter of the paper that a finding is taken from, if that paper is shown, too.
    """
    value = " ".join(filter(None, (finding["value_text"], finding["unit"])))
    count = (
        f"{finding['numerator']:g} of {finding['denominator']:g}"
        if finding["denominator"] is not None
        else ""
    )
    conditions = "; ".join(
        f"{condition['condition']}: {condition['stated']}".strip(": ")
        for condition in finding["conditions"] or ()
    )
    named = f"paper {source}, its {finding['cited']}" if source else finding["cited"]
    cited = f"taken from {named}" if named else ""
    conflict = f"the paper also says: {'; '.join(finding['other_values'])}" if finding["other_values"] else ""
    flags = "count and percentage disagree" if finding["flags"] else ""
    parts = (value, finding["spread"], count, conditions, cited, conflict, flags)
    details = " | ".join(filter(None, parts))
    return f'{mark} ({letter}) {finding["statement"]} [{details}] "{finding["evidence"]}"'
