# ruff: noqa: E501 (a snippet of markup is easier to read on one line)
"""What files may do to the reader, and what they must not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aimsciqa_assets.reading.jats import reader as jats
from aimsciqa_assets.reading.jats import tree as jats_tree
from aimsciqa_assets.reading.jats.reader import parse_jats
from aimsciqa_assets.reading.paper import RejectedFileError
from tests.jats_snippets import article


def reason(data):
    with pytest.raises(RejectedFileError) as rejected:
        parse_jats(data)
    return rejected.value.reason


def text(data):
    return parse_jats(data).sections[0].paragraphs[0].text


DOCTYPE = b'<!DOCTYPE article PUBLIC "-//X" "no-such.dtd">'


@pytest.mark.parametrize(
    "wrap",
    [
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: b"\n  " + data,
        lambda data: b'<?xml version="1.0" encoding="ASCII"?>' + data,
        lambda data: b'<?xml version="1.0" encoding="ISO-8859-1"?>' + data,
        lambda data: b'<?xml version="1.0" encoding="UTF-16"?>' + data,
        lambda data: data.decode().encode("utf-16"),
        lambda data: data.decode().encode("utf-16-be"),
        lambda data: data.decode().encode("utf-32"),
        lambda data: data.decode().encode("latin-1"),
        lambda data: b'<?xml version="1.0" encoding="ISO-8859-1"?>' + data.decode().encode("latin-1"),
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: DOCTYPE + data,
        lambda data: b"<pmc-articleset>" + data + b"</pmc-articleset>",
        lambda data: b'<record xmlns="http://oai"><metadata>' + data.replace(b"<article ", b'<article xmlns="http://jats/x" ')
        + b"</metadata></record>",
        lambda data: data.replace(b"<article ", b"<j:article xmlns:j='http://jats/x' ").replace(b"</article>", b"</j:article>")
        .replace(b"<body", b"<j:body").replace(b"</body", b"</j:body").replace(b"<p>", b"<j:p>").replace(b"</p>", b"</j:p>"),
    ],
)  # fmt: skip
def test_the_same_text_in_any_dress(wrap):
    assert text(wrap(article("<p>caf\u00e9\n au lait</p>"))) == "café au lait"


@pytest.mark.parametrize("doctype", [b"", DOCTYPE])
def test_entities_of_an_unread_dtd(doctype):
    data = doctype + article(
        "<p>5&nbsp;&ge; 3 &alpha; &agr; &amp; &lt; &#x3b1; &nosuch; <![CDATA[&nbsp;]]></p>"
    )
    paper = parse_jats(data)
    assert paper.sections[0].paragraphs[0].text == "5 ≥ 3 α α & < α &nosuch; &nbsp;"
    assert paper.repairs == ["kept as written: &nosuch;"]


def test_declared_entities_and_none_from_outside(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("TOP")
    doctype = f'<!DOCTYPE article [<!ENTITY own "mine"><!ENTITY out SYSTEM "{secret.as_uri()}">]>'.encode()
    found = text(doctype + article("<p>&own; &out;</p>"))
    assert found.startswith("mine")
    assert "TOP" not in found


def test_bare_ampersands_and_unbound_prefixes_are_mended_and_said():
    paper = parse_jats(article("<p>R&D, A & B</p>"))
    assert paper.sections[0].paragraphs[0].text == "R&D, A & B"
    assert paper.repairs == ["kept as written: bare &"]
    paper = parse_jats(article("<p>a <tp:name>Zea</tp:name> <mml2:x/>b</p>"))
    assert paper.sections[0].paragraphs[0].text == "a Zea b"
    assert "Namespace prefix tp" in paper.repairs[0]
    assert text(article("<p>a\x0bb&#1;c&#x1F;d&#xFFFE;</p>")) == "a b c d"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "empty_file"),
        (b" \n", "empty_file"),
        (b"<x/>", "no_article"),
        (b"<html><body><article><p>x</p></article></body></html>", "no_article"),
        (b"plain words", "not_well_formed"),
        (article()[:-40], "truncated"),
        (article().replace(b"<body>", b"</article><body>"), "not_well_formed"),
        (b"<set>" + article() + article() + b"</set>", "several_articles"),
        (b"<article/>", "no_text"),
        (article("<sec/>", meta=""), "no_text"),
        (article("<i>" * 300 + "x" + "</i>" * 300), "too_complex"),
        (article(f"<p>{'x' * 11_000_000}</p>"), "too_complex"),
        (article(f'<p a="{"x" * 11_000_000}"/>'), "too_complex"),
        (b"<article>" + b"<a/>" * jats_tree.MAX_NODES, "too_large"),
        (b"<article>&nbsp;" + b"&" * jats_tree.MAX_NODES, "too_large"),
        (b"<article>" + b"x" * jats_tree.MAX_BYTES, "too_large"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_rejected_and_why(data, expected):
    assert reason(data) == expected


def test_what_one_file_did_wrong_is_not_held_against_the_next():
    broken = article("<p>One <i>sentence</p>")
    assert parse_jats(broken).repairs
    assert reason(article(f"<p>{'x' * 11_000_000}</p>")) == "too_complex"
    assert parse_jats(broken).repairs


def test_entity_bombs_are_rejected():
    laughs = "".join(f'<!ENTITY l{n + 1} "{f"&l{n};" * 10}">' for n in range(9))
    assert (
        reason(f'<!DOCTYPE article [<!ENTITY l0 "ha">{laughs}]>'.encode() + article("<p>&l9;</p>"))
        == "too_complex"
    )
    quadratic = f'<!DOCTYPE article [<!ENTITY q "{"x" * 100_000}">]>'.encode()
    assert reason(quadratic + article(f"<p>{'&q;' * 1000}</p>")) == "too_complex"


@pytest.mark.parametrize("tag", ["sec", "italic", "sup", "sub", "list", "xref", "disp-formula", "fig-group"])
def test_the_deepest_nesting_the_parser_lets_through(tag):
    parse_jats(article(f"<{tag}>" * 240 + "<p>x</p>" + f"</{tag}>" * 240))


def test_nesting_beyond_the_stack_is_rejected_not_crashed():
    boxes = article("<p><boxed-text>" * 120 + "x" + "</boxed-text></p>" * 120)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jats, "read_paper", lambda _: (_ for _ in ()).throw(RecursionError))
        assert reason(boxes) == "too_complex"


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_damaged_files_become_papers_or_reasons(data):
    sound = article(
        "<sec><title>Results</title><p>A<sup>2</sup> [<xref rid='B1'>1</xref>-<xref rid='B3'>3</xref>] &amp; <italic>b</italic>"
        "<disp-formula><mml:math><mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math></disp-formula></p>"
        "<list><list-item><p>c</p></list-item></list><fig id='f'><label>1</label><caption><p>d</p></caption></fig></sec>"
    )
    start = data.draw(st.integers(0, len(sound)))
    end = data.draw(st.integers(start, len(sound)))
    put = data.draw(
        st.sampled_from(
            [b"", sound[start:end] * 2, b"<xref rid='B2'>", b"<sup/>", b"</p>", b"&", b"\xff\x00"]
        )
    )
    damaged = sound[:start] + put + sound[end:]
    try:
        paper = parse_jats(damaged)
    except RejectedFileError:
        return
    keys = {reference.key for reference in paper.references}
    for section in paper.sections:
        for paragraph in section.paragraphs:
            assert not set("\x01\x02\x03\x04\n") & set(paragraph.text)
            for marker in paragraph.markers:
                assert 0 <= marker.start < marker.end <= len(paragraph.text)
                assert set(marker.reference_keys) <= keys
