"""The page on new tasks: its code blocks run, and its example is as small as it says."""

import json
import re
from pathlib import Path

import pytest

from aimsciqa_assets.asking import prompts
from tests.dialogues import held
from tests.model_server import ModelServer

PAGE = (Path(__file__).parents[3] / "docs" / "new-task.md").read_text()
PROMPT, TASK, READER, DIALOGUE, TRIAL = re.findall(r"^```(?:markdown|python)\n(.*?)^```", PAGE, re.M | re.S)
TOLD = {"title": "Zinc", "known": ["Oryza sativa", "{{ zinc }}"], "paragraph": "Zinc fell."}


def entities(*names: str) -> str:
    return json.dumps({"entities": [{"name": name, "kind": "substance", "quote": name} for name in names]})


@pytest.fixture
def page(tmp_path, monkeypatch):
    """The names that the page's code makes, without its last block."""
    for prompt in prompts.prompt_folder().glob("*.md"):
        (tmp_path / prompt.name).write_bytes(prompt.read_bytes())
    (tmp_path / "bridge_entities.md").write_text(PROMPT)
    monkeypatch.setattr(prompts, "prompt_folder", lambda: tmp_path)
    names = {"__name__": "bridge_entities"}
    for block in (TASK, READER, DIALOGUE):
        exec(compile(block, "docs/new-task.md", "exec", dont_inherit=True), names)
    yield names
    prompts.load_prompt.cache_clear()


def test_the_example_is_two_files_of_at_most_40_lines():
    lines = [line for text in (PROMPT, TASK) for line in text.splitlines() if line.strip()]
    assert len(lines) <= 40
    assert f"These are {len(lines)} lines." in PAGE


def test_the_prompt_writes_the_list_and_the_reply_is_read(page):
    (request,), outcome = held(page["BRIDGE_ENTITIES"].ask("p", **TOLD), entities("zinc"))
    assert request.messages[1].content == (
        "Paper: Zinc\nAlready known: Oryza sativa\nAlready known: {{ zinc }}\n\nZinc fell."
    )
    assert [one.name for one in outcome.value.entities] == ["zinc"]


def test_a_reader_of_ones_own_complains(page):
    (_, again), outcome = held(page["DISTINCT_ENTITIES"].ask("p", **TOLD), entities("zinc", "zinc"), "No.")
    assert "cannot be used: it names an entity twice." in again.messages[-1].content
    assert (outcome.reason, len(outcome.value.entities)) == ("repeated_entity", 2)


def test_the_dialogue_asks_until_nothing_new_is_named(page):
    dialogue = page["all_entities"]("p", "Zinc", "Zinc fell.")
    requests, outcome = held(dialogue, entities("zinc"), entities("iron", "zinc"), entities("iron"))
    assert [request.variables["known"] for request in requests] == [[], ["zinc"], ["zinc", "iron", "zinc"]]
    assert [one.name for one in outcome.value.entities] == ["iron"]


def test_the_trial_asks_a_server(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with ModelServer(answer=lambda _body: entities("zinc sulphate")) as server:
        exec(TRIAL.replace("http://localhost:8000/v1", server.url), page)
    assert "name='zinc sulphate'" in capsys.readouterr().out
    assert len(server.seen) == 2
