"""`aimsciqa run` with a model server: killed, interrupted, two at once; and the journal as users see it."""

import re
import signal
import time
from collections import Counter

import pytest

from tests.fakes import write_corpus
from tests.model_server import ModelServer, Status, fixed
from tests.shell import Shell

pytestmark = pytest.mark.slow

IN_FLIGHT = 8
TABLES = ("single_hop.extractions", "single_hop.qa_pairs", "relations.candidate_relations", "multi_hop.items")


@pytest.fixture(scope="module")
def papers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus") / "papers"
    write_corpus(folder, 14)
    return folder


def shell_at(home, server, **settings) -> Shell:
    return Shell(
        home,
        model_backend="server",
        model_name="m",
        model_base_url=server.url,
        model_in_flight=str(IN_FLIGHT),
        model_most_in_flight=str(IN_FLIGHT),
        relations_cluster_size="5",
        **settings,
    )


def content(shell: Shell) -> dict[str, list[dict]]:
    return {table: shell.rows(f"select * from {table} order by all") for table in TABLES}


@pytest.fixture(scope="module")
def undisturbed(papers, tmp_path_factory):
    with ModelServer() as server:
        shell = shell_at(tmp_path_factory.mktemp("undisturbed") / "home", server)
        shell("ingest", str(papers))
        shell("run", "--quiet", "--only-items")
        yield shell, len({seen.key for seen in server.seen})


@pytest.mark.parametrize(
    ("how", "share"), [(signal.SIGKILL, 0.2), (signal.SIGKILL, 0.6), (signal.SIGINT, 0.4)]
)
def test_a_run_that_was_ended_asks_again_for_what_was_in_flight_only(
    papers, tmp_path, undisturbed, how, share
):
    whole, requests = undisturbed
    with ModelServer(latency=fixed(0.05)) as server:
        shell = shell_at(tmp_path / "home", server)
        shell("ingest", str(papers))
        process = shell.start("run", "--quiet", "--only-items")
        while len(server.seen) < share * requests and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(how)
        output, _ = process.communicate(timeout=30)
        assert process.returncode == (130 if how == signal.SIGINT else -9), output
        server.latency = fixed(0)
        shell("run", "--quiet", "--only-items")
        sent = Counter(seen.key for seen in server.seen)
    assert len(sent) == requests
    assert sum(count - 1 for count in sent.values()) <= IN_FLIGHT
    assert content(shell) == content(whole)


def test_two_runs_at_once_share_the_journal(papers, tmp_path, undisturbed):
    whole, _ = undisturbed
    with ModelServer(latency=fixed(0.02)) as server:
        journal = str(tmp_path / "journal.sqlite")
        shells = [shell_at(tmp_path / name, server) for name in ("one", "two")]
        for shell in shells:
            shell.environment["AIMSCIQA_JOURNAL"] = journal
            shell("ingest", str(papers))
        processes = [shell.start("run", "--quiet", "--only-items") for shell in shells]
        for process in processes:
            output, _ = process.communicate()
            assert process.returncode == 0, output
        assert {seen.status for seen in server.seen} == {200}
    for shell in shells:
        assert content(shell) == content(whole)


def test_a_server_that_is_not_there_is_told_and_the_next_run_goes_on(papers, tmp_path, undisturbed):
    with ModelServer() as server:
        pass
    shell = shell_at(tmp_path / "home", server, model_patience_seconds="1")
    shell("ingest", str(papers))
    output = " ".join(shell("run", "--quiet", "--only-items", fails=True).split())
    assert "has answered nothing for" in output
    assert "What was finished is kept. The same command goes on from there." in output
    with ModelServer() as server:
        shell.environment["AIMSCIQA_MODEL_BASE_URL"] = server.url
        shell("run", "--quiet", "--only-items")
    assert content(shell) == content(undisturbed[0])


def test_the_journal_is_shown_exported_and_imported(tmp_path, undisturbed):
    whole, requests = undisturbed
    assert re.search(r"m\s+single_hop\s+\d+", whole("journal"))
    archive = tmp_path / "replies.jsonl.gz"
    assert f"{requests:,} replies" in whole("journal", "export", str(archive))
    other = Shell(tmp_path / "other")
    assert "There is no reply journal" in other("journal", fails=True)
    assert f"{requests:,} new replies, 0 known" in other("journal", "import", str(archive))
    assert f"0 new replies, {requests:,} known" in other("journal", "import", str(archive))
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{}\n")
    assert "1 lines are no replies" in other("journal", "import", str(broken), fails=True)
    assert "does not exist" in other("journal", "import", str(tmp_path / "nowhere.jsonl"), fails=True)


def test_reset_keeps_what_was_paid_for(papers, tmp_path):
    with ModelServer() as server:
        shell = shell_at(tmp_path / "home", server)
        shell("ingest", str(papers))
        shell("run", "--quiet", "--only-items")
        paid = len(server.seen)
        shell("reset", "--yes")
        assert (tmp_path / "home" / "journal.sqlite").exists()
        shell("ingest", str(papers))
        shell("run", "--quiet", "--only-items")
        assert len(server.seen) == paid


def test_a_run_says_which_models_it_asks_and_what_they_cost(papers, tmp_path):
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


def test_a_journal_that_cannot_be_used_stops_the_run_with_advice(papers, tmp_path):
    with ModelServer() as server:
        shell = shell_at(tmp_path / "home", server)
        shell.environment["AIMSCIQA_JOURNAL"] = str(tmp_path)
        shell("ingest", str(papers))
        output = " ".join(shell("run", "--quiet", "--only-items", fails=True).split())
        assert "The reply journal" in output
        assert "nothing more is asked" in output
        assert server.seen == []


def test_wrong_settings_are_told_before_anything_starts(tmp_path):
    shell = Shell(tmp_path / "home", model_backend="server", model_name="m")
    assert "AIMSCIQA_MODEL_BASE_URL" in shell("run", fails=True)
    shell = Shell(
        tmp_path / "home",
        model_backend="server",
        model_name="m",
        model_base_url="http://127.0.0.1:9/v1",
        model_prices=str(tmp_path / "prices.csv"),
    )
    write_corpus(tmp_path / "few", 2)
    shell("ingest", str(tmp_path / "few"))
    assert "price table" in " ".join(shell("run", fails=True).split())
