"""AirQA over eight real papers, where they are there (`../shared`): agents by replies of a language model.

A recorded reply does not depend on what the agent saw before it. So what is looked at is whether the agent
was shown what its answer rests on.
"""

import json
import shutil
from pathlib import Path

import pytest

from tests.shell import ROOT, QuickShell

PAPERS = ROOT.parent / "shared" / "corpora" / "pdf" / "dev"
HERE = Path(__file__).parents[1] / "data" / "airqa" / "open_papers"
FILES = (
    *(
        "PMC4562040",
        "PMC5884149",
        "acl_2020.acl-main.207",
        "acl_2024.emnlp-main.14",
        "acl_2024.emnlp-main.72",
    ),
    *("rescience_alacchiReUnsupervisedState", "rescience_gargReHamiltonianNeural"),
    "rescience_gohilReOneTicket",
)
AGENTS = ("agentic_rag", "agentic_text2sql", "agentic_hybrid")
SEEN = {
    "Which zone": ("22 mm",),
    "By how many points": ("80.0", "68.1"),
    "Which initialization": ("Xavier normal", "biases to 0"),
    "Which Hamiltonian": ("cos q) + l2p2",),
    "Which figure": ("Figure 6. Analysis of models trained for pixel pendulum system.", '"page_number":8'),
    "Who is the last": ("Wendi Zhou", "Jeff Z. Pan"),
    "How many product": ("7900", "35 mg"),
    "How many days": ("17 days", "energy loss"),
    "Which paper pretrains": ("Document-level Representation Learning using Citation-informed Transformers",),
    "Which paper rewrites": (
        "Fairer Preferences Elicit Improved Human-Aligned Large Language Model Judgments",
    ),
    "A study": ("Se levels were the lowest|Se having the lowest concentration",),
    "A replication": ("Pong", "0.84"),
}
"""What must have been observed before the answer, by the beginning of the question; of texts with a | between
them, one."""

pytestmark = [
    *(pytest.mark.slow, pytest.mark.long, pytest.mark.nightly),
    pytest.mark.skipif(not PAPERS.exists(), reason="no real PDFs here"),
]


@pytest.fixture(scope="module")
def shell(tmp_path_factory) -> QuickShell:
    """A home with the papers, after the agents answered."""
    folder = tmp_path_factory.mktemp("open_papers")
    (folder / "papers").mkdir()
    (folder / "home").mkdir()
    for name in FILES:
        shutil.copy(PAPERS / f"{name}.pdf", folder / "papers")
    shutil.copy(HERE / "recordings.jsonl", folder / "home")
    shell = QuickShell(folder / "home", airqa_model_backend="recorded", airqa_model_name="claude")
    shell("airqa", "store", str(folder / "papers"))
    shell("airqa", "examples", str(HERE / "examples.jsonl"))
    shell("airqa", "run", *(word for name in AGENTS for word in ("--baseline", name)))
    return shell


def test_the_papers_and_conferences_of_the_examples_are_in_the_store(shell):
    assert "12 examples, 0 with problems" in shell("airqa", "check", str(HERE / "examples.jsonl"))


def test_every_agent_is_shown_what_its_answers_rest_on(shell):
    seen = shell.rows(
        "select run_id, question, string_agg(observation, ' ' order by turn) as observed "
        "from airqa.turns join airqa.examples using (example_id) group by all order by all"
    )
    assert len(seen) == len(AGENTS) * len(SEEN)
    for row in seen:
        observed = " ".join(row["observed"].replace("\\/", "/").replace("\\n", " ").split())
        (wanted,) = (texts for start, texts in SEEN.items() if row["question"].startswith(start))
        missing = [one for one in wanted if not any(text in observed for text in one.split("|"))]
        assert missing == [], (row["run_id"], row["question"])


def test_the_answers_are_right(shell):
    scores = json.loads(shell("airqa", "scores", "--json"))["scores"]
    told = {
        row["run_id"].partition("-")[0]: (row["correct"], row["stand_in"], row["error_action_rate"])
        for row in scores
        if row["tag"] == "total"
    }
    assert told == dict.fromkeys(AGENTS, (12, 1, 0.0))
