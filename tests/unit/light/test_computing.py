"""Expressions over the facts of an item."""

from contextlib import suppress

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa.measures.computing import ComputationError, Known, agrees, computed, sql_of

FACTS = [Known(63.9, 57.0, 70.0), Known(31.8, 25.0, 38.0), Known(52.0), Known()]


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("f1 - f2", 32.1),
        ("100 * f1 / f2", 200.943396),
        ("-(f1 + f2) / 2", -47.85),
        ("mean(f1, f2)", 47.85),
        ("maximum(f1, f2, f3) - minimum(f1, f2, f3)", 32.1),
        ("count(f1, f2, f3)", 3.0),
        ("total(f1, 1)", 64.9),
    ],
)
def test_numbers_are_computed(expression, result):
    assert computed(expression, FACTS) == pytest.approx(result)


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("rank(f1, f2, f3)", "f1 > f3 > f2"),
        ("highest(f1, f2)", "f1"),
        ("lowest(f1, f2, f3)", "f2"),
        ("within(f2, f1)", "no"),
        ("within(f1, f1)", None),
        ("overlap(f1, f2)", "no"),
    ],
)
def test_orders_and_verdicts_are_computed(expression, result):
    if result is None:
        with pytest.raises(ComputationError):
            computed(expression, FACTS)
    else:
        assert computed(expression, FACTS) == result


@pytest.mark.parametrize(
    ("expression", "is_query"),
    [
        ("rank(f3, f1, f2, f4)", True),
        ("highest(f1, f2)", True),
        ("lowest(f2, f1, f3)", True),
        ("maximum(f1, f2, f3) - minimum(f1, f2, f3)", True),
        ("100 * (f1 - f2) / f2", True),
        ("-mean(f1, f3)", True),
        ("count(f1, f2) + total(f1, f2)", True),
        ("maximum(f1 - f2, f3)", False),
        ("mean(f1, f1)", False),
        ("within(f2, f1)", False),
        ("f1 +", False),
    ],
)
def test_sql_over_the_facts_gives_the_same(expression, is_query):
    query = sql_of(expression, "item's")
    assert (query is not None) == is_query
    if query is None:
        return
    values = [63.9, 31.8, 52.0, 52.0]
    with duckdb.connect() as connection:
        connection.execute("create table stated_facts (item_id varchar, position integer, value double)")
        rows = [
            *(("item's", position, value) for position, value in enumerate(values, 1)),
            *(("another", position, 99.0) for position in range(1, 5)),
        ]
        connection.executemany("insert into stated_facts values ($1, $2, $3)", rows)
        ((result,),) = connection.execute(query).fetchall()
    expected = computed(expression, [Known(value) for value in values])
    assert result == (expected if isinstance(expected, str) else pytest.approx(expected))


@pytest.mark.parametrize(
    "expression",
    [
        *("__import__('os')", "f1.real", "f1 ** 9", "f9", "f4 + 1", "f1 / 0", "(f1", "", "rank(1, f2)"),
        *("overlap(f1, f3)", "within(f1, f2, f3)", "highest(f1, f1 + 1)", "[f1]", "mean()", "True", "'a'"),
        *("f1 + " * 200 + "f1", "~" * 400 + "f1", "9" * 400, "1e400", "0 * 1e400", "f1 * 1e308 - 1e308"),
        "mean(9e307, 9e307, 9e307)",
    ],
)
def test_anything_else_is_refused(expression):
    with pytest.raises(ComputationError):
        computed(expression, FACTS)


@given(st.text(max_size=60))
def test_no_text_does_more_than_fail(text):
    with suppress(ComputationError):
        computed(text, FACTS)


@pytest.mark.parametrize(
    ("result", "stated", "expected"),
    [
        (32.1, "32.1", True),
        (32.1, "32", True),
        (32.14, "32.1", True),
        (32.16, "32.1", False),
        (0.125, "0.13", True),
        (-3.0, "-3 percentage points", True),
        (3.0, "three", False),
        ("f1 > f2", "f1>f2", True),
        ("yes", "Yes", True),
        ("yes", "no", False),
    ],
)
def test_a_stated_result_may_be_rounded(result, stated, expected):
    assert agrees(result, stated) is expected
