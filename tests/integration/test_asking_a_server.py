"""`aimsciqa run` with a model server: killed, interrupted, two at once; and the journal as users see it."""

import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable

import pytest

from tests.aim_sciqa_alone import AIM_SCIQA
from tests.fakes import write_corpus
from tests.model_server import ModelServer, Status, fixed
from tests.shell import QuickShell
from tests.small_home import copy_of

pytestmark = pytest.mark.slow

IN_FLIGHT = 8
TABLES = ("single_hop.extractions", "single_hop.qa_pairs", "relations.candidate_relations", "multi_hop.items")


ASKER = """
import sys
from pathlib import Path
from aimsciqa_resources.language_model import Message, ModelRequest
from aimsciqa_resources.language_model.opening import LanguageModels
from aimsciqa_resources.language_model.settings import ModelSettings

url, journal, count, in_flight = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
settings = ModelSettings(
    backend="server", name="m", base_url=url, in_flight=in_flight, most_in_flight=in_flight
)
requests = [ModelRequest("test", str(n), {}, (Message("user", f"question {n}"),)) for n in range(count)]
replies = list(LanguageModels(journal).open(settings).replies(requests))
print(sum(reply.text == "OK" for reply in replies), sum(reply.calls[0].from_journal for reply in replies))
"""
QUESTIONS = 100


@pytest.fixture(scope="module")
def papers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus") / "papers"
    write_corpus(folder, 14)
    return folder


@pytest.fixture(scope="module")
def shell_at(tiny_encoder) -> Callable[..., QuickShell]:
    def opened(home, server, **settings):
        asking = {
            "model_backend": "server",
            "model_name": "m",
            "model_base_url": server.url,
            "model_in_flight": str(IN_FLIGHT),
            "model_most_in_flight": str(IN_FLIGHT),
            "relations_cluster_size": "5",
        }
        shell = QuickShell(home, **tiny_encoder | asking | settings)
        shell.environment |= AIM_SCIQA
        return shell

    return opened


def content(shell: QuickShell) -> dict[str, list[dict]]:
    return {table: shell.rows(f"select * from {table} order by all") for table in TABLES}


@pytest.fixture(scope="module")
def undisturbed(papers, tmp_path_factory, shell_at):
    with ModelServer() as server:
        shell = shell_at(tmp_path_factory.mktemp("undisturbed") / "home", server)
        shell("ingest", str(papers))
        shell("run", "--quiet", "--only-items")
        yield shell, len({seen.key for seen in server.seen})


