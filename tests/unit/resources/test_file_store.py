import hashlib

import pytest
from aimsciqa_resources.file_store import FileStore


def test_a_file_is_kept_once_by_its_content(tmp_path):
    store = FileStore(folder=str(tmp_path / "store"))
    for name in ("a.xml", "b.xml"):
        (tmp_path / name).write_bytes(b"<article/>")
    ids = {store.put(tmp_path / name) for name in ("a.xml", "b.xml")}
    assert ids == {hashlib.sha256(b"<article/>").hexdigest()}
    (file_id,) = ids
    assert store.get(file_id) == b"<article/>"
    assert store.get(file_id, limit=3) == b"<ar"
    assert store.size(file_id) == 10
    assert len([path for path in (tmp_path / "store").rglob("*") if path.is_file()]) == 1


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        FileStore(folder=str(tmp_path)).get("0" * 64)
