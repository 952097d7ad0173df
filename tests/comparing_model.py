"""A model that makes comparison questions of the small papers of the tests, by rule.

It compares the mean zinc intake of a paper's cohort with that of another, where one number is odd and one is
not.
"""

import re

from tests.fakes import SentenceModel
from tests.hop_model import passed_by_reader


class ComparingModel(SentenceModel):
    """Replies to the tasks of comparisons. Of cohorts 1 to 3 it makes nothing, each for another reason."""

    def _hopweaver_comparison_subject(self, told) -> str:
        number = number_in(told["title"])
        if number == 1:
            return '("ambiguous_subject"<|>"too many cohorts")<|COMPLETE|>'
        return (
            f'("subject_entity"<|>"cohort {number}"<|>"cohort") ## '
            f'("attribute"<|>"mean zinc intake"<|>"{number} mg") ## '
            '("attribute"<|>"mood"<|>"good")<|COMPLETE|>'
        )

    def _hopweaver_comparison_scores(self, told) -> str:
        concreteness = 4 if told["subject"] == "cohort 2" else 5
        intake, mood = told["attributes"]
        return (
            f'("entity_score"<|>{concreteness}) ## '
            f'("attribute_score"<|>"{intake["name"]}"<|>"{intake["value"]}"<|>"5") ## '
            f'("attribute_score"<|>"{mood["name"]}"<|>"{mood["value"]}"<|>1)<|COMPLETE|>'
        )

    def _hopweaver_comparison_queries(self, told) -> str:
        number = number_in(told["title"])
        queries = [f"mean zinc intake of cohort {number + step}" for step in (-1, 1, 2)]
        return f'("search_queries"<|>{"<|>".join(queries)})<|COMPLETE|>'

    def _hopweaver_comparison_question(self, told) -> str:
        first, second = number_in(told["title_a"]), number_in(told["title_b"])
        if (first + second) % 2 == 0:
            return "FAIL\nboth are odd or even"
        quotes = [f"The mean zinc intake of cohort {number} was {number} mg." for number in (first, second)]
        lower = told.get("ask_for") == "lower"
        asked = "lower" if lower else "higher"
        return "\n".join(
            (
                "PASS",
                "in_common: fall of iron",
                f"common_quote_a: Iron fell in cohort {first}.",
                f"common_quote_b: Iron fell in cohort {second}.",
                f"entity_a: cohort {first}",
                f"entity_b: cohort {second}",
                "attribute_compared: mean zinc intake",
                f"multi_hop_question: Which had the {asked} zinc intake, cohort {first} or cohort {second}?",
                f"answer: cohort {(min if lower else max)(first, second)}",
                f"fact_entity_a: {quotes[0]}",
                f"fact_entity_b: {quotes[1]}",
                f"quote_a: {quotes[0]}",
                f"quote_b: {'invented' if first == 3 else quotes[1]}",
                f"relevant_paragraph_a: {quotes[0]}",
                f"relevant_paragraph_b: {quotes[1]}",
            )
        )

    def _hopweaver_comparison_polisher(self, told) -> str:
        if told["entity_a"] == "cohort 4":
            return "[ADJUST]\nREFINED_QUESTION: Of the two cohorts, which had the higher zinc intake?"
        return "[REJECTED]\nREASON: dull" if told["entity_a"] == "cohort 5" else "[PASS]"

    def _hopweaver_comparison_reader(self, told) -> str:
        return passed_by_reader("comparison")


def number_in(title: str) -> int:
    """The number of the cohort that a paper is about."""
    return int(re.findall(r"cohort (\d+)", title)[0])
