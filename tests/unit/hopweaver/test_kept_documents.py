"""Documents whose texts lie in a file."""

import pytest

from aimsciqa_assets.hopweaver.documents import Document
from aimsciqa_assets.hopweaver.kept_documents import KeptDocuments

TITLES = [("b", "Bé"), ("a", "A"), ("c", "C")]
PARAGRAPHS = [
    ("c", 0, 0, "c1", "only one"),
    ("a", 1, 0, "a3", "second section"),
    ("a", 0, 1, "a2", 'end of the first section, "quoted"\n'),
    ("unknown", 0, 0, "u1", "nobody asks for it"),
    ("a", 0, 0, "a1", "beginning – é"),
]


def test_documents_have_their_paragraphs_as_they_are_read(tmp_path):
    kept = KeptDocuments(TITLES, PARAGRAPHS, tmp_path)
    assert dict(kept) == {
        "a": Document(
            "a",
            "A",
            (
                ("a1", "beginning – é"),
                ("a2", 'end of the first section, "quoted"\n'),
                ("a3", "second section"),
            ),
        ),
        "b": Document("b", "Bé", ()),
        "c": Document("c", "C", (("c1", "only one"),)),
    }
    assert list(kept) == ["a", "b", "c"]
    assert len(kept) == 3


def test_a_document_that_is_not_kept_is_missing(tmp_path):
    kept = KeptDocuments(TITLES, PARAGRAPHS, tmp_path)
    assert "unknown" not in kept
    with pytest.raises(KeyError):
        kept["unknown"]


def test_nothing_is_left_in_the_folder(tmp_path):
    kept = KeptDocuments(TITLES, PARAGRAPHS, tmp_path)
    assert len(kept) == 3
    assert list(tmp_path.iterdir()) == []


def test_there_may_be_no_documents_at_all(tmp_path):
    assert dict(KeptDocuments([], [], tmp_path)) == {}
