"""The recorded replies of a home that workers share: one file, to which any of them may add."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from aimsciqa_resources.disk import taking_the_place_of
from aimsciqa_resources.language_model.recordings import RecordingsError
from aimsciqa_resources.locks import one_at_a_time

from aimsciqa.files import read_lines
from aimsciqa_assets.platform.folders import sha256_of
from aimsciqa_assets.platform.home import Home

NAME: Final = "recordings"
"""The name under which they are published."""


def fetch_recordings(home: Home) -> None:
    """Put into a home the recordings that all workers share.

    Raises `RecordingsError` where the home has replies that the others lack, `SharedPlaceError`.
    """
    if not ((published := home.published) and (found := published.find(NAME))):
        return
    shared = found.files[home.recordings.name]
    if home.recordings.exists() and sha256_of(home.recordings) == shared:
        return
    own = _lines(home.recordings)
    with _aside(home) as other:
        published.fetch(NAME, other.folder)
        if set(own) - set(_lines(other.recordings)):
            raise RecordingsError(
                f"{home.recordings} has replies that other workers lack. Give `aimsciqa shared upload` "
                "here: it adds them to those that all share."
            )
        with taking_the_place_of(home.recordings) as fresh:
            fresh.write_bytes(other.recordings.read_bytes())


@contextmanager
def adding_recordings(home: Home, file: Path) -> Iterator[None]:
    """Be the only one, of all workers, who adds to a file of recordings; those that all share are fetched
    before and published after that.
    """
    with one_at_a_time(file.with_name(f"{file.name}.lock")):
        if file != home.recordings or not (published := home.published):
            yield
            return
        with home.warehouse.one_at_a_time(NAME):
            fetch_recordings(home)
            yield
            if file.exists():
                published.publish(NAME, home.folder, [file])


def merge_recordings(home: Home) -> int:
    """Add to the recordings that all share what only this home has; returns how many lines that were."""
    if not ((published := home.published) and home.recordings.exists()):
        return 0
    with (
        one_at_a_time(home.recordings.with_name(f"{home.recordings.name}.lock")),
        home.warehouse.one_at_a_time(NAME),
        _aside(home) as other,
    ):
        published.fetch(NAME, other.folder)
        shared = _lines(other.recordings)
        new = [line for line in _lines(home.recordings) if line not in set(shared)]
        with taking_the_place_of(home.recordings) as fresh:
            fresh.write_bytes(b"".join(line + b"\n" for line in (*shared, *new)))
        published.publish(NAME, home.folder, [home.recordings])
    return len(new)


def _lines(recordings: Path) -> list[bytes]:
    return [line for _, line in read_lines(recordings)] if recordings.exists() else []


@contextmanager
def _aside(home: Home) -> Iterator[Home]:
    """A folder to fetch into, which is removed."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix=".recordings.", dir=home.folder) as folder:
        yield Home(Path(folder))
