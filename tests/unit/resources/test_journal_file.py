import json
import random
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace

import pytest
from aimsciqa_resources.disk import UnwritableError
from aimsciqa_resources.language_model.journal import JournalError
from aimsciqa_resources.language_model.journal_exchange import Imported, export_journal, import_journal
from aimsciqa_resources.language_model.journal_file import JournalFile

from tests.disks import a_folder_for_all, read_only, room_for
from tests.unit.resources.test_journal import ENTRY, entries


@pytest.mark.slow
def test_a_new_journal_may_be_opened_by_many_at_once(tmp_path):
    # SQLite answers "locked" without waiting in 3 of 100 such openings.
    with ThreadPoolExecutor(8) as threads:
        for number in range(200):
            start, path = threading.Barrier(8), tmp_path / f"{number}.sqlite"

            def opened(start=start, path=path):
                start.wait()
                JournalFile(path).close()

            for opening in [threads.submit(opened) for _ in range(8)]:
                opening.result()


def test_a_file_that_is_no_journal_is_an_error_that_says_what_to_do(tmp_path):
    (tmp_path / "journal.sqlite").write_bytes(b"not a database" * 100)
    with pytest.raises(JournalError, match="Move the damaged file away"):
        JournalFile(tmp_path / "journal.sqlite")


def test_a_full_disk_is_an_error_and_loses_no_earlier_reply(tmp_path):
    path = tmp_path / "journal.sqlite"
    journal = JournalFile(path)
    journal.write([ENTRY])
    journal._connection.execute("pragma max_page_count = 4")
    with pytest.raises(JournalError, match=r"full.*Make room on its disk"):
        journal.write([replace(one, text="x" * 10_000) for one in entries(50, start=2)])
    assert journal.find(ENTRY.fingerprint) == ENTRY
    assert sqlite3.connect(path).execute("select count(*) from replies").fetchone() == (1,)


@pytest.mark.parametrize("name", ["replies.jsonl", "replies.jsonl.gz"])
def test_an_export_without_room_leaves_the_earlier_one_and_nothing_else(tmp_path, name):
    journal = JournalFile(tmp_path / "journal.sqlite")
    journal.write(entries(1))
    export_journal(tmp_path / "journal.sqlite", tmp_path / name)
    earlier = (tmp_path / name).read_bytes()
    dice = random.Random(1)
    journal.write([replace(entry, text=dice.randbytes(1000).hex()) for entry in entries(300, start=1)])
    # The journal is open and stays so: its own files do not grow.
    with room_for(100_000), pytest.raises(UnwritableError, match=f"{name}: .*: make room on this disk"):
        export_journal(tmp_path / "journal.sqlite", tmp_path / name)
    assert (tmp_path / name).read_bytes() == earlier
    assert not list(tmp_path.glob(f".{name}*"))


def test_a_read_only_journal_is_told_with_the_place_and_what_to_do():
    with a_folder_for_all() as folder:
        JournalFile(folder / "journal.sqlite").close()
        for file in (folder / "journal.sqlite", folder / "new" / "journal.sqlite"):
            with (
                read_only(folder),
                pytest.raises(JournalError, match="Make the file and its folder writ") as told,
            ):
                JournalFile(file)
            assert str(file) in str(told.value)


OLD = """create table replies (fingerprint text primary key, model text not null, task text not null,
    text text not null, finish_reason text not null, prompt_tokens integer not null,
    reply_tokens integer not null,
    cached_tokens integer not null, reasoning_tokens integer not null, latency_seconds real not null,
    attempts integer not null, answered_at text not null)"""
WITH_LOGPROBS = replace(ENTRY, fingerprint="2" * 32, logprobs='[["Yes",-0.5,[]]]')


def old_journal(path):
    """A journal as versions without log-probabilities, sampling and scores wrote it."""
    connection = sqlite3.connect(path)
    connection.execute(OLD)
    values = list(asdict(ENTRY).values())[:-3]
    connection.execute(f"insert into replies values ({', '.join('?' * len(values))})", values)
    connection.commit()
    connection.close()


def test_a_journal_of_an_earlier_version_is_read_and_written(tmp_path):
    path = tmp_path / "journal.sqlite"
    old_journal(path)
    journal, beside = JournalFile(path), JournalFile(path)
    assert journal.find(ENTRY.fingerprint) == ENTRY
    assert beside.write([WITH_LOGPROBS]) == 1
    assert journal.find(WITH_LOGPROBS.fingerprint) == WITH_LOGPROBS


def test_a_journal_without_sampling_alone_gets_that_column(tmp_path):
    path = tmp_path / "journal.sqlite"
    old_journal(path)
    with sqlite3.connect(path) as connection:
        connection.execute("alter table replies add column logprobs text not null default ''")
    drawn = replace(WITH_LOGPROBS, sampling='{"reply_tokens": 9}')
    journal = JournalFile(path)
    assert journal.write([drawn]) == 1
    assert journal.find(ENTRY.fingerprint) == ENTRY
    assert journal.find(drawn.fingerprint) == drawn


def test_two_processes_may_open_an_earlier_journal_at_once(tmp_path):
    path = tmp_path / "journal.sqlite"
    for _ in range(20):
        path.unlink(missing_ok=True)
        old_journal(path)
        with ThreadPoolExecutor(4) as threads:
            found = list(threads.map(lambda _: JournalFile(path).find(ENTRY.fingerprint), range(4)))
        assert found == [ENTRY] * 4


def test_an_export_has_log_probabilities_only_where_there_are_some(tmp_path):
    JournalFile(tmp_path / "journal.sqlite").write([ENTRY, WITH_LOGPROBS])
    export_journal(tmp_path / "journal.sqlite", tmp_path / "all.jsonl")
    plain, with_them = map(json.loads, (tmp_path / "all.jsonl").read_text().splitlines())
    assert not {"logprobs", "sampling", "scored"} & plain.keys()
    assert with_them["logprobs"] == WITH_LOGPROBS.logprobs
    assert import_journal(tmp_path / "other.sqlite", tmp_path / "all.jsonl") == Imported(2, 0, ())
    assert JournalFile(tmp_path / "other.sqlite").find(WITH_LOGPROBS.fingerprint) == WITH_LOGPROBS
