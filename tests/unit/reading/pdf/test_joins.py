"""Paragraphs that a column, a page or a float cuts are whole, and so are words, but for their own hyphens."""

import pytest

from aimsciqa_assets.reading.pdf.joining import Joiner
from aimsciqa_assets.reading.pdf.lines import Line
from tests.printed_pages import Sheet, read


def joined(*lines: str) -> str:
    printed = [Line(text, 0, 0, 0, 0, 0, 0, False) for text in lines]
    return Joiner(printed).text(printed)


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (("a method of the state-of-the-", "art"), "a method of the state-of-the-art"),
        (("a state-", "of-the-art method"), "a state-of-the-art method"),
        (("trained end-to-", "end"), "trained end-to-end"),
        (("by self-", "attention"), "by self-attention"),
        (("a two-", "sided test"), "a two-sided test"),
        (("of high-", "quality data, and quality is high"), "of high-quality data, and quality is high"),
        (("non-", "linear and non-linear"), "non-linear and non-linear"),
        (("we mea-", "sured it"), "we measured it"),
        (("where-", "as others, as told where"), "whereas others, as told where"),
        (("the treat-", "ment of fields, a treat"), "the treatment of fields, a treat"),
        (("a phase of 12-", "week length"), "a phase of 12-week length"),
        (("a diary of 10–", "15 pages"), "a diary of 10–15 pages"),
        (("of the 3-", "year-old children"), "of the 3-year-old children"),
        (("of the 3-year-", "old children"), "of the 3-year-old children"),
        (("a 3-dimen-", "sional model"), "a 3-dimensional model"),
        (("in COVID-", "19 wards"), "in COVID-19 wards"),
        (("the Mann–", "Whitney test"), "the Mann–Whitney test"),
        (("a twelve-", "week trial"), "a twelve-week trial"),
        (("5 of the 10 –", "15 were ill"), "5 of the 10 – 15 were ill"),
        (("at the 6-", "and 12-month visits"), "at the 6- and 12-month visits"),
        (("of a pre-", "and post-test design"), "of a pre- and post-test design"),
        (("in low-", "to middle-income countries"), "in low- to middle-income countries"),
        (("keep up-", "to-date lists"), "keep up-to-date lists"),
        (("of each fact-", "or of the factor"), "of each factor of the factor"),
        (("doses of 50%–", "60% as in [3]–", "[5]"), "doses of 50%–60% as in [3]–[5]"),
        (("the 3′-", "UTR in 2010—", "a year"), "the 3′-UTR in 2010—a year"),
        (("of Ca2+-", "dependent p53−/−", "mice"), "of Ca2+-dependent p53−/− mice"),
        (("a 12\u2011", "week trial of 10\u00ad", "fold"), "a 12\u2011week trial of 10-fold"),
        (("of α-", "synuclein by a t-", "test"), "of α-synuclein by a t-test"),
        (("a note-", "book, book of note, a notebook"), "a notebook, book of note, a notebook"),
    ],
)  # fmt: skip
def test_hyphens_at_the_ends_of_lines_stay_where_they_belong_to_the_word(lines, text):
    assert joined(*lines) == text


def columns(left: list[str], right: list[str], *, between: bool = False) -> str:
    """The text of a section whose paragraph is cut; lines of a column are equally long."""
    sheet = Sheet()
    sheet.block("title", ["Roots of Millet in Dry and Sandy Soils"], 60, 60, 18)
    sheet.block("section-header", ["Abstract"], 60, 100, 12, bold=True)
    sheet.block("text", ["Deep roots explained more of the yield."], 60, 120)
    sheet.block("section-header", ["Introduction"], 60, 170, 12, bold=True)
    filler = ["The seedlings on sandy soils needed water."] * 4
    sheet.block("text", [*filler, *left], 60, 200)
    if between:
        sheet.region("picture", 320, 200, 520, 260)
        sheet.block("caption", ["Figure 1: Height over the season."], 320, 264, 8)
    sheet.block("text", [*right, *filler], 320, 300 if between else 200)
    (section,) = read(sheet).sections
    return section.text.replace("The seedlings on sandy soils needed water.", "").replace("  ", " ").strip()


@pytest.mark.parametrize("between", [False, True])
@pytest.mark.parametrize(
    ("end", "start", "text"),
    [
        ("The plots of the second season were", "measured in the last week of each", "were measured in"),
        ("These were the results that had mea-", "sured depth in the last week of ea", "had measured depth"),
        (
            "The results of it agree with those found by",
            "Weber and others in the last week of",
            "by Weber and others",
        ),
        (
            "These are the results of Weber et al.",
            "who measured it in the last week of",
            "et al. who measured",
        ),
    ],
)
def test_a_paragraph_cut_by_a_column_is_whole(end, start, text, between):
    assert text in columns([end], [start], between=between)


def test_a_finished_paragraph_is_not_joined_with_the_next():
    assert "in spring.\n\nWeber" in columns(
        ["All plots of the farm were sown in spring."], ["Weber and others said so in the last week"]
    )
