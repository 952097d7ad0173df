"""The place that all workers share: a bucket of S3 or a folder, which holds objects by their keys.

An object is complete or absent, and replaced in one step. `AIMSCIQA_SHARED` names the place.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, Final

from aimsciqa_resources.s3_access import S3Access, s3_access

_S3: Final = "s3://"
# Larger files go in parts, and each part must be sent within the two minutes.
_PART_BYTES: Final = 16 * 2**20
_PARTS_AT_ONCE: Final = 4
_PATIENCE: Final = {"connect_timeout": "5s", "read_timeout": "120s", "timeout": "6h"}
_RETRIES: Final = {
    "max_retries": 5,
    "retry_timeout": timedelta(seconds=20),
    "backoff": {
        "init_backoff": timedelta(milliseconds=200),
        "max_backoff": timedelta(seconds=3),
        "base": 2,
    },
}
_CODE: Final = re.compile(r"<Code>(\w+)</Code>")
_NO_BUCKET: Final = "NoSuchBucket"
_MD5: Final = re.compile(r'"?([0-9a-f]{32})"?')


class SharedPlaceError(RuntimeError):
    """The shared place does not answer, or refuses; the message says what to do."""


@dataclass(frozen=True, slots=True)
class StoredObject:
    """What a place tells of an object. `md5` is that of its bytes where the place tells it, else ""."""

    key: str
    size: int
    changed: datetime
    md5: str


class SharedPlace:
    """Objects by key, such as `files/ab/abcd`. Several threads may use it at once.

    Every method raises `SharedPlaceError`.
    """

    def __init__(self, name: str, store: Any) -> None:
        """`store` is one of obstore."""
        self.name = name
        self._store = store

    def where(self, key: str) -> str:
        """The full name of an object, for people."""
        return f"{self.name}/{key}"

    def put(self, key: str, content: Path | BinaryIO | bytes) -> None:
        """Put an object, in the place of an earlier one if there is one."""
        import obstore

        with self._telling():
            try:
                obstore.put(self._store, key, content, chunk_size=_PART_BYTES, max_concurrency=_PARTS_AT_ONCE)
            except FileNotFoundError as error:  # there is no such bucket
                raise self._failed(error) from None

    def fetch(self, key: str, write: Callable[[bytes], Any]) -> bool:
        """Hand over the bytes of an object, part by part; False where there is none."""
        import obstore

        with self._telling():
            try:
                parts = obstore.get(self._store, key)
            except FileNotFoundError as error:
                if _NO_BUCKET in str(error):
                    raise self._failed(error) from None
                return False
            for part in parts:
                write(part)
        return True

    def read(self, key: str) -> bytes | None:
        """The bytes of a small object; None where there is none."""
        parts: list[bytes] = []
        return b"".join(parts) if self.fetch(key, parts.append) else None

    def look(self, key: str) -> StoredObject | None:
        """What there is under a key."""
        import obstore

        with self._telling():
            try:
                return _stored(obstore.head(self._store, key))
            except FileNotFoundError:
                return None

    def below(self, folder: str) -> Iterator[StoredObject]:
        """All objects whose keys begin with this folder and a slash."""
        import obstore

        with self._telling():
            for some in obstore.list(self._store, folder):
                yield from map(_stored, some)

    def remove(self, key: str) -> None:
        """Remove an object, if it is there."""
        import obstore

        with self._telling(), suppress(FileNotFoundError):
            obstore.delete(self._store, key)

    @contextmanager
    def _telling(self) -> Iterator[None]:
        from obstore.exceptions import BaseError

        try:
            yield
        except BaseError as error:
            raise self._failed(error) from None

    def _failed(self, error: Exception) -> SharedPlaceError:
        cure = (
            "See that the server runs, that the bucket is there, and that AWS_ACCESS_KEY_ID, "
            "AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL_S3 are right and may write there"
            if self.name.startswith(_S3)
            else "See that the folder is mounted, and that this user may write there"
        )
        return SharedPlaceError(
            f"{self.name} cannot be read or written: {_reason(error)}\n{cure}; AIMSCIQA_SHARED names it "
            "(docs/clusters.md). Then run the same command again."
        )


def shared_place(named: str) -> SharedPlace:
    """The place that `AIMSCIQA_SHARED` names: s3://bucket/prefix, or the whole path of a folder.

    Raises `SharedPlaceError` where it cannot be opened; whether a bucket answers is seen when it is used.
    """
    return _opened(named.rstrip("/"), s3_access())


@lru_cache(maxsize=4)
def _opened(named: str, access: S3Access) -> SharedPlace:
    try:
        from obstore.store import LocalStore
    except ImportError:
        raise SharedPlaceError(
            f"AIMSCIQA_SHARED={named} needs obstore, which is not installed: pip install '.[cluster]'"
        ) from None
    if named.startswith(_S3):
        return SharedPlace(named, _bucket(named, access))
    if not Path(named).is_absolute():
        raise SharedPlaceError(
            f"AIMSCIQA_SHARED={named} must be s3://bucket/prefix, or the whole path of a folder that all "
            "workers share."
        )
    # Not made here: an empty folder where a disk is not mounted would pass for the shared one.
    if not Path(named).is_dir():
        raise SharedPlaceError(
            f"The shared folder {named} is not there: mount it, or make it if it is new (`mkdir`). "
            "AIMSCIQA_SHARED names it."
        )
    return SharedPlace(named, LocalStore(named))


def _bucket(named: str, access: S3Access) -> Any:
    from obstore.store import S3Store

    bucket, _, prefix = named.removeprefix(_S3).partition("/")
    given = {
        "access_key_id": access.key_id,
        "secret_access_key": access.secret,
        "session_token": access.session_token,
        "region": access.region,
        "endpoint": access.endpoint,
    }
    return S3Store(
        bucket,
        prefix=prefix or None,
        config={name: value for name, value in given.items() if value},
        virtual_hosted_style_request=not access.endpoint,
        client_options={**_PATIENCE, "allow_http": access.is_plain},
        retry_config=_RETRIES,
    )


def _stored(told: Any) -> StoredObject:
    md5 = _MD5.fullmatch(told["e_tag"] or "")
    return StoredObject(told["path"], told["size"], told["last_modified"], md5[1] if md5 else "")


def _reason(error: Exception) -> str:
    """What went wrong, in a few words; what a server says at length may name keys."""
    first = str(error).splitlines()[0]
    code = _CODE.search(str(error))
    return code[1] if code else first.rsplit(" - ", 1)[-1].rstrip(": ")
