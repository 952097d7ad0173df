import errno
import hashlib
import pickle
from pathlib import Path

import pytest
from aimsciqa_resources.disk import UnwritableError
from aimsciqa_resources.file_store import FileStore, StoredFileError

from tests.disks import a_folder_for_all, read_only, room_for


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


def put(store: FileStore, folder: Path, content: bytes) -> str:
    (folder / "original.xml").write_bytes(content)
    return store.put(folder / "original.xml")


def test_a_file_that_is_gone_is_told_with_the_cure_and_comes_back_by_it(tmp_path):
    store = FileStore(folder=str(tmp_path / "store"))
    file_id = put(store, tmp_path, b"<article/>")
    (tmp_path / "store" / file_id[:2] / file_id).unlink()
    for ask in (store.get, store.size):
        with pytest.raises(StoredFileError, match=r"is missing.*aimsciqa ingest") as told:
            ask(file_id)
        assert str(told.value).startswith(str(tmp_path / "store" / file_id[:2] / file_id))
    assert put(store, tmp_path, b"<article/>") == file_id
    assert store.get(file_id) == b"<article/>"


@pytest.mark.parametrize("altered", [b"<artikel/>", b"<article/> ", b"", b"<article"])
def test_altered_bytes_do_not_pass_under_the_old_id_and_are_read_again_once_repaired(tmp_path, altered):
    store = FileStore(folder=str(tmp_path / "store"))
    file_id = put(store, tmp_path, b"<article/>")
    (tmp_path / "store" / file_id[:2] / file_id).write_bytes(altered)
    for limit in (-1, 3, 100):
        with pytest.raises(StoredFileError, match=r"was altered.*aimsciqa ingest"):
            store.get(file_id, limit)
    put(store, tmp_path, b"<article/>")
    assert store.get(file_id) == b"<article/>"


def test_a_download_that_was_altered_is_downloaded_again(tmp_path):
    store = FileStore(folder=str(tmp_path))
    with store.incoming() as partial:
        partial.write_bytes(b"a")
        file_id = store.keep(partial, "0" * 32)
    (tmp_path / file_id[:2] / file_id).write_bytes(b"b")
    assert store.find("0" * 32) is None


def test_the_error_survives_the_way_to_another_process(tmp_path):
    with pytest.raises(StoredFileError) as told:
        FileStore(folder=str(tmp_path)).get("0" * 64)
    assert str(pickle.loads(pickle.dumps(told.value))) == str(told.value)


def test_a_full_disk_is_told_with_the_place_and_leaves_nothing(tmp_path):
    store = FileStore(folder=str(tmp_path / "store"))
    (tmp_path / "big").write_bytes(bytes(5000))
    with room_for(4096), pytest.raises(UnwritableError, match=r"store: .*: make room on this disk") as told:
        store.put(tmp_path / "big")
    assert told.value.errno == errno.ENOSPC, "no file of the folder could be taken in"
    assert list((tmp_path / "store").iterdir()) == []


def test_a_read_only_store_is_told_and_is_no_fault_of_the_file():
    with a_folder_for_all() as folder:
        (folder / "paper.xml").write_bytes(b"<article/>")
        for place in (folder / "new" / "store", folder):
            with (
                read_only(folder),
                pytest.raises(UnwritableError, match="Permission denied: make it") as told,
            ):
                FileStore(folder=str(place)).put(folder / "paper.xml")
            assert told.value.errno == errno.EROFS
            assert told.value.filename == str(place)


def test_a_file_that_cannot_be_read_is_no_fault_of_the_store(tmp_path):
    with pytest.raises(IsADirectoryError):
        FileStore(folder=str(tmp_path / "store")).put(tmp_path)


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
