"""`aimsciqa airqa scores`: the scores of the runs of this home, by tag, and the runs in pairs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aimsciqa_assets.cli.airqa.score_tables import tell_pairs, tell_scores
from aimsciqa_assets.cli.terminal import errors, print_json
from aimsciqa_assets.platform.home import Home

if TYPE_CHECKING:
    from aimsciqa_resources.warehouse import Warehouse

Row = dict[str, Any]

_REFUSED = "select count(*) as answers from airqa.verdicts where reason = 'same_family'"


def scores_command(
    *,
    tags: Annotated[bool, typer.Option("--tags", help="a table for each tag, too")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="print scores and comparisons of all tags as one JSON object")
    ] = False,
) -> None:
    """Print the scores of the runs: correct answers, 95 % interval, pass^k, and what an answer took.

    `aimsciqa airqa run` and `aimsciqa run` make them.
    """
    from aimsciqa_assets.platform.writing import adopt_tables

    warehouse = Home.from_environment().warehouse
    adopt_tables(warehouse)
    scores, compared = scores_in(warehouse), _asked(warehouse, "airqa_comparisons")
    if as_json:
        print_json({"scores": scores, "comparisons": compared})
        return
    if not scores:
        errors.print("There is no score yet: aimsciqa airqa run --baseline NAME makes one.")
        if refused := warehouse.read(_REFUSED)["answers"][0]:
            errors.print(
                f"{refused:,} answers wait for a judge that is not of their model's family: "
                "AIMSCIQA_JUDGE_MODEL_NAME names one.",
                highlight=False,
            )
        raise typer.Exit(1)
    tell_scores(scores, tags=tags)
    tell_pairs([row for row in compared if row["family"] == "total"], scores)


def scores_in(warehouse: "Warehouse", runs: Sequence[str] | None = None) -> list[Row]:
    """The scores of all runs, or of these; those of all examples first, and of these the best first."""
    rows = _asked(warehouse, "airqa_scores")
    return [row for row in rows if runs is None or row["run_id"] in runs]


def _asked(warehouse: "Warehouse", name: str) -> list[Row]:
    from aimsciqa_assets.platform.queries import query_of

    return warehouse.read(query_of(f"report.{name}").text).to_dicts()
