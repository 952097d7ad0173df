"""Loads `prompts/<name>.md`: front matter, text, a version from the content, and safe filling of variables.

A prompt file opens with a front matter of plain `key: value` lines between two `---` lines. Its text may be
split into chat messages by lines `=== system ===`, `=== user ===` or `=== assistant ===`; without any it is
one user message. Each message is a Jinja template: `{{ name }}` is a variable, `{% for %}` walks a list.
Single braces are plain text, so that JSON can be shown. A value is data: it is written as it is, is never
read as a template, and cannot open a message.

`AIMSCIQA_PROMPTS` (or `prompts` in the settings file) names a folder whose files take the place of single
prompts of the program. They are checked, and rendered with made-up values, before the first prompt is used.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, cast

from aimsciqa_resources.language_model.interface import Message
from aimsciqa_resources.settings_file import general
from jinja2 import Environment, StrictUndefined, Template, TemplateError, TemplateSyntaxError, UndefinedError
from jinja2.meta import find_undeclared_variables

from aimsciqa_assets.asking.sample_variables import fields_of, samples

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


def prompt_names(folder: Path | None = None) -> list[str]:
    """The names of the prompts of a folder, by default those of the program."""
    return sorted(path.stem for path in (folder or prompt_folder()).glob("*.md"))


def own_folder() -> Path | None:
    """The folder of prompts that take the place of the program's; None where none is named."""
    named = general("AIMSCIQA_PROMPTS")
    return Path(named).absolute() if named else None


def path_of(name: str) -> Path:
    """The file of a prompt: in the folder of one's own, else among the program's."""
    own = own_folder()
    mine = own / f"{name}.md" if own else None
    return mine if mine and mine.is_file() else prompt_folder() / f"{name}.md"


@cache
def load_prompt(name: str) -> Prompt:
    """The prompt of this name; raises `PromptError` where there is none, or one's own prompts are faulty."""
    if own := own_folder():
        _check(own)
    path = path_of(name)
    if not path.is_file():
        raise PromptError(f"prompt {name}: no file {path}")
    return parse_prompt(name, _content(path))


@cache
def original_prompt(name: str) -> Prompt:
    """The prompt of the program, whatever takes its place."""
    return parse_prompt(name, (prompt_folder() / f"{name}.md").read_text(encoding="utf-8"))


@cache
def _check(own: Path) -> None:
    """Raise `PromptError` for a folder of one's own with something that would be ignored or go wrong."""
    if not own.is_dir():
        raise PromptError(f"There is no folder {own} (AIMSCIQA_PROMPTS).")
    known = prompt_names()
    for path in sorted(own.iterdir()):
        if path.name.startswith((".", "README")):
            continue
        if path.suffix != ".md" or path.stem not in known:
            near = get_close_matches(path.stem, known, n=1, cutoff=0.5)
            hint = f" Did you mean {near[0]}.md?" if near else ""
            raise PromptError(
                f"{path} takes the place of no prompt.{hint} There are {', '.join(known)}: "
                "`aimsciqa prompts list`."
            )
        prompt, original = parse_prompt(path.stem, _content(path)), original_prompt(path.stem)
        _check_variables(path, prompt, original)
        _try_out(path, prompt, original)


def _content(path: Path) -> str:
    """The text of a prompt file; raises `PromptError` where it has none."""
    if not path.is_file():
        raise PromptError(
            f"{path} is no file: a prompt is a text file. Give the folder another name, or move it."
        )
    try:
        # Some editors put a byte order mark in front.
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise PromptError(f"{path} is not UTF-8 (byte {error.start:,}): save it as UTF-8.") from error
    except OSError as error:
        raise PromptError(f"{path} cannot be read: {error.strerror}.") from error


def _check_variables(path: Path, prompt: Prompt, original: Prompt) -> None:
    """Raise `PromptError` for variables that nobody fills, or that are left out without a word.

    A prompt that shall not show a variable says so in its front matter: `unused: keywords, subsection`.
    """
    if unknown := sorted(prompt.variables - original.variables):
        raise PromptError(
            f"{path}: nothing fills {_braced(unknown)}; there are {_braced(sorted(original.variables))}."
        )
    unused = {name.strip() for name in prompt.front_matter.get("unused", "").split(",")}
    if missing := sorted(original.variables - prompt.variables - unused):
        raise PromptError(
            f"{path} does not use {_braced(missing)}. Put it in, or write into the front matter that it is "
            f"left out: `unused: {', '.join(missing)}`."
        )


def _try_out(path: Path, prompt: Prompt, original: Prompt) -> None:
    """Raise `PromptError` where the prompt cannot be rendered with values such as the program's one takes."""
    for values in samples(_JINJA.parse(original.text), original.variables):
        try:
            for _, template in prompt._templates:
                template.render(values)
        except (TemplateError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            lists = {name: fields for name in sorted(values) if (fields := fields_of(values[name]))}
            told = "".join(f" Each of {name} has {', '.join(fields)}." for name, fields in lists.items())
            raise PromptError(f"{path} cannot be filled in: {error}.{told}") from error


def _braced(names: list[str]) -> str:
    return ", ".join(f"{{{{ {name} }}}}" for name in names)
