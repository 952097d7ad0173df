"""A recorded reply belongs to the question, not to the words in which the prompt puts it."""

import shutil

import pytest
from aimsciqa_resources.language_model.recordings import key_of_request

from aimsciqa_assets.aim_sciqa.single_hop.task import SINGLE_HOP
from aimsciqa_assets.asking import prompts
from aimsciqa_assets.asking.faults import Fault


@pytest.fixture
def prompt_file(tmp_path, monkeypatch):
    """The prompt in a folder of its own, to be changed."""
    shutil.copytree(prompts.prompt_folder(), tmp_path / "prompts")
    monkeypatch.setattr(prompts, "prompt_folder", lambda: tmp_path / "prompts")
    prompts.load_prompt.cache_clear()
    yield tmp_path / "prompts" / "single_hop.md"
    prompts.load_prompt.cache_clear()


def asked(paragraph: str = "Zinc fell by 3 mg."):
    told = {"paper_title": "Zinc", "section_title": "Results", "subsection": "", "keywords": ["zinc"]}
    return SINGLE_HOP.request("row", paragraph=paragraph, **told)


def test_a_better_worded_prompt_keeps_its_recordings(prompt_file):
    before = asked()
    prompt_file.write_text(prompt_file.read_text().replace("You read", "You carefully read"))
    prompts.load_prompt.cache_clear()
    after = asked()
    assert after.messages != before.messages
    assert key_of_request(after) == key_of_request(before)
    assert key_of_request(asked("Zinc rose by 3 mg.")) != key_of_request(before)


def test_each_question_of_a_conversation_has_its_own_recording():
    first = asked()
    fault = Fault("malformed_reply", "it is no JSON")
    again, other = (SINGLE_HOP.repair(first, reply, fault) for reply in ("No JSON.", "Not JSON."))
    assert len({key_of_request(request) for request in (first, again, other)}) == 3
