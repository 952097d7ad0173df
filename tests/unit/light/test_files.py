"""Files that people bring: marks at their beginning, ends of lines, numbers that are none, repeated keys."""

import json

import pytest

from aimsciqa.files import NotJsonError, NotUtf8Error, json_of, json_text, number_of, read_lines, read_text

BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize("end", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e"])
def test_only_a_line_feed_ends_a_line(tmp_path, end):
    (tmp_path / "a").write_text(f"one{end}two\nthree", encoding="utf-8")
    assert list(read_lines(tmp_path / "a")) == [(1, f"one{end}two".encode()), (2, b"three")]


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"", []),
        (BOM, []),
        (BOM + b"a\r\n\r\n \nb\r\n", [(1, b"a"), (4, b"b")]),
        (BOM + b"a\n" + BOM + b"b\n", [(1, b"a"), (2, b"b")]),
        (b"a\rb\n", [(1, b"a\rb")]),
    ],
)
def test_lines_that_are_not_blank_come_with_their_numbers(tmp_path, content, lines):
    (tmp_path / "a").write_bytes(content)
    assert list(read_lines(tmp_path / "a")) == lines


@pytest.mark.parametrize(("content", "byte"), [(b"a\xe9", 2), (b"\xff\xfea\0", 1), (BOM + b"a\xc3", 2)])
def test_what_is_not_utf8_is_named_by_its_byte(tmp_path, content, byte):
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(NotUtf8Error, match=rf"^it is not UTF-8 \(byte {byte}\)$"):
        read_text(tmp_path / "a")


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a": NaN}', "NaN is not a finite number"),
        ("[[-Infinity]]", "-Infinity is not a finite number"),
        ("1e999", "1e999 is not a finite number"),
        ('{"a": 1, "b": 2, "a": 1}', "an object has the key 'a' twice"),
        ('[{"a": {"b": 1, "\\u0062": 2}}]', "an object has the key 'b' twice"),
        ("[" * 100_000, "it is nested too deeply"),
        ("9" * 5000, "Exceeds the limit (4300 digits) for integer string conversion: value has 5000 digits"),
        ("{", "Expecting property name enclosed in double quotes at character 2"),
        ("\ufeff\ufeff1", "Expecting value at character 1"),
    ],
)
def test_what_is_not_json_says_why(text, why, strict):
    with pytest.raises(NotJsonError) as error:
        json_of(text.encode(), strict=strict)
    assert str(error.value) == why


def test_json_is_read_as_it_is():
    assert json_of(BOM + '{"a": [1, 2.5, null, "é\u2028"]}'.encode()) == {"a": [1, 2.5, None, "é\u2028"]}
    assert json_of('"a\tb"', strict=False) == "a\tb"


@pytest.mark.parametrize(
    "value", ["nan", "inf", "-Infinity", "1e400", 10**400, float("nan"), "", "one", "1_0", True]
)
def test_a_number_is_finite(value):
    with pytest.raises((ValueError, TypeError), match=r"finite|convert|no numbers"):
        number_of(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (float("nan"), "null"),
        ({"a": [1.5, float("inf")], "é": (float("-inf"),)}, '{"a": [1.5, null], "é": [null]}'),
        ([{"a": {"b": float("nan")}}, "NaN"], '[{"a": {"b": null}}, "NaN"]'),
        ([1, None, True], "[1, null, true]"),
    ],
)
def test_no_json_holds_a_number_that_is_none(value, text):
    assert json_text(value) == text
    assert json.loads(json_text(value, indent=1)) == json.loads(text)
