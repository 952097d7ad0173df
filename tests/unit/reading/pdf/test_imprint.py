"""Year, venue, volume and keywords are taken from where a paper prints them, never from its references."""

import pytest

from tests.printed_pages import Sheet, begun, read


def printed(*feet: str, at: float = 800) -> Sheet:
    """A page with such a foot."""
    sheet = Sheet()
    begun(sheet)
    for number, text in enumerate(feet):
        sheet.line(text, 60, at + 9 * number, 7)
    return sheet


@pytest.mark.parametrize(
    ("foot", "venue", "year", "volume"),
    [
        ("Journal of Soils 2021; 12: 3", "Journal of Soils", 2021, "12"),
        ("Journal of Soils, May-August 2015;8(2):99-101", "Journal of Soils", 2015, "8"),
        ("Soils 2018, 23, 2268; doi:10.3390/soils23092268", "Soils", 2018, "23"),
        ("Rao et al. BMC Plant Biology (2019) 19:123", "BMC Plant Biology", 2019, "19"),
        ("A. Rao, J. Weber / Journal of Soils 591 (2020) 125312", "Journal of Soils", 2020, "591"),
        ("Journal of Soils and Water 591 (2020) 125312", "Journal of Soils and Water", 2020, "591"),
        (
            "IEEE TRANSACTIONS ON SOILS, VOL. 12, NO. 3, MARCH 2021",
            "IEEE TRANSACTIONS ON SOILS",
            2021,
            "12",
        ),
        ("Journal of Soils, Volume 2018, Article ID 7264892, 6 pages", "Journal of Soils", 2018, "2018"),
        ("Nature | Vol 591 | 4 March 2021 | 45", "Nature", 2021, "591"),
        ("nature communications | (2021) 12:1234 | www.nature.com", "nature communications", 2021, "12"),
        ("PLOS ONE | https://doi.org/10.1371/journal.pone.0193451 March 20, 2018", "PLOS ONE", 2018, ""),
        ("Published as a conference paper at ICLR 2021", "ICLR", 2021, ""),
        (
            "Proceedings of the 37th Conference on Soil Learning, Online, PMLR 119, 2020.",
            "Proceedings of the 37th Conference on Soil Learning, Online",
            2020,
            "",
        ),
        ("Published: 12 March 2021", "", 2021, ""),
        ("Received: 3 May 2020 / Accepted: 12 July 2020 / Published online: 5 January 2021", "", 2021, ""),
        ("\u00a9 The Author(s) 2017. This article is distributed under CC BY.", "", 2017, ""),
        ("bioRxiv preprint; this version posted January 9, 2021.", "bioRxiv", 2021, ""),
    ],
)  # fmt: skip
def test_the_foot_of_a_page_says_where_and_when(foot, venue, year, volume):
    found = read(printed(foot))
    assert (found.venue, found.year, found.volume) == (venue, year, volume)


def test_a_conference_is_named_in_full_and_in_short():
    sheet = printed("34th Conference on Neural Soil Systems (NeurSS 2020), Vancouver, Canada.")
    found = read(sheet)
    assert (found.venue, found.abbreviation, found.year) == (
        "Conference on Neural Soil Systems",
        "NeurSS",
        2020,
    )


@pytest.mark.parametrize(
    ("foot", "short", "year"),
    [
        (
            "Proceedings of the 2024 Conference on Empirical Methods in Natural Language Processing, page 7",
            "EMNLP",
            2024,
        ),
        (
            "Proceedings of the 58th Annual Meeting of the Association for Computational Linguistics, "
            "pages 7-9, July 5, 2020",
            "ACL",
            2020,
        ),
        (
            "Findings of the Association for Computational Linguistics: EMNLP 2023, pages 7-9",
            "EMNLP",
            2023,
        ),
        ("Findings of the Association for Computational Linguistics: ACL 2023, pages 7-9", "ACL", 2023),
        ("Proceedings of the International Conference on Machine Learning, PMLR 119, 2020.", "ICML", 2020),
        (
            "Proceedings of the 3rd Workshop on Plants at the Annual Meeting of the Association for "
            "Computational Linguistics, pages 7-9",
            "",
            None,
        ),
        ("Transactions of the Association for Computational Linguistics 9 (2021)", "", 2021),
        ("Proceedings of the 12th Conference on the Learning of Soils, pages 7-9", "", None),
    ],
)
def test_conferences_that_print_a_long_name_have_the_short_one_that_examples_use(foot, short, year):
    found = read(printed(foot))
    assert (found.abbreviation, found.year) == (short, year)


