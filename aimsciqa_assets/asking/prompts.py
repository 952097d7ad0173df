"""Loads `prompts/<name>.md`: front matter, text, a version from the content, and safe filling of variables.

A prompt file opens with a front matter of plain `key: value` lines between two `---` lines. Its text may be
split into chat messages by lines `=== system ===`, `=== user ===` or `=== assistant ===`; without any it is
one user message. Each message is a Jinja template: `{{ name }}` is a variable, `{% for %}` walks a list.
Single braces are plain text, so that JSON can be shown. A value is data: it is written as it is, is never
read as a template, and cannot open a message.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, cast

from aimsciqa_resources.language_model.interface import Message
from jinja2 import Environment, StrictUndefined, Template, TemplateSyntaxError, UndefinedError
from jinja2.meta import find_undeclared_variables

_ROLE_LINE = re.compile(r"^=== (system|user|assistant) ===\s*$", re.MULTILINE)
_FRONT_MATTER = re.compile(r"\A---\n(?P<head>.*?)^---\n(?P<text>.*)\Z", re.MULTILINE | re.DOTALL)
# No escaping: a model shall see "p < 0.05" as a paper has it.
_JINJA = Environment(
    undefined=StrictUndefined,
    autoescape=False,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)

Role = Literal["system", "user", "assistant"]


class PromptError(Exception):
    """A prompt file that is missing or broken, or variables that do not fit it."""


@dataclass(frozen=True)
class Prompt:
    """One prompt: its `front_matter`, its `text` with unfilled variables, and the `version` of both."""

    name: str
    front_matter: Mapping[str, str]
    text: str
    version: str

    @cached_property
    def variables(self) -> frozenset[str]:
        """The names that the text wants filled."""
        return frozenset(find_undeclared_variables(_JINJA.parse(self.text)))

    def messages(self, variables: Mapping[str, Any]) -> tuple[Message, ...]:
        """The chat messages with every variable filled in; values nobody asks for are ignored.

        Raises `PromptError` where a variable of the text has no value.
        """
        missing = sorted(self.variables - variables.keys())
        if missing:
            raise PromptError(f"prompt {self.name}: no value for {', '.join(missing)}")
        try:
            return tuple(Message(role, template.render(variables)) for role, template in self._templates)
        except UndefinedError as error:
            raise PromptError(f"prompt {self.name}: {error.message}") from error

    @cached_property
    def _templates(self) -> tuple[tuple[Role, Template], ...]:
        """Role and template of each message, split before anything is filled in."""
        pieces = _ROLE_LINE.split(self.text)
        roles_and_texts = [("user", pieces[0]), *zip(pieces[1::2], pieces[2::2], strict=True)]
        return tuple(
            (cast(Role, role), _JINJA.from_string(text.strip()))
            for role, text in roles_and_texts
            if text.strip()
        )


def prompt_folder() -> Path:
    """The folder of the prompt files: inside the installed package, or beside the package in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "prompts"
    return installed if installed.is_dir() else package.parent / "prompts"


def parse_prompt(name: str, content: str) -> Prompt:
    """A prompt from the content of its file; raises `PromptError` where that is broken."""
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
    prompt = Prompt(name, front_matter, found["text"].strip() + "\n", version)
    try:
        # Compiled now: a broken template is told when it is loaded, not when it is first asked with.
        _ = prompt._templates
    except TemplateSyntaxError as error:
        raise PromptError(f"prompt {name}: the template cannot be read: {error.message}") from error
    return prompt


@cache
def load_prompt(name: str) -> Prompt:
    """The prompt `prompts/<name>.md`; raises `PromptError` where there is none."""
    path = prompt_folder() / f"{name}.md"
    if not path.is_file():
        raise PromptError(f"prompt {name}: no file {path}")
    return parse_prompt(name, path.read_text(encoding="utf-8"))
