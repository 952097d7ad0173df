"""Fact recall and precision by rules."""

import pytest

from aimsciqa.measures.facts import Fact, Sources, precision, recall, stated

SHARE = Fact("63.9", "% of workers", "63.9% (372 of 582) had good knowledge")


@pytest.mark.parametrize(
    ("value", "unit", "answer", "found"),
    [
        ("63.9", "%", "It was 63.9% there.", True),
        ("63.9", "% of workers", "63.9 per cent of them", True),
        ("63.9", "%", "63.9 and 31.8%", True),
        ("63.9", "%", "a share of 0.639", True),
        ("63.9%", "", "64%", True),
        ("0.639", "", "63.9%", True),
        ("63.9", "%", "60%", False),
        ("63.9", "%", "63.9 mg", False),
        ("63.9", "%", "63.94%", False),
        ("63.9", "%", "163.9%", False),
        ("1,234", "participants", "1234 participants", True),
        ("1\u2009234", "participants", "about 1,200", False),
        ("21", "mg per kg", "21 mg per kg", True),
        ("21", "mg/kg", "21 g per kg", False),
        ("12", "months", "a 12-month follow-up", True),
        ("12", "months", "12 weeks", False),
        ("24", "h", "24 hours", True),
        ("8.92", "of 13", "about 8.9", True),
        ("8.92", "of 13", "about 9", False),
        ("-3.2", "kg", "it fell by 3.2 kg", True),
        ("1.2 to 3.4", "", "between 1.2 and 3.4", True),
        ("1.2 to 3.4", "", "from 1.2", False),
        ("", "", "higher in Mali", None),
        ("63.9", "%", "", False),
    ],
)
def test_an_answer_states_a_number_in_its_unit_rounded_at_most(value, unit, answer, found):
    assert stated(answer, Fact(value, unit, "")) is found


def test_recall_is_over_facts_with_a_number():
    facts = [SHARE, Fact("31.8", "%", "31.8%"), Fact("", "", "Knowledge rose with training.")]
    assert recall("It was 63.9% in Addis Ababa.", facts) == 0.5
    assert recall("It was 63.9%.", facts[2:]) is None


@pytest.mark.parametrize(
    ("answer", "share"),
    [
        ("63.9% against 31.8%, a gap of 32.1 percentage points.", 1.0),
        ("In 2015, 372 of 582 workers.", 1.0),
        ("63.9% against 40%.", 0.5),
        ("Over 3 papers, 64%.", 1.0),
        ("In the strain of 1968, 63.9 per 1,000 workers.", 1.0),
        ("63.9% of 1,968 workers.", 0.5),
        ("Over 30 papers, 64%.", 0.5),
        ("In 2015.", None),
        ("Much less.", None),
    ],
)
def test_precision_asks_where_each_number_comes_from(answer, share):
    facts = [SHARE, Fact("31.8", "%", "31.8% (95% CI 25.0 to 38.2)")]
    sources = Sources("How did knowledge compare in 2015?", facts, ["32.1 percentage points"])
    assert precision(answer, sources) == share
