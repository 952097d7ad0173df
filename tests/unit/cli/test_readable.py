"""What is wrong with a recorded reply, by task."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.aim_sciqa.multi_hop.replies import CRITERIA
from aimsciqa_assets.asking.prompts import prompt_folder
from aimsciqa_assets.cli.readable import FAULTS
from aimsciqa_assets.judging.dimensions import DIMENSIONS
from aimsciqa_assets.scripted_model import REPLIES

RATINGS = {name: "Yes" if name == "multi_hop" else "Good" for name in DIMENSIONS}
PAIR = {"question": "q", "evidence": "e", "answer": "a"}
COMPOSITION = REPLIES["multi_hop"](
    dict.fromkeys(
        [
            "source_answer",
            "target_answer",
            "retrieval_question",
            "target_title",
            "source_question",
            "target_question",
        ],
        "x",
    )
)


def test_every_prompt_but_that_of_repairs_has_a_reader():
    assert set(FAULTS) == {path.stem for path in prompt_folder().glob("*.md")} - {"repair"}


def test_the_documentation_names_every_task():
    page = (Path(__file__).parents[3] / "docs" / "recorded.md").read_text()
    (line,) = [line for line in page.splitlines() if line.startswith("| `task` |")]
    assert set(FAULTS) == set(re.findall("`(.*?)`", line)) - {"task"}


@pytest.mark.parametrize(
    ("task", "reply"),
    [
        ("single_hop", json.dumps({"pairs": [PAIR]})),
        ("single_hop", '{"pairs": []}'),
        ("single_hop", json.dumps({"pairs": [PAIR, {"question": "the pair alone is rejected"}]})),
        ("multi_hop", COMPOSITION),
        ("multi_hop", "Cannot generate inter-document multi-hop question."),
        ("answering", '{"answer": "I cannot tell."}'),
        ("citation_marker", '{"marker": "[3]"}'),
        ("answer_judge", '{"selection": "0"}'),
        ("fact_judge", '{"stated": [1, 3]}'),
        ("quality_judge", json.dumps(RATINGS)),
        ("refusal_judge", json.dumps(dict.fromkeys(CRITERIA, "reject"))),
        ("necessity_answer", '{"answer": "I cannot tell."}'),
        ("necessity_counterfactual", '{"old": "12 mg", "new": "30 mg", "answer": "30 mg"}'),
        ("necessity_mark", '{"mark": "wrong"}'),
        ("airqa_formula", "A sign differs.\n```txt\nFalse\n```"),
    ],
)
def test_a_reply_in_the_form_of_the_prompt_can_be_read(task, reply):
    assert FAULTS[task](reply) is None


@pytest.mark.parametrize(
    ("task", "reply", "fault"),
    [
        ("single_hop", "I see no facts.", "it is not the JSON object with the list of pairs"),
        ("multi_hop", "<outputs>", "the XML is not complete (no components)"),
        ("answering", '{"text": "zinc"}', 'it is not a JSON object with the field "answer"'),
        ("citation_marker", "[3]", 'it is not a JSON object with the field "marker"'),
        ("answer_judge", '{"selection": "0.7"}', 'it is not a JSON object with the field "selection"'),
        (
            "quality_judge",
            json.dumps({name: word for name, word in RATINGS.items() if name != "clarity"}),
            "it gives no rating that can be read for clarity",
        ),
    ],
)
def test_the_fault_of_a_reply_is_named(task, reply, fault):
    assert FAULTS[task](reply) == fault


@given(st.sampled_from(sorted(FAULTS)), st.text(alphabet='{}[]"<>:,outpsclemn01 \\', max_size=200))
def test_no_reply_breaks_a_reader(task, reply):
    assert FAULTS[task](reply) != ""


@pytest.mark.slow  # 240 replies of a megabyte
@pytest.mark.parametrize("task", sorted(FAULTS))
@pytest.mark.parametrize("piece", ["{", "[", '{"answer":', "<component>", "<think>", "9" * 50])
def test_a_long_hostile_reply_is_read_in_time(task, piece):
    FAULTS[task]((piece * 100_000)[:1_000_000])
