"""Prompts of one's own in the place of single prompts of the program."""

import subprocess
import sys
from pathlib import Path

import pytest

from aimsciqa_assets.asking import prompts
from aimsciqa_assets.asking.prompts import PromptError, load_prompt, original_prompt, prompt_names

VARIABLES = "{{ paper_title }} {{ keywords }} {{ section_title }} {{ subsection }} {{ paragraph }}"


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A folder of one's own, with nothing in it yet; the cached prompts of others are set aside."""
    for cached in (prompts.load_prompt, prompts._check):
        cached.cache_clear()
    monkeypatch.setenv("AIMSCIQA_PROMPTS", str(tmp_path / "mine"))
    (tmp_path / "mine").mkdir()
    yield tmp_path / "mine"
    for cached in (prompts.load_prompt, prompts._check):
        cached.cache_clear()


def test_a_file_takes_the_place_of_one_prompt_and_the_others_stay(own):
    (own / "single_hop.md").write_text(f"---\ntask: single_hop\n---\nAsk: {VARIABLES}\n")
    assert load_prompt("single_hop").text == f"Ask: {VARIABLES}\n"
    assert load_prompt("single_hop").version != original_prompt("single_hop").version
    assert load_prompt("multi_hop") == original_prompt("multi_hop")


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        (
            "single-hop.md",
            f"---\n---\n{VARIABLES}",
            r"takes the place of no prompt\. Did you mean single_hop\.md\?",
        ),
        ("single_hop.txt", VARIABLES, r"takes the place of no prompt\. Did you mean single_hop\.md\?"),
        (
            "single_hop.md",
            f"---\n---\n{VARIABLES} {{{{ title }}}}",
            r"nothing fills \{\{ title \}\}; there are .*paper_title",
        ),
        (
            "single_hop.md",
            "---\n---\n{{ paragraph }} {{ keywords }}",
            r"does not use .*paper_title.* `unused: paper_title, section_title, subsection`",
        ),
        ("single_hop.md", VARIABLES, "no front matter"),
        ("single_hop.md", f"---\n---\n{VARIABLES} {{% for %}}", "the template cannot be read"),
        (
            "single_hop.md",
            f"---\n---\n{VARIABLES} {{% if keywords %}}{{{{ paragraph.text }}}}{{% endif %}}",
            r"single_hop\.md cannot be filled in: 'str object' has no attribute 'text'",
        ),
        (
            "single_hop.md",
            f"---\n---\n{VARIABLES} {{{{ paragraph / 2 }}}}",
            r"single_hop\.md cannot be filled in: unsupported operand",
        ),
    ],
)
def test_a_mistake_in_any_file_is_told_before_the_first_prompt_is_used(own, name, text, told):
    (own / name).write_text(text)
    with pytest.raises(PromptError, match=told):
        load_prompt("multi_hop")


def own_copy(own: Path, name: str, old: str, new: str) -> None:
    """The program's prompt with a passage changed."""
    text = original_prompt(name).text
    assert old in text
    (own / f"{name}.md").write_text(f"---\n---\n{text.replace(old, new, 1)}")


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("quality_judge", "{{ document.title }}", "{{ document.titel }}", "no attribute 'titel'"),
        # Not reached with two documents.
        ("quality_judge", "Paper {{ loop.index }}", "Paper {{ loop.number }}", "no attribute 'number'"),
        # Reached without papers only.
        (
            "answering",
            "No paper is given.",
            "{{ papers[0].name }} is not given.",
            "list object has no element 0",
        ),
    ],
)
def test_a_prompt_that_cannot_be_filled_in_is_told_before_anything_is_asked(own, name, old, new, told):
    own_copy(own, name, old, new)
    with pytest.raises(PromptError, match=told):
        load_prompt("single_hop")


@pytest.mark.parametrize("name", prompt_names())
def test_a_copy_of_each_prompt_of_the_program_can_be_filled_in(own, name):
    own_copy(own, name, "\n", "\n\n")
    assert load_prompt(name).variables == original_prompt(name).variables


def test_a_file_that_is_not_utf_8_is_told(own):
    (own / "single_hop.md").write_bytes(f"---\n---\nR\xe9sum\xe9 {VARIABLES}".encode("latin-1"))
    with pytest.raises(PromptError, match=r"single_hop\.md is not UTF-8 \(byte 9\): save it as UTF-8\."):
        load_prompt("multi_hop")


def test_a_byte_order_mark_is_no_part_of_the_prompt(own):
    (own / "single_hop.md").write_text(f"\ufeff---\n---\n{VARIABLES}", encoding="utf-8")
    assert load_prompt("single_hop").version == prompts.parse_prompt("x", f"---\n---\n{VARIABLES}").version


def test_a_folder_or_a_link_to_nothing_under_the_name_of_a_prompt_is_told(own):
    (own / "single_hop.md").mkdir()
    with pytest.raises(PromptError, match=r"single_hop\.md is no file"):
        load_prompt("multi_hop")
    (own / "single_hop.md").rmdir()
    (own / "single_hop.md").symlink_to(own / "gone")
    with pytest.raises(PromptError, match=r"single_hop\.md is no file"):
        load_prompt("multi_hop")


def test_a_variable_can_be_left_out_on_purpose(own):
    (own / "README.md").write_text("What we tried.")
    text = f"---\nunused: keywords, subsection\n---\n{VARIABLES}"
    text = text.replace("{{ keywords }}", "").replace("{{ subsection }}", "")
    (own / "single_hop.md").write_text(text)
    assert load_prompt("single_hop").variables == {"paper_title", "section_title", "paragraph"}


def test_a_folder_that_is_not_there_is_told(own):
    own.rmdir()
    with pytest.raises(PromptError, match=r"There is no folder .*mine \(AIMSCIQA_PROMPTS\)"):
        load_prompt("single_hop")


def test_the_prompts_of_the_program_are_all_there():
    assert {"single_hop", "multi_hop", "answering", "repair"} <= set(prompt_names())


@pytest.mark.slow
def test_a_step_goes_by_the_prompt_of_ones_own(own):
    (own / "single_hop.md").write_text(f"---\n---\n{VARIABLES}")
    asked = (
        "from aimsciqa_assets.definitions import STEPS; print(STEPS['single_hop.extractions'].prompt_version)"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    version = prompts.parse_prompt("single_hop", (own / "single_hop.md").read_text()).version
    assert done.stdout.startswith(f"{version}+")


@pytest.mark.parametrize("name", prompt_names())
def test_every_prompt_can_be_replaced_and_is_checked_like_any_other(own, name):
    text = original_prompt(name).text
    (own / f"{name}.md").write_text(f"---\n---\n{text}")
    assert load_prompt(name).variables == original_prompt(name).variables
    assert load_prompt(name).version != original_prompt(name).version
    for cached in (prompts.load_prompt, prompts._check):
        cached.cache_clear()
    (own / f"{name}.md").write_text(f"---\n---\n{text}{{{{ tittle }}}}")
    # Whichever prompt is asked with first, also while the system of this one is off.
    with pytest.raises(PromptError, match=r"nothing fills \{\{ tittle \}\}"):
        load_prompt("single_hop")
