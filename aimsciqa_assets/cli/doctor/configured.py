"""Checks of what people wrote: settings, and prompts of their own."""

from collections.abc import Iterator

from aimsciqa_resources.settings_file import settings_file
from aimsciqa_resources.variables import SettingsError

from aimsciqa_assets.asking.prompts import PromptError, load_prompt, own_folder, prompt_names
from aimsciqa_assets.cli.doctor.findings import Examined, Finding, ok, problem
from aimsciqa_assets.settings import chosen_preset


def settings_are_valid(examined: Examined) -> Iterator[Finding]:
    """Every setting is known and has a value that it can have, in the environment and in the file."""
    try:
        examined.settings.refuse_other_models()
        file = settings_file().path
    except SettingsError as error:
        said, _, advice = str(error).partition(". ")
        yield problem(
            said, advice or "`aimsciqa settings` lists all settings with their meaning; mend this one."
        )
    else:
        preset = examined.preset or chosen_preset()
        yield ok(f"preset {preset}{f', {file}' if file else ''}")


def prompts_are_whole(_: Examined) -> Iterator[Finding]:
    """Every prompt is there; those of one's own take the place of known ones and can be filled in."""
    try:
        own = own_folder()
        for name in prompt_names():
            load_prompt(name)
    except PromptError as error:
        yield problem(str(error), "Mend the file, or take it out of the folder that AIMSCIQA_PROMPTS names.")
    else:
        yield ok(f"{len(prompt_names())} prompts{f', own ones in {own}' if own else ''}")
