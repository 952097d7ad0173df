"""Loads `prompts/<name>.md`: front matter, text, a version from the content, and safe filling of variables.

A prompt file opens with a front matter of plain `key: value` lines between two `---` lines. Its text may be
split into chat messages by lines `=== system ===`, `=== user ===` or `=== assistant ===`; without any it is
one user message. A variable is written `{{ name }}`; single braces are plain text, so that JSON can be shown.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Literal, cast

from aimsciqa_resources.language_model.interface import Message

_VARIABLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_ROLE_LINE = re.compile(r"^=== (system|user|assistant) ===\s*$", re.MULTILINE)
_FRONT_MATTER = re.compile(r"\A---\n(?P<head>.*?)^---\n(?P<text>.*)\Z", re.MULTILINE | re.DOTALL)

Role = Literal["system", "user", "assistant"]


class PromptError(Exception):
    """A prompt file that is missing or broken, or variables that do not fit it."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt: its `front_matter`, its `text` with unfilled variables, and the `version` of both."""

    name: str
    front_matter: Mapping[str, str]
    text: str
    version: str

    @property
    def variables(self) -> frozenset[str]:
        """The names that the text wants filled."""
        return frozenset(_VARIABLE.findall(self.text))

    def fill(self, variables: Mapping[str, str]) -> str:
        """The text with every variable replaced, in one pass: braces inside a value stay as they are.

        Raises `PromptError` where a variable of the text has no value; values nobody asks for are ignored.
        """
        return _filled(self.name, self.text, variables)

    def messages(self, variables: Mapping[str, str]) -> tuple[Message, ...]:
        """The filled text as chat messages, split before it is filled: a value cannot open a message."""
        pieces = _ROLE_LINE.split(self.text)
        roles_and_texts = [("user", pieces[0]), *zip(pieces[1::2], pieces[2::2], strict=True)]
        return tuple(
            Message(cast(Role, role), _filled(self.name, text.strip(), variables))
            for role, text in roles_and_texts
            if text.strip()
        )


def _filled(name: str, text: str, variables: Mapping[str, str]) -> str:
    missing = sorted(set(_VARIABLE.findall(text)) - set(variables))
    if missing:
        raise PromptError(f"prompt {name}: no value for {', '.join(missing)}")
    return _VARIABLE.sub(lambda match: variables[match.group(1)], text)


def prompt_folder() -> Path:
    """The folder of the prompt files: inside the installed package, or beside the package in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "prompts"
    return installed if installed.is_dir() else package.parent / "prompts"


def parse_prompt(name: str, content: str) -> Prompt:
    """A prompt from the content of its file; raises `PromptError` where the front matter is broken."""
    content = content.replace("\r\n", "\n")
    found = _FRONT_MATTER.match(content)
    if found is None:
        raise PromptError(f"prompt {name}: no front matter between two '---' lines")
    front_matter = {}
    for line in found["head"].splitlines():
        key, colon, value = line.partition(":")
        if line.strip() and not colon:
            raise PromptError(f"prompt {name}: front matter line without a colon: {line!r}")
        if line.strip():
            front_matter[key.strip()] = value.strip()
    version = blake2b(content.encode(), digest_size=6).hexdigest()
    return Prompt(name, front_matter, found["text"].strip() + "\n", version)


@cache
def load_prompt(name: str) -> Prompt:
    """The prompt `prompts/<name>.md`; raises `PromptError` where there is none."""
    path = prompt_folder() / f"{name}.md"
    if not path.is_file():
        raise PromptError(f"prompt {name}: no file {path}")
    return parse_prompt(name, path.read_text(encoding="utf-8"))
