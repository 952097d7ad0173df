# ruff: noqa: E501 (a snippet of markup is easier to read on one line)
import pytest

from aimsciqa_assets.reading.identifiers import (
    find_doi,
    find_pmcid,
    find_pmid,
    normalise_doi,
    normalise_pmcid,
    normalise_pmid,
)


@pytest.mark.parametrize(
    ("written", "doi"),
    [
        ("10.1234/AbC", "10.1234/abc"),
        (" https://doi.org/10.1234/abc. ", "10.1234/abc"),
        ("http://dx.doi.org/10.1016%2FS0140-6736(03)13335-1", "10.1016/s0140-6736(03)13335-1"),
        ("doi:10.1002/(SICI)1097-0258(19980815/30)17:15<1661::AID-SIM968>3.0.CO;2-2",
         "10.1002/(sici)1097-0258(19980815/30)17:15<1661::aid-sim968>3.0.co;2-2"),
        ("info:doi/10.1371/journal.pone.0000001", "10.1371/journal.pone.0000001"),
        ("11.1234/x", None),
        ("", None),
        ("10.1234/" + ")" * 100_000, None),
    ],
)  # fmt: skip
def test_doi(written, doi):
    assert normalise_doi(written) == doi


@pytest.mark.parametrize(
    ("written", "pmid"), [("123", "123"), ("123.", "123"), ("PMID: 123", "123"), ("0", None), ("x12", None)]
)
def test_pmid(written, pmid):
    assert normalise_pmid(written) == pmid


@pytest.mark.parametrize(
    ("written", "pmcid"),
    [("123456", "PMC123456"), ("pmc123456", "PMC123456"), ("PMC123456.2", "PMC123456"), ("PMCID: PMC123456", "PMC123456"),
     ("https://pmc.ncbi.nlm.nih.gov/articles/PMC123456/", "PMC123456"), ("EMS123", None), ("", None)],
)  # fmt: skip
def test_pmcid(written, pmcid):
    assert normalise_pmcid(written) == pmcid


def test_ids_in_running_text():
    text = "Lee A (see doi: 10.1234/x.y). PMID: 12; PMC345678."
    assert (find_doi(text), find_pmid(text), find_pmcid(text)) == ("10.1234/x.y", "12", "PMC345678")
    assert (find_doi("10. May"), find_pmid("12"), find_pmcid("PM 12")) == (None, None, None)
