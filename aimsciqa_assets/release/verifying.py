"""Checks a release from its files alone, in bounded memory.

First it checks checksums and schemas, then the rows of the Parquet files by SQL
(`dbt_like_sql/analyses/verify/`), then that every other form of the rows has the same content.
"""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from aimsciqa_resources.warehouse import BoundedTables, QueryError, tables_of_files

from aimsciqa.baselines import SCORES, figures, published_figures
from aimsciqa.evaluation import EvaluationError
from aimsciqa.files import json_of, read_lines, read_text, text_of
from aimsciqa.release import (
    COMPUTATIONS,
    FORMAT,
    PROVENANCE,
    SPLITS,
    STATED_FACTS,
    OtherFormatError,
    Release,
    ReleaseFolderError,
    load,
)
from aimsciqa_assets.items import FORMS
from aimsciqa_assets.platform.folders import files_in, sha256_of
from aimsciqa_assets.platform.queries import Query, form_query, queries_in, query_of
from aimsciqa_assets.release import layout
from aimsciqa_assets.release.card import front_matter, tables_of
from aimsciqa_assets.release.comparing import differing_forms
from aimsciqa_assets.release.exporting import slices_from
from aimsciqa_assets.release.layout import Config, Row, configs, forms_in
from aimsciqa_assets.release.places import problems_of_places
from aimsciqa_assets.release.provenance import Manifest
from aimsciqa_assets.release.stated_facts import StatedFacts
from aimsciqa_assets.settings import Settings, SettingsError

