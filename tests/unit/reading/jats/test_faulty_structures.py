"""Structures that were misread, as whole files; skipped where the shared inputs are absent."""

from pathlib import Path

import pytest

from aimsciqa_assets.corpus.citation_mentions import citation_mentions
from aimsciqa_assets.reading.paper import Paper, Paragraph
from aimsciqa_assets.reading.reader import read_paper

FAULTS = Path(__file__).parents[5] / "shared" / "faults" / "jats"
pytestmark = pytest.mark.skipif(not FAULTS.is_dir(), reason="needs the inputs in ../shared/faults/jats")


def read(name: str) -> Paper:
    return read_paper((FAULTS / name).read_bytes(), name)


def paragraphs(paper: Paper) -> list[Paragraph]:
    return [paragraph for section in paper.sections for paragraph in section.paragraphs]


def test_separators_in_superscripts_of_their_own() -> None:
    found = [
        (
            paragraph.text,
            [(mention.sentence, mention.reference_keys) for mention in citation_mentions(paragraph)],
        )
        for paragraph in paragraphs(read("09-sup-separators.xml"))
    ]
    assert found == [
        (
            "The yield rose with zinc [1,3]. Then it fell.",
            [("The yield rose with zinc [1,3].", ("r1", "r3"))],
        ),
        (
            "The yield rose with iron [1–4]. Then it fell.",
            [("The yield rose with iron [1–4].", ("r1", "r2", "r3", "r4"))],
        ),
        (
            "The yield rose with lime [1,3]. Then it fell.",
            [("The yield rose with lime [1,3].", ("r1", "r3"))],
        ),
    ]


def test_ranges_in_words_and_in_two_parts() -> None:
    found = [
        (paragraph.text[marker.start : marker.end], marker.reference_keys)
        for paragraph in paragraphs(read("10-range-words.xml"))
        for marker in paragraph.markers
    ]
    assert found == [(shown, ("r1", "r2", "r3", "r4")) for shown in ("[1 to 4]", "[1 to 4]", "[1–4]")]


def test_sections_titled_like_back_matter() -> None:
    found = [
        (section.title, [(paragraph.subsection, paragraph.text) for paragraph in section.paragraphs])
        for section in read("11-back-titles.xml").sections
    ]
    assert found == [
        ("Methods", [("Supplements", "Capsules held 15 mg zinc.")]),
        (
            "Results",
            [
                ("Disclosure", "Of 40 women, 12 had told their partner of their HIV status."),
                ("Funding", "Clinics had lost 30% of their funds."),
                ("Appendix", "The appendix was inflamed in 9 of 30 rabbits."),
            ],
        ),
        ("Discussion", [("", "It was so.")]),
    ]


def test_text_around_formulas() -> None:
    assert [paragraph.text for paragraph in paragraphs(read("12-formula-mixed.xml"))] == [
        "The mean was x = a mg per day.",
        "Both p and q hold in all of the groups.",
    ]


def test_the_abstract_in_the_language_of_the_article() -> None:
    assert read("13-abstract-language.xml").abstract == "Zinc was measured in 40 adults."
