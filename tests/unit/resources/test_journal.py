import gzip
import json
import multiprocessing
import random
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace

import pytest
from aimsciqa_resources.disk import UnwritableError
from aimsciqa_resources.language_model.journal import (
    Entry,
    Imported,
    Journal,
    JournalError,
    export_journal,
    import_journal,
)

from tests.disks import a_folder_for_all, read_only, room_for

ENTRY = Entry(
    fingerprint="0" * 31 + "1",
    model="m",
    task="single_hop",
    text='{"pairs": []}\n\x00 µ',
    finish_reason="stop",
    prompt_tokens=700,
    reply_tokens=20,
    cached_tokens=600,
    reasoning_tokens=0,
    latency_seconds=0.5,
    attempts=1,
    answered_at="2026-01-02T03:04:05.000+00:00",
)


def entries(count: int, start: int = 0) -> list[Entry]:
    return [
        replace(ENTRY, fingerprint=f"{number:032x}", text=f"reply {number}") for number in range(start, count)
    ]


def test_what_is_written_is_found(tmp_path):
    journal = Journal(tmp_path / "deep" / "journal.sqlite")
    assert journal.find(ENTRY.fingerprint) is None
    assert journal.write([ENTRY]) == 1
    assert journal.find(ENTRY.fingerprint) == ENTRY
    assert Journal(tmp_path / "deep" / "journal.sqlite").find(ENTRY.fingerprint) == ENTRY


def test_the_first_reply_stays(tmp_path):
    journal = Journal(tmp_path / "journal.sqlite")
    journal.write([ENTRY])
    assert journal.write([replace(ENTRY, text="another"), *entries(3, start=2)]) == 1
    assert journal.find(ENTRY.fingerprint) == ENTRY


def test_the_summary_counts_by_model_and_task(tmp_path):
    journal = Journal(tmp_path / "journal.sqlite")
    journal.write([*entries(3), replace(ENTRY, fingerprint="f" * 32, task="multi_hop")])
    (multi, single) = journal.summary()
    assert (multi["task"], multi["replies"], multi["prompt_tokens"]) == ("multi_hop", 1, 700)
    assert (single["task"], single["replies"], single["cached_tokens"]) == ("single_hop", 3, 1800)


def write_some(path, start):
    journal = Journal(path)
    for entry in entries(start + 200, start=start):
        journal.write([entry])


def test_several_processes_write_at_once(tmp_path):
    path = tmp_path / "journal.sqlite"
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=write_some, args=(path, 100 * number)) for number in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len(list(Journal(path).entries())) == 500


@pytest.mark.slow
def test_a_new_journal_may_be_opened_by_many_at_once(tmp_path):
    # SQLite answers "locked" without waiting in 3 of 100 such openings.
    with ThreadPoolExecutor(8) as threads:
        for number in range(200):
            start, path = threading.Barrier(8), tmp_path / f"{number}.sqlite"

            def opened(start=start, path=path):
                start.wait()
                Journal(path).close()

            for opening in [threads.submit(opened) for _ in range(8)]:
                opening.result()


@pytest.mark.parametrize("name", ["replies.jsonl", "replies.jsonl.gz"])
def test_an_export_is_imported_whole(tmp_path, name):
    Journal(tmp_path / "one.sqlite").write([ENTRY, *entries(1200, start=2)])
    assert export_journal(tmp_path / "one.sqlite", tmp_path / name) == 1199
    assert import_journal(tmp_path / "two.sqlite", tmp_path / name) == Imported(1199, 0, ())
    assert import_journal(tmp_path / "two.sqlite", tmp_path / name) == Imported(0, 1199, ())
    assert list(Journal(tmp_path / "two.sqlite").entries()) == list(
        Journal(tmp_path / "one.sqlite").entries()
    )


def test_lines_that_are_no_replies_are_left_out_and_named(tmp_path):
    export_to = tmp_path / "replies.jsonl"
    Journal(tmp_path / "one.sqlite").write(entries(2))
    export_journal(tmp_path / "one.sqlite", export_to)
    first, second = export_to.read_text().splitlines()
    row = json.loads(first)
    bad = [
        "",
        "[]",
        "{",
        json.dumps(row | {"fingerprint": "../../etc"}),
        json.dumps(row | {"text": None}),
        json.dumps(row | {"prompt_tokens": "7"}),
        json.dumps(row | {"more": 1}),
        json.dumps({"text": "x"}),
    ]
    export_to.write_text("\n".join([first, *bad, second]) + "\n")
    assert import_journal(tmp_path / "two.sqlite", export_to) == Imported(2, 0, tuple(range(2, 10)))


