"""The corpus tables as assets: every batch of input files parsed once."""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.pmc import PmcClient, PmcError
from aimsciqa_resources.warehouse_resource import WarehouseResource
from pydantic import Field

from aimsciqa_assets.corpus.intake.citing import CITED_PAPERS
from aimsciqa_assets.corpus.intake.corrections import CORRECTIONS
from aimsciqa_assets.corpus.intake.document_rows import DocumentRows
from aimsciqa_assets.corpus.intake.folder import stated_licence
from aimsciqa_assets.corpus.intake.ingest import Ingested, ingest
from aimsciqa_assets.corpus.intake.pmc_ids import PMC_IDS
from aimsciqa_assets.corpus.intake.pmc_look import Looked, look, look_of
from aimsciqa_assets.corpus.intake.updates import TooManyWithdrawnError
from aimsciqa_assets.corpus.kept_papers import KeptPapers
from aimsciqa_assets.corpus.parsing import TABLES as PARSED
from aimsciqa_assets.corpus.parsing import parse_batch
from aimsciqa_assets.orchestration.asset_builders import reporting, step_asset
from aimsciqa_assets.orchestration.partitions import PAPER_BATCHES
from aimsciqa_assets.orchestration.presentation import UNVERSIONED, check_description, spec_of
from aimsciqa_assets.orchestration.sql_assets import sql_asset
from aimsciqa_assets.platform.frames import Frames
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.progress import progress
from aimsciqa_assets.platform.steps import Step, StepRun
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import TABLES


class LookConfig(dg.Config):
    """What to look for in PubMed Central; the search itself is among the settings, section `pmc`."""

    everything: bool = Field(
        default=False,
        description="all that the search finds; otherwise what is new, and what became of known articles",
    )
    ids: list[str] = Field(default=[], description="instead of a search: these articles (PMC13901, ...)")


class IngestConfig(dg.Config):
    """What to take in besides what was found in PubMed Central."""

    folder: str = Field(
        default="",
        description="folder of JATS XML and PDF files and of documents (.jsonl, .jsonl.gz, .jsonl.zst), or "
        "one such file; empty: none",
    )
    licence: str = Field(
        default="", description="licence of the files and documents that name none, such as CC BY-SA 4.0"
    )


TAKING_IN = Step(("corpus.input_files",), reads=("corpus.pmc_articles",))
"""What the list of files is made from."""


@dg.multi_asset(
    specs=[
        spec_of(
            TABLES["corpus.pmc_articles"],
            Step(("corpus.pmc_articles",)),
            "Looks at PubMed Central: what is new since the last look, and which known articles changed.",
        )
    ],
    check_specs=[
        dg.AssetCheckSpec(
            "articles_could_be_had",
            asset=TABLES["corpus.pmc_articles"].asset_key,
            description=check_description(
                "Every article that was looked at could be had.",
                "the next look tries those again by itself. If they are many, see whether the services of "
                "PubMed Central are up, and materialize this asset once more.",
            ),
        )
    ],
    retry_policy=dg.RetryPolicy(max_retries=3, delay=300, backoff=dg.Backoff.EXPONENTIAL),
)
def pmc_articles(
    context: dg.AssetExecutionContext,
    config: LookConfig,
    warehouse: WarehouseResource,
    files: FileStore,
    settings: Settings,
) -> Iterator[dg.MaterializeResult[None]]:
    """Looks at PubMed Central: what is new since the last look, and which known articles have changed.

    Articles are found by E-utilities and fetched from the Cloud Service, with their MD5 verified. A listing
    that fails is a failed run, never "no new papers".
    """
    try:
        what = look_of(settings.pmc, everything=config.everything, ids=config.ids)
        with reporting(context), PmcClient(settings.pmc) as client:
            looked = look(what, warehouse, files, client)
    except (PmcError, TooManyWithdrawnError) as error:
        # What will not pass by itself is not tried again.
        passing = isinstance(error, PmcError) and error.passing
        raise dg.Failure(str(error), allow_retries=passing) from error
    yield look_result(looked)


def look_result(looked: Looked) -> dg.MaterializeResult[None]:
    """A look as Dagster records it, with its check."""
    key = dg.AssetKey(TABLES["corpus.pmc_articles"].asset_key)
    return dg.MaterializeResult(
        asset_key=key,
        metadata=look_metadata(looked),
        check_results=[
            dg.AssetCheckResult(
                check_name="articles_could_be_had",
                asset_key=key,
                passed=not looked.failed,
                severity=dg.AssetCheckSeverity.WARN,
                metadata={
                    "failed": looked.failed,
                    "examples": dg.MetadataValue.md("\n".join(f"- {one}" for one in looked.failures[:10])),
                },
            )
        ],
    )


