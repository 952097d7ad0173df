"""A model's reply -> its thought and its action: behind labels (ReAct), or in its last fenced block.

Where the labels are missing, the whole reply is taken for the action. What a model makes up of an observation
is not read. A single backtick around the action, or words behind it, are errors, as in AirQA's environment.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from aimsciqa_resources.language_model.thinking import reply_text

from aimsciqa_assets.airqa.actions.forms import Format, read_call, write_action
from aimsciqa_assets.airqa.actions.signatures import ActionError, Call, no_action

Style = Literal["react", "fenced"]

_LINE_LABEL: Final = r"^[ \t*_#>]{0,10}\[?%s(?: ?\d{1,3})?\]?[*_]{0,3}[ \t]{0,4}:[*_]{0,3}"
_ACTION: Final = re.compile(_LINE_LABEL % "action", re.IGNORECASE | re.MULTILINE)
_ACTION_ANYWHERE: Final = re.compile(r"\[?Action\]?:")
_THOUGHT: Final = re.compile(rf"{_LINE_LABEL % 'thought'}|\[?Thought\]?:", re.IGNORECASE | re.MULTILINE)
_OBSERVATION: Final = re.compile(
    rf"{_LINE_LABEL % 'observation'}|\[Observation\]:", re.IGNORECASE | re.MULTILINE
)
_FENCED: Final = re.compile(r"```(?:[\w+-]*[ \t]*\r?\n)?(.*?)(?:```|\Z)", re.DOTALL)


def read_action(reply: str, actions: Sequence[str], form: Format, style: Style) -> tuple[str, Call]:
    """The thought and the action of a reply; only those of `actions` may be used. Raises `ActionError`."""
    said = reply_text(reply)
    if not said:
        raise no_action(
            actions, "There is no action behind the thinking." if reply.strip() else "It is empty."
        )
    if form == "tools":
        return said.partition("<tool_call>")[0].strip(), read_call(said, actions, form)
    thought, texts = _of_fence(said) if style == "fenced" else _of_labels(said)
    first: ActionError | None = None
    for text in texts:
        try:
            return thought, read_call(text, actions, form)
        except ActionError as error:
            first = first or error
    raise first or no_action(actions, "It is empty.")


def write_message(thought: str, call: Call, form: Format) -> str:
    """What the assistant said, in AirQA's trajectories: there XML and YAML stand without the thought."""
    written = write_action(call, form)
    return written if form in {"xml", "yaml"} else f"[Thought]: {thought}\n[Action]:\n{written}"


def _of_labels(said: str) -> tuple[str, Iterator[str]]:
    label = _ACTION.search(said) or _ACTION_ANYWHERE.search(said)
    before, behind = (said[: label.start()], said[label.end() :]) if label else ("", said)
    opened = _THOUGHT.search(before)
    thought = before[opened.end() :] if opened else ""
    return thought.strip(), _possible(behind)


def _possible(behind: str) -> Iterator[str]:
    """The texts that may be the action: all, or what stands before a made-up observation; without a fence."""
    cut = _OBSERVATION.search(behind)
    for text in [behind[: cut.start()], behind] if cut else [behind]:
        stripped = text.strip()
        fence = _FENCED.match(stripped)
        yield (fence[1] if fence else stripped).strip()


def _of_fence(said: str) -> tuple[str, Iterator[str]]:
    blocks = list(_FENCED.finditer(said))
    if not blocks:
        return "", iter([said])
    return said[: blocks[-1].start()].strip(), iter([blocks[-1][1].strip()])
