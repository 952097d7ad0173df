"""The reply journal in Postgres: it does what the file does, and connections to it may break."""

# ruff: noqa: F401, F811
import threading
from contextlib import closing

import pytest
from aimsciqa_resources.language_model import Message, ModelRequest
from aimsciqa_resources.language_model.journal import JournalError
from aimsciqa_resources.language_model.journal_places import JournalInPostgres, open_journal
from aimsciqa_resources.language_model.opening import LanguageModels
from aimsciqa_resources.language_model.settings import ModelSettings

from aimsciqa_assets.cli.doctor.data import journal_is_sound
from aimsciqa_assets.cli.doctor.findings import Examined
from aimsciqa_assets.platform.home import Home
from tests.model_server import ModelServer
from tests.shell import QuickShell
from tests.unit.resources.test_journal import (
    ENTRY,
    entries,
    journal,
    test_a_journal_exists_once_it_was_opened,
    test_a_reply_that_one_process_has_is_not_asked_by_another,
    test_a_truncated_archive_gives_what_it_has_and_says_so,
    test_an_export_is_imported_whole,
    test_answers_without_text_are_forgotten_by_task,
    test_entries_come_oldest_first,
    test_every_field_is_kept_as_it_is,
    test_lines_that_are_no_replies_are_left_out_and_named,
    test_many_are_found_at_once,
    test_several_processes_write_at_once,
    test_the_first_reply_stays,
    test_the_summary_counts_by_model_and_task,
    test_what_is_written_is_found,
)

psycopg = pytest.importorskip("psycopg", reason="needs Postgres: make test-cluster")
pytestmark = pytest.mark.slow
_OTHERS = "from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()"


@pytest.fixture
def journal_place(catalogue) -> JournalInPostgres:
    """An empty database in the place of the file."""
    return JournalInPostgres(catalogue)


def break_connections(conninfo: str) -> int:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        return len(connection.execute(f"select pg_terminate_backend(pid) {_OTHERS}").fetchall())


def test_the_journal_of_a_lake_lies_beside_its_catalogue(tmp_path, monkeypatch):
    home = Home(tmp_path)
    assert home.journal == tmp_path / "journal.sqlite"
    monkeypatch.setenv("AIMSCIQA_WAREHOUSE", "ducklake:postgres:host=db.example port=5433 dbname=lake")
    assert home.journal == JournalInPostgres("host=db.example port=5433 dbname=lake")
    assert str(home.journal) == "postgres:db.example:5433/lake"
    monkeypatch.setenv("AIMSCIQA_JOURNAL", str(tmp_path / "own.sqlite"))
    assert home.journal == tmp_path / "own.sqlite"
    monkeypatch.setenv("AIMSCIQA_JOURNAL", "postgres:host=other dbname=replies")
    assert home.journal == JournalInPostgres("host=other dbname=replies")


def test_many_may_open_a_new_journal_at_once(catalogue):
    start, found = threading.Barrier(8), []

    def opened():
        start.wait()
        with closing(open_journal(JournalInPostgres(catalogue))) as journal:
            found.append(journal.find("x"))

    threads = [threading.Thread(target=opened) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [None] * 8


def test_two_that_write_the_same_replies_do_not_wait_for_each_other_for_ever(journal_place):
    written = []

    def write(order):
        with closing(open_journal(journal_place)) as journal:
            written.extend(journal.write(entries(50 * n + 50, 50 * n)[::order]) for n in range(40))

    threads = [threading.Thread(target=write, args=(order,)) for order in (1, -1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(written) == 2000
    assert len(written) == 80


def test_a_connection_that_broke_is_made_anew(catalogue, journal):
    journal.write([ENTRY])
    assert break_connections(catalogue) == 1
    assert journal.find(ENTRY.fingerprint) == ENTRY
    assert break_connections(catalogue) == 1
    assert journal.write([ENTRY, *entries(3, start=2)]) == 1


def test_a_run_goes_on_over_broken_connections(catalogue, journal_place):
    settings = {"backend": "server", "name": "m", "in_flight": 8, "most_in_flight": 8}
    requests = [ModelRequest("t", str(number), {}, (Message("user", str(number)),)) for number in range(300)]
    with ModelServer(latency=lambda _: 0.02) as server:
        model = LanguageModels(journal_place).open(ModelSettings(base_url=server.url, **settings))
        given, broken = set(), 0
        for number, reply in enumerate(model.replies(requests)):
            given.add(reply.key)
            broken += break_connections(catalogue) if number % 50 == 25 else 0
        assert len(server.seen) == 300
    assert len(given) == 300
    assert broken == 6


@pytest.mark.parametrize("named", ["dbname=there_is_none", "host=127.0.0.1 port=1"])
def test_a_server_that_is_away_is_told_within_seconds(postgres, named):
    place = JournalInPostgres(f"{postgres} {named}")
    with pytest.raises(JournalError, match=r"cannot be used: .*See that Postgres runs there"):
        open_journal(place)
    with pytest.raises(JournalError, match="See that Postgres runs there"):
        place.exists()


def test_a_user_without_rights_is_told_which(catalogue, journal):
    journal.write([ENTRY])
    with psycopg.connect(catalogue, autocommit=True) as connection:
        connection.execute("create role reader login; grant usage on schema aimsciqa to reader")
        connection.execute("grant select on aimsciqa.replies to reader")
    try:
        with closing(open_journal(JournalInPostgres(f"{catalogue} user=reader"))) as reader:
            assert reader.find(ENTRY.fingerprint) == ENTRY
            with pytest.raises(JournalError, match=r"permission denied .*Let this user create a schema"):
                reader.write(entries(1))
    finally:
        with psycopg.connect(catalogue, autocommit=True) as connection:
            connection.execute("drop owned by reader; drop role reader")


def test_a_password_is_refused_and_told_to_nobody():
    for said in ("host=db password=open-sesame", "postgresql://me:open-sesame@db/lake", "open-sesame"):
        place = JournalInPostgres(said)
        for ask in (str, JournalInPostgres.exists, open_journal):
            with pytest.raises(JournalError, match=r"PGPASSWORD|no connection string") as told:
                ask(place)
            assert "open-sesame" not in str(told.value)


def test_commands_tell_export_and_import_it(catalogue, journal, tmp_path):
    shell = QuickShell(tmp_path / "home", journal=f"postgres:{catalogue}")
    journal.write([ENTRY, *entries(5, start=2)])
    place = shell.environment["AIMSCIQA_JOURNAL"].split("dbname=")[1]
    said = shell("journal")
    assert f"/{place}: 0." in said
    assert "single_hop" in said
    assert "4 replies of postgres:" in shell("journal", "export", str(tmp_path / "all.jsonl"))
    assert "0 new replies, 4 known already." in shell("journal", "import", str(tmp_path / "all.jsonl"))


def test_the_doctor_tells_its_size_or_that_it_is_away(catalogue, journal, tmp_path, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_JOURNAL", f"postgres:{catalogue}")
    (found,) = journal_is_sound(Examined(Home(tmp_path)))
    assert found.state == "ok"
    assert f"{JournalInPostgres(catalogue)} has it, " in found.said
    monkeypatch.setenv("AIMSCIQA_JOURNAL", "postgres:host=127.0.0.1 port=1 dbname=none")
    with pytest.raises(JournalError, match=r"postgres:127\.0\.0\.1:1/none cannot be used"):
        list(journal_is_sound(Examined(Home(tmp_path))))
