"""The file store of several workers, whose place is a folder or a bucket."""

import hashlib
import pickle
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from aimsciqa_resources.file_store import StoredFileError
from aimsciqa_resources.shared_file_store import SharedFileStore
from aimsciqa_resources.shared_place import SharedPlaceError, shared_place

from tests.s3_server import free_port

pytestmark = pytest.mark.slow
PAPER = b"<article/>"
PAPER_ID = hashlib.sha256(PAPER).hexdigest()
PAPER_MD5 = hashlib.md5(PAPER).hexdigest()
KEY = f"files/{PAPER_ID[:2]}/{PAPER_ID}"


@pytest.fixture
def here(place, tmp_path) -> SharedFileStore:
    return SharedFileStore(folder=str(tmp_path / "here" / "files"), shared=place)


@pytest.fixture
def there(place, tmp_path) -> SharedFileStore:
    return SharedFileStore(folder=str(tmp_path / "there" / "files"), shared=place)


def put(store: SharedFileStore, content: bytes = PAPER) -> str:
    return store.put_bytes(content)


def copy_of(store: SharedFileStore) -> Path:
    return Path(store.folder) / PAPER_ID[:2] / PAPER_ID


def test_a_file_that_one_worker_took_in_is_read_by_another(here, there, tmp_path):
    (tmp_path / "paper.xml").write_bytes(PAPER)
    assert here.put(tmp_path / "paper.xml") == PAPER_ID
    assert there.size(PAPER_ID) == 10
    assert there.get(PAPER_ID) == PAPER
    assert there.get(PAPER_ID, limit=3) == b"<ar"


def test_the_place_has_the_paths_of_a_store_on_one_machine(here, place):
    put(here)
    with here.incoming() as partial:
        partial.write_bytes(PAPER)
        here.keep(partial, PAPER_MD5)
    keys = [one.key for one in shared_place(place).below("files")]
    assert sorted(keys) == sorted([KEY, f"files/by-md5/{PAPER_MD5[:2]}/{PAPER_MD5}"])


def test_what_was_fetched_is_not_fetched_again(here, there, place):
    put(here)
    there.get(PAPER_ID)
    shared_place(place).remove(KEY)
    assert there.get(PAPER_ID) == PAPER


def test_an_altered_copy_is_fetched_again(here, there):
    put(here)
    there.get(PAPER_ID)
    copy_of(there).write_bytes(b"<artikel/>")
    assert there.get(PAPER_ID) == PAPER
    assert copy_of(there).read_bytes() == PAPER


@pytest.mark.parametrize("altered", [b"<artikel/>", b"<article/> ", b"", b"<article"])
def test_an_altered_object_never_passes_and_is_repaired_by_the_cure(here, there, place, altered):
    put(here)
    shared_place(place).put(KEY, altered)
    for limit in (-1, 3):
        with pytest.raises(StoredFileError, match=r"was altered.*Delete it.*aimsciqa ingest") as told:
            there.get(PAPER_ID, limit)
    assert str(told.value).startswith(f"{place}/{KEY}: ")
    assert str(pickle.loads(pickle.dumps(told.value))) == str(told.value)
    assert not list(Path(there.folder).rglob("*")), "altered bytes are among the copies"
    put(here)
    assert there.get(PAPER_ID) == PAPER


def test_an_object_that_is_gone_is_told_and_comes_back_by_the_cure(here, there, place):
    put(here)
    shared_place(place).remove(KEY)
    for ask in (there.get, there.size):
        with pytest.raises(StoredFileError, match=r"is missing.*aimsciqa ingest"):
            ask(PAPER_ID)
    put(here)
    assert there.get(PAPER_ID) == PAPER


def test_what_one_worker_downloaded_is_found_by_another(here, there):
    assert there.find(PAPER_MD5) is None
    with here.incoming() as partial:
        partial.write_bytes(PAPER)
        assert here.keep(partial, PAPER_MD5) == PAPER_ID
    assert there.find(PAPER_MD5) == PAPER_ID
    assert there.get(PAPER_ID) == PAPER


