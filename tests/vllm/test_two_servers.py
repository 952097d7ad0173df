"""Two real servers of one model: a paper's requests stay on one; one is killed, and the run is complete."""

import os
import signal
from collections import defaultdict

from aimsciqa_resources.language_model import beginning_with, converse
from aimsciqa_resources.language_model.opening import LanguageModels
from aimsciqa_resources.language_model.settings import ModelSettings

from aimsciqa_assets.aim_sciqa.single_hop.task import SINGLE_HOP
from tests.vllm.conftest import vllm_server
from tests.vllm.test_real_engine import told

PAPERS, PARAGRAPHS, KILLED_AFTER = 10, 6, 12


def paragraphs():
    """Dialogues about the paragraphs of papers, a paper after the other."""
    for number in range(PAPERS * PARAGRAPHS):
        paper = f"paper {number // PARAGRAPHS}"
        asked = SINGLE_HOP.ask(f"{paper}, {number}", **told(number))
        yield beginning_with(paper, asked)


def calls_of(dialogue):
    """The dialogue with the calls of its replies as its result."""
    calls = []
    try:
        request = next(dialogue)
        while True:
            reply = yield request
            calls += [(request.affinity, call) for call in reply.calls]
            request = dialogue.send(reply)
    except StopIteration:
        return calls


def test_a_paper_stays_on_one_server_and_a_killed_server_costs_nothing(tiny_model, tmp_path):
    with (
        vllm_server(tiny_model, tmp_path / "one.log") as (one, victim),
        vllm_server(tiny_model, tmp_path / "two.log") as (two, _),
    ):
        values = {"backend": "server", "name": "tiny", "base_url": f"{one},{two}", "temperature": 0.8}
        settings = ModelSettings(**values, reply_tokens=100, in_flight=100, most_in_flight=100)
        whole = LanguageModels(tmp_path / "whole.sqlite").open(settings)
        servers = defaultdict(set)
        for calls in converse(whole, map(calls_of, paragraphs())):
            for paper, call in calls:
                servers[paper].add(call.server)
        assert len(servers) == PAPERS
        assert {len(asked) for asked in servers.values()} == {1}
        killed = LanguageModels(tmp_path / "killed.sqlite").open(settings)
        ended = []
        for number, calls in enumerate(converse(killed, map(calls_of, paragraphs()))):
            ended.append(calls)
            if number == KILLED_AFTER:
                # Its engine is a process of its own, in the same group.
                os.killpg(victim.pid, signal.SIGKILL)
    assert len(ended) == PAPERS * PARAGRAPHS
    outcomes = {call.outcome for calls in ended for _, call in calls}
    assert outcomes <= {"ok", "length_limit", "empty_reply"}
