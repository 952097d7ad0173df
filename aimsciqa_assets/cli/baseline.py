"""`aimsciqa baseline`: items of a published set beside our own."""

from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.markup import escape
from rich.table import Table

from aimsciqa_assets.cli.config import ConfigOption
from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.platform.home import Home


def baseline_command(
    file: Annotated[
        Path,
        typer.Argument(
            help="a published file, also as .gz or .zst: HotpotQA's dev set with distractors (JSON), "
            "2WikiMultihopQA's dev.json, or MuSiQue's musique_ans_v1.0_dev.jsonl"
        ),
    ],
    *,
    set_name: Annotated[
        Literal["hotpotqa", "2wiki", "musique"] | None,
        typer.Option("--set", help="which set it is; without it, the first records tell"),
    ] = None,
    per_kind: Annotated[
        int, typer.Option("--per-kind", help="so many items of each kind, drawn by the seed; 0: all", min=0)
    ] = 50,
    seed: Annotated[int, typer.Option(help="seed of that draw", min=0)] = 42,
    licence: Annotated[
        str | None, typer.Option(help="licence of the set's documents, such as 'CC BY-SA 4.0'")
    ] = None,
    preset: Annotated[str | None, typer.Option(metavar="NAME", help="as for `aimsciqa run`")] = None,
    config: ConfigOption = None,
) -> None:
    """Take in items of HotpotQA, 2WikiMultihopQA or MuSiQue, to be evaluated like our own.

    The paragraphs of their contexts become documents that are searched and read, and not asked about. The
    next run adds the items to retrieval, answering, judges, gates, necessity, audit and report. They are
    never released. A new draw of a set takes the place of the one before.
    """
    from aimsciqa_assets.baseline_sets.published import TITLES
    from aimsciqa_assets.baseline_sets.taking import Draw, set_of
    from aimsciqa_assets.cli.pipeline import Pipeline
    from aimsciqa_assets.cli.summary import print_ingested

    pipeline = Pipeline.at(Home.from_environment(), preset, console, asking=False)
    most = pipeline.settings.corpus.document_bytes
    found = set_name or set_of(file, most)
    drawn, replaced, ingested = pipeline.take_in_set(Draw(file, found, per_kind, seed, most), licence or "")
    console.print(f"{TITLES[found]}: {drawn.read:,} records.")
    table = Table("kind", "usable", "taken", box=None, pad_edge=False)
    for kind, count in sorted(drawn.sound.items()):
        table.add_row(kind, f"{count:,}", f"{drawn.kinds[kind]:,}")
    console.print(table)
    if replaced:
        console.print(f"{replaced:,} items of an earlier draw of {TITLES[found]} are evaluated no more.")
    if drawn.reasons:
        console.print(f"{drawn.reasons.total():,} records cannot be used:")
        for reason, count in drawn.reasons.most_common():
            console.print(f"  {escape(reason)}: {count:,}", highlight=False)
        console.print(
            'aimsciqa sql "from baseline_sets.records" lists them, with the reasons.', highlight=False
        )
    print_ingested(ingested, console, errors)
    if ingested.unreadable:
        raise typer.Exit(1)
