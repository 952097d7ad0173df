"""What a run came to: told at its end, so that a failure looks like one."""

from aimsciqa_resources.warehouse import Warehouse
from rich.console import Console

from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.settings import Settings


def warn_of_small_clusters(warehouse: Warehouse, settings: Settings, console: Console) -> None:
    """Say that clusters are smaller than they should be, where they are."""
    query = query_of("cli.small_clusters")
    found = warehouse.read(query.text, query.parameters(settings)).row(0, named=True)
    if found["small"]:
        asked = settings.relations.cluster_size
        console.print(
            f"[yellow]Small clusters[/yellow]: {found['small']:,} of {found['clusters']:,} hold fewer than "
            f"{asked} papers, the smallest {found['smallest']}, because the corpus has no more. Retrieval is "
            f"easier in them; figures are not comparable with those for {asked} papers.",
            highlight=False,
            soft_wrap=True,
        )


def nothing_made(warehouse: Warehouse, *, evaluate: bool) -> str | None:
    """Why a finished run made no benchmark, and what to do; None where it made one.

    Where replies are still to be recorded there is no item yet, and nothing went wrong.
    """
    if not warehouse.read(query_of("cli.not_recorded").text).is_empty():
        return None
    made = warehouse.read(query_of("cli.made").text).row(0, named=True)
    counted = (
        f"{made['papers']:,} papers, {made['pairs']:,} kept QA pairs, {made['relations']:,} relations, "
        f"{made['items']:,} items composed"
    )
    if not made["accepted"]:
        return (
            f"No item was accepted, so there is nothing to release ({counted}).\n{_advice(made)}\n"
            "What was rejected and why stands above under Kept and rejected, and in ops.rejections."
        )
    if evaluate and not made["released"]:
        return (
            f"None of the {made['accepted']:,} accepted items may be released, so there is no release. Why: "
            'aimsciqa sql "select rejection_reason, count(*) from release.items group by all"\n'
            "For your own use, AIMSCIQA_RELEASE_ANY_LICENCE=true releases papers of any licence."
        )
    return None


def _advice(made: dict[str, int]) -> str:
    """What to do where no item was accepted, by the first stage that has too little."""
    if not made["papers"]:
        return 'No file could be read as a paper: aimsciqa sql "from corpus.rejected_files" says why.'
    if not made["pairs"]:
        return "No paragraph gave a QA pair with an exact quote: look at single_hop.extractions."
    if not made["relations"]:
        return (
            "No two papers have similar questions. Take in more papers about one topic: relations need "
            "papers that share keywords, or cite each other."
        )
    return "Take in more papers about one topic, or choose a stronger model (docs/models.md)."
