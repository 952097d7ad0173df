"""What an agent writes to act, in five forms, and its reading; `airqa.environment` carries it out.

`signatures` are the actions and how arguments are bound, `forms` the ways to write a call, `replies` the two
ways in which a reply holds one, `describing` what a model is told of all this.
"""

from aimsciqa_assets.airqa.actions.describing import describe, tool_specifications
from aimsciqa_assets.airqa.actions.forms import Format, write_action
from aimsciqa_assets.airqa.actions.replies import Style, read_action, write_message
from aimsciqa_assets.airqa.actions.signatures import ACTIONS, ActionError, Call

__all__ = [
    "ACTIONS",
    "ActionError",
    "Call",
    "Format",
    "Style",
    "describe",
    "read_action",
    "tool_specifications",
    "write_action",
    "write_message",
]
