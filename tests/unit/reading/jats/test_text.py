# ruff: noqa: E501 (a snippet of markup is easier to read on one line)
"""Running text: what a person would read, whatever the markup."""

import pytest

from tests.jats_snippets import paper_of, text_of


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("The <italic>Zea</italic>, <bold>not</bold>maize.", "The Zea, notmaize."),
        ("a&#160;b\u2009c \r\n\t d", "a b c d"),
        ("in <italic>\n  Zea mays\n  </italic>, (\n <bold>Poaceae</bold> ).", "in Zea mays, (Poaceae)."),
        ("p = .05 and p &lt; .01", "p = .05 and p < .01"),
        ("10<sup>6</sup> cells, 5 kg<sup>-1</sup>, Ca<sup>2+</sup>", "10^6 cells, 5 kg^-1, Ca^2+"),
        ("x<sup>a + b</sup>", "x^(a + b)"),
        ("the 1<sup>st</sup> of Tween<sup>®</sup> at 25 <sup>o</sup>C", "the 1st of Tween® at 25 °C"),
        ("labelled <sup>13</sup>C", "labelled 13C"),
        ("CO<sub>2</sub>, H<sub>2</sub>O, PM<sub>2.5</sub>", "CO2, H2O, PM2.5"),
        ("I<sub>ref</sub>, 10<sub>2</sub>, s<sup>2</sup><sub>4</sub>", "I_ref, 10_2, s^2_4"),
        ("allele \n  <sup>-/-</sup> mice", "allele^-/- mice"),
        ("one<break/>two", "one two"),
        ("a<styled-content>b</styled-content>c <named-content>d</named-content>", "abc d"),
        ("a<!-- hidden -->b<?page 3?>c<![CDATA[<&]]>", "abc<&"),
        ("word<xref ref-type='fn' rid='f1'><sup>*</sup></xref> next", "word next"),
        ("see <xref ref-type='fig' rid='F1'>Fig. 1</xref>", "see Fig. 1"),
        ("<abbrev>AM<def><p> A Museum</p></def></abbrev> holds it", "AM (A Museum) holds it"),
        ("soft\u00adhyphen\u200b", "softhyphen"),
        ("private \ue000 and \ufffd stay", "private \ue000 and \ufffd stay"),
    ],
)
def test_inline_markup_neither_glues_nor_splits(content, text):
    assert text_of(content) == text


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (
            "We used:<list><list-item><label>1.</label><p>one</p></list-item>"
            "<list-item><p>two.</p></list-item><list-item><p>three</p></list-item></list>as said.",
            "We used: one; two. three as said.",
        ),
        (
            "<def-list><def-item><term>LS</term><def><p>long section</p></def></def-item>"
            "<def-item><term>XS</term><def><p>cross section</p></def></def-item></def-list>",
            "LS: long section; XS: cross section",
        ),
        ("He said<disp-quote><p>Go.</p></disp-quote>and went.", "He said Go. and went."),
        ("before<fig><label>Fig 1</label><caption><p>no</p></caption></fig>after", "before after"),
        ("a <table-wrap><table><tr><td>1</td></tr></table></table-wrap> b", "a b"),
        ("a<fn><p>note</p></fn> b <inline-graphic xlink:href='x'/> c", "a b c"),
    ],
)
def test_blocks_inside_a_paragraph(content, text):
    assert text_of(content) == text


