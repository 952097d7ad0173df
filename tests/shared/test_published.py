"""Files that one worker makes and another fetches, through a folder or a bucket."""

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from aimsciqa_resources.shared_place import SharedPlace, SharedPlaceError, shared_place

from aimsciqa_assets.platform import published as module
from aimsciqa_assets.platform.published import Published

pytestmark = pytest.mark.slow


@pytest.fixture
def published(place) -> Published:
    return Published(shared_place(place))


@pytest.fixture
def here(tmp_path) -> Path:
    """A home with a page and a release."""
    home = tmp_path / "here"
    (home / "releases" / "one" / "data").mkdir(parents=True)
    (home / "report.html").write_text("first")
    (home / "releases" / "one" / "README.md").write_text("card")
    (home / "releases" / "one" / "data" / "items.jsonl").write_text("{}\n")
    return home


@pytest.fixture
def there(tmp_path) -> Path:
    return tmp_path / "there"


def tree(folder: Path) -> dict[str, str]:
    paths = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {path.relative_to(folder).as_posix(): path.read_text() for path in paths}


def test_another_worker_has_the_same_files(published, here, there):
    published.publish("made", here, [here / "report.html", here / "releases" / "one"], "state")
    assert published.find("made").state == "state"
    assert published.names() == ["made"]
    assert published.fetch("made", there) == [there / "report.html", there / "releases" / "one"]
    assert tree(there) == tree(here)


def test_what_nobody_published_is_not_fetched(published, there):
    assert published.find("made") is None
    assert published.fetch("made", there) == []


def test_an_older_or_altered_home_gets_the_newer_files_and_no_others(published, here, there):
    published.publish("made", here, [here / "releases" / "one"])
    published.fetch("made", there)
    (here / "releases" / "one" / "data" / "items.jsonl").write_text("{2}\n")
    (here / "releases" / "one" / "new.txt").write_text("new")
    (here / "releases" / "one" / "README.md").unlink()
    published.publish("made", here, [here / "releases" / "one"])
    (there / "releases" / "one" / "notes.txt").write_text("of somebody")
    published.fetch("made", there)
    assert tree(there) == {"releases/one/data/items.jsonl": "{2}\n", "releases/one/new.txt": "new"}


def test_files_that_are_there_already_are_neither_fetched_nor_touched(published, here, place):
    published.publish("made", here, [here / "report.html"])
    for one in list(shared_place(place).below("published/bytes")):
        shared_place(place).remove(one.key)
    before = (here / "report.html").stat()
    published.fetch("made", here)
    assert (here / "report.html").stat() == before


def test_nothing_is_published_of_a_step_that_left_nothing(published, here, there):
    published.publish("made", here, [here / "nowhere"], "state")
    assert published.find("made").state == "state"
    assert published.fetch("made", there) == []


@pytest.mark.parametrize(("altered", "told"), [(b"other", "was altered"), (None, "is missing")])
def test_bytes_that_were_altered_or_removed_never_reach_a_home(published, here, there, place, altered, told):
    published.publish("made", here, [here / "report.html"])
    (stored,) = shared_place(place).below("published/bytes")
    shared_place(place).remove(stored.key)
    if altered:
        shared_place(place).put(stored.key, altered)
    with pytest.raises(SharedPlaceError, match=rf"{told}\. Delete it"):
        published.fetch("made", there)
    assert tree(there) == {}


@pytest.mark.parametrize(
    "said",
    [
        b"{",
        b"[]",
        json.dumps({"paths": ["../x"], "files": {"../x": "0"}, "state": "", "at": 0}).encode(),
        json.dumps({"paths": ["/etc/x"], "files": {"/etc/x": "0"}, "state": "", "at": 0}).encode(),
    ],
)
def test_a_manifest_that_was_altered_is_told(published, there, place, said):
    shared_place(place).put("published/names/made.json", said)
    with pytest.raises(SharedPlaceError, match=r"made\.json cannot be read: it was altered"):
        published.fetch("made", there)


class _Dying(SharedPlace):
    """A place whose user is killed before its last object."""

    def put(self, key, content):
        if key.startswith("published/names"):
            raise KeyboardInterrupt
        super().put(key, content)


def test_a_publication_that_breaks_off_leaves_the_earlier_one_whole(published, here, there, place):
    published.publish("made", here, [here / "report.html"])
    (here / "report.html").write_text("second")
    with pytest.raises(KeyboardInterrupt):
        Published(_Dying(place, shared_place(place)._store)).publish("made", here, [here / "report.html"])
    published.fetch("made", there)
    assert tree(there) == {"report.html": "first"}


PUBLISHING = """
import sys
from pathlib import Path
from aimsciqa_assets.platform.published import Published
from aimsciqa_resources.shared_place import shared_place
home, published = Path(sys.argv[1]), Published(shared_place(sys.argv[2]))
number = 0
while True:
    number += 1
    for name in ("a", "b"):
        (home / name).write_text(f"{number} " * 50_000)
    published.publish("made", home, [home / "a", home / "b"])
    if number == 1:
        print("ready", flush=True)
"""


def test_readers_see_whole_publications_whose_writer_is_killed(published, there, place, tmp_path):
    (tmp_path / "writer").mkdir()
    writer = subprocess.Popen(
        [sys.executable, "-c", PUBLISHING, str(tmp_path / "writer"), place], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout.readline() == "ready\n"
    for _ in range(20):
        published.fetch("made", there)
        assert (there / "a").read_text() == (there / "b").read_text()
    writer.kill()
    writer.wait()
    published.fetch("made", there)
    assert (there / "a").read_text() == (there / "b").read_text()


def test_bytes_that_no_name_has_go_after_the_kept_days(published, here, there, place, monkeypatch):
    published.publish("made", here, [here / "report.html"])
    (here / "report.html").write_text("second")
    published.publish("made", here, [here / "report.html"])
    assert published.remove_unnamed(0) == (0, 0), "younger than a day"
    monkeypatch.setattr(module, "datetime", _later(days=2))
    assert published.remove_unnamed(7) == (0, 0)
    assert published.remove_unnamed(1) == (1, 5)
    published.fetch("made", there)
    assert tree(there) == {"report.html": "second"}


def test_bytes_that_may_be_about_to_go_are_sent_again(published, here, place, monkeypatch):
    published.publish("made", here, [here / "report.html"])
    (before,) = shared_place(place).below("published/bytes")
    published.publish("again", here, [here / "report.html"])
    assert list(shared_place(place).below("published/bytes")) == [before]
    monkeypatch.setattr(module, "datetime", _later(days=1))
    put = []
    monkeypatch.setattr(SharedPlace, "put", lambda _self, key, _content: put.append(key))
    published.publish("again", here, [here / "report.html"])
    assert put == [before.key, "published/names/again.json"]


def _later(days: int) -> type[datetime]:
    class Later(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz or UTC) + timedelta(days=days)

    return Later
