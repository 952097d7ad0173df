"""What a run came to: told at its end, so that a failure looks like one."""

from collections.abc import Callable
from typing import Final

from aimsciqa_resources.warehouse import Warehouse
from rich.console import Console

from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.release.reasons import is_of_a_licence, said
from aimsciqa_assets.settings import Settings

_TO_RELEASE: Final[tuple[tuple[Callable[[str], bool], str], ...]] = (
    (
        is_of_a_licence,
        "[bold]AIMSCIQA_RELEASE_ANY_LICENCE=true aimsciqa run[/bold]   for your own use: releases items on "
        "papers of any licence",
    ),
    (
        lambda reason: reason.startswith("failed_"),
        '[bold]AIMSCIQA_RELEASE_GATES="" aimsciqa run[/bold]   releases items that failed a quality gate',
    ),
    (
        lambda reason: reason.endswith("_in_review"),
        "[bold]aimsciqa report[/bold]   the review page, where items are accepted and decisions changed",
    ),
)
"""What to do about a reason of `release.items`: which reasons each advice helps with."""


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
        )


def no_release(warehouse: Warehouse) -> str:
    """That there are items, but none that may be released, and what to do; "" where some may, or none are."""
    made = _made(warehouse)
    if not made["accepted"] or made["released"]:
        return ""
    counts = warehouse.read(query_of("cli.not_released").text).rows()
    told = f"[yellow]No release[/yellow]: no accepted item may be released: {', '.join(said(counts))}."
    reasons = [reason for reason, _ in counts]
    return "\n".join([told, *(advice for concerns, advice in _TO_RELEASE if any(map(concerns, reasons)))])


def makes_questions(settings: Settings) -> bool:
    """Return whether a system is to make questions; a home may be for AirQA's paper store alone."""
    return bool(settings.systems.aim_sciqa or settings.hopweaver.kinds or settings.makes_findings)


def nothing_made(warehouse: Warehouse, settings: Settings) -> str | None:
    """Why a finished run made no item, and what to do; None where it made some, or was not to make any.

    Where replies are still to be recorded there is no item yet, and nothing went wrong.
    """
    if not makes_questions(settings):
        return None
    if not warehouse.read(query_of("cli.not_recorded").text).is_empty():
        return None
    made = _made(warehouse)
    if made["accepted"]:
        return None
    counted = f"{made['papers']:,} papers"
    if settings.systems.aim_sciqa:
        counted += (
            f", {made['pairs']:,} kept QA pairs, {made['relations']:,} relations, {made['items']:,} items "
            "composed"
        )
    if settings.hopweaver.kinds:
        counted += f", {made['attempts']:,} attempts of HopWeaver"
    return (
        f"No item was accepted, so there is nothing to release ({counted}).\n{_advice(made, settings)}\n"
        "Why items were rejected: aimsciqa items --rejected ''"
    )


def _made(warehouse: Warehouse) -> dict[str, int]:
    return warehouse.read(query_of("cli.made").text).row(0, named=True)


def _advice(made: dict[str, int], settings: Settings) -> str:
    """What to do where no item was accepted, by the first stage that has too little."""
    if not made["papers"]:
        return 'No file could be read as a paper: aimsciqa sql "from corpus.rejected_files" says why.'
    if not settings.systems.aim_sciqa:
        return _advice_on_documents(made)
    if not made["pairs"]:
        return "No paragraph gave a QA pair with an exact quote: look at single_hop.extractions."
    if not made["relations"]:
        return (
            "No two papers have similar questions. Take in more papers about one topic: relations need "
            "papers that share keywords, or cite each other."
        )
    if "scripted" in (settings.single_hop_model.backend, settings.multi_hop_model.backend):
        return (
            "The scripted model makes no questions worth reading. Configure a language model for all tasks "
            "(docs/models.md), or have the requests answered by people or a model elsewhere "
            "(docs/recorded.md)."
        )
    return "Take in more papers about one topic, or choose a stronger model (docs/models.md)."


def _advice_on_documents(made: dict[str, int]) -> str:
    """The same where HopWeaver alone makes questions."""
    if not made["attempts"]:
        return (
            'No document may be a source: aimsciqa sql "select status, rejection_reason, count(*) from '
            'hopweaver.documents group by all" says why (AIMSCIQA_HOPWEAVER_FEWEST_CHARACTERS, '
            "AIMSCIQA_HOPWEAVER_MOST_WORDS)."
        )
    return (
        "Every attempt failed: docs/hopweaver.md explains the reasons. Take in more documents about related "
        "subjects, try more of them (AIMSCIQA_HOPWEAVER_DOCUMENTS_PER_BATCH), or choose a stronger model "
        "(docs/models.md)."
    )
