"""`aimsciqa ingest`, `ids` and `corpus`: papers come in, NLM's map of ids is loaded, papers are corrected."""

from pathlib import Path
from typing import Annotated

import typer

from aimsciqa_assets.cli.config import ConfigOption, PresetOption
from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.platform.home import Home

corpus_app = typer.Typer(no_args_is_help=True, help="Correct what was read in papers.")


def ingest_command(
    folder: Annotated[
        Path | None,
        typer.Argument(
            help="folder of JATS XML and PDF files and of documents (.jsonl, .jsonl.gz, .jsonl.zst: one "
            "{id, title, contents} in each line), or one file; links to folders are followed"
        ),
    ] = None,
    *,
    pmc: Annotated[
        str | None,
        typer.Option(
            "--pmc", metavar="QUERY", help="papers of PubMed Central that this search finds; '' finds all"
        ),
    ] = None,
    ids: Annotated[
        Path | None,
        typer.Option("--ids", help="papers of PubMed Central: a file with one PMCID, PMID or DOI per line"),
    ] = None,
    news: Annotated[
        bool,
        typer.Option(
            "--news",
            help="what a nightly run takes in: papers that came since the last time (of AIMSCIQA_PMC_QUERY), "
            "new versions and withdrawals of known ones",
        ),
    ] = False,
    included_in: Annotated[
        str | None,
        typer.Option(
            metavar="PMCID",
            help="the papers of PubMed Central in this review's tables of included studies, else all that it "
            "cites",
        ),
    ] = None,
    cited_by: Annotated[
        str | None,
        typer.Option(metavar="PMCID", help="the papers of PubMed Central that this article cites"),
    ] = None,
    years: Annotated[str | None, typer.Option(help="with --pmc: years of publication, 2019-2024")] = None,
    licence: Annotated[
        str | None,
        typer.Option(
            help="of papers of PubMed Central: only under these licences, cc-by,cc0; with a folder: the "
            "licence of the files and documents that name none, 'CC BY-SA 4.0'"
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(help="with --pmc: so many papers at most", min=1)] = None,
    preset: PresetOption = None,
    config: ConfigOption = None,
) -> None:
    """Take in papers and documents, from a folder or from PubMed Central; what is known is left alone."""
    from aimsciqa_assets.cli.intake import ids_in, with_options
    from aimsciqa_assets.cli.pipeline import Pipeline
    from aimsciqa_assets.cli.summary import print_cited, print_ingested, print_looked, print_not_taken
    from aimsciqa_assets.corpus.intake.pmc_look import look_of

    sources = (folder, pmc, ids, included_in, cited_by, news or None)
    if sum(source is not None for source in sources) != 1:
        raise typer.BadParameter(
            "give a folder, or one of --pmc, --ids, --included-in, --cited-by and --news"
        )
    if (pmc is None and (years or limit)) or (licence and news):
        raise typer.BadParameter("--years, --licence and --limit narrow a search: give --pmc too")
    pipeline = Pipeline.at(Home.from_environment(), preset, console, asking=False)
    failed, cited = 0, None
    if folder is None:
        settings = with_options(pipeline.settings.pmc, query=pmc, years=years, licences=licence, limit=limit)
        wanted = ids_in(ids, pipeline.warehouse) if ids else []
        if citing := included_in or cited_by:
            cited = pipeline.cited_by(citing, settings, included=included_in is not None)
            print_cited(cited, console, asked_for_tables=included_in is not None)
            wanted = list(cited.pmcids)
        what = look_of(settings, everything=pmc is not None, ids=wanted)
        looked = pipeline.look(what, settings)
        print_looked(looked, console, errors)
        failed = looked.failed
    ingested = pipeline.ingest(folder, (licence or "") if folder else "")
    if cited:
        papers = pipeline.take_cited(cited)
        print_not_taken(pipeline.warehouse, cited, console)
        console.print(f"{papers:,} papers of the corpus are {cited.relation} in {cited.citing}.")
    print_ingested(ingested, console, errors)
    if ingested.unreadable or failed:
        raise typer.Exit(1)


def ids_command(
    file: Annotated[Path, typer.Argument(help="PMC-ids.csv.gz", exists=True, dir_okay=False)],
) -> None:
    """Load NLM's map of DOIs, PMIDs and PMCIDs, in place of the one loaded before.

    With it, references lead to articles in PubMed Central by DOI and PMID too, where the setting
    AIMSCIQA_SELECTION_SCOPE is pmc. NLM publishes the file at
    https://ftp.ncbi.nlm.nih.gov/pub/pmc/PMC-ids.csv.gz.
    """
    from aimsciqa_assets.cli.pipeline import Pipeline

    loaded = Pipeline.at(Home.from_environment(), None, console, asking=False).load_ids(file)
    console.print(
        f"{loaded.articles:,} articles in PubMed Central, {loaded.with_doi:,} with a DOI, "
        f"{loaded.with_pmid:,} with a PMID."
    )
    console.print(
        "Next: [bold]AIMSCIQA_SELECTION_SCOPE=pmc aimsciqa run[/bold]; add --refresh to take finished "
        "batches along"
    )
    if loaded.bad_lines:
        some = ", ".join(str(line) for line in loaded.bad_lines[:10])
        errors.print(f"{len(loaded.bad_lines):,} lines could not be read and were left out: {some}")
        raise typer.Exit(1)


@corpus_app.command("correct")
def correct_command(
    file: Annotated[
        Path,
        typer.Argument(
            help="CSV in UTF-8 with the column paper (a paper id or a file name), and any of title, licence, "
            "doi and year",
            exists=True,
            dir_okay=False,
        ),
    ],
) -> None:
    """Correct title, licence, DOI or year of papers by hand; an empty cell changes nothing.

    Corrections count before what is read in the files, also after `aimsciqa reset --from corpus`. If a line
    is wrong, nothing is changed.
    """
    from aimsciqa_assets.cli.pipeline import Pipeline

    corrected = Pipeline.at(Home.from_environment(), None, console, asking=False).correct(file)
    console.print(f"{corrected.papers:,} papers corrected, {corrected.known:,} corrections known already.")
    if corrected.batches:
        console.print(f"Something changed in {', '.join(corrected.batches)}. Next: [bold]aimsciqa run[/bold]")
