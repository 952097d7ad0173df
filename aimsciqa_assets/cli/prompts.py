"""`aimsciqa prompts`: which prompts there are, what they say, and requests to try them with."""

from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.text import Text

from aimsciqa_assets.cli.config import ConfigOption
from aimsciqa_assets.cli.sampling import sample_command
from aimsciqa_assets.cli.terminal import console

prompts_app = typer.Typer(
    no_args_is_help=True,
    help="Show the prompts, and write requests to try them with. A folder named in AIMSCIQA_PROMPTS, or as "
    "`prompts` in aimsciqa.toml, takes the place of single prompts by files of their names.",
)
prompts_app.command("sample")(sample_command)


@prompts_app.command("list")
def list_prompts(config: ConfigOption = None) -> None:
    """List the prompts: what each is for, its version, its variables, and the file it comes from."""
    from aimsciqa_assets.asking.prompts import load_prompt, path_of, prompt_names

    for name in prompt_names():
        prompt = load_prompt(name)
        text = Text()
        text.append(f"{name}", style="bold")
        text.append(f"  version {prompt.version}\n")
        text.append(f"{prompt.front_matter.get('description', '')}\n")
        text.append(f"variables: {', '.join(sorted(prompt.variables))}\n", style="dim")
        text.append(f"{path_of(name)}\n", style="dim")
        console.print(text)


@prompts_app.command("show")
def show_prompt(
    name: Annotated[str, typer.Argument(help="name of the prompt: single_hop, multi_hop, ...")],
    *,
    original: Annotated[
        bool, typer.Option("--original", help="that of the program, whatever takes its place")
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Print the file of a prompt, as it stands: the beginning of one of your own."""
    from aimsciqa_assets.asking.prompts import load_prompt, path_of, prompt_folder

    _refuse_unknown(name)
    load_prompt(name)
    path = prompt_folder() / f"{name}.md" if original else path_of(name)
    print(path.read_text(encoding="utf-8"), end="")  # noqa: T201


def _refuse_unknown(name: str) -> Any:
    from aimsciqa_assets.asking.prompts import prompt_names

    if name not in prompt_names():
        raise typer.BadParameter(
            f"there is no prompt {escape(name)}; there are {', '.join(prompt_names())}", param_hint="NAME"
        )
