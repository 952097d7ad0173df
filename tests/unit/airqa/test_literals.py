"""Answers read as literals: what `eval()` would give where it is a value, nothing where it is a program."""

import ast
import contextlib
import json
import re
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.airqa.evaluation.literals import (
    MOST_CHARACTERS,
    NoLiteralError,
    as_list,
    as_object,
    literal,
)

PARTS = "[ ] ( ) { } , : - + * 'a' b'd' 1 2.5 3j 07 1_0 0x1f .5 1e-3 ... True None set () name".split()
PARTS += [" ", "\n", "# x", "\\\n", '"b"', "'''c'''"]


def values():
    plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
    keys = st.integers() | st.text()
    return st.recursive(
        plain | st.complex_numbers(allow_nan=False, allow_infinity=False),
        lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(keys, inner),
        max_leaves=15,
    )


def by_python(text):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return repr(ast.literal_eval(text))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def by_us(text):
    try:
        return repr(literal(text))
    except NoLiteralError:
        return None


@given(values())
def test_what_python_writes_is_read(value):
    text = repr(value)
    if "inf" not in text:
        assert literal(text) == ast.literal_eval(text)


@given(st.lists(st.sampled_from(PARTS), max_size=12).map("".join))
def test_any_mixture_of_tokens_is_read_as_python_reads_it(text):
    expected = by_python(text)
    ours = by_us(text)
    # Signs before brackets are no literals here, nor is what begins with the end of a line that goes on.
    odd = re.search(r"[+-]\s*\(|\)\s*[+-]|\A\s*(?:#.*\n\s*)*\\", text)
    if ours is not None or not odd:
        assert ours == expected


@given(st.text("'\"\\a1,: \n", max_size=10))
def test_quotes_end_where_python_ends_them(text):
    assert by_us(f"[{text}]") == by_python(f"[{text}]")


@pytest.mark.parametrize("text", ["{'''a': 1}", '{"""a": 1}', "['''a']", "''''", "b'''a'"])
def test_three_quotes_open_a_text_that_three_quotes_end(text):
    assert by_python(text) is None
    assert by_us(text) is None


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(text):
    assert isinstance(as_list(text), list)
    as_object(text)
    with contextlib.suppress(NoLiteralError):
        literal(text)


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("1, 2", [1, 2]),
        ("(1,)", [1]),
        ("['a' 'b']", ["ab"]),
        (" \t[1]\n\n", [1]),
        ("\n# so\n[1] # and so\n", [1]),
        ("[\n  1,\n  2,\n]", [1, 2]),
        ("[1\r\n,2]", [1, 2]),
        ("set()", []),
        ("{3, 1, 2}", [1, 2, 3]),
        ("{'b', 'a', 'b'}", ["b", "a"]),
        ("[-1, +2.5, 1-2j]", [-1, 2.5, 1 - 2j]),
        ("[r'\\alpha', u'x', b'y']", ["\\alpha", "x", b"y"]),
        ("{1: 2}", ["{1: 2}"]),
        ("'abc'", ["'abc'"]),
        ("abc", ["abc"]),
        ("", [""]),
        ("[1] [2]", ["[1] [2]"]),
        ("\n [1]", ["\n [1]"]),
        ("[1]\n ", ["[1]\n "]),
        ("[1]\n \n", [1]),
        ("[1, \\\n2]", [1, 2]),
        ("[1]\n[2]", ["[1]\n[2]"]),
        ("[01]", ["[01]"]),
        ("[--1]", ["[--1]"]),
        ("[True-1]", ["[True-1]"]),
        ("[null]", ["[null]"]),
        ("{[1]: 2}", ["{[1]: 2}"]),
        ("{{1}}", ["{{1}}"]),
        ("f'x', 1", ["f'x', 1"]),
        ("['a\x00']", ["['a\x00']"]),
        ("['\ud800']", ["['\ud800']"]),
    ],
)
def test_lists(text, elements):
    assert as_list(text) == elements


@pytest.mark.parametrize(
    "program",
    [
        "[2+2, 2]",
        "[__import__('os').system('true')]",
        "[x for x in (1, 2)]",
        "list('ab')",
        "[*[1]]",
        "(lambda: [1])()",
        "[1 if True else 2]",
        "'a,b'.split(',')",
        "[exit()]",
        "set([1])",
        "[10**10**7]",
    ],
)
def test_a_program_is_a_text(program):
    assert as_list(program) == [program]
    assert as_object(f"{{'a': {program}}}") == {}


@pytest.mark.parametrize(
    "hostile",
    [
        "[" * 100_000,
        "[" * 60_000 + "]" * 60_000,
        "{1:" * 50_000,
        "{'a':" * 101 + "1" + "}" * 101,
        "(" * 150 + "1 1" + ")" * 150,
        "-" * 100_000 + "1",
        "[" + "1," * 60_000 + "]",
        "1+" * 50_000 + "1",
        "[" + "9" * 150_000 + "]",
        "['" + "\\" * 150_001 + "]",
        "'''" * 50_000,
        "\"\\'" * 60_000,
        "#" * 100_000 + "\n" * 90_000,
        "[1" + " " * 190_000,
        "[" + "0" * 100_000 + "1]",
        "not " * 40_000 + "1",
    ],
)
def test_hostile_text_is_a_text(hostile):
    assert as_list(hostile) == [hostile]
    assert as_object(hostile) == {}


def test_depth_and_length_have_their_bounds():
    assert as_list("[" * 100 + "]" * 100) != ["[" * 100 + "]" * 100]
    assert as_list("[" * 101 + "]" * 101) == ["[" * 101 + "]" * 101]
    fits = repr(["x" * (MOST_CHARACTERS - 4)])
    assert as_list(fits) == ["x" * (MOST_CHARACTERS - 4)]
    assert as_list(fits + " ") == [fits + " "]
    assert as_object(json.dumps({"a": "x" * MOST_CHARACTERS})) == {}


def test_a_set_looks_like_one_and_is_no_key():
    assert str(literal("{'b', 'a'}")) == "{'b', 'a'}"
    assert str(literal("set()")) == "set()"
    with pytest.raises(TypeError):
        hash(literal("{1}"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": null}', {"a": None}),
        ("{'a': None}", {"a": None}),
        ('{"a": NaN', {}),
        ("[1]", [1]),
        ("3", 3),
        ("(1, 2)", {}),
        ("{1: 2, 1: 3}", {1: 3}),
        ("nothing", {}),
        ("[" * 100_000, {}),
    ],
)
def test_objects(text, value):
    assert as_object(text) == value


def test_what_is_no_text_stays_what_it_is():
    assert as_list((1, 2)) == [1, 2]
    assert as_list({1, 2}) == [1, 2]
    assert as_list(None) == [None]
    assert as_list(b"[1]") == [b"[1]"]
    assert as_object({1: 2}) == {1: 2}
    assert as_object(3) == {}
