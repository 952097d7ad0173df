"""`aimsciqa hopweaver`: what the ways to find a second document are worth."""

import typer
from rich.table import Table

from aimsciqa_assets.cli.hopweaver_files import export_command
from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.platform.home import Home

hopweaver_app = typer.Typer(
    no_args_is_help=True,
    help="HopWeaver: compare ways of retrieval; questions in the authors' files.",
)
hopweaver_app.command("export")(export_command)

_ALL_ARMS = "standard diverse diverse_zs diverse_ft"


@hopweaver_app.command("ablation")
def ablation_command() -> None:
    """Compare the ways to find a second document: success rate and documents tried, with 95 % intervals.

    A success is an attempt that gave a question, before polishing. Documents tried are those of successes.
    AIMSCIQA_HOPWEAVER_ABLATION says which ways `aimsciqa run` compares.
    """
    from aimsciqa_assets.hopweaver.reranker.ablation import PUBLISHED, results

    warehouse = Home.from_environment().warehouse
    rows = warehouse.read("select * from hopweaver.ablation order by arm, paper_id")
    if rows.is_empty():
        errors.print(
            "Nothing has been compared yet. Name the ways, then run: "
            f'[bold]AIMSCIQA_HOPWEAVER_ABLATION="{_ALL_ARMS}" aimsciqa run[/bold]'
        )
        raise typer.Exit(1)
    table = Table("way", "attempts", "success rate", "documents tried", "paper", box=None, pad_edge=False)
    for one in results(rows.iter_rows(named=True)):
        rate, tried = PUBLISHED[one.arm]
        table.add_row(
            one.arm,
            f"{one.attempts:,}",
            _with_interval(one.success_rate, one.success_interval),
            _with_interval(one.documents_tried, one.tried_interval),
            f"{rate:.3f}  {tried:.2f}",
        )
    console.print(table)


def _with_interval(mean: float | None, interval: tuple[float | None, float | None]) -> str:
    if mean is None:
        return "-"
    low, high = interval
    return f"{mean:.2f}" if low is None or high is None else f"{mean:.2f} ({low:.2f}-{high:.2f})"
