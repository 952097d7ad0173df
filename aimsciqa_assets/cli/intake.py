"""What `aimsciqa ingest` is told: options over the settings, and files of ids."""

from pathlib import Path

from aimsciqa_resources.pmc.settings import PmcSettings
from aimsciqa_resources.warehouse import Warehouse
from pydantic import ValidationError

from aimsciqa.files import NotUtf8Error, read_lines, text_of
from aimsciqa_assets.corpus.intake.folder import NothingToIngestError
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.reading.identifiers import normalise_doi, normalise_pmcid
from aimsciqa_assets.settings import SettingsError

_OPTIONS = {"query": "--pmc", "years": "--years", "licences": "--licence", "limit": "--limit"}


def with_options(settings: PmcSettings, **options: str | int | None) -> PmcSettings:
    """The settings with those options that were given. Raises `SettingsError`."""
    given = {name: value for name, value in options.items() if value is not None}
    try:
        return PmcSettings(**settings.model_dump() | given)
    except ValidationError as error:
        first = error.errors()[0]
        option = _OPTIONS[str(first["loc"][0])]
        raise SettingsError(f"{option}: {first['msg'].removeprefix('Value error, ')}") from None


def ids_in(file: Path, warehouse: Warehouse) -> list[str]:
    """The PMCIDs of a file with one id per line; PMIDs and DOIs are looked up in `corpus.pmc_ids`.

    Raises `NothingToIngestError`, with the lines that name no article.
    """
    if not file.is_file():
        raise NothingToIngestError(f"There is no file {file.absolute()}.")
    lines = [_line(line, f"{file}, line {number:,}") for number, line in read_lines(file)]
    asked = list(dict.fromkeys(line for line in lines if not line.startswith("#")))
    found = {line: normalise_pmcid(line) for line in asked if line.upper().startswith("PMC")}
    others = [line for line in asked if found.get(line) is None]
    if others:
        found |= _looked_up(others, warehouse)
    unknown = [line for line in asked if found.get(line) is None]
    if not asked:
        raise NothingToIngestError(f"{file} names no article.")
    if unknown:
        raise NothingToIngestError(
            f"{len(unknown):,} of {len(asked):,} lines of {file} lead to no article of PubMed Central: "
            f"{', '.join(unknown[:5])}. PMIDs (digits) and DOIs are looked up in NLM's map of ids: load the "
            "newest one with `aimsciqa ids PMC-ids.csv.gz`, or give PMCIDs (PMC13901)."
        )
    return sorted(pmcid for pmcid in found.values() if pmcid)


def _line(line: bytes, place: str) -> str:
    try:
        return text_of(line).strip()
    except NotUtf8Error as error:
        raise NothingToIngestError(f"{place}: {error}. Save the file as UTF-8.") from None


def _looked_up(lines: list[str], warehouse: Warehouse) -> dict[str, str | None]:
    """The PMCIDs of PMIDs and DOIs, as far as they are known."""
    create_tables(warehouse)
    rows = warehouse.read(
        "select * from corpus.pmc_ids where list_contains($ids, pmid) or list_contains($ids, doi)",
        {"ids": [normalise_doi(line) or line for line in lines]},
    )
    by_id = {row[name]: row["pmcid"] for row in rows.to_dicts() for name in ("doi", "pmid") if row[name]}
    return {line: by_id.get(normalise_doi(line) or line) for line in lines}
