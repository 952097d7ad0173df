# ruff: noqa: E501 (a snippet of markup is easier to read on one line)
"""In-text citations: what is shown, where, and which references it names."""

import pytest

from tests.jats_snippets import paper_of, paragraph_of, shown_markers


def x(number, text=None, kind=' ref-type="bibr"'):
    return f'<xref{kind} rid="B{number}">{text or number}</xref>'


def raised(number):
    return x(number, f"<sup>{number}</sup>")


def labelled(*labels):
    return "".join(
        f'<ref id="B{n}"><label>{label}</label><mixed-citation>Author{n} A. Work. 200{n}.</mixed-citation></ref>'
        for n, label in enumerate(labels, 1)
    )


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
        ("A [<xref>3–5</xref>]", "A [3–5]", [("[3–5]", ["B3", "B4", "B5"])]),
        ("A [<xref>3 to 5, 7</xref>]", "A [3 to 5, 7]", [("[3 to 5, 7]", ["B3", "B4", "B5", "B7"])]),
        ("In <xref>3 to 55</xref> days", "In 3 to 55 days", []),
        ('A [<xref ref-type="bibr">3</xref>]', "A [3]", [("[3]", ["B3"])]),
        ('A [<xref ref-type="bibr" rid="gone">3</xref>]', "A [3]", [("[3]", [])]),
    ],
)  # fmt: skip
def test_markers_show_and_name(content, text, markers):
    assert paragraph_of(content).text == text
    assert shown_markers(content) == markers


@pytest.mark.parametrize(
    ("content", "text", "marker", "keys"),
    [
        (f"rose.{raised(1)}<sup>, </sup>{raised(3)} It", "rose [1,3]. It", "[1,3]", "B1 B3"),
        (f"rose.\n {raised(1)}\n <sup>,</sup>\n {raised(3)}\n It", "rose. [1, 3] It", "[1, 3]", "B1 B3"),
        (f"rose.{x(1)}<sup>–</sup>{x(3)} It", "rose [1–3]. It", "[1–3]", "B1 B2 B3"),
        (f"rose [{x(1)}<sup>,</sup>{x(3)}]. It", "rose [1,3]. It", "[1,3]", "B1 B3"),
        (f"rose.<sup>{x(1)}</sup><sup>,{x(3)}</sup> It", "rose [1,3]. It", "[1,3]", "B1 B3"),
        (f"rose.<sup>{x(1)}–</sup><sup>{x(3)}</sup> It", "rose [1–3]. It", "[1–3]", "B1 B2 B3"),
        (f"rose.<italic><sup>{x(1)},</sup></italic><sup>{x(3)}</sup> It", "rose [1,3]. It", "[1,3]", "B1 B3"),
        (f"rose.{x(1, '<sup>1–</sup>')}{raised(3)} It", "rose [1–3]. It", "[1–3]", "B1 B2 B3"),
        (f"rose.{raised(1)}{x(3, '<sup>–3</sup>')} It", "rose [1–3]. It", "[1–3]", "B1 B2 B3"),
        (f"rose.{raised(1)}<sup>and</sup>{raised(3)} It", "rose [1 and 3]. It", "[1 and 3]", "B1 B3"),
        (f"rose<sup>(</sup>{raised(1)}<sup>–</sup>{raised(3)}<sup>)</sup>. It", "rose [1–3]. It", "[1–3]", "B1 B2 B3"),
        (f"rose<sup>{x(1)},{x(3)}.</sup> It", "rose [1,3]. It", "[1,3]", "B1 B3"),
        (f"rose.{raised(1)}<sup>,2,</sup>{raised(4)} It", "rose [1,2,4]. It", "[1,2,4]", "B1 B2 B4"),
        (f"rose.{raised(1)}<sup>–</sup><sup>3</sup> It", "rose [1–3]. It", "[1–3]", "B1 B2 B3"),
        (f"rose.{raised(1)}<sup>,</sup>{raised(3)}<sup>–</sup>{raised(5)} It", "rose [1,3–5]. It", "[1,3–5]", "B1 B3 B4 B5"),
        (f"rose.{raised(1)}<sup>,</sup><xref ref-type='fn' rid='f'><sup>a</sup></xref> It", "rose [1]. It", "[1]", "B1"),
        (f"rose {raised(1)}<sup>,</sup> and", "rose [1], and", "[1]", "B1"),
        (f"per m<sup>2</sup><sup>,</sup>{raised(3)} of", "per m^2 [3], of", "[3]", "B3"),
        (f"10<sup>6</sup>{raised(3)} of", "10^6 [3] of", "[3]", "B3"),
        (f"Cl<sup>−</sup>{raised(3)} of", "Cl^−[3] of", "[3]", "B3"),
        (f"rose<sup>[</sup>{raised(1)}<sup>,</sup>{raised(3)}<sup>]</sup>. It", "rose [1,3]. It", "[1,3]", "B1 B3"),
        (f"“It rose.”{raised(1)}<sup>,</sup>{raised(3)} It", "“It rose [1,3].” It", "[1,3]", "B1 B3"),
        (f"rose?{raised(1)}–{raised(3)} It", "rose [1–3]? It", "[1–3]", "B1 B2 B3"),
        (f"CO<sub>2</sub>{raised(1)}<sup>–</sup>{raised(3)} rose", "CO2 [1–3] rose", "[1–3]", "B1 B2 B3"),
        (f"rose.<sup>({x(1)})</sup><sup>,</sup><sup>({x(3)})</sup> It", "rose [1,3]. It", "[1,3]", "B1 B3"),
        (f"rose.<sup>{x(1)}{x(2, '–')}{x(3)}</sup> It", "rose [1–3]. It", "[1–3]", "B1 B2 B3"),
        (f"rose.{raised(1)}<sup>,*</sup> It", "rose [1]. It", "[1]", "B1"),
        (f"rose.<sup>{x(1)},†</sup> It", "rose [1]. It", "[1]", "B1"),
        (f"rose.<sup>*,{x(1)}</sup> It", "rose [1]. It", "[1]", "B1"),
        ("10<sup>–</sup><sup>6</sup> [" + x(3) + "]", "10^–6 [3]", "[3]", "B3"),
    ],
)  # fmt: skip
def test_superscripts_side_by_side_are_one(content, text, marker, keys):
    assert paragraph_of(content).text == text
    assert shown_markers(content) == [(marker, keys.split())]


