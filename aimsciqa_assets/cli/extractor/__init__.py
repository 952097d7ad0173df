"""`aimsciqa extractor`: examples and trajectories that models make, and agents trained on them."""

import typer

from aimsciqa_assets.cli.extractor.export import export_command
from aimsciqa_assets.cli.extractor.make import make_command
from aimsciqa_assets.cli.extractor.train import train_command

extractor_app = typer.Typer(
    no_args_is_help=True,
    help="EXTRACTOR: models make examples from the paper store, and trajectories that agents are trained on.",
)
extractor_app.command("make")(make_command)
extractor_app.command("export")(export_command)
extractor_app.command("train")(train_command)
