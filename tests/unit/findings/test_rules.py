# ruff: noqa: E501 (a case is easier to read on one line)
"""Rules that every question of Findings has to pass."""

from dataclasses import replace

import pytest

from aimsciqa_assets.findings.replies import Computation
from aimsciqa_assets.findings.rules import form_fault, rule_faults
from aimsciqa_assets.findings.wording import DraftFact, Wording

FACTS = (
    DraftFact("A", "a1", "s", "63.9", "%", "63.9% had good knowledge"),
    DraftFact("B", "b1", "s", "31.8", "%", "good knowledge in 31.8% (95% CI 25.0 to 38.2)"),
)
GOOD = Wording(
    "value_comparison",
    "How does good knowledge compare between Addis Ababa and the Free State?",
    "It was 63.9% in Addis Ababa and 31.8% in the Free State, 32.1 percentage points less.",
    FACTS,
    (Computation(expression="f1 - f2", result="32.1", unit="percentage points"),),
)
TITLE = "Knowledge of tuberculosis infection control among nurses of the Free State in South Africa"


@pytest.mark.parametrize(
    ("question", "fault"),
    [
        ("How do the shares of nurses compare?", None),
        ("In which direction did yield change in the two trials?", None),
        ("Is yield higher in the first trial?", "closed_question"),
        ("Did zinc rise in both studies?", "closed_question"),
        ("Which of the two surveys found more knowledge?", "closed_question"),
        ("Was zinc higher in Mali or in Niger?", "closed_question"),
        ("Compare the yields.", "not_a_question"),
        (" ", "empty_question"),
        ("How does F3 compare with F4?", "mark_in_text"),
        ("How " + "very " * 60 + "large was it?", "long_question"),
    ],
)
def test_the_form_of_a_question(question, fault):
    assert form_fault(question, "It was so.", 50) == fault


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        ({}, []),
        ({"facts": FACTS[:1], "computations": (), "answer": "63.9%."}, ["one_paper"]),
        ({"question": f"How does good knowledge compare with {TITLE}?"}, ["title_in_question"]),
        ({"facts": (FACTS[0], replace(FACTS[1], amount="32.8"))}, ["value_not_in_quote", "computation_disagrees"]),
        ({"computations": ()}, ["unsupported_number"]),
        ({"computations": (Computation(expression="f1 - f2", result="33"),)},
         ["computation_disagrees", "unsupported_number"]),
        ({"computations": (Computation(expression="f1 - f7", result="32.1"),)}, ["computation_fails"]),
        ({"computations": (Computation(expression="30 + 2.1", result="32.1"),)}, ["computation_without_facts"]),
        ({"type": "replication"}, ["no_computation"]),
        ({"type": "set_comparison"}, ["no_computation", "set_of_two"]),
        ({"type": "set_comparison", "computations": (
            *GOOD.computations, Computation(expression="maximum(f1 - f2, f2)", result="32.1"))},
         ["no_computation", "set_of_two"]),
        ({"type": "set_comparison", "computations": (*GOOD.computations, Computation(expression="rank(f1, f2)", result="f1 > f2"))},
         ["set_of_two"]),
        ({"type": "replication", "computations": (Computation(expression="within(f1, f2)", result="no"),),
          "answer": "63.9% lies outside 25.0 to 38.2."}, []),
    ],
)  # fmt: skip
def test_rules_name_what_is_wrong(change, faults):
    assert list(rule_faults(replace(GOOD, **change), [TITLE], 50)) == faults
