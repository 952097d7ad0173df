# ruff: noqa: E501 (a snippet of markup is easier to read on one line)
"""In-text citations: what is shown, where, and which references it names."""

import pytest

from tests.jats_snippets import paper_of, paragraph_of, shown_markers


def x(number, text=None, kind=' ref-type="bibr"'):
    return f'<xref{kind} rid="B{number}">{text or number}</xref>'


@pytest.mark.parametrize(
    ("content", "text", "markers"),
    [
        (f"A [{x(3)}].", "A [3].", [("[3]", ["B3"])]),
        (f"A {x(3, '[3]')}-{x(7, '[7]')}.", "A [3]-[7].", [("[3]-[7]", ["B3", "B4", "B5", "B6", "B7"])]),
        (f"A [{x(3)},{x(5)},{x(7)}-{x(9)}].", "A [3,5,7-9].", [("[3,5,7-9]", ["B3", "B5", "B7", "B8", "B9"])]),
        (f"A ({x(3)}, {x(4)}).", "A (3, 4).", [("(3, 4)", ["B3", "B4"])]),
        (f"A [{x(3, '3–5')}].", "A [3–5].", [("[3–5]", ["B3", "B4", "B5"])]),
        ('A [<xref ref-type="bibr" rid="B3 B4 B5">3-5</xref>].', "A [3-5].", [("[3-5]", ["B3", "B4", "B5"])]),
        (f"A [{x(3, '3,4')}].", "A [3,4].", [("[3,4]", ["B3", "B4"])]),
        (f"A [{x(1)}, 2, {x(4)}].", "A [1, 2, 4].", [("[1, 2, 4]", ["B1", "B2", "B4"])]),
        (f"A [{x(1)}, 5].", "A [1, 5].", [("[1, 5]", ["B1", "B5"])]),
        (f"yield<sup>{x(3)},{x(4)}</sup>.", "yield [3,4].", [("[3,4]", ["B3", "B4"])]),
        (f"yield.<sup>{x(3)}–{x(5)}</sup> Next", "yield [3–5]. Next", [("[3–5]", ["B3", "B4", "B5"])]),
        (f"yield<sup>[{x(3)}]</sup> is", "yield [3] is", [("[3]", ["B3"])]),
        (f"end.{x(3, '<sup>3</sup>')} Next", "end [3]. Next", [("[3]", ["B3"])]),
        (f"end,{x(3)}, {x(4)} and", "end [3, 4], and", [("[3, 4]", ["B3", "B4"])]),
        (f"Lee et al.{x(3)} found", "Lee et al. [3] found", [("[3]", ["B3"])]),
        (f"A<sup>{x(1)}{x(2)}</sup>", "A [1,2]", [("[1,2]", ["B1", "B2"])]),
        (f"10<sup>6</sup> as in ref. {x(3)}", "10^6 as in ref. [3]", [("[3]", ["B3"])]),
        (
            f"({x(1, 'Lee et al., 2010')}; {x(2, 'Ito, 2011')})",
            "(Lee et al., 2010; Ito, 2011)",
            [("Lee et al., 2010", ["B1"]), ("Ito, 2011", ["B2"])],
        ),
        (f"Lee et al. ({x(1, '2010')}) saw", "Lee et al. (2010) saw", [("2010", ["B1"])]),
        (f"({x(1, '2003')}–{x(4, '2005')})", "(2003–2005)", [("2003", ["B1"]), ("2005", ["B4"])]),
        (f"({x(1, 'Lee, 2009)')}.", "(Lee, 2009).", [("Lee, 2009", ["B1"])]),
        (f"as in{x(1, 'Lee (2009)')}and", "as in Lee (2009) and", [("Lee (2009)", ["B1"])]),
        (f"A [{x(9, '9<sup>••</sup>')}]", "A [9]", [("[9]", ["B9"])]),
        ('A [<xref ref-type="ref" rid="B3">3</xref>]', "A [3]", [("[3]", ["B3"])]),
        ('A [<xref rid="B3">3</xref>]', "A [3]", [("[3]", ["B3"])]),
        ('A [<xref ref-type="bibr">3</xref>]', "A [3]", [("[3]", ["B3"])]),
        ('A [<xref ref-type="bibr" rid="gone">3</xref>]', "A [3]", [("[3]", [])]),
    ],
)  # fmt: skip
def test_markers_show_and_name(content, text, markers):
    assert paragraph_of(content).text == text
    assert shown_markers(content) == markers


def test_several_citations_in_one_ref_are_all_named():
    back = (
        '<ref-list><ref id="R1"><label>1</label><mixed-citation id="c1"><label>a</label>Lee A. One. 2001.</mixed-citation>'
        '<mixed-citation id="c2"><label>b</label>Ito B. Two. 2002.</mixed-citation></ref></ref-list>'
    )
    content = '[<xref ref-type="bibr" rid="R1">1</xref>] [<xref ref-type="bibr" rid="c2">1b</xref>]'
    paper = paper_of(f"<p>{content}</p>", back=back)
    assert [(r.key, r.label, r.year) for r in paper.references] == [("R1", "1a", 2001), ("R1#2", "1b", 2002)]
    assert shown_markers(content, back=back) == [("[1] [1b]", ["R1", "R1#2"])]


def test_ranges_without_labels_go_by_position():
    back = (
        "<ref-list>"
        + "".join(f'<ref id="B{n}"><citation>x</citation></ref>' for n in (5, 2, 9))
        + "</ref-list>"
    )
    assert shown_markers(f"[{x(5, '1')}-{x(9, '3')}]", back=back) == [("[1-3]", ["B5", "B2", "B9"])]


def test_a_range_over_hundreds_is_not_filled():
    back = (
        "<ref-list>"
        + "".join(f'<ref id="B{n}"><citation>x</citation></ref>' for n in range(1, 400))
        + "</ref-list>"
    )
    assert shown_markers(f"[{x(1)}-{x(399)}]", back=back) == [("[1-399]", ["B1", "B399"])]


def test_no_markers_from_tables_and_captions():
    paper = paper_of(
        f"<sec><p>Text.</p><fig><caption><p>After [{x(3)}].</p></caption></fig>"
        f"<table-wrap><table><tr><td>{x(4)}</td></tr></table></table-wrap></sec>"
    )
    assert [p.markers for s in paper.sections for p in s.paragraphs] == [[]]
    assert paper.captions[0].text == "After [3]."


def test_a_citation_that_shows_nothing_visible_is_no_marker():
    assert shown_markers(
        "Millet<xref ref-type='bibr' rid='B1'>\u00ad\u200b</xref>, <xref rid='B2'>2</xref> grows."
    ) == [("[2]", ["B2"])]
