"""`aimsciqa reviews`: review threads and the manuscripts that they are about."""

import typer

from aimsciqa_assets.cli.manuscripts import papers_command
from aimsciqa_assets.cli.review_export import export_command, verify_command
from aimsciqa_assets.cli.review_notes import fetch_command, import_command
from aimsciqa_assets.cli.review_scores import scores_command

reviews_app = typer.Typer(
    no_args_is_help=True,
    help="SciDQA: review threads, and the manuscripts that they are about.",
)
reviews_app.command("papers")(papers_command)
reviews_app.command("import")(import_command)
reviews_app.command("fetch")(fetch_command)
reviews_app.command("scores")(scores_command)
reviews_app.command("export")(export_command)
reviews_app.command("verify")(verify_command)
