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


def test_what_was_downloaded_is_found_by_its_md5(tmp_path):
    store = FileStore(folder=str(tmp_path / "store"))
    md5 = hashlib.md5(b"<article/>").hexdigest()
    assert store.find(md5) is None
    with store.incoming() as partial:
        partial.write_bytes(b"<article/>")
        file_id = store.keep(partial, md5)
    assert file_id == hashlib.sha256(b"<article/>").hexdigest()
    assert FileStore(folder=store.folder).find(md5) == file_id
    assert store.get(file_id) == b"<article/>"
    assert not list((tmp_path / "store").glob(".partial.*"))


def test_a_download_that_breaks_off_leaves_nothing(tmp_path):
    store = FileStore(folder=str(tmp_path))

    def break_off():
        with store.incoming() as partial:
            partial.write_bytes(b"<art")
            raise TimeoutError

    with pytest.raises(TimeoutError):
        break_off()
    assert list(tmp_path.iterdir()) == []


def test_a_note_about_a_file_that_is_gone_counts_for_nothing(tmp_path):
    store = FileStore(folder=str(tmp_path))
    with store.incoming() as partial:
        partial.write_bytes(b"a")
        file_id = store.keep(partial, "0" * 32)
    (tmp_path / file_id[:2] / file_id).unlink()
    assert store.find("0" * 32) is None