def test_a_truncated_archive_gives_what_it_has_and_says_so(tmp_path):
    whole = gzip.compress("".join(json.dumps(vars_of(entry)) + "\n" for entry in entries(3000)).encode())
    (tmp_path / "cut.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(JournalError, match=r"cut\.jsonl\.gz cannot be read"):
        import_journal(tmp_path / "journal.sqlite", tmp_path / "cut.jsonl.gz")
    assert len(list(Journal(tmp_path / "journal.sqlite").entries())) >= 500


def vars_of(entry: Entry) -> dict:
    return {name: getattr(entry, name) for name in Entry.__dataclass_fields__}


def test_a_file_that_is_no_journal_is_an_error_that_says_what_to_do(tmp_path):
    (tmp_path / "journal.sqlite").write_bytes(b"not a database" * 100)
    with pytest.raises(JournalError, match="Move the damaged file away"):
        Journal(tmp_path / "journal.sqlite")


def test_a_full_disk_is_an_error_and_loses_no_earlier_reply(tmp_path):
    path = tmp_path / "journal.sqlite"
    journal = Journal(path)
    journal.write([ENTRY])
    journal._connection.execute("pragma max_page_count = 4")
    with pytest.raises(JournalError, match=r"full.*Make room on its disk"):
        journal.write([replace(one, text="x" * 10_000) for one in entries(50, start=2)])
    assert journal.find(ENTRY.fingerprint) == ENTRY
    assert sqlite3.connect(path).execute("select count(*) from replies").fetchone() == (1,)


@pytest.mark.parametrize("name", ["replies.jsonl", "replies.jsonl.gz"])
def test_an_export_without_room_leaves_the_earlier_one_and_nothing_else(tmp_path, name):
    journal = Journal(tmp_path / "journal.sqlite")
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
        Journal(folder / "journal.sqlite").close()
        for file in (folder / "journal.sqlite", folder / "new" / "journal.sqlite"):
            with (
                read_only(folder),
                pytest.raises(JournalError, match="Make the file and its folder writ") as told,
            ):
                Journal(file)
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
    journal, beside = Journal(path), Journal(path)
    assert journal.find(ENTRY.fingerprint) == ENTRY
    assert beside.write([WITH_LOGPROBS]) == 1
    assert journal.find(WITH_LOGPROBS.fingerprint) == WITH_LOGPROBS


def test_a_journal_without_sampling_alone_gets_that_column(tmp_path):
    path = tmp_path / "journal.sqlite"
    old_journal(path)
    with sqlite3.connect(path) as connection:
        connection.execute("alter table replies add column logprobs text not null default ''")
    drawn = replace(WITH_LOGPROBS, sampling='{"reply_tokens": 9}')
    journal = Journal(path)
    assert journal.write([drawn]) == 1
    assert journal.find(ENTRY.fingerprint) == ENTRY
    assert journal.find(drawn.fingerprint) == drawn


def test_two_processes_may_open_an_earlier_journal_at_once(tmp_path):
    path = tmp_path / "journal.sqlite"
    for _ in range(20):
        path.unlink(missing_ok=True)
        old_journal(path)
        with ThreadPoolExecutor(4) as threads:
            found = list(threads.map(lambda _: Journal(path).find(ENTRY.fingerprint), range(4)))
        assert found == [ENTRY] * 4


def test_an_export_has_log_probabilities_only_where_there_are_some(tmp_path):
    Journal(tmp_path / "journal.sqlite").write([ENTRY, WITH_LOGPROBS])
    export_journal(tmp_path / "journal.sqlite", tmp_path / "all.jsonl")
    plain, with_them = map(json.loads, (tmp_path / "all.jsonl").read_text().splitlines())
    assert not {"logprobs", "sampling", "scored"} & plain.keys()
    assert with_them["logprobs"] == WITH_LOGPROBS.logprobs
    assert import_journal(tmp_path / "other.sqlite", tmp_path / "all.jsonl") == Imported(2, 0, ())
    assert Journal(tmp_path / "other.sqlite").find(WITH_LOGPROBS.fingerprint) == WITH_LOGPROBS
