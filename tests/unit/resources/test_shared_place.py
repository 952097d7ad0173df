"""What is said about a shared place before it is opened; the place itself is tested in `tests/shared`."""

from importlib.util import find_spec

import pytest
from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.s3_access import s3_access
from aimsciqa_resources.shared_file_store import SharedFileStore
from aimsciqa_resources.shared_place import SharedPlaceError, shared_place

from aimsciqa_assets.platform.home import Home


def test_a_home_keeps_its_files_itself_unless_a_place_is_named(tmp_path, monkeypatch):
    assert type(Home(tmp_path).file_store) is FileStore
    assert Home(tmp_path).published is None
    monkeypatch.setenv("AIMSCIQA_SHARED", "s3://bucket/x")
    store = Home(tmp_path).file_store
    assert isinstance(store, SharedFileStore)
    assert (store.folder, store.shared) == (str(tmp_path / "files"), "s3://bucket/x")


@pytest.mark.skipif(find_spec("obstore") is not None, reason="this environment can open shared places")
def test_an_environment_without_the_client_is_told_what_to_install(tmp_path):
    with pytest.raises(SharedPlaceError, match=r"needs obstore, .*: pip install '\.\[cluster\]'"):
        shared_place(str(tmp_path))


def test_access_is_read_from_the_variables_of_all_clients_of_s3():
    access = s3_access(
        {
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "the-secret",
            "AWS_DEFAULT_REGION": "eu-west-1",
            "AWS_ENDPOINT_URL": "http://one.example",
            "AWS_ENDPOINT_URL_S3": "https://two.example",
        }
    )
    assert (access.key_id, access.region, access.endpoint) == ("key", "eu-west-1", "https://two.example")
    assert not access.is_plain
    assert s3_access({"AWS_ENDPOINT_URL": "http://one.example"}).is_plain
    assert not s3_access({}).is_plain
    assert "the-secret" not in repr(access)