@dg.multi_asset(
    specs=[
        spec_of(
            TABLES["corpus.input_files"],
            TAKING_IN,
            "Takes in the new files of a folder and what was found in PubMed Central, and makes the paper "
            "batches: partitions are not added by hand.",
        )
    ]
)
def input_files(
    context: dg.AssetExecutionContext,
    config: IngestConfig,
    warehouse: WarehouseResource,
    files: FileStore,
    settings: Settings,
) -> dg.MaterializeResult[None]:
    """Takes in the new files of a folder and what was found in PubMed Central, and puts them into batches.

    New batches are registered as partitions. A new version of a known paper goes into the batch of the old
    one; what was withdrawn is retired. Everything downstream follows by automation, where that is turned on.
    """
    folder = Path(config.folder) if config.folder else None
    ingested = ingest(
        folder,
        warehouse,
        files,
        settings.corpus.papers_per_batch,
        licence=stated_licence(config.licence),
        most_bytes=settings.corpus.document_bytes,
    )
    context.instance.add_dynamic_partitions(str(PAPER_BATCHES.name), ingested.batches)
    return dg.MaterializeResult(
        asset_key=TABLES["corpus.input_files"].asset_key,
        metadata=ingest_metadata(ingested),
        # What is due is recorded by batch: new files make no earlier batch stale.
        data_version=dg.DataVersion(UNVERSIONED),
    )


def look_metadata(looked: Looked) -> dict[str, int | float | str]:
    """What the web UI shows of a look."""
    return {name.replace("_", " "): value for name, value in looked.row.items() if value is not None}


def ingest_metadata(ingested: Ingested) -> dict[str, int | str]:
    """What the web UI shows of an ingest."""
    return {
        "dagster/row_count": ingested.files,
        "new files": ingested.new_files,
        "already known": ingested.known_files,
        **(_document_metadata(ingested.documents) if ingested.documents else {}),
        "new batches": ", ".join(ingested.new_batches) or "none",
        "changed batches": ", ".join(ingested.changed_batches) or "none",
        "files and folders that could not be read": len(ingested.unreadable),
    }


def _document_metadata(documents: DocumentRows) -> dict[str, int | str]:
    return {
        "new documents": documents.new,
        "documents already known": documents.known,
        "documents with the id of another": documents.duplicates,
        "lines that are no documents": documents.no_documents,
    }


corrections = spec_of(
    TABLES[CORRECTIONS],
    Step((CORRECTIONS,), reads=("corpus.input_files",)),
    "From outside: `aimsciqa corpus correct FILE.csv` brings them. They count before what is read in a file.",
)


@step_asset(Step(writes=PARSED, reads=("corpus.input_files", CORRECTIONS), code="2"))
def parsed_papers(run: StepRun) -> Frames:
    """Reads the files: JATS by lxml, PDF by pymupdf, and lines that hold documents. What is no paper becomes
    a rejected file.

    One reading makes all these tables: they are materialized together. What an ingest has read just now is
    not read again.
    """
    files = run.read_part("corpus.input_files")
    corrections = run.read_part(CORRECTIONS)
    kept = KeptPapers.of_batch(Home(run.home), run.part)
    with progress(f"{run.part}  reading papers", files.height) as advance:
        return parse_batch(
            files.iter_rows(named=True),
            run.files.get,
            advance,
            kept.get,
            corrections.iter_rows(named=True),
        )


cited_papers = spec_of(
    TABLES[CITED_PAPERS],
    Step((CITED_PAPERS,), reads=("corpus.input_files",)),
    "From outside: `aimsciqa ingest --included-in PMCID` and `--cited-by PMCID` bring them.",
)
citation_edges = sql_asset("corpus.citation_edges")
pmc_ids = spec_of(
    TABLES[PMC_IDS],
    Step((PMC_IDS,)),
    "From outside: `aimsciqa ids PMC-ids.csv.gz` loads it. It counts where `selection.scope` is `pmc`.",
)
source_papers = sql_asset(
    "corpus.source_papers",
    across=(PMC_IDS,),
    across_if=lambda settings: settings.selection.scope == "pmc",
)
admitted_papers = sql_asset("corpus.admitted_papers")
releasable_papers = sql_asset("corpus.releasable_papers")
