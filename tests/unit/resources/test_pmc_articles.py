import json

import pytest
from aimsciqa_resources.pmc.articles import (
    licence_codes,
    read_metadata,
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


def test_licences_are_understood_however_they_are_written():
    assert licence_codes("cc-by, CC0,cc_by_nc_sa, cc by") == ("CC BY", "CC0", "CC BY-NC-SA")
    assert licence_codes("") == ()
    with pytest.raises(ValueError, match="there is no licence 'cc-bx'; choose from CC0, CC BY"):
        licence_codes("cc-bx")
