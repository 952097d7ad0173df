"""What a line of documents becomes, and what is said of one that is none."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.reading.documents import document_paper_id, paper_of, read_document
from aimsciqa_assets.reading.licences import licence_address
from aimsciqa_assets.reading.paper import Paper, RejectedFileError


def paper(values: object, licence: str = "") -> Paper:
    line = values if isinstance(values, bytes) else json.dumps(values).encode()
    return paper_of(read_document(line, len(line)), licence)


def texts(values: object) -> list[str]:
    return [paragraph.text for paragraph in paper(values).sections[-1].paragraphs]


def test_a_document_in_the_form_of_hopweaver():
    read = paper({"id": "w1", "title": "Zinc", "contents": "Zinc\nZinc is  a metal. ", "doc_size": 20})
    assert (read.source, read.document_id, read.title) == ("document", "w1", "Zinc")
    assert [(section.title, section.kind) for section in read.sections] == [("", "other")]
    assert read.sections[0].paragraphs[0].text == "Zinc is  a metal."
    assert (read.licence, read.year, read.language, read.abstract, read.url) == ("", None, "", "", "")
    assert read.has_full_text
    assert read.repairs == []


def test_keys_beside_the_three_count_where_they_can_be_understood():
    given = {
        "abstract": "Short.",
        "licence": "https://creativecommons.org/licenses/by-sa/4.0/",
        "year": "2019-05",
    }
    read = paper({"id": 1, "title": "T", "contents": "Long.", "url": "https://a.org/1", **given})
    assert [(section.kind, section.paragraphs[0].text) for section in read.sections] == [
        ("abstract", "Short."),
        ("other", "Long."),
    ]
    assert (read.licence, read.licence_url) == ("CC BY-SA", given["licence"])
    assert (read.year, read.published, read.url) == (2019, "2019", "https://a.org/1")


def test_keys_that_cannot_be_understood_are_noted():
    given = {"abstract": ["a"], "licence": "all mine", "year": "soon", "title": {"a": 1}}
    read = paper({"id": 1, "contents": "Text.", **given})
    assert (read.title, read.abstract, read.licence, read.year) == ("1", "", "", None)
    assert read.repairs == ["title: no text", "abstract: no text", "year: no year", "licence: not known"]


def test_the_licence_that_was_said_is_that_of_documents_that_name_none():
    document = {"id": 1, "title": "T", "contents": "Text."}
    assert paper(document, "CC BY-SA").licence == "CC BY-SA"
    assert paper({**document, "licence": "CC0"}, "CC BY-SA").licence == "CC0"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("CC BY-SA 4.0", "https://creativecommons.org/licenses/by-sa/4.0/"),
        ("cc-by-nc-nd 3.0", "https://creativecommons.org/licenses/by-nc-nd/3.0/"),
        ("CC BY", ""),
        ("CC0", "https://creativecommons.org/publicdomain/zero/1.0/"),
        ("http://a.org/licence", "http://a.org/licence"),
        ("mine", ""),
    ],
)
def test_the_address_of_a_licence(text, address):
    assert licence_address(text) == address


@pytest.mark.parametrize(
    ("contents", "paragraphs"),
    [
        ("One.\nTwo.\r\nThree.", ["One.", "Two.", "Three."]),
        ("One\nline.\n\nTwo\n  lines.\n \nEnd.", ["One line.", "Two lines.", "End."]),
        ("Title\nText.", ["Text."]),
        (" \nTitle \nTitle text.", ["Title text."]),
        ("Title", None),
        ("Title goes on.", ["Title goes on."]),
    ],
)
def test_paragraphs_stand_between_blank_lines_or_are_lines(contents, paragraphs):
    document = {"id": 1, "title": "Title", "contents": contents}
    if paragraphs is None:
        with pytest.raises(RejectedFileError, match="no_contents"):
            texts(document)
    else:
        assert texts(document) == paragraphs


def test_a_document_without_a_title_has_it_in_its_first_line():
    assert paper({"id": 1, "contents": '"Zinc"\nZinc is a metal.'}).title == "Zinc"
    assert texts({"id": 1, "contents": '"Zinc"\nZinc is a metal.'}) == ["Zinc is a metal."]
    assert paper({"id": "a b", "contents": "Zinc is a metal."}).title == "a b"
    long = "word " * 100
    assert texts({"id": 1, "contents": f"{long}\nMore."}) == [long.strip(), "More."]


def test_what_no_table_can_hold_is_mended():
    line = rb'{"id": "1", "title": "Half \ud800 pair", "contents": "A\u0000B' + b"\x01C\tD" + rb'\u2028E"}'
    read = paper(line)
    assert read.title == "Half \\ud800 pair"
    assert [paragraph.text for paragraph in read.sections[0].paragraphs] == ["A B C\tD", "E"]
    assert read.repairs == ["contents: control characters"]


def test_keywords_are_those_of_title_and_beginning():
    read = paper(
        {"id": 1, "title": "Pearl millet", "contents": "Pearl millet is a grain. " + "Zinc. " * 2000}
    )
    assert {(keyword.text, keyword.origin) for keyword in read.keywords} >= {("Pearl millet", "extracted")}


@pytest.mark.parametrize(
    ("line", "reason", "detail"),
    [
        (b"", "line_too_long", "12,345 bytes are more than AIMSCIQA_CORPUS_DOCUMENT_BYTES"),
        (b'{"id": "\xe9"}', "not_utf8", "(byte 9)"),
        (b'{"id": 1, ', "not_json", "at character 11"),
        (b"[" * 100_000, "not_json", "nested too deeply"),
        (b'{"id": ' + b"9" * 5000 + b"}", "not_json", "limit"),
        (b'["id"]', "not_an_object", "a list"),
        (b"null", "not_an_object", "null"),
        (b'{"contents": "A."}', "no_id", "no key id"),
        (b'{"id": " ", "contents": "A."}', "no_id", "empty"),
        (b'{"id": 1.5, "contents": "A."}', "bad_id", "a number"),
        (b'{"id": true, "contents": "A."}', "bad_id", "true or false"),
        (b'{"id": ["a"], "contents": "A."}', "bad_id", "a list"),
        (b'{"id": "' + b"a" * 501 + b'", "contents": "A."}', "bad_id", "501 characters"),
        (b'{"id": 1}', "no_contents", "no key contents"),
        (b'{"id": 1, "contents": null}', "no_contents", "null"),
        (b'{"id": 1, "contents": " \\n\\u0000"}', "no_contents", "empty"),
        (b'{"id": 1, "contents": 7}', "bad_contents", "a number"),
    ],
)
def test_a_line_that_is_no_document_says_why(line, reason, detail):
    with pytest.raises(RejectedFileError) as error:
        read_document(line, 12_345)
    assert error.value.reason == reason
    assert detail in error.value.detail


def test_integers_and_texts_are_the_same_ids():
    ids = [read_document(b'{"id": %s, "contents": "A."}' % one, 9).document_id for one in (b"7", b'"7"')]
    assert ids == ["7", "7"]
    big = b"123456789012345678901234567890"
    assert read_document(b'{"id": %s, "contents": "A."}' % big, 9).document_id == big.decode()


@pytest.mark.parametrize(
    ("document_id", "paper_id"),
    [
        ("hw-1", "doc:hw-1"),
        ("New York", "doc:New%20York"),
        ("100%", "doc:100%25"),
        ("a\tb\nc\x00\u2028", "doc:a%09b%0Ac%00%E2%80%A8"),
        ("Zürich/<b>?#&'\"", "doc:Zürich/<b>?#&'\""),
    ],
)
def test_paper_ids_hold_no_white_space(document_id, paper_id):
    assert document_paper_id(document_id) == paper_id


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), st.text(min_size=1, max_size=3))
def test_two_ids_never_become_one_and_none_breaks_a_list(one, other):
    ids = [document_paper_id(text.encode("utf-8", "ignore").decode()) for text in (one, one + other)]
    assert all(len(paper_id.split()) == 1 and paper_id.isprintable() for paper_id in ids)
    assert (ids[0] == ids[1]) == (not other.encode("utf-8", "ignore"))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
KEYS = ("id", "title", "contents", "abstract", "licence", "url", "year")


@given(
    st.binary(max_size=50)
    | st.fixed_dictionaries({}, optional=dict.fromkeys(KEYS, VALUES)).map(
        lambda one: json.dumps(one).encode()
    )
)
def test_any_line_is_a_paper_that_can_be_stored_or_a_reason(line):
    try:
        read = paper(line)
    except RejectedFileError:
        return
    paragraphs = [paragraph.text for section in read.sections for paragraph in section.paragraphs]
    assert read.has_full_text
    assert all(text.strip() and "\n" not in text for text in paragraphs)
    json.dumps([read.title, read.url, *paragraphs], ensure_ascii=False).encode()
    assert "\x00" not in "".join([read.title, read.url, *paragraphs])