_EXAMPLES = 3
_SAME = 1e-9
_SCHEMAS = {"papers": "corpus", "paragraphs": "corpus"}
_GENERAL = """
select
    item_id, variant, split, filename, question, answer, query,
    list_transform(documents, lambda document: {{
        'role': document.role,
        'paper_id': document.paper_id,
        'title': document.title,
        'licence': document.licence,
        'in_hand': document.in_hand,
        'gold': document.gold,
        'quotes': list_transform(document.quotes, lambda quote: {{
            'evidence': quote.evidence,
            'paragraph_id': quote.paragraph_id,
            'evidence_start': quote.evidence_start,
            'evidence_end': quote.evidence_end
        }})
    }}) as documents,
    pool, gates,
    []::struct(paper_id varchar, paragraph_id varchar, quote varchar, begins integer, ends integer)[]
        as other_quotes
from {form}
"""
_LONGEST_EXAMPLE = 120
_ITEMS_OF_A_SLICE = 10_000
_PARAGRAPHS_OF_A_SLICE = 10_000


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is wrong with a release, a line for each kind of problem; and what it holds."""

    problems: tuple[str, ...]
    manifest: Manifest


class NoReleaseError(ValueError):
    """A folder that holds no release; the message says what to give instead."""


def verify(folder: Path) -> Verdict:
    """Check a release folder. Raises `NoReleaseError` when it is none."""
    if not folder.is_dir():
        raise NoReleaseError(f"There is no folder {folder.absolute()}: `aimsciqa run` writes a release.")
    # Checked before any file is listed, because the folder may be the root of a disk.
    if not any((folder / name).is_file() for name in (PROVENANCE, layout.CHECKSUMS)):
        raise NoReleaseError(
            f"{folder.absolute()} is no release: it has neither {PROVENANCE} nor {layout.CHECKSUMS}. "
            "Give the folder that `aimsciqa run` wrote, releases/NAME in AIMSCIQA_HOME."
        )
    problems = list(_checksums(folder))
    manifest = _manifest(folder)
    if manifest is None:
        return Verdict((*problems, _of_another_format(folder)), {})
    held = configs(forms_in(manifest["rows"]))
    unreadable = list(_schemas(folder, held))
    problems += unreadable
    if not unreadable:
        problems += _numbers(folder, manifest, held)
        with tempfile.TemporaryDirectory(prefix="aimsciqa-verify-") as scratch:
            problems += _rows(folder, manifest, Path(scratch))
            problems += _baselines(folder, manifest)
        problems += problems_of_places(folder, manifest)
    problems += _descriptions(folder, manifest)
    return Verdict(tuple(problems), manifest)


def _checksums(folder: Path) -> Iterator[str]:
    """Files that are missing, not listed, or changed."""
    # A clone of a repository has hidden files besides those of the release.
    present = [path for path in files_in(folder) if not path.startswith(".") and path != layout.CHECKSUMS]
    listed = dict[str, str]()
    with suppress(FileNotFoundError):
        for _, line in read_lines(folder / layout.CHECKSUMS):
            checksum, _, path = text_of(line).partition("  ")
            listed[path] = checksum
    kinds = {
        "listed in SHA256SUMS, but missing": sorted(listed.keys() - set(present)),
        "not listed in SHA256SUMS": sorted(set(present) - listed.keys()),
        "checksum differs from SHA256SUMS": [
            path for path in present if path in listed and sha256_of(folder / path) != listed[path]
        ],
    }
    for kind, paths in kinds.items():
        if paths:
            yield _problem(kind, len(paths), paths)


def _manifest(folder: Path) -> Manifest | None:
    """`PROVENANCE.json`; None if it is missing, or of a format that this version does not know."""
    try:
        manifest = json_of(read_text(folder / PROVENANCE))
        held = configs(forms_in(manifest["rows"]))
        known = manifest["format"] == FORMAT and all(
            manifest[part][config].keys() == paths.keys()
            for part in ("rows", "bytes")
            for config, (_, paths) in held.items()
        )
        _settings(manifest)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, SettingsError):
        return None
    return manifest if known else None


def _of_another_format(folder: Path) -> str:
    """What is wrong with a manifest that this version does not know."""
    try:
        load(folder)
    except OtherFormatError as error:
        return str(error)
    except ReleaseFolderError:
        pass  # which format it has cannot be told
    return f"{PROVENANCE} is missing, or of another format"


def _settings(manifest: Manifest) -> Settings:
    stated = {section: manifest["settings"][section] for section in ("release", "multi_hop")}
    return Settings.preset_of("default", {}, stated)


def _schemas(folder: Path, held: Mapping[str, Config]) -> Iterator[str]:
    """Parquet files that are missing, broken, or have other columns than they should."""
    for schema, paths in held.values():
        for path in paths.values():
            try:
                found = pq.read_schema(folder / path)
            except (OSError, pa.ArrowException) as error:
                yield f"{path} cannot be read: {str(error).splitlines()[0]}"
                continue
            if not found.equals(schema):
                names = dict.fromkeys([*schema.names, *found.names])
                other = [name for name in names if not _same_column(found, schema, name)]
                yield _problem(f"{path} has other columns", len(other), other)


def _same_column(found: pa.Schema, schema: pa.Schema, name: str) -> bool:
    indices = found.get_all_field_indices(name), schema.get_all_field_indices(name)
    return all(len(some) == 1 for some in indices) and found.field(name).equals(schema.field(name))


def _numbers(folder: Path, manifest: Manifest, held: Mapping[str, Config]) -> Iterator[str]:
    for config, (_, paths) in held.items():
        for split, path in paths.items():
            rows, told = pq.read_metadata(folder / path).num_rows, manifest["rows"][config][split]
            if rows != told:
                yield f"{path} has {rows:,} rows, {PROVENANCE} says {told:,}"


def _rows(folder: Path, manifest: Manifest, scratch: Path) -> Iterator[str]:
    """Problems of the rows, then of the other forms."""
    forms = forms_in(manifest["rows"])
    files = {
        ".".join(filter(None, (_SCHEMAS.get(config), config))): [folder / path for path in paths.values()]
        for config, (_, paths) in layout.tables(forms).items()
    }
    settings = _settings(manifest)
    try:
        facts = StatedFacts.of(folder)
    except (OSError, ValueError) as error:
        yield f"{STATED_FACTS} or {COMPUTATIONS} cannot be read: {str(error).splitlines()[0]}"
        return
    facts.write_table(scratch / "stated_facts.parquet")
    files["stated_facts"] = [scratch / "stated_facts.parquet"]
    try:
        with tables_of_files(files, _views(settings, forms), scratch) as tables:
            for name, query in _checks(forms):
                count, examples = tables.first(query.text, query.parameters(settings), _EXAMPLES)
                if count:
                    shown = [" · ".join(str(value) for value in row) for row in examples]
                    yield _problem(f"{name.replace('_', ' ')}: this rule is broken", count, shown)
            _export_texts(folder, tables, scratch, forms)
            yield from facts.problems(Release(folder, manifest), tables)
    except (QueryError, ReleaseFolderError) as error:
        yield f"The rows cannot be read: {str(error).splitlines()[0]}"
        return
    yield from differing_forms(folder, manifest["name"], scratch, forms)


def _checks(forms: Sequence[str]) -> Iterator[tuple[str, Query]]:
    """The rules, as queries for the rows that break them; a form may have its own rule for its items."""
    yield from queries_in("verify").items()
    for name in forms:
        if claims := form_query(FORMS[name], "claims"):
            yield f"items_are_what_they_claim ({name})", claims


def _export_texts(folder: Path, tables: BoundedTables, scratch: Path, forms: Sequence[str]) -> None:
    """Export the paragraphs of items and pairs, in the order of these, for the comparison with SQuAD."""
    of_items, of_pairs = query_of("verify.texts.of_items").text, query_of("verify.texts.of_pairs").text
    held = configs(forms)
    for form, split in product(forms, SPLITS):
        firsts = _every(folder / held[form][1][split], "item_id", _ITEMS_OF_A_SLICE)
        for number, bounds in enumerate(slices_from(firsts)):
            parquet = scratch / f"of_items-{form}-{split}-{number:06}.parquet"
            tables.export(of_items, bounds | {"form": form, "split": split}, parquet)
    papers = _every(folder / held["paragraphs"][1]["corpus"], "paper_id", _PARAGRAPHS_OF_A_SLICE)
    for number, bounds in enumerate(slices_from(list(dict.fromkeys(papers)))):
        tables.export(of_pairs, bounds, scratch / f"of_pairs-{number:06}.parquet")


def _every(parquet: Path, column: str, rows: int) -> list[str]:
    """Every `rows`-th value of a column."""
    with pq.ParquetFile(parquet) as file:
        return [batch.column(0)[0].as_py() for batch in file.iter_batches(rows, columns=[column])]


def _views(settings: Settings, forms: Sequence[str]) -> dict[str, str]:
    views = {"items": "\nunion all by name\n".join(map(_general, forms))}
    views |= {name: query_of(f"verify.views.{name}").text for name in ("documents", "evidence", "quotes")}
    # The same rule as in the warehouse; a view cannot have parameters.
    releasable = query_of("corpus.releasable_papers")
    text = releasable.text
    for parameter, value in releasable.parameters(settings).items():
        text = text.replace(f"${parameter}", str(value).lower())
    return views | {"releasable_papers": text}


def _general(form: str) -> str:
    """A SELECT of the published items of a form in the general shape."""
    released = form_query(FORMS[form], "released")
    rows = released.written if released else _GENERAL.format(form=form)
    declared = ", ".join(f"'{kind.name}'" for kind in FORMS[form].kinds)
    return f"select *, '{form}' as form, variant in ({declared}) as of_its_form from (\n{rows}\n)"


def _baselines(folder: Path, manifest: Manifest) -> Iterator[str]:
    """Where the figures that follow from the runs and answers differ from those that are stated."""
    release = Release(folder, manifest)
    try:
        rows = published_figures(release)
        stated = {_named(row): row for row in rows}
        found = {_named(row): row for row in figures(release)}
        tables = tables_of(rows)
    except (EvaluationError, ReleaseFolderError, LookupError, TypeError, ValueError) as error:
        yield f"the baselines cannot be evaluated: {error}"
        return
    other = [
        " ".join(map(str, name))
        for name in stated.keys() | found.keys()
        if not _same_figure(stated.get(name, {}), found.get(name, {}))
    ]
    if other:
        yield _problem(
            f"{SCORES} has other figures than follow from the baselines", len(other), sorted(other)
        )
    with suppress(OSError):
        card = (folder / layout.CARD).read_text(encoding="utf-8")
        missing = [table.splitlines()[0] for table in tables if table not in card]
        if missing:
            yield _problem(f"{layout.CARD} has other figures than {SCORES}", len(missing), missing)


def _named(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("task", "system", "setting", "split", "variant", "measure"))


def _same_figure(one: Row, other: Row) -> bool:
    """Whether two figures agree to nine decimals."""
    return one.keys() == other.keys() and all(
        one[name] == other[name]
        or (
            isinstance(one[name], float)
            and isinstance(other[name], float)
            and abs(one[name] - other[name]) <= _SAME
        )
        for name in ("value", "low", "high", "items", "groups")
    )


def _descriptions(folder: Path, manifest: Manifest) -> Iterator[str]:
    """Where the card and the Croissant file differ from the files."""
    with suppress(OSError):
        if not (folder / layout.CARD).read_text(encoding="utf-8").startswith(front_matter(manifest)):
            yield f"{layout.CARD} opens with other configs or numbers than {PROVENANCE} has"
    try:
        described = json_of(read_text(folder / layout.CROISSANT))
        told: Mapping[str, str] = {file["@id"]: file["sha256"] for file in described["distribution"]}
    except (OSError, ValueError, KeyError, TypeError):
        yield f"{layout.CROISSANT} cannot be read"
        return
    other = [path for path in told if not (folder / path).is_file() or sha256_of(folder / path) != told[path]]
    if other:
        yield _problem(f"checksum differs from {layout.CROISSANT}", len(other), other)


def _problem(what: str, count: int, examples: list[str]) -> str:
    """One line: what, how often, and the first of them."""
    shown = "; ".join(example.replace("\n", " ")[:_LONGEST_EXAMPLE] for example in examples[:_EXAMPLES])
    return f"{what} ({count:,}): {shown}"
