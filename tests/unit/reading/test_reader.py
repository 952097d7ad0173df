import gzip

import pytest

from aimsciqa_assets.reading.paper import RejectedFileError
from aimsciqa_assets.reading.reader import read_paper
from tests.jats_snippets import article


def test_xml_is_read_whatever_its_name():
    assert read_paper(article(), "paper.pdf").title == "A title"
    assert read_paper(article().decode().encode("utf-16"), "x").source == "jats"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty_file"),
        (b"\n\n", "empty_file"),
        (gzip.compress(article()), "compressed"),
        (b"PK\x03\x04rest", "compressed"),
        (b"<!DOCTYPE html><html></html>", "html"),
        (b"\xef\xbb\xbf\n<HTML lang='en'>", "html"),
        (b"Just words.", "unknown_format"),
        (b"\x00\x01\x02", "unknown_format"),
        (b"<note/>", "no_article"),
    ],
)
def test_other_files_are_named_and_rejected(data, reason):
    with pytest.raises(RejectedFileError) as rejected:
        read_paper(data, "some.file")
    assert rejected.value.reason == reason
