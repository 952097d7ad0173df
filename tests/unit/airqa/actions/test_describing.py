"""What models are told of the actions can be read again as they are told."""

import re

import pytest

from aimsciqa_assets.airqa.actions import ACTIONS, describe, read_action, tool_specifications

OURS = ("Retrieve", "Query", "View", "Answer")


@pytest.mark.parametrize("form", ["markdown", "json", "xml", "yaml"])
def test_every_example_is_read_as_the_action_that_it_shows(form):
    told = describe(OURS, form)
    examples = re.findall(r"Example:\n(```.*?```)", told, re.DOTALL)
    calls = [read_action(one, OURS, form, "fenced")[1] for one in examples]
    assert [call.action for call in calls] == list(OURS)
    assert calls[1].arguments == {"sql": "SELECT title FROM metadata WHERE pub_year > 2022 LIMIT 5"}


def test_only_the_actions_that_were_asked_for_are_told():
    told = describe(["Query", "Answer"], "markdown")
    assert re.findall(r"### (\w+)", told) == ["Query", "Answer"]
    told = describe(["Retrieve"], "markdown")
    assert "- query (text): what" in told
    assert "- limit (whole number, 5 by default): how many" in told
    assert "- papers (list of texts, optional): ids" in told
    assert describe(["Query"], "tools") == "Act by calling one of the functions, one at a time."


def test_actions_as_tools():
    retrieve, answer = tool_specifications(["Retrieve", "Answer"])
    assert retrieve == {
        "type": "function",
        "function": {
            "name": "Retrieve",
            "description": ACTIONS["Retrieve"].description,
            "parameters": {
                "type": "object",
                "properties": {
                    "query": {"type": "string", "description": "what the text should be about, in words"},
                    "limit": {
                        "type": "integer",
                        "minimum": 1,
                        "description": "how many pieces of text to return, ten are shown at most",
                        "default": 5,
                    },
                    "papers": {
                        "type": "array",
                        "items": {"type": "string"},
                        "description": 'ids of the papers to search, or ["all"]; without it, the papers that '
                        "the task names, and every paper where it names none",
                    },
                },
                "required": ["query"],
                "additionalProperties": False,
            },
        },
    }
    assert answer["function"]["parameters"]["required"] == ["answer"]
