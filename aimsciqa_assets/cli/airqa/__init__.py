"""`aimsciqa airqa`: questions about whole papers, and what agents may do to answer them."""

import typer

from aimsciqa_assets.cli.airqa.check import check_command
from aimsciqa_assets.cli.airqa.convert import convert_command
from aimsciqa_assets.cli.airqa.evaluators import evaluators_command
from aimsciqa_assets.cli.airqa.examples import examples_command
from aimsciqa_assets.cli.airqa.export import export_command
from aimsciqa_assets.cli.airqa.mineru import mineru_command
from aimsciqa_assets.cli.airqa.query import query_command
from aimsciqa_assets.cli.airqa.run import run_command
from aimsciqa_assets.cli.airqa.score import score_command
from aimsciqa_assets.cli.airqa.scores import scores_command
from aimsciqa_assets.cli.airqa.store import store_command

airqa_app = typer.Typer(
    no_args_is_help=True,
    help="AirQA: questions about whole papers, for agents that search a store of them.",
)
airqa_app.command("check")(check_command)
airqa_app.command("convert")(convert_command)
airqa_app.command("evaluators")(evaluators_command)
airqa_app.command("examples")(examples_command)
airqa_app.command("export")(export_command)
airqa_app.command("mineru")(mineru_command)
airqa_app.command("query")(query_command)
airqa_app.command("run")(run_command)
airqa_app.command("score")(score_command)
airqa_app.command("scores")(scores_command)
airqa_app.command("store")(store_command)