def test_a_name_that_is_broken_between_lines_is_whole():
    sheet = printed(
        "Proceedings of the 2024 Conference on Methods in the Processing",
        "of Natural Language, pages 187-205 November 12-16, 2024",
    )
    assert read(sheet).venue == (
        "Proceedings of the 2024 Conference on Methods in the Processing of Natural Language"
    )


def test_the_stamp_of_a_preprint_server_is_read_although_it_is_turned():
    sheet = printed()
    for number, word in enumerate("arXiv:2103.01234v2 [cs.CL] 5 Mar 2021".split()):
        sheet.line(word, 20, 500 - 40 * number, 14)
        sheet.page.lines.pop()  # a turned line is none of the upright lines
    found = read(sheet)
    assert (found.venue, found.year) == ("arXiv", 2021)


def test_a_running_head_of_the_second_page_counts():
    second = Sheet(2)
    second.line("Journal of Soils 2021; 12: 3", 60, 30, 8)
    second.prose(60, 100)
    assert read(printed(), second).venue == "Journal of Soils"


def test_the_files_own_record_of_its_publication_counts_first():
    told = {"publication": "The Journal of Soils", "volume": "8", "year": "2020"}
    found = read(printed("J Soils 2021; 12: 3"), metadata=told)
    assert (found.venue, found.year, found.volume) == ("The Journal of Soils", 2020, "8")


def test_years_of_references_and_of_the_text_are_not_that_of_the_paper():
    sheet = Sheet()
    y = begun(sheet)
    said = [
        "Published work of Weber, which appeared in the Journal of Soils 2011; 2: 3,",
        "was followed by two surveys of the district that were published in 2013.",
    ]
    y = sheet.block("text", said, 60, y)
    sheet.block("section-header", ["References"], 60, y + 10, 12, bold=True)
    entries = [
        "[1] Weber J. Deep roots of millet. Journal of Soils 2012; 4: 17-29. Published 2012.",
        "[2] Rao A. Copyright 2009 of soils. Journal of Soils 2014; 6: 1-2.",
    ]
    sheet.block("list-item", entries, 60, y + 30, 8)
    found = read(sheet)
    assert (found.venue, found.year) == ("", None)
    assert len(found.references) == 2


@pytest.mark.parametrize(
    ("kind", "lines"),
    [
        ("text", ["Keywords: deep roots; finger millet; sandy", "soils; yield"]),
        ("text", ["Keywords: Deep roots, Finger mil-", "let, Sandy soils, Yield."]),
        ("text", ["Index Terms\u2014Deep roots, finger millet, sandy soils, yield."]),
        ("text", ["Key words", "Deep roots \u00b7 Finger millet \u00b7 Sandy", "soils \u00b7 Yield"]),
        ("text", ["KEYWORDS", "Deep roots", "Finger millet", "Sandy soils", "Yield"]),
        ("text", ["Keywords: deep roots; finger millet; sandy soils; yield", "Received: 3 May 2020"]),
    ],
)
def test_keywords_are_read_in_the_forms_that_papers_print(kind, lines):
    sheet = Sheet()
    sheet.block("title", ["Roots of Millet in Dry and Sandy Soils"], 60, 60, 18)
    sheet.block("section-header", ["Abstract"], 60, 100, 12, bold=True)
    sheet.prose(60, 120)
    sheet.block(kind, lines, 60, 180)
    sheet.block("section-header", ["Introduction"], 60, 260, 12, bold=True)
    sheet.prose(60, 280)
    found = read(sheet)
    assert [word.casefold() for word in found.keywords] == [
        "deep roots",
        "finger millet",
        "sandy soils",
        "yield",
    ]
    assert "oots" not in found.abstract.replace("Deep roots explained", "")


def test_keywords_in_the_last_line_of_the_abstract_are_no_part_of_it():
    sheet = Sheet()
    sheet.block("title", ["Roots of Millet in Dry and Sandy Soils"], 60, 60, 18)
    sheet.block("section-header", ["Abstract"], 60, 100, 12, bold=True)
    sheet.block("text", ["Deep roots explained more of the yield than all else that we measured.",
                         "Keywords: millet, soils"], 60, 120)  # fmt: skip
    sheet.block("section-header", ["Introduction"], 60, 260, 12, bold=True)
    sheet.prose(60, 280)
    found = read(sheet)
    assert found.abstract == "Deep roots explained more of the yield than all else that we measured."
    assert found.keywords == ["millet", "soils"]
