import hashlib

import pytest
from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.pmc.bucket import Bucket, folders
from aimsciqa_resources.pmc.client import Answer
from aimsciqa_resources.pmc.errors import (
    IncompleteListingError,
    MetadataError,
    NoSuchObjectError,
    PmcError,
    UnexpectedAnswerError,
    WrongDigestError,
)
from aimsciqa_resources.pmc.parallel import each

from tests.pmc_clients import client_for
from tests.pmc_server import (
    Archive,
    CutBody,
    Missing,
    OtherBytes,
    PmcServer,
    Status,
    always,
    first_times,
    share,
)

LISTING = (
    '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">{}'
    "<CommonPrefixes><Prefix>PMC1.1/</Prefix></CommonPrefixes></ListBucketResult>"
)


@pytest.fixture
def server():
    archive = Archive()
    for number in range(11, 21):
        archive.publish(f"PMC{number}", text=f"Text of {number}.")
    with PmcServer(archive) as server:
        yield server


@pytest.fixture
def store(tmp_path):
    return FileStore(folder=str(tmp_path / "store"))


@pytest.fixture
def bucket(server, store):
    with client_for(server, attempts=3) as client:
        yield Bucket(client, store)


def test_the_newest_version_is_the_highest_number(server, bucket):
    for version in range(2, 12):
        server.archive.revise("PMC11", f"Version {version}.")
    server.page_size = 4
    assert bucket.versions("PMC11") == list(range(1, 12))
    newest = bucket.newest("PMC11")
    assert (newest.name, newest.license_code, newest.is_retracted) == ("PMC11.11", "CC BY", False)
    assert newest.etag == hashlib.md5(server.archive.articles["PMC11"][-1].metadata).hexdigest()


def test_an_article_that_is_not_there_has_no_versions(bucket):
    assert bucket.versions("PMC1") == []  # PMC11 begins alike
    assert bucket.newest("PMC1") is None


@pytest.mark.parametrize("step", [Status(200, "<html>Sign in</html>"), Status(404), Status(500), CutBody()])
def test_a_listing_that_fails_is_an_error(server, bucket, step):
    server.plan = always("list", step)
    with pytest.raises(PmcError):
        bucket.versions("PMC11")


@pytest.mark.parametrize(
    ("inside", "error"),
    [
        ("", UnexpectedAnswerError),
        ("<IsTruncated>true</IsTruncated>", IncompleteListingError),
        (
            "<IsTruncated>true</IsTruncated><NextContinuationToken>a</NextContinuationToken>",
            IncompleteListingError,
        ),
        (
            "<IsTruncated>false</IsTruncated><CommonPrefixes><Prefix>x/</Prefix></CommonPrefixes>",
            UnexpectedAnswerError,
        ),
    ],
)
def test_a_listing_that_contradicts_itself_is_an_error(inside, error):
    class Client:
        def listing(self, _params, understand):
            return understand(Answer(LISTING.format(inside).encode()))

    with pytest.raises(error):
        folders(Client(), "PMC1.")


def test_entities_are_not_expanded(server, bucket):
    bomb = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><ListBucketResult>&x;</ListBucketResult>'
    server.plan = always("list", Status(200, bomb))
    with pytest.raises(UnexpectedAnswerError):
        bucket.versions("PMC11")


def test_a_version_that_is_listed_and_not_there_yet_is_an_error(server, bucket):
    server.plan = always("metadata/PMC11", Missing())
    with pytest.raises(NoSuchObjectError):
        bucket.newest("PMC11")


def test_metadata_of_another_article_are_refused(server, bucket):
    other = server.archive.articles["PMC12"][0].metadata.decode()
    server.plan = always("metadata/PMC11", Status(200, other))
    with pytest.raises(MetadataError, match=r"PMC11\.1 are those of PMC12\.1"):
        bucket.newest("PMC11")


def test_a_file_is_downloaded_once_verified_and_kept_by_its_content(server, bucket, store):
    server.plan = first_times(1, OtherBytes(), ".xml")
    jats = server.archive.articles["PMC11"][0].jats
    file = bucket.newest("PMC11").xml
    assert bucket.fetch(file) == bucket.fetch(file) == hashlib.sha256(jats).hexdigest()
    assert store.get(bucket.fetch(file)) == jats
    assert len(server.asked("bucket", ".xml")) == 2


def test_a_file_that_is_never_right_leaves_nothing_behind(server, bucket, store, tmp_path):
    server.plan = always(".xml", CutBody())
    with pytest.raises(WrongDigestError):
        bucket.fetch(bucket.newest("PMC11").xml)
    assert list((tmp_path / "store").rglob("*")) == []


def test_many_at_once_with_each_failure_in_its_place(server, bucket):
    server.plan = always("metadata/PMC15", Status(500))
    server.archive.withdraw("PMC16")
    pmcids = [f"PMC{number}" for number in range(11, 21)]
    found = dict(bucket.newest_of(pmcids))
    assert list(found) == pmcids
    assert isinstance(found.pop("PMC15"), PmcError)
    assert found.pop("PMC16") is None
    files = [article.xml for article in found.values()]
    assert [len(file_id) for _, file_id in bucket.fetch_all(files)] == [64] * 8


def test_faults_of_all_kinds_are_overcome(server, store):
    server.plan = share(0.3, 7, Status(500), Status(503), CutBody(), OtherBytes())
    pmcids = [f"PMC{number}" for number in range(11, 21)]
    with client_for(server, attempts=12) as client:
        bucket = Bucket(client, store)
        files = [article.xml for _, article in bucket.newest_of(pmcids)]
        kept = {store.get(file_id) for _, file_id in bucket.fetch_all(files)}
    assert kept == {version.jats for version in server.archive.newest().values()}


def test_another_error_ends_everything():
    with pytest.raises(ZeroDivisionError):
        list(each(lambda number: 1 // number, [1, 0, 2], 2))


def test_items_are_drawn_as_they_are_needed():
    drawn = []
    results = each(abs, (drawn.append(number) or number for number in range(1000)), 2)
    next(results)
    results.close()
    assert len(drawn) <= 5
