"""A process that is killed in the middle of its dialogues, and the next one, which goes on there."""

import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest
from aimsciqa_resources.language_model.journal_file import JournalFile

from tests.model_server import ModelServer, Wait
from tests.three_turns import IN_FLIGHT

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
FOR_EVER = 3600.0


def started(server, journal, count) -> subprocess.Popen:
    command = [sys.executable, "-m", "tests.three_turns", server.url, str(journal), str(count)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def answer(body):
    return body["messages"][-1]["content"].partition(": ")[2].split(",")[0].upper()


def test_a_dialogue_that_was_killed_in_its_third_turn_asks_the_first_two_no_more(tmp_path):
    journal = tmp_path / "journal.sqlite"
    third = threading.Event()

    def plan(seen):
        if "three" in seen.text and not third.is_set():
            third.set()
            return Wait(FOR_EVER)
        return None

    with ModelServer(answer=answer, plan=plan) as server:
        killed = started(server, journal, 1)
        assert third.wait(timeout=60)
        killed.send_signal(signal.SIGKILL)
        assert killed.communicate(timeout=30) == ("", None)
        assert [entry.text for entry in JournalFile(journal).entries()] == ["ONE", "TWO"]
        resumed, _ = started(server, journal, 1).communicate(timeout=60)
        assert [seen.text for seen in server.seen] == [
            "dialogue 0: one",
            "dialogue 0: two, after ONE",
            "dialogue 0: three, after TWO",
            "dialogue 0: three, after TWO",
        ]
    assert resumed == "ONE TWO THREE\n"


def test_of_many_dialogues_only_what_was_in_flight_is_asked_again(tmp_path):
    journal = tmp_path / "journal.sqlite"
    enough, count = threading.Event(), 60

    def plan(seen):
        if seen.number >= 100 and not enough.is_set():
            enough.set()
        return

    with ModelServer(answer=answer, plan=plan, latency=lambda _number: 0.01) as server:
        killed = started(server, journal, count)
        assert enough.wait(timeout=60)
        killed.send_signal(signal.SIGKILL)
        before, _ = killed.communicate(timeout=30)
        assert len(before.splitlines()) < count
        resumed, _ = started(server, journal, count).communicate(timeout=60)
        sent = Counter(seen.text for seen in server.seen)
    assert resumed.splitlines() == ["ONE TWO THREE"] * count
    assert len(sent) == 3 * count
    assert sum(number - 1 for number in sent.values()) <= IN_FLIGHT
