"""`aimsciqa airqa evaluators`: the catalogue of the evaluation functions."""

from typing import Annotated

import typer

from aimsciqa_assets.cli.terminal import console


def evaluators_command(
    names: Annotated[
        list[str] | None, typer.Argument(help="names of functions; without any, all of them")
    ] = None,
) -> None:
    """Tell of each evaluation function what it decides, what it takes, and when to use it (Markdown)."""
    from aimsciqa_assets.airqa.evaluation.catalogue import catalogue, told

    if unknown := sorted(set(names or ()) - catalogue().keys()):
        raise typer.BadParameter(f"there is no {', '.join(unknown)}; there are {', '.join(catalogue())}")
    console.print(told(names), markup=False, highlight=False, soft_wrap=True)