@pytest.mark.parametrize(
    ("content", "text", "marker", "keys"),
    [
        (f"[{x(1)} through {x(4)}]", "[1 through 4]", "[1 through 4]", "B1 B2 B3 B4"),
        (f"[{x(1, '1 through 4, 6')}]", "[1 through 4, 6]", "[1 through 4, 6]", "B1 B2 B3 B4 B6"),
        (f"{x(1, '[1–3, 5 and 7]')}", "[1–3, 5 and 7]", "[1–3, 5 and 7]", "B1 B2 B3 B5 B7"),
        (f"[{x(1, '1 to ')}{x(4)}]", "[1 to 4]", "[1 to 4]", "B1 B2 B3 B4"),
        (f"[{x(1)}{x(3, '–3, ')}{x(5)}]", "[1–3, 5]", "[1–3, 5]", "B1 B2 B3 B5"),
        (f"{x(1, '[1–')}{x(4, '4]')}", "[1–4]", "[1–4]", "B1 B2 B3 B4"),
        (f"[{x(2, '2,')} {x(3, '3,')} {x(5)}]", "[2, 3, 5]", "[2, 3, 5]", "B2 B3 B5"),
        (f"{x(1, '[1]')} through {x(4, '[4]')}", "[1] through [4]", "[1] through [4]", "B1 B2 B3 B4"),
        (f"[{x(1)}--{x(4)}]", "[1--4]", "[1--4]", "B1 B2 B3 B4"),
        (f"[{x(1)} to 4]", "[1 to 4]", "[1 to 4]", "B1 B2 B3 B4"),
        (f"[1–{x(4)}]", "[1–4]", "[1–4]", "B1 B2 B3 B4"),
        (f"[1 to 3, {x(5)}]", "[1 to 3, 5]", "[1 to 3, 5]", "B1 B2 B3 B5"),
        (f"yield.<sup>{x(1)} to {x(3)}</sup>", "yield [1 to 3].", "[1 to 3]", "B1 B2 B3"),
        (
            f"[{x(1)} to {x(3)} and {x(6)} to {x(8)}]",
            "[1 to 3 and 6 to 8]",
            "[1 to 3 and 6 to 8]",
            "B1 B2 B3 B6 B7 B8",
        ),
        (f"[{x(1, '1 -')} {x(4)}]", "[1 - 4]", "[1 - 4]", "B1 B2 B3 B4"),
        (f"[{x(1, '1-')}<xref ref-type='bibr' rid='B2'/>{x(3)}]", "[1-3]", "[1-3]", "B1 B2 B3"),
        (f"[{x(1)}\u2011{x(3)}]", "[1\u20113]", "[1\u20113]", "B1 B2 B3"),
        (f"[{x(1)} a {x(3)}]", "[1 a 3]", "[1 a 3]", "B1 B2 B3"),
        (f"[{x(1)} à {x(3)} et {x(6)}]", "[1 à 3 et 6]", "[1 à 3 et 6]", "B1 B2 B3 B6"),
        (f"({x(1)} bis {x(3)} und {x(6)})", "(1 bis 3 und 6)", "(1 bis 3 und 6)", "B1 B2 B3 B6"),
        (f"<sup>{x(1)} e {x(3)}</sup>", "[1 e 3]", "[1 e 3]", "B1 B3"),
        (f"refs. {x(1)} to {x(3)} say", "refs. [1 to 3] say", "[1 to 3]", "B1 B2 B3"),
        (f"({x(1, 'refs 1 to 3')})", "(refs 1 to 3)", "refs 1 to 3", "B1 B2 B3"),
    ],
)
def test_ranges_name_what_lies_between(content, text, marker, keys):
    assert paragraph_of(content).text == text
    assert shown_markers(content) == [(marker, keys.split())]


@pytest.mark.parametrize(
    ("content", "marker"),
    [
        (f"[{x(1, 'A1')}–{x(3, 'A3')}]", "A1–A3"),
        (f"[{x(1, 'A1 to A3')}]", "A1 to A3"),
        (f"<sup>{x(1, 'A1')}</sup><sup>–</sup><sup>{x(3, 'A3')}</sup>", "A1–A3"),
    ],
)
def test_ranges_of_labels_that_are_no_numbers(content, marker):
    (found,) = shown_markers(content, back=f"<ref-list>{labelled('A1', 'A2', 'A3')}</ref-list>")
    assert (found[0].strip("[]"), found[1]) == (marker, ["B1", "B2", "B3"])


def test_labels_count_in_ranges_not_ids():
    back = f"<ref-list>{labelled('7', '8', '9')}</ref-list>"
    assert shown_markers(f"[{x(1, '7')} to {x(3, '9')}]", back=back) == [("[7 to 9]", ["B1", "B2", "B3"])]
    assert shown_markers(f"[{x(1, '7–9')}]", back=back) == [("[7–9]", ["B1", "B2", "B3"])]


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
