import gzip
import json
import multiprocessing
from contextlib import closing
from dataclasses import replace

import pytest
from aimsciqa_resources.language_model import Message, ModelRequest
from aimsciqa_resources.language_model.journal import Entry, JournalError
from aimsciqa_resources.language_model.journal_exchange import (
    Imported,
    export_journal,
    forget_empty,
    import_journal,
)
from aimsciqa_resources.language_model.journal_places import journal_size, open_journal
from aimsciqa_resources.language_model.opening import LanguageModels
from aimsciqa_resources.language_model.settings import ModelSettings

from tests.model_server import ModelServer

BOM = b"\xef\xbb\xbf"
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


@pytest.fixture
def journal(journal_place):
    with closing(open_journal(journal_place)) as opened:
        yield opened


def test_what_is_written_is_found(journal_place, journal):
    assert journal.find(ENTRY.fingerprint) is None
    assert journal.write([ENTRY]) == 1
    assert journal.find(ENTRY.fingerprint) == ENTRY
    with closing(open_journal(journal_place)) as beside:
        assert beside.find(ENTRY.fingerprint) == ENTRY


def test_the_first_reply_stays(journal):
    journal.write([ENTRY])
    assert journal.write([replace(ENTRY, text="another"), *entries(3, start=2)]) == 1
    assert journal.find(ENTRY.fingerprint) == ENTRY
    assert journal.write([replace(ENTRY, fingerprint="e" * 32, text=text) for text in ("one", "two")]) == 1
    assert journal.find("e" * 32).text == "one"
    assert journal.write([]) == 0


def test_many_are_found_at_once(journal):
    journal.write(entries(5))
    wanted = [entry.fingerprint for entry in entries(7, start=3)]
    assert journal.find_all(wanted) == {entry.fingerprint: entry for entry in entries(5, start=3)}
    assert journal.find_all([]) == {}


def test_a_journal_exists_once_it_was_opened(journal_place):
    assert not journal_place.exists()
    assert journal_size(journal_place) == 0
    open_journal(journal_place).close()
    assert journal_place.exists()
    assert journal_size(journal_place) > 4096


def test_every_field_is_kept_as_it_is(journal):
    odd = replace(
        ENTRY,
        text="\x00é\U0001f600",
        logprobs='[["\x00",-0.5,[]]]',
        sampling='{"reply_tokens": 9}',
        scored="[]",
        prompt_tokens=2**40,
        latency_seconds=0.1 + 0.2,
    )
    journal.write([odd])
    assert list(journal.entries()) == [odd]


def test_entries_come_oldest_first(journal):
    later = replace(ENTRY, fingerprint="a" * 32, answered_at="2026-01-02T03:04:06.000+00:00")
    earlier = replace(ENTRY, fingerprint="b" * 32, answered_at="2026-01-02T03:04:04.000+00:00")
    journal.write([later, ENTRY, earlier])
    assert list(journal.entries()) == [earlier, ENTRY, later]


def test_the_summary_counts_by_model_and_task(journal):
    journal.write([*entries(3), replace(ENTRY, fingerprint="f" * 32, task="multi_hop")])
    assert journal.summary() == [
        {
            **{"model": "m", "task": task, "replies": replies, "prompt_tokens": 700 * replies},
            **{"cached_tokens": 600 * replies, "reply_tokens": 20 * replies},
            **{"first_day": "2026-01-02", "last_day": "2026-01-02"},
        }
        for task, replies in (("multi_hop", 1), ("single_hop", 3))
    ]


