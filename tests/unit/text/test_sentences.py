"""Sentence boundaries of scientific English, and the promises that hold for any text."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.text.sentences import sentence_spans


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Kumar et al. found that rice, wheat etc. were richer.",
        "The method of Kumar et al. [3] was used, as by Rao et al., 2010.",
        "Kumar et al. (2014) reported more, see Fig. 2, Figs. 3 and 4, Eq. 4 and Ref. 12.",
        "Growth was slow, i.e. Two days, e.g. Mice or cf. Rao vs. Kumar.",
        "We took ca. 5 g and approx. 6 ml (Fig. S3) from lab No. 5 and nos. 7–9.",
        "Seeds of S. italica and P. glaucum (L.) R. Br. var. alba were sown.",
        "We found Ficus sp. nov. Meyer, C. elegans, E. coracana subsp. africana and ssp. Minor.",
        "We thank Dr. Rao, Prof. J. K. Rowling and St. Louis, MO, USA.",
        "The value was 0.05 at pH 7.4, 5 mg/kg b.w. per day.",
        "Values are means (S.D. in brackets), as in the U.S. Department of Health.",
        "Kits came from Qiagen Inc. (Hilden, Germany) and Sigma Co. Ltd. (MO, USA).",
        "The maps of Kumar et al. [14] (118 loci) and Rao et al. [13] (992 loci) agree.",
        "Strain Pseudomonas sp. MSSRF41 grew with Ae. (Stegomyia) maehleri in sect. Ocimum.",
        "They found Hierocymum Benth. (with hairs) and Ae. hensilli[3].",
        "It rose by 1.5 mol yr.^−1 (Rao 2013) per cycle (y) [7].",
        "Strains (obtained from a farm. Not shown. See text) were kept.",
        'He wrote "Yes. No." and left.',
        "He wrote “This is so. It is not.” and left.",
        "The growth ... was slow; The yield was not.",
        "We ran v. 1.2, TASSEL 5.2.40 and SPSS ver. 17.0 on Chr. 2.",
    ],
)
def test_stays_whole(sentence: str) -> None:
    assert split(sentence) == [sentence]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("It was applied.[12]", "The next came."),
        ("It was applied. [12]", "The next came."),
        ("It was applied.[3], [4]–[7]", "The next came."),
        ("It was applied.12", "Another came."),
        ("It was applied.3, 4", "Another came."),
        ("It was applied.15 16", "Another came."),
        ("It was applied. (13)", "Another came."),
        ("It was applied. (3, 4)", "Another came."),
        ("It was applied. (Rao et al., 2010)", "Another came."),
        ("It was applied by Rao et al. [3].", "Then it was not."),
        ("It was applied by Rao et al.", "However, it failed."),
        ("Differences were significant at p < 0.05.", "Tests were done twice."),
        ("The value was 3.5.", "10 mice died."),
        ("We measured rice, wheat, etc.", "The rest was dropped."),
        ("Provitamins become vitamin A.", "Pearl millet has none."),
        ("The tubes stood for 5 min.", "Samples were taken."),
        ("He moved to the U.S.", "The others stayed."),
        ("It had a low yield.", "mRNA was isolated."),
        ("It was low.", "pH was high."),
        ("(It was. So it seemed.)", "Then it was not."),
        ("All is shown in S4 Fig.", "The rest is not."),
        ("Is it so?", "We think not!"),
        ("It spreads in rice (Fig. 3).", "Wheat is spared."),
        ('He said "yes".', "Then he left."),
        ("1. Methods were new.", "2. Results were not."),
        ("This was said. (1) Rice grew.", "(2) Wheat did not."),
    ],
)
def test_splits_in_two(first: str, second: str) -> None:
    expected = [first, second]
    if first.startswith("This was said."):
        expected = ["This was said.", "(1) Rice grew.", "(2) Wheat did not."]
    assert split(f"{first} {second}") == expected


def test_a_citation_before_the_stop_that_opens_a_sentence_stays_with_it() -> None:
    assert split("It was slow. [5] reported the same.") == ["It was slow.", "[5] reported the same."]


def test_a_blank_line_always_splits() -> None:
    assert split("Results\n\nof (two\n\nparts) are here.") == ["Results", "of (two", "parts) are here."]


def test_an_unclosed_bracket_does_not_swallow_the_text() -> None:
    assert split("It grew (slowly. It died. So it was.") == ["It grew (slowly.", "It died.", "So it was."]


def test_offsets_count_characters_beyond_the_basic_plane() -> None:
    assert split("𝛼 was 𝛽. The 𝛾 was not.") == ["𝛼 was 𝛽.", "The 𝛾 was not."]


def test_nothing_in_nothing_out() -> None:
    assert sentence_spans("") == []
    assert sentence_spans(" \n\t ") == []


PIECES = (
    'The rice et al. [3] (L.) R. Br. Fig. 2 0.05. applied.[12] ( ) [ ] “ ” " p U.S. . ... ? ! 1. (2) '
    "sp. α 😀 masks.3, 4 etc. A"
).split()
science = st.lists(st.sampled_from([*PIECES, "\n\n", " "]), max_size=40).map(" ".join)


@given(st.one_of(st.text(max_size=300), science))
def test_spans_are_ordered_apart_and_cover_every_visible_character(text: str) -> None:
    spans = sentence_spans(text)
    end_before = 0
    for start, end in spans:
        assert end_before <= start < end <= len(text)
        assert text[end_before:start].strip() == ""
        assert text[start:end] == text[start:end].strip()
        end_before = end
    assert text[end_before:].strip() == ""


def test_a_paragraph_takes_well_under_a_millisecond() -> None:
    paragraph = "Pearl millet (P. glaucum) was grown by Rao et al. [3] at pH 7.4 (Fig. 2) in 2010.[12] " * 12
    sentence_spans(paragraph)
    best = min(_seconds(paragraph) for _ in range(20))
    assert best < 0.002


def _seconds(paragraph: str) -> float:
    start = time.perf_counter()
    sentence_spans(paragraph)
    return time.perf_counter() - start


def test_a_unit_per_litre_ends_a_sentence():
    text = "Deficiency was a ferritin below 12 µg/L. Anaemia was a haemoglobin below 105 g/L. They came."
    assert [text[start:end] for start, end in sentence_spans(text)] == [
        "Deficiency was a ferritin below 12 µg/L.",
        "Anaemia was a haemoglobin below 105 g/L.",
        "They came.",
    ]
