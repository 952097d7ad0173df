import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.reading.keywords import extract_keywords, normalise_keyword


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("Face  Masks.", "face mask"),
        ("face-mask", "face mask"),
        ("ＺＩＫＡ virus", "zika virus"),
        ("Zika viruses", "zika virus"),
        ("allergies", "allergy"),
        ("species", "species"),
        ("Genomics", "genomics"),
        ("biomass", "biomass"),
        ("mask boxes", "mask box"),
        ("SNPs", "snp"),
        ("gas", "gas"),
        (" – ", ""),
    ],
)
def test_two_spellings_meet(written, normal):
    assert normalise_keyword(written) == normal


@given(st.text())
def test_normal_form_is_stable_for_case_and_padding(text):
    assert normalise_keyword(f"  {text} ") == normalise_keyword(text)


def test_extraction_prefers_frequent_phrases_and_is_deterministic():
    abstract = "Finger millet grows. Finger millet has calcium. Calcium matters; calcium in finger millet."
    first = extract_keywords("Calcium in finger millet", abstract)
    assert first[:2] == ["finger millet", "Calcium"]
    assert first == extract_keywords("Calcium in finger millet", abstract)
    assert extract_keywords("", "") == []