MATH = "<mml:math><mml:msubsup><mml:mi>x</mml:mi><mml:mi>i</mml:mi><mml:mn>2</mml:mn></mml:msubsup><mml:mo>=</mml:mo>{}</mml:math>"
FRACTION = "<mml:mfrac><mml:mrow><mml:mi>a</mml:mi><mml:mo>+</mml:mo><mml:mi>b</mml:mi></mml:mrow><mml:mn>2</mml:mn></mml:mfrac>"
P, Q = "<mml:math><mml:mi>p</mml:mi></mml:math>", "<mml:math><mml:mi>q</mml:mi></mml:math>"
TEX = r"\documentclass[12pt]{minimal}\usepackage{amsmath}\begin{document}$$\frac{a}{b} \times \alpha_{ij}$$\end{document}"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (f"with <inline-formula>{MATH.format(FRACTION)}</inline-formula>.", "with x_i^2 = (a + b)/2."),
        (
            f"so <disp-formula><label>(1)</label><alternatives><graphic/><tex-math>{TEX}</tex-math>"
            f"{MATH.format('<mml:mn>1</mml:mn>')}</alternatives></disp-formula> where",
            "so x_i^2 = 1 where",
        ),
        (f"<inline-formula><tex-math>{TEX}</tex-math></inline-formula>", "a/b × α_ij"),
        ("<disp-formula><italic>H</italic><sup>2</sup> = 1</disp-formula>", "H^2 = 1"),
        ("we <inline-formula><inline-graphic xlink:href='e.gif'/></inline-formula> have", "we have"),
        (
            "<inline-formula><alternatives><graphic><alt-text>E = mc2</alt-text></graphic></alternatives></inline-formula>",
            "E = mc2",
        ),
        (f"of <inline-formula>x = {P} mg</inline-formula> per day", "of x = p mg per day"),
        (f"<disp-formula>{P}, if {Q} &gt; 0,</disp-formula> so", "p, if q > 0, so"),
        ("of <inline-formula>k = <tex-math>a_{i}</tex-math> mg</inline-formula>.", "of k = a_i mg."),
        (f"<inline-formula><italic>k</italic> ± <alternatives><tex-math>x</tex-math>{P}</alternatives> g</inline-formula>", "k ± p g"),
        (f"<inline-formula><tex-math>p</tex-math>{P}</inline-formula>", "p"),
        (f"<inline-formula><alternatives>{P}{Q}</alternatives></inline-formula>", "p"),
        (f"<disp-formula>{P}{Q}<graphic><alt-text>seen</alt-text></graphic></disp-formula>", "p q"),
        (f"<inline-formula>{P} and <tex-math>q</tex-math></inline-formula>", "p and q"),
        ("<inline-formula><alternatives><mml:math/><tex-math>q</tex-math></alternatives></inline-formula>", "q"),
        (f"so <disp-formula><label>(1)</label>{P} for rye</disp-formula>", "so p for rye"),
        (f"with <inline-formula>{P} &lt; 0.05</inline-formula>.", "with p < 0.05."),
        (f"of <inline-formula><italic>x</italic><sub>1</sub> = <alternatives>{P}<graphic/></alternatives> cm<sup>2</sup></inline-formula>.", "of x1 = p cm^2."),
        (f"so <disp-formula><alternatives><graphic/>{P}</alternatives> for men <alternatives>{Q}<graphic/></alternatives> for women</disp-formula>", "so p for men q for women"),
        (f"so <disp-formula>{P} from <xref ref-type='fig' rid='f'>Fig. 1</xref><break/>{Q}</disp-formula>", "so p from Fig. 1 q"),
        (f"so <disp-formula>{P}, (3a)</disp-formula> where", "so p, where"),
        ("so <disp-formula><mml:math><mml:mtable><mml:mlabeledtr><mml:mtd><mml:mtext>(2)</mml:mtext></mml:mtd><mml:mtd><mml:mi>a</mml:mi></mml:mtd></mml:mlabeledtr></mml:mtable></mml:math></disp-formula>", "so a"),
        (f"<disp-formula-group><disp-formula>{P} of rice</disp-formula><disp-formula>{Q} of rye</disp-formula></disp-formula-group>", "p of rice q of rye"),
    ],
)  # fmt: skip
def test_formulas_are_read_once_and_as_one_line(content, text):
    assert text_of(content) == text


def test_a_formula_or_list_after_an_open_sentence_goes_on_with_it():
    paper = paper_of(
        "<sec><title>Methods</title><p>It is:</p><disp-formula>a = b</disp-formula><p>Done.</p>"
        "<list><list-item><p>one</p></list-item></list></sec>"
    )
    assert [p.text for p in paper.sections[0].paragraphs] == ["It is: a = b", "Done.", "one"]
