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
    "tail",
    """/full /abstract /full/html /fulltext /pdf .pdf .full.pdf+html v2.full.pdf v1.full-text v3.abstract ?rss=1
    ?journalCode=a&x=1 #Sec2 /full#h3 &amp;rss=1 ;jsessionid=AB.f01 /figures/1 /-/DC1 /_article/-char/ja/
    .PubMed .PMID:12345 .PMCID:PMC123456 [published [CrossRef][PubMed] (accessed .Available .Epub </a>
    .epdf v1.supplementary-material?versioned=true v3.article-info #citeas ?utm_source=x&utm_medium=y PMID:16182360
    PMCID:PMC123456 Crossref [doi] [PubMed .Google ,10.1234/y ;10.1234/y /attachment/ab/mmc1.pdf /type/journal_article
    https://doi.org/10.1234/x doi:10.1234/x ”.""".split(),
)
def test_a_doi_ends_where_its_tail_begins(tail):
    publisher = "https://www.frontiersin.org/articles/10.3389/fnut.2019.00012"
    assert normalise_doi(publisher + tail) == "10.3389/fnut.2019.00012"
    assert find_doi(f"Ito A. Bread. {publisher}{tail} 2019") == "10.3389/fnut.2019.00012"


@pytest.mark.parametrize(
    ("written", "doi"),
    [
        ("10.1046/j.1523\u20101739\u20111997.95356.x", "10.1046/j.1523-1739-1997.95356.x"),
        ("10.1016/s0140\u22126736(03)13335\u20131", "10.1016/s0140-6736(03)13335-1"),
        ("10.1007/s0052\u200b0-014-2303-3", "10.1007/s00520-014-2303-3"),
        ("10.1101/2020.01.02.123456v2", "10.1101/2020.01.02.123456"),
        ("10.21203/rs.3.rs-1234/v1", "10.21203/rs.3.rs-1234/v1"),
        ("10.1002/(SICI)1099(199705)12:3%3C273::AID-FFJ655%3E3.0.CO;2-U/full", "10.1002/(sici)1099(199705)12:3<273::aid-ffj655>3.0.co;2-u"),
        ("10.1002/(SICI)1099(199705)12:3&lt;273::AID-FFJ655&gt;3.0.CO;2-#", "10.1002/(sici)1099(199705)12:3<273::aid-ffj655>3.0.co;2-#"),
        ("10.1890/0012-9658(2000)081[0001:ABC]2.0.CO;2", "10.1890/0012-9658(2000)081[0001:abc]2.0.co;2"),
        ("10.1002/14651858.CD001234.pub3/full", "10.1002/14651858.cd001234.pub3"),
        ("10.1371/journal.pone.0087236.g001", "10.1371/journal.pone.0087236.g001"),
        ("10.1016/j.published.2019.01.001", "10.1016/j.published.2019.01.001"),
        ("10.1234/full", "10.1234/full"),
    ],
)  # fmt: skip
def test_what_belongs_to_a_doi_stays(written, doi):
    assert normalise_doi(written) == doi
    assert find_doi(written) == doi


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
