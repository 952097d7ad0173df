"""What the command line tells: what was taken in, the state of the batches, the summary of a run."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
from aimsciqa_resources.language_model.journal_places import JournalPlace, open_journal
from aimsciqa_resources.warehouse import Warehouse
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.text import Text

from aimsciqa_assets.cli.printed_rows import print_rows, print_table
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.platform.stages import SHOWN
from aimsciqa_assets.platform.writing import adopt_tables
from aimsciqa_assets.tables import TABLES

if TYPE_CHECKING:
    # `aimsciqa status` waits for nothing that it does not need.
    from aimsciqa_resources.language_model.prices import Price

    from aimsciqa_assets.cli.why import Line
    from aimsciqa_assets.corpus.intake.citing import Cited
    from aimsciqa_assets.corpus.intake.document_rows import DocumentRows
    from aimsciqa_assets.corpus.intake.ingest import Ingested
    from aimsciqa_assets.corpus.intake.pmc_look import Looked

LEAST_PAPERS = 3
"""A source, a target, and a paper that the target must be told from."""
LEAST_DOCUMENTS = 2
"""Those of a question of HopWeaver."""

_FAILURES_SHOWN = 10
_READINGS_SHOWN = 20
_START_SHOWN = 50
_EXAMPLES = ("No accepted item", "An accepted item", "Two of the accepted items")
_INTERVALS = "In brackets: 95 % intervals."
_SCORES = (
    (
        "HopWeaver: attempts to make a question over two documents",
        "cli.weaving",
        "success: share of the attempts with replies that ended in an accepted item. documents_tried: "
        f"candidates asked about, on the mean of the questions made. {_INTERVALS}",
    ),
    (
        "Retrieval: the target among the papers of its cluster",
        "cli.retrieval",
        "Hit@3: share of the questions whose target is among the first 3 papers. MRR@5: mean of 1/rank, 0 "
        f"from rank 6 on. random: as many random papers instead of the cluster. {_INTERVALS}",
    ),
    (
        "Retrieval: the target among all papers",
        "cli.retrieval_full",
        f"Empty where there are no more than 50 papers to choose from. {_INTERVALS}",
    ),
    (
        "Evidence accessibility: the gold papers of the items among all papers",
        "cli.evidence_access",
        "MAP and Support F1 at 10. missing: queries without gold papers or without a result "
        f"(AIMSCIQA_BENCHMARK_EVIDENCE_MISSING). {_INTERVALS}",
    ),
    (
        "Answering",
        "cli.answering",
        "accuracy: mean score of the judges. oracle: the model reads source and target; realistic: the "
        "source and the paper retrieved first; segments: the whole text, in segments where it is long; "
        f"passages: those that a retriever finds; closed_book: nothing. {_INTERVALS}",
    ),
    (
        "Facts in answers",
        "cli.facts",
        "recall: share of the right answer's facts that an answer states, by the best judge there is. rules: "
        "facts with a number alone; unscored: the others. precision: share of an answer's numbers that "
        f"facts, quotes or computations give. {_INTERVALS}",
    ),
    (
        "Answers to questions of reviews",
        "cli.long_answers",
        "R-1, R-2, R-L: F1. ALS: mean of the judges in four aspects (AIMSCIQA_BENCHMARK_ASPECT_JUDGES), "
        "divided by 100. Avg: mean of SciDQA's six columns, where BLEURT, BERTScore and three judges are "
        f"there. {_INTERVALS}",
    ),
    (
        "Judges: how reliable they are, and whom the rule chooses",
        "cli.judges",
        "alpha, kappa: agreement of a judge's runs; SD: their spread. counts: whether its ratings count "
        "(AIMSCIQA_BENCHMARK_JUDGES_COUNTING).",
    ),
    (
        "Necessity: do the items need their documents and hops?",
        "cli.necessity",
        "share: passed of the items with a verdict. rules: by words and searches; none: a test that needs a "
        f"model (AIMSCIQA_NECESSITY_MODELS). {_INTERVALS}",
    ),
)


def print_looked(looked: "Looked", console: Console, errors: Console) -> None:
    """What came of a look at PubMed Central, with what could not be had."""
    console.print(
        f"{looked.looked_at:,} articles looked at: {looked.fetched:,} new papers, {looked.replaced:,} newer "
        f"versions, {looked.relabelled:,} with another licence or retracted, {looked.retired:,} gone, "
        f"{looked.passed_over:,} not wanted or without XML."
    )
    for failure in looked.failures[:_FAILURES_SHOWN]:
        errors.print(f"[red]not had[/red] {escape(failure)}", highlight=False)
    if looked.failed:
        errors.print(f"{looked.failed:,} articles could not be had; the same command tries them again.")


def print_cited(cited: "Cited", console: Console, *, asked_for_tables: bool) -> None:
    """Print how many cited papers PubMed Central has, and name those that it lacks."""
    source = "tables of included studies" if cited.relation == "included" else "reference list"
    if asked_for_tables and cited.relation == "cited":
        console.print(f"No table of {cited.citing} cites the studies that it includes.")
    total = len(cited.pmcids) + len(cited.unknown)
    console.print(
        f"{cited.citing} cites {total:,} papers in its {source}; {len(cited.pmcids):,} lead to PubMed "
        "Central.",
        highlight=False,
    )
    for reference in cited.unknown[:_READINGS_SHOWN]:
        console.print(f"  without an article there: {escape(reference)}", highlight=False, soft_wrap=True)
    if (more := len(cited.unknown) - _READINGS_SHOWN) > 0:
        console.print(f"  and {more:,} more")


def print_not_taken(warehouse: Warehouse, cited: "Cited", console: Console) -> None:
    """Name the cited articles that were not taken in, and why."""
    query = """
        select pmcid, if(status = 'withdrawn', 'no open file', replace(status, '_', ' ')) as reason
        from corpus.pmc_articles
        where list_contains($pmcids, pmcid) and status != 'in'
        order by pmcid
    """
    for pmcid, reason in warehouse.read(query, {"pmcids": list(cited.pmcids)}).iter_rows():
        console.print(f"  not taken in: {pmcid} ({reason})", highlight=False)


def print_ingested(ingested: "Ingested", console: Console, errors: Console, *, goes_on: bool = False) -> None:
    """What was taken in, with what could not be read, and what to do next unless the command `goes_on`."""
    for file in ingested.unreadable:
        errors.print(f"[red]not read[/red] {escape(file)}", highlight=False)
    kinds = "files"
    if ingested.documents:
        _print_documents(ingested.documents, ingested.no_documents, console)
        kinds = "files and documents"
    came = f"{ingested.new_files:,} new files, {ingested.known_files:,} known already; "
    if ingested.documents and not ingested.new_files + ingested.known_files:
        came = ""
    console.print(f"{came}{ingested.files:,} {kinds} in {len(ingested.batches):,} paper batches.")
    _print_readings(ingested, console)
    if ingested.changed_batches:
        console.print(f"Something changed in {', '.join(ingested.changed_batches)}.")
    if not goes_on:
        few = f"A question needs at least {LEAST_PAPERS} papers: take in more before you run."
        console.print(few if ingested.files < LEAST_PAPERS else "Next: [bold]aimsciqa run[/bold]")
    if ingested.unreadable:
        errors.print(
            f"{len(ingested.unreadable):,} files or folders could not be read; the others were taken in."
        )


def _print_readings(ingested: "Ingested", console: Console) -> None:
    """What was read in the new files, file by file if they are few; where the reading report is."""
    readings = ingested.readings
    if readings.is_empty():
        return
    if readings.height <= _READINGS_SHOWN:
        shown = readings.select(
            "file",
            pl.col("title").str.slice(0, _START_SHOWN),
            *("sections", "references", "licence"),
            pl.coalesce("not_used", "warnings").alias("warnings"),
        )
        print_table(shown, console)
    else:
        for row in readings.filter(pl.col("not_used").is_not_null()).head(_FAILURES_SHOWN).to_dicts():
            console.print(f"{escape(row['file'])}: {escape(row['not_used'])}", highlight=False)
    unused = readings["not_used"].count()
    doubtful = readings.filter(pl.col("not_used").is_null() & (pl.col("warnings") != "")).height
    console.print(
        f"{doubtful:,} papers have warnings; {unused:,} of {readings.height:,} files are not used. All are "
        "in reading-report.csv in the home.",
        highlight=False,
    )


def _print_documents(documents: "DocumentRows", no_documents: Sequence[str], console: Console) -> None:
    console.print(f"{documents.new:,} new documents, {documents.known:,} known already.")
    if documents.duplicates:
        console.print(
            f"{documents.duplicates:,} new documents have the id of another one, which stays as it is: give "
            "them ids of their own if they are others."
        )
    if documents.no_documents:
        console.print(f"{documents.no_documents:,} new lines hold no document:")
        for line in no_documents:
            console.print(f"  {escape(line)}", highlight=False)
    if documents.duplicates or documents.no_documents:
        console.print(
            'After the next run, aimsciqa sql "from corpus.rejected_files" lists them all, with the reasons.',
            highlight=False,
        )


def print_status(home: Home, preset: str | None, console: Console, *, why: bool) -> None:
    """Print what each batch holds and its state, and `why`; raises `NoPapersError` and `SettingsError`."""
    adopt_tables(home.warehouse)
    batches = home.warehouse.read(query_of("cli.status").text)
    if batches.is_empty():
        from aimsciqa_assets.orchestration.partitions import NoPapersError

        raise NoPapersError("Nothing was ingested yet: run `aimsciqa ingest DIR` first.")
    from aimsciqa_assets.cli.why import lines, state_of

    plan = lines(home, preset)
    by_batch: dict[str, list[Line]] = {batch: [] for batch in batches["batch"]}
    over_all = []
    for line in plan:
        if line.parts[0] not in by_batch:
            over_all.append(line)
            continue
        for batch in line.parts:
            by_batch[batch].append(line)
    states = pl.Series(map(state_of, by_batch.values()))
    print_table(batches.with_columns(state=states), console)
    console.print(f"Over all batches: {state_of(over_all)}.", highlight=False)
    if why:
        print_why(plan, console)
    else:
        _print_to_make(plan, console, "; why: [bold]aimsciqa status --why[/bold]")


def print_why(lines: Sequence["Line"], console: Console) -> None:
    """What every step has to do, and why."""
    for line in lines:
        style = {"current": "dim", "failed": "red"}.get(line.state, "")
        of = f" of {line.of}" if line.of else ""
        console.print(Text(f"{line.state:<8} {line.step}{of}", style=style))
        if line.why:
            console.print(Padding(Text(line.why, style="dim"), (0, 0, 0, 9)))
    _print_to_make(lines, console)


def _print_to_make(lines: Sequence["Line"], console: Console, advice: str = "") -> None:
    to_make = sum(len(line.parts) for line in lines if line.state != "current")
    console.print(
        f"{to_make:,} to make: [bold]aimsciqa run[/bold]{advice}" if to_make else "Everything is up to date.",
        highlight=False,
    )


def print_journal(place: JournalPlace, prices: Mapping[str, "Price"], console: Console) -> None:
    """Print replies, tokens and cost in the reply journal, by model and task and in all.

    The journal holds every reply that was ever paid for, whatever became of the rows that were made from it.
    """
    from aimsciqa_assets.cli.costs import with_total

    with closing(open_journal(place)) as journal:
        rows, size = journal.summary(), journal.size()
    console.print(f"{place}: {size / 2**20:,.1f} MiB", highlight=False, soft_wrap=True)
    if rows:
        priced = pl.DataFrame(with_total(rows, prices), infer_schema_length=None)
        print_table(priced if prices else priced.drop("cost"), console)
        unpriced = ", ".join(sorted({row["model"] for row in rows} - set(prices)))
        if not prices:
            console.print("What they cost is told if AIMSCIQA_MODEL_PRICES names a price table.", style="dim")
        elif unpriced:
            console.print(f"The cost leaves out models without a price: {escape(unpriced)}.", style="dim")
    else:
        console.print("It is empty.")


def print_summary(warehouse: Warehouse, console: Console) -> None:
    """Rows per table, what was kept and rejected and why, two complete items, the benchmark."""
    console.rule("Rows")
    counts = [
        {
            "table": name,
            "rows": warehouse.read(f"select count(*) as n from {name}")["n"][0],
            "one row": TABLES[name].row,
        }
        for name in SHOWN
        if _exists(warehouse, name)
    ]
    print_table(pl.DataFrame(counts), console)
    console.rule("Kept and rejected")
    print_table(warehouse.read(query_of("cli.fates").text), console)
    calls = warehouse.read(query_of("cli.calls").text)
    if calls.height:
        console.rule("Calls of language models")
        print_rows(calls, "table", console)
    examples = warehouse.read(query_of("cli.examples").text)
    console.rule(_EXAMPLES[min(examples.height, 2)])
    for item in examples.iter_rows(named=True):
        console.print(_item(item))
    for title, query, meaning in _SCORES:
        scores = warehouse.read(query_of(query).text)
        if scores.height:
            console.rule(title)
            print_table(scores, console)
            console.print(meaning, style="dim", highlight=False)


def print_next(left: Mapping[Path, str], console: Console, first: str = "") -> None:
    """What comes next; `left` says what the files are that a run leaves besides the warehouse.

    What is to be done before anything else is told `first`.
    """
    console.rule("Next")
    if first:
        console.print(first, highlight=False)
    for path, what in left.items():
        if path.exists():
            console.print(f"[bold]{escape(str(path))}[/bold]   {what}", highlight=False, soft_wrap=True)
    console.print(
        "[bold]make ui[/bold]   the same data in the Dagster web UI\n"
        "[bold]aimsciqa items --best 5[/bold]   the best items; [bold]aimsciqa show ID[/bold] tells all "
        "about one\n"
        "[bold]aimsciqa ingest DIR[/bold], then [bold]aimsciqa run[/bold]: your own papers "
        "(JATS XML, or PDF)",
        highlight=False,
    )


def print_not_recorded(warehouse: Warehouse, console: Console) -> None:
    """How many requests had no recorded reply, and what to do about them; nothing where all had one."""
    missing = warehouse.read(query_of("cli.not_recorded").text)
    if missing.is_empty():
        return
    told = ", ".join(
        f"{requests:,} requests of {task} to {model}" for task, model, requests in missing.iter_rows()
    )
    console.print(
        f"[yellow]No reply is recorded[/yellow] for {escape(told)}. Have them answered:\n"
        "[bold]aimsciqa record requests FILE[/bold] writes them into a new file, "
        "[bold]aimsciqa record replies FILE --by NAME[/bold] takes the replies, and "
        "[bold]aimsciqa run[/bold] goes on from there.",
        highlight=False,
    )


def _exists(warehouse: Warehouse, table: str) -> bool:
    query = "select 1 from duckdb_tables() where schema_name || '.' || table_name = $table"
    return not warehouse.read(query, {"table": table}).is_empty()


def _item(item: Mapping[str, Any]) -> Text:
    lines = [("Question", item["question"]), ("Answer", item["answer"])]
    for document in item["documents"]:
        lines += [(document["role"].capitalize(), document["title"]), ("  evidence", document["evidence"])]
    lines += [("Search query", item["query"]), ("Kind", item["kind"])]
    text = Text()
    for label, value in lines:
        if value is not None:
            text.append(f"{label:<19}", style="bold")
            text.append(f"{value}\n")
    return text