def test_a_download_that_is_gone_or_altered_is_downloaded_again(here, there, place):
    with here.incoming() as partial:
        partial.write_bytes(PAPER)
        here.keep(partial, PAPER_MD5)
    shared_place(place).put(KEY, b"<artikel/>")
    assert there.find(PAPER_MD5) is None
    shared_place(place).remove(KEY)
    assert there.find(PAPER_MD5) is None
    assert here.find(PAPER_MD5) is None, "its copy is of no use to others"


def test_workers_put_and_get_the_same_files_at_once(here, there):
    contents = [bytes([number]) * 20_000 for number in range(10)]
    with ThreadPoolExecutor(8) as threads:
        ids = list(threads.map(put, [here, there] * 20, contents * 4))
        read = list(threads.map(there.get, ids))
    assert read == contents * 4
    assert len(set(ids)) == 10


PUTTING = """
import os, sys
from aimsciqa_resources.shared_file_store import SharedFileStore
store = SharedFileStore(folder=sys.argv[1], shared=sys.argv[2])
print("ready", flush=True)
while True:
    store.put_bytes(os.urandom(200_000))
"""


def test_a_killed_writer_leaves_only_whole_files(here, place):
    writer = subprocess.Popen(
        [sys.executable, "-c", PUTTING, here.folder, place], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout.readline() == "ready\n"
    time.sleep(1)
    writer.kill()
    writer.wait()
    found = list(shared_place(place).below("files"))
    assert found
    for one in found:
        content = shared_place(place).read(one.key)
        assert one.key.endswith(hashlib.sha256(content).hexdigest())


def test_a_file_that_goes_in_parts_is_whole(here, there, tmp_path):
    content = b"0123456789abcdef" * 2**21
    (tmp_path / "large.pdf").write_bytes(content)
    file_id = here.put(tmp_path / "large.pdf")
    assert file_id == hashlib.sha256(content).hexdigest()
    assert there.get(file_id, limit=16) == b"0123456789abcdef"
    assert there.size(file_id) == 2**25


def test_a_server_that_is_away_is_told_within_seconds(bucket, tmp_path, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://127.0.0.1:{free_port()}")
    store = SharedFileStore(folder=str(tmp_path / "files"), shared=bucket)
    with pytest.raises(SharedPlaceError, match=r"cannot be read or written: .*\nSee that the server runs"):
        store.get(PAPER_ID)
    assert list((tmp_path / "files").rglob("*")) == []


def test_a_copy_needs_no_server(bucket, tmp_path, monkeypatch):
    store = SharedFileStore(folder=str(tmp_path / "files"), shared=bucket)
    put(store)
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://127.0.0.1:{free_port()}")
    assert store.get(PAPER_ID) == PAPER


def test_a_bucket_that_is_not_there_is_told(bucket, tmp_path):
    store = SharedFileStore(folder=str(tmp_path / "files"), shared="s3://nobody/here")
    for ask in (lambda: put(store), lambda: store.get(PAPER_ID), lambda: store.find(PAPER_MD5)):
        with pytest.raises(SharedPlaceError, match=r"s3://nobody/here .*: NoSuchBucket"):
            ask()
    assert [path for path in (tmp_path / "files").rglob("*") if path.is_file()] == []


def test_what_a_server_refuses_is_told_without_keys(bucket, tmp_path, refusing, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", refusing)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "the-secret-word")
    store = SharedFileStore(folder=str(tmp_path / "files"), shared=bucket)
    for ask, reason in ((lambda: put(store), "403 Forbidden"), (lambda: store.get(PAPER_ID), "AccessDenied")):
        with pytest.raises(SharedPlaceError, match=rf"{reason}\nSee .*AWS_SECRET_ACCESS_KEY") as told:
            ask()
        assert "the-secret-word" not in str(told.value)


def test_a_folder_that_is_not_mounted_is_not_made(tmp_path):
    store = SharedFileStore(folder=str(tmp_path / "files"), shared=str(tmp_path / "shared"))
    with pytest.raises(SharedPlaceError, match=r"shared is not there: mount it"):
        put(store)
    assert not (tmp_path / "shared").exists()


def test_a_place_is_a_bucket_or_a_whole_path(tmp_path):
    with pytest.raises(SharedPlaceError, match="must be s3://bucket/prefix, or the whole path"):
        put(SharedFileStore(folder=str(tmp_path), shared="shared"))
