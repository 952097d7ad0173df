"""A model that makes bridge questions of the small papers of the tests, by rule.

The bridge of a paper is the first cohort that it cites; the second document is that cohort's own paper. Two
cohorts are odd: the answer about the eighth stands in every paper, and no question is made of the ninth.
"""

import re
from collections.abc import Mapping
from typing import Any

from aimsciqa_assets.hopweaver.strict_reading import REASONS
from tests.fakes import SentenceModel


class HopModel(SentenceModel):
    """Replies to the tasks of HopWeaver; `polish` says what the polisher replies about an answer."""

    def __init__(self, polish: Mapping[str, str] | None = None, **more: Any) -> None:
        super().__init__(**more)
        self._polish = polish or {}

    def _hopweaver_bridge_entity(self, told) -> str:
        cited = re.search(r"Earlier work on (cohort \d+) found zinc \d+ mg \[1\]\.", told["text"])
        if not cited:
            return "I see no entity."
        name = cited[1]
        segment = (
            f"{name.capitalize()} is a group of people whose intake of zinc was measured in earlier work, as "
            "the introduction of this paper tells at its very beginning."
        )
        query = f"mean zinc intake and growth of {name}, instead of the earlier work on its zinc"
        return (
            f'("bridge_entity"<|>"{name}"<|>"cohort") ## ("relevant_segments"<|>"{name}"<|>"{segment}") ## '
            f'("quote"<|>"{name}"<|>"{cited[0]}") ## ("query"<|>"{name}"<|>"{query}")<|COMPLETE|>'
        )

    def _hopweaver_bridge_sub_questions(self, told) -> str:
        number = told["entity"].removeprefix("cohort ")
        if told["title"] != f"Zinc in cohort {number} of the test corpus":
            return "INVALID_BRIDGE_CONNECTION\nit is about another cohort"
        quote = f"Group {number} rose by {int(number) + 10} percent."
        segment = (
            f"The paper on cohort {number} says that its mean zinc intake was measured per day, and that the "
            "group rose by some percent over the time."
        )
        return (
            "ANALYSIS:\nBridge connection: the same cohort\n"
            f"Document A segments: earlier work\nDocument B segments: {segment}\nDocument B quote: {quote}\n"
            "Reasoning path: the cohort, then its growth\n\nSUB-QUESTIONS:\n"
            f"Sub-question 1: In whom did earlier work find {number} mg?\nAnswer 1: cohort {number}\n"
            f"Sub-question 2: By how much did the group of cohort {number} rise?\n"
            f"Answer 2: {'percent' if number == '8' else f'{int(number) + 10} percent'}"
        )

    def _hopweaver_bridge_fusion(self, told) -> str:
        number = told["entity"].removeprefix("cohort ")
        if number == "9":
            return "NONE\nit would be no question"
        return (
            f"MULTI-HOP QUESTION: By how much did the group rise in which earlier work found {number} mg of "
            f"zinc?\nANSWER: {told['answer_2']}\nREASONING PATH: way\nSOURCES: Document A, Document B"
        )

    def _hopweaver_bridge_polisher(self, told) -> str:
        return self._polish.get(told["answer"], "[PASS]")

    def _hopweaver_bridge_reader(self, told) -> str:
        return passed_by_reader("bridge")


def passed_by_reader(kind: str, *failed: str) -> str:
    """A reader's reply with a no to some of the checks, and a yes to all others."""
    verdicts = [f"{name}: {'no, for a reason' if name in failed else 'yes'}" for name in REASONS[kind]]
    return "\n".join(("SOLUTION: by both quotes", *verdicts))
