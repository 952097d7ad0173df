"""Numbers that texts state."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa.measures.numbers import count_of, interval_of, number_of, numbers_in


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("63.9% (57.8-69.9)", [63.9, 57.8, 69.9]),
        ("1,234 of 2\u2009345", [1234.0, 2345.0]),
        ("p < 0.001", [0.001]),
        ("2.5 × 10^6 cells", [2.5e6]),
        ("5 x 10^-3", [5e-3]),
        ("0·45 mg", [0.45]),
        ("−0.24 mmol and -3", [-0.24, -3.0]),
        ("PM2.5 in T3 rose by 12-15", [12.0, 15.0]),
        ("a decrease (-3.2 to 4.5)", [-3.2, 4.5]),
        ("in 2019, 20 of 30", [2019.0, 20.0, 30.0]),
        ("none", []),
        (f"2 × 10^400, {'9' * 400} or 3", [3.0]),
    ],
)
def test_each_number_of_a_text(text, values):
    assert [number.value for number in numbers_in(text)] == pytest.approx(values)


def test_the_only_number_an_interval_and_a_count():
    assert (number_of("63.9"), number_of("63.9 or 64"), number_of("most")) == (63.9, None, None)
    assert interval_of("AOR 1.97; 95% CI 1.12–3.4") == (1.12, 3.4)
    assert interval_of("95% CI (-3.2, 4.5)") == (-3.2, 4.5)
    assert interval_of("SD 1.9") is None
    assert count_of("130 of 228") == count_of("130/228") == (130.0, 228.0)
    assert count_of("many of them") is None


@given(st.text(max_size=200))
def test_no_text_breaks_the_reading_of_numbers(text):
    for number in numbers_in(text):
        assert text[number.start : number.end].strip()
