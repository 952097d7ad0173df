"""Text that made a reader take quadratic time, or fail: each of these once took minutes."""

import unicodedata

import pytest

from aimsciqa_assets.reading.identifiers import find_doi, normalise_doi, normalise_pmcid, normalise_pmid
from aimsciqa_assets.reading.keywords import extract_keywords
from aimsciqa_assets.reading.matching import bibliographic_key, title_key
from aimsciqa_assets.reading.pdf.joining import Joiner
from aimsciqa_assets.reading.pdf.lines import Line
from aimsciqa_assets.text.combining import unstacked
from tests.jats_snippets import paper_of, paragraph_of, text_of

pytestmark = pytest.mark.slow

STACK = "\u0315\u0300" * 500_000


def test_ids_are_not_looked_for_in_endless_text():
    assert normalise_pmcid("PMC" + " " * 500_000 + "x") is None
    assert normalise_pmid("pubmed" * 200_000) is None
    assert normalise_doi("10.1010." * 200_000) is None
    assert find_doi("10.1010." * 200_000) is None


def test_marks_do_not_stack_without_end():
    assert unstacked("a" + STACK + "b") == "a" + STACK[:30] + "b"
    assert unstacked("cafe\u0301, café, α") == "cafe\u0301, café, α"
    assert text_of(f"a{STACK}b") == "a" + STACK[:30] + "b"
    assert len(text_of(f"<inline-formula><math><mi>x{STACK}</mi></math></inline-formula> holds")) < 50
    assert unicodedata.normalize("NFKC", unstacked("q" + "\u0300" * 500_000))


def test_keys_are_made_of_the_beginning():
    assert title_key("The iron of pearl millet " + STACK) == "theironofpearlmillet"
    assert title_key("The iron of pearl millet &#" + "9" * 5000 + ";").startswith("theironofpearlmillet")
    assert bibliographic_key("Rao" + STACK, 2010, "5" + STACK, "12" + STACK) == "rao|2010|5|12"


def test_keywords_are_extracted_from_the_beginning():
    title = " ".join(f"word{number}" for number in range(300_000))
    assert len(extract_keywords(title, "pearl millet")) == 8


def test_dates_of_thousands_of_digits_are_unknown():
    date = f"<pub-date><day>{'1' * 5000}</day><month>{'1' * 5000}</month><year>2010</year></pub-date>"
    assert paper_of(meta=date).published == "2010"


def test_a_formula_of_endless_words():
    word = "a" * 300_000
    math = f"<math><mrow><mi>{word}_</mi><mi>{word}</mi></mrow></math>"
    assert text_of(f"<inline-formula>{math}</inline-formula>") == f"{word}_{word}"


def test_formulas_that_go_on_and_on_become_several_paragraphs():
    formulas = "<disp-formula>a b c</disp-formula>" * 200_000
    (section,) = paper_of(body=f"<p>It holds that</p>{formulas}").sections
    assert section.paragraphs[0].text.startswith("It holds that a b c a b c")
    assert 100_000 <= max(len(paragraph.text) for paragraph in section.paragraphs) < 100_010


def test_a_list_of_many_thousand_citations_is_one_marker():
    cited = ",".join(["<xref ref-type='bibr' rid='r1'>1</xref>"] * 200_000)
    (marker,) = paragraph_of(
        f"As shown {cited}.", back="<ref-list><ref id='r1'><label>1</label></ref></ref-list>"
    ).markers
    assert marker.reference_keys == ("r1",)


def line(text: str) -> Line:
    return Line(text=text, page=0, x0=0, y0=0, x1=9, y1=9, size=9, bold=False)


@pytest.mark.parametrize(
    "text",
    [
        "Words of a line.",
        "10.1010.1010.",
        pytest.param("letters" * 9, marks=pytest.mark.slow),
        "-",
        "[1,2,3,",
    ],
)
def test_many_lines_are_joined(text):
    lines = [line(text)] * 50_000
    assert len(Joiner(lines).text(lines)) >= 50_000 * len(text) - 50_000


def test_a_cut_word_is_made_whole_however_long_the_text():
    lines = [*[line("Many words.")] * 1000, line("The biofortifi-"), line("cation of millet")]
    assert Joiner(lines).text(lines).endswith("Many words. The biofortification of millet")