def test_answers_without_text_are_forgotten_by_task(journal_place, journal):
    empty, thinking, cut, refused, scored, kept = (
        replace(ENTRY, fingerprint=letter * 32, **changed)
        for letter, changed in (
            ("a", {"text": " \n"}),
            ("b", {"text": "<think>Or 8?</think>"}),
            ("c", {"text": "<think>Or", "finish_reason": "length"}),
            ("d", {"text": "", "finish_reason": "content_filter"}),
            ("e", {"text": "", "logprobs": "[]"}),
            ("f", {"text": "Seven."}),
        )
    )
    elsewhere = replace(empty, fingerprint="0" * 32, task="multi_hop")
    journal.write([empty, thinking, cut, refused, scored, kept, elsewhere])
    assert forget_empty(journal_place, "single_hop") == 2
    assert {entry.fingerprint for entry in journal.entries()} == {
        entry.fingerprint for entry in (cut, refused, scored, kept, elsewhere)
    }
    assert forget_empty(journal_place, "single_hop") == 0
    assert journal.write([replace(empty, text="Seven.")]) == 1


def write_some(place, start):
    with closing(open_journal(place)) as journal:
        for entry in entries(start + 200, start=start):
            journal.write([entry])


def test_several_processes_write_at_once(journal_place):
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=write_some, args=(journal_place, 100 * number)) for number in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    with closing(open_journal(journal_place)) as journal:
        assert len(list(journal.entries())) == 500


def test_a_reply_that_one_process_has_is_not_asked_by_another(journal_place):
    settings = {"backend": "server", "name": "m", "in_flight": 8, "most_in_flight": 8}
    requests = [ModelRequest("t", str(number), {}, (Message("user", str(number)),)) for number in range(100)]
    with ModelServer() as server:
        given = []
        for _ in range(2):
            model = LanguageModels(journal_place).open(ModelSettings(base_url=server.url, **settings))
            given.append({reply.key: reply.text for reply in model.replies(requests)})
        assert len(server.seen) == 100
    assert given[0] == given[1]
    assert len(given[0]) == 100


@pytest.mark.parametrize("name", ["replies.jsonl", "replies.jsonl.gz"])
def test_an_export_is_imported_whole(journal_place, journal, tmp_path, name):
    journal.write([ENTRY, *entries(1200, start=2)])
    other = tmp_path / "other.sqlite"
    assert export_journal(journal_place, tmp_path / name) == 1199
    assert import_journal(other, tmp_path / name) == Imported(1199, 0, ())
    assert import_journal(journal_place, tmp_path / name) == Imported(0, 1199, ())
    with closing(open_journal(other)) as imported:
        assert list(imported.entries()) == list(journal.entries())


def test_lines_that_are_no_replies_are_left_out_and_named(journal_place, tmp_path):
    export_to = tmp_path / "replies.jsonl"
    with closing(open_journal(tmp_path / "one.sqlite")) as one:
        one.write(entries(2))
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
    assert import_journal(journal_place, export_to) == Imported(2, 0, tuple(range(3, 10)))


def test_a_truncated_archive_gives_what_it_has_and_says_so(journal_place, journal, tmp_path):
    whole = gzip.compress("".join(json.dumps(vars_of(entry)) + "\n" for entry in entries(3000)).encode())
    (tmp_path / "cut.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(JournalError, match=r"cut\.jsonl\.gz cannot be read"):
        import_journal(journal_place, tmp_path / "cut.jsonl.gz")
    assert len(list(journal.entries())) >= 500


def vars_of(entry: Entry) -> dict:
    return {name: getattr(entry, name) for name in Entry.__dataclass_fields__}


@pytest.mark.parametrize("text", ["One\u2028two.", "One\u2029two.", "One\x85two."])
@pytest.mark.parametrize("name", ["replies.jsonl", "replies.jsonl.gz"])
def test_marks_inside_a_reply_end_no_line_of_an_export(journal_place, journal, tmp_path, name, text):
    journal.write([replace(ENTRY, text=text)])
    export_journal(journal_place, tmp_path / name)
    content = (tmp_path / name).read_bytes()
    marked = gzip.compress(BOM + gzip.decompress(content)) if name.endswith(".gz") else BOM + content
    (tmp_path / name).write_bytes(marked)
    assert import_journal(tmp_path / "other.sqlite", tmp_path / name) == Imported(1, 0, ())
    with closing(open_journal(tmp_path / "other.sqlite")) as imported:
        assert [entry.text for entry in imported.entries()] == [text]