def asker(server, journal) -> subprocess.Popen:
    """A process that asks a hundred questions; at the end it prints the replies, and how many it knew."""
    words = [server.url, str(journal), str(QUESTIONS), str(IN_FLIGHT)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([sys.executable, "-c", ASKER, *words], text=True, **pipes)


def until_asked(server, count, process) -> None:
    while len(server.seen) < count and process.poll() is None:
        time.sleep(0.005)


def sent_again(server) -> int:
    return sum(count - 1 for count in Counter(seen.key for seen in server.seen).values())


@pytest.mark.parametrize(
    ("how", "share"), [(signal.SIGKILL, 0.2), (signal.SIGKILL, 0.6), (signal.SIGINT, 0.4)]
)
def test_a_process_that_was_ended_asks_again_for_what_was_in_flight_only(tmp_path, how, share):
    with ModelServer(latency=fixed(0.05)) as server:
        process = asker(server, tmp_path / "journal.sqlite")
        until_asked(server, share * QUESTIONS, process)
        process.send_signal(how)
        process.communicate(timeout=30)
        assert process.returncode == -how
        server.latency = fixed(0)
        output, _ = asker(server, tmp_path / "journal.sqlite").communicate()
        answered, known = map(int, output.split())
    assert len({seen.key for seen in server.seen}) == answered == QUESTIONS
    assert known >= share * QUESTIONS - IN_FLIGHT
    assert sent_again(server) <= IN_FLIGHT


@pytest.mark.long
def test_a_run_that_was_killed_asks_again_for_what_was_in_flight_only(
    papers, tmp_path, undisturbed, shell_at
):
    whole, requests = undisturbed
    with ModelServer(latency=fixed(0.05)) as server:
        shell = shell_at(tmp_path / "home", server)
        shell("ingest", str(papers))
        process = shell.start("run", "--quiet", "--only-items")
        until_asked(server, 0.6 * requests, process)
        process.kill()
        output, _ = process.communicate(timeout=30)
        assert process.returncode == -signal.SIGKILL, output
        server.latency = fixed(0)
        shell("run", "--quiet", "--only-items")
    assert len({seen.key for seen in server.seen}) == requests
    assert sent_again(server) <= IN_FLIGHT
    assert content(shell) == content(whole)


def test_two_processes_at_once_share_the_journal(tmp_path):
    with ModelServer(latency=fixed(0.02)) as server:
        processes = [asker(server, tmp_path / "journal.sqlite") for _ in range(2)]
        for process in processes:
            output, errors = process.communicate()
            assert process.returncode == 0, errors
            assert output.startswith(f"{QUESTIONS} ")
        assert {seen.status for seen in server.seen} == {200}
        output, _ = asker(server, tmp_path / "journal.sqlite").communicate()
    assert output == f"{QUESTIONS} {QUESTIONS}\n"


def test_a_server_that_is_not_there_is_told_and_the_next_run_goes_on(papers, tmp_path, undisturbed, shell_at):
    with ModelServer() as server:
        pass
    shell = shell_at(tmp_path / "home", server, model_patience_seconds="1")
    shell("ingest", str(papers))
    output = " ".join(shell("run", "--quiet", "--only-items", fails=True).split())
    assert f"The model server {server.url} cannot be reached" in output
    assert "Nothing was started." in output
    assert shell.rows("select * from corpus.papers") == []
    with ModelServer() as server:
        shell.environment["AIMSCIQA_MODEL_BASE_URL"] = server.url
        shell("run", "--quiet", "--only-items")
    assert content(shell) == content(undisturbed[0])


def test_the_journal_is_shown_exported_and_imported(tmp_path, undisturbed):
    whole, requests = undisturbed
    assert re.search(r"m\s+single_hop\s+\d+", whole("journal"))
    archive = tmp_path / "replies.jsonl.gz"
    assert f"{requests:,} replies" in whole("journal", "export", str(archive))
    other = QuickShell(tmp_path / "other")
    assert "There is no reply journal" in other("journal", fails=True)
    assert f"{requests:,} new replies, 0 known" in other("journal", "import", str(archive))
    assert f"0 new replies, {requests:,} known" in other("journal", "import", str(archive))
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{}\n")
    assert "1 lines are no replies" in other("journal", "import", str(broken), fails=True)
    assert "does not exist" in other("journal", "import", str(tmp_path / "nowhere.jsonl"), fails=2)


def test_reset_keeps_what_was_paid_for(papers, tmp_path, undisturbed, shell_at):
    with ModelServer() as server:
        shell = shell_at(copy_of(undisturbed[0].home, tmp_path / "home"), server)
        shell("reset", "--yes")
        assert (tmp_path / "home" / "journal.sqlite").exists()
        shell("ingest", str(papers))
        shell("run", "--quiet", "--only-items")
        assert server.seen == []
    assert content(shell) == content(undisturbed[0])


def test_a_run_says_which_models_it_asks_and_what_they_cost(papers, tmp_path, shell_at):
    prices = tmp_path / "prices.csv"
    prices.write_text("model,input,cached_input,output\nm,1,0.1,2\n")
    with ModelServer(plan=lambda seen: Status(400) if seen.number == 3 else None) as server:
        shell = shell_at(tmp_path / "home", server, model_prices=str(prices))
        shell("ingest", str(papers))
        output = shell("run", "--quiet", "--only-items")
    assert f"single_hop: m at {server.url}" in output
    assert "tokens/s" in output
    assert re.search(
        r"asking about paragraphs: .* cost 0\.\d+, about 0\.\d+ in all, 1 without a reply", output
    )
    (row,) = shell.rows("select sum(cost) as cost from ops.llm_calls")
    assert row["cost"] > 0


def test_a_journal_that_cannot_be_used_stops_the_run_with_advice(papers, tmp_path, shell_at):
    with ModelServer() as server:
        shell = shell_at(tmp_path / "home", server)
        shell.environment["AIMSCIQA_JOURNAL"] = str(tmp_path)
        shell("ingest", str(papers))
        output = " ".join(shell("run", "--quiet", "--only-items", fails=True).split())
        assert "The reply journal" in output
        assert "nothing more is asked" in output
        assert server.seen == []


def test_wrong_settings_are_told_before_anything_starts(tmp_path):
    shell = QuickShell(tmp_path / "home", model_backend="server", model_name="m")
    assert "AIMSCIQA_MODEL_BASE_URL" in shell("run", fails=True)
    shell = QuickShell(
        tmp_path / "home",
        model_backend="server",
        model_name="m",
        model_base_url="http://127.0.0.1:9/v1",
        model_prices=str(tmp_path / "prices.csv"),
    )
    write_corpus(tmp_path / "few", 3)
    shell("ingest", str(tmp_path / "few"))
    assert "price table" in " ".join(shell("run", fails=True).split())
