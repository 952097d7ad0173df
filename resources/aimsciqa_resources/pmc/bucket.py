"""Single articles of the PMC Cloud Service: their versions, metadata and verified files."""

from collections.abc import Iterable, Iterator

from lxml import etree

from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.pmc.articles import ArticleVersion, ObjectUrl, read_metadata
from aimsciqa_resources.pmc.client import Answer, PmcClient
from aimsciqa_resources.pmc.errors import IncompleteListingError, PmcError, UnexpectedAnswerError
from aimsciqa_resources.pmc.parallel import each
from aimsciqa_resources.pmc.xml import read_xml


class Bucket:
    """The bucket, and the file store that keeps what was downloaded from it."""

    def __init__(self, client: PmcClient, store: FileStore) -> None:
        self._client = client
        self._store = store

    def versions(self, pmcid: str) -> list[int]:
        """The versions of an article, ascending by number; none when the bucket has no such article."""
        prefix = f"{pmcid}."
        found = [folder.removeprefix(prefix).rstrip("/") for folder in folders(self._client, prefix)]
        return sorted(int(version) for version in found if version.isdecimal())

    def metadata(self, pmcid: str, version: int) -> ArticleVersion:
        """What the bucket says about an article version. Raises `NoSuchObjectError`, `MetadataError`."""
        return self._client.read(
            f"metadata/{pmcid}.{version}.json",
            lambda answer: read_metadata(answer.content, pmcid, version, answer.etag),
        )

    def newest(self, pmcid: str) -> ArticleVersion | None:
        """The newest version of an article; None when the bucket has no such article (any more)."""
        versions = self.versions(pmcid)
        return self.metadata(pmcid, versions[-1]) if versions else None

    def fetch(self, file: ObjectUrl) -> str:
        """Put a file of an article into the file store; returns its id. It is downloaded at most once."""
        known = self._store.find(file.md5)
        if known is not None:
            return known
        with self._store.incoming() as partial:
            self._client.save(file.key, file.md5, partial)
            return self._store.keep(partial, file.md5)

    def newest_of(self, pmcids: Iterable[str]) -> Iterator[tuple[str, ArticleVersion | PmcError | None]]:
        """`newest` for many articles; an article that failed comes with its error instead."""
        return each(self.newest, pmcids, self._client.settings.downloads_at_once)

    def fetch_all(self, files: Iterable[ObjectUrl]) -> Iterator[tuple[ObjectUrl, str | PmcError]]:
        """`fetch` for many files; a file that failed comes with its error instead."""
        return each(self.fetch, files, self._client.settings.downloads_at_once)


def folders(client: PmcClient, prefix: str) -> list[str]:
    """The folders of the bucket that begin like this, over all pages of the listing."""
    found: list[str] = []
    params = {"list-type": "2", "prefix": prefix, "delimiter": "/"}
    seen: set[str] = set()
    while True:
        page, token = client.listing(params, lambda answer: _page(answer, prefix))
        found += page
        if token is None:
            return found
        if token in seen:
            raise IncompleteListingError(f"The listing of {prefix!r} gives the same page again.")
        seen.add(token)
        params = params | {"continuation-token": token}


def _page(answer: Answer, prefix: str) -> tuple[list[str], str | None]:
    """The folders of a page, and the token of the next page; None at the end."""
    tree = read_xml(answer.content, "ListBucketResult")
    truncated = _text(tree, "IsTruncated")
    if truncated not in ("true", "false"):
        raise UnexpectedAnswerError(f"The listing of {prefix!r} does not say whether it is complete.")
    token = _text(tree, "NextContinuationToken") if truncated == "true" else None
    if token == "":
        raise IncompleteListingError(f"The listing of {prefix!r} is cut off and does not say how to go on.")
    page = [folder.text or "" for folder in tree.findall("{*}CommonPrefixes/{*}Prefix")]
    if strangers := [folder for folder in page if not folder.startswith(prefix)]:
        raise UnexpectedAnswerError(f"The listing of {prefix!r} has {strangers[0]!r}.")
    return page, token


def _text(tree: etree._Element, name: str) -> str:
    return tree.findtext(f"{{*}}{name}") or ""
