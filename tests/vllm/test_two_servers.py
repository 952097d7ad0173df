"""Two real servers of one model: a paper's requests stay on one; one is killed, and the run ends complete.

What was asked is told by the servers' own logs, who answered by `ops.llm_calls`.
"""

import os
import re
import signal
import threading
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from aimsciqa_resources.language_model.settings import server_name

from aimsciqa_assets.cli.pipeline import Pipeline
from tests.fakes import write_corpus
from tests.small_home import pipeline_at
from tests.vllm.conftest import VllmServer, vllm_server

PAPERS = 16
PARAGRAPHS = 3 * PAPERS
FEW, AMPLE = 4, 200
"""Slots of a server: few, or so many that no server ever has a surplus."""
KILLED_AFTER = 5
_TITLE = re.compile(r"Zinc in cohort (\d+) of the test corpus")


def paper_of(prompt: str) -> str:
    """The number of the paper that a prompt is about."""
    (number,) = set(_TITLE.findall(prompt))
    return number


def arrived_since(servers: Sequence[VllmServer], before: Sequence[int]) -> list[list[str]]:
    """The prompts that have arrived at each server since it had got so many."""
    return [server.prompts[count:] for server, count in zip(servers, before, strict=True)]


def counts(servers: Sequence[VllmServer]) -> list[int]:
    return [len(server.prompts) for server in servers]


def ready_pipeline(folder: Path, papers: Path, servers: Sequence[VllmServer], slots: int) -> Pipeline:
    """A pipeline of a new home that has the papers and asks the servers."""
    settings = {"NAME": "tiny", "TEMPERATURE": "0.8", "REPLY_TOKENS": "60", "FAILURE_SHARE": "1"}
    settings |= {"IN_FLIGHT": str(slots), "MOST_IN_FLIGHT": str(slots)}
    environment = {f"AIMSCIQA_MODEL_{name}": value for name, value in settings.items()}
    pipeline = pipeline_at(folder, ",".join(server.url for server in servers), **environment)
    pipeline.ingest(papers)
    return pipeline


def check_completeness(pipeline: Pipeline, prompts: set[str]) -> None:
    """Each paragraph has its row, and each prompt a reply of the model, whichever server gave it."""
    rows = pipeline.warehouse.read("select paragraph_id, rejection_reason from single_hop.extractions")
    assert rows["paragraph_id"].n_unique() == rows.height == PARAGRAPHS
    assert set(rows["rejection_reason"].drop_nulls()) <= {"length_limit", "malformed_reply", "empty_reply"}
    calls = pipeline.warehouse.read("select outcome from ops.llm_calls")
    assert set(calls["outcome"]) <= {"ok", "length_limit", "empty_reply"}
    assert calls.height == len(prompts) >= PARAGRAPHS


@pytest.fixture(scope="module")
def papers(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("corpus") / "papers"
    write_corpus(folder, PAPERS)
    return folder


@pytest.fixture(scope="module")
def two_servers(shared_server, tiny_model, tmp_path_factory):
    """The shared server, and one that may be killed."""
    with vllm_server(tiny_model, tmp_path_factory.mktemp("victim") / "vllm.log") as victim:
        yield shared_server, victim


def test_all_requests_of_a_paper_go_to_one_server(two_servers, papers, tmp_path):
    before = counts(two_servers)
    pipeline = ready_pipeline(tmp_path / "home", papers, two_servers, AMPLE)
    assert pipeline.run(evaluate=False) == []
    arrived = arrived_since(two_servers, before)
    one, two = ({paper_of(prompt) for prompt in prompts} for prompts in arrived)
    assert one
    assert two
    assert one.isdisjoint(two)
    assert len(one | two) == PAPERS
    asked = Counter(prompt for prompts in arrived for prompt in prompts)
    assert set(asked.values()) == {1}
    check_completeness(pipeline, set(asked))
    answered = pipeline.warehouse.read(
        "select server, list(distinct regexp_extract(title, '\\d+')) as papers from ops.llm_calls "
        "join single_hop.extractions on key = paragraph_id join corpus.papers using (paper_id) "
        "group by server"
    )
    names = (server_name(server.url) for server in two_servers)
    assert {name: set(papers) for name, papers in answered.iter_rows()} == dict(
        zip(names, (one, two), strict=True)
    )


# The last test of this file: one of the servers does not survive it.
def test_a_server_that_is_killed_in_the_middle_loses_and_repeats_nothing_but_what_it_had(
    two_servers, papers, tmp_path
):
    survivor, victim = two_servers
    before = counts(two_servers)
    pipeline = ready_pipeline(tmp_path / "home", papers, two_servers, FEW)

    def kill() -> None:
        """Kill the server while it works on requests, after it has answered some."""
        with victim.log.open() as log:
            log.seek(0, os.SEEK_END)
            told, arrived, answered = "", 0, 0
            while answered < KILLED_AFTER or arrived == answered:
                time.sleep(0.002)
                told += log.read()
                arrived = told.count(" details: prompt: ")
                answered = told.count('"POST /v1/chat/completions HTTP/1.1" 200')
        # Its engine is a process of its own, in the same group.
        os.killpg(victim.process.pid, signal.SIGKILL)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    assert pipeline.run(evaluate=False) == []
    killer.join(timeout=10)
    assert victim.process.wait(timeout=10) == -signal.SIGKILL
    by_survivor, by_victim = arrived_since(two_servers, before)
    asked = Counter(by_survivor + by_victim)
    check_completeness(pipeline, set(asked))
    # A prompt that arrived twice was in flight when the server died.
    repeated = [prompt for prompt, times in asked.items() if times > 1]
    assert 0 < len(repeated) <= FEW
    assert max(asked.values()) == 2
    answered = dict(
        pipeline.warehouse.read(
            "select server, count(*) as calls from ops.llm_calls group by server order by server"
        ).iter_rows()
    )
    assert answered == {
        server_name(survivor.url): len(by_survivor),
        server_name(victim.url): len(by_victim) - len(repeated),
    }
    assert 0 < len(by_victim) - len(repeated) < len(by_survivor)
    # What the dead server answered is in the journal, and nobody is asked for it again.
    with pipeline.warehouse.get_connection() as connection:
        connection.execute("delete from ops.materializations where table_name = 'single_hop.extractions'")
    assert pipeline.run(evaluate=False) == []
    assert len(survivor.prompts) == before[0] + len(by_survivor)
