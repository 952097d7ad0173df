import json

import pytest
from aimsciqa_resources.pmc.articles import (
    LICENCE_CODES,
    derivatives_allowed,
    read_metadata,
    redistributable,
    text_mining_only,
)
from aimsciqa_resources.pmc.errors import MetadataError, UnexpectedAnswerError

MD5 = "0123456789abcdef0123456789abcdef"
METADATA = {
    "pmcid": "PMC13901",
    "version": 1,
    "pmid": "11250746",
    "doi": "10.1186/bcr271",
    "title": "A title",
    "citation": "Breast Cancer Res. 2001; 3(1):55-60",
    "is_pmc_openaccess": True,
    "is_manuscript": False,
    "is_historical_ocr": False,
    "is_retracted": False,
    "license_code": "CC BY",
    "xml_url": f"s3://pmc-oa-opendata/PMC13901.1/PMC13901.1.xml?md5={MD5}",
    "text_url": f"s3://pmc-oa-opendata/PMC13901.1/PMC13901.1.txt?md5={MD5}",
    "media_urls": [f"s3://pmc-oa-opendata/PMC13901.1/fig 1.jpg?md5={MD5}"],
}


def read(**changes):
    return read_metadata(json.dumps(METADATA | changes).encode(), "PMC13901", 1, "e")


def test_metadata_are_read():
    article = read()
    assert (article.name, article.pmcid, article.version, article.pmid) == (
        "PMC13901.1",
        "PMC13901",
        1,
        "11250746",
    )
    assert article.xml.key == "PMC13901.1/PMC13901.1.xml"
    assert article.xml.md5 == MD5
    assert (article.pdf, article.etag, article.license_code) == (None, "e", "CC BY")


def test_nulls_numbers_and_unknown_fields_are_taken():
    nothing = dict.fromkeys(
        (
            "pmid",
            "doi",
            "title",
            "citation",
            "license_code",
            "is_manuscript",
            "text_url",
            "xml_url",
            "pdf_url",
        )
    )
    article = read(**nothing, another=[1])
    assert (article.pmid, article.doi, article.license_code, article.is_manuscript) == ("", "", "", False)
    assert (article.xml, article.text) == (None, None)
    assert read(pmid=11250746, version="1").pmid == "11250746"


@pytest.mark.parametrize(
    "changes",
    [
        {"pmcid": "13901"},
        {"pmcid": "PMC13902"},
        {"version": 2},
        {"version": None},
        {"version": "1.1"},
        {"is_retracted": None},
        {"xml_url": "s3://pmc-oa-opendata/PMC13901.1/PMC13901.1.xml"},
        {"xml_url": "s3://pmc-oa-opendata/PMC13901.1/PMC13901.1.xml?md5=12"},
        {"xml_url": f"https://example.org/PMC13901.1/PMC13901.1.xml?md5={MD5}"},
        {"xml_url": f"s3://pmc-oa-opendata/PMC13901.2/PMC13901.2.xml?md5={MD5}"},
    ],
)
def test_what_matters_has_to_be_right(changes):
    with pytest.raises(MetadataError, match=r"The metadata of PMC13901\.1"):
        read(**changes)


@pytest.mark.parametrize("field", ["pmcid", "version", "is_retracted", "xml_url"])
def test_what_matters_has_to_be_there(field):
    rest = {name: value for name, value in METADATA.items() if name != field}
    with pytest.raises(MetadataError, match=field):
        read_metadata(json.dumps(rest).encode(), "PMC13901", 1, "")


def test_what_is_no_json_may_be_another_time():
    with pytest.raises(UnexpectedAnswerError):
        read_metadata(b'{"pmcid": "PMC139', "PMC13901", 1, "")
    with pytest.raises(MetadataError):
        read_metadata(b"[]", "PMC13901", 1, "")


def test_what_licences_allow():
    allowed = {
        code: (redistributable(code), derivatives_allowed(code), text_mining_only(code))
        for code in (*LICENCE_CODES, "", None, "CC BY-XX")
    }
    assert allowed == {
        "CC0": (True, True, False),
        "CC BY": (True, True, False),
        "CC BY-SA": (True, True, False),
        "CC BY-ND": (True, False, False),
        "CC BY-NC": (True, True, False),
        "CC BY-NC-SA": (True, True, False),
        "CC BY-NC-ND": (True, False, False),
        "TDM": (False, False, True),
        "": (False, False, False),
        None: (False, False, False),
        "CC BY-XX": (False, False, False),
    }
