"""Writes a release: every row is read once from the export and written, so that memory does not grow.

The same rows give the same bytes: nothing in a release tells when or where it was written.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Final

from aimsciqa_resources.warehouse import Warehouse

from aimsciqa.release import (
    BEIR_CORPUS,
    BEIR_QUERIES,
    COMPUTATIONS,
    PROVENANCE,
    SPLITS,
    STATED_FACTS,
    WITHOUT_TEXT,
    Release,
    beir_qrels,
    load,
)
from aimsciqa_assets.platform.folders import files_in, in_place_of, sha256_of
from aimsciqa_assets.release import forms as rows_as
from aimsciqa_assets.release import layout
from aimsciqa_assets.release.baselines import write_baselines
from aimsciqa_assets.release.candidates import write_candidates
from aimsciqa_assets.release.card import card
from aimsciqa_assets.release.croissant import croissant
from aimsciqa_assets.release.exporting import Export
from aimsciqa_assets.release.files import LineFile, ReleaseFiles
from aimsciqa_assets.release.layout import Counts, Row
from aimsciqa_assets.release.provenance import manifest_text, provenance
from aimsciqa_assets.settings import Settings

_WHERE_THERE_ARE_ANY: Final = {
    "without_text": WITHOUT_TEXT,
    "stated_facts": STATED_FACTS,
    "computations": COMPUTATIONS,
}
"""Files of JSON lines by the query that gives their rows; a release has no empty one."""


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A file of a release; `rows` is None for one without rows."""

    path: str
    rows: int | None
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts that are made while the rows are written."""

    items: Counter[tuple[str, str]] = field(default_factory=Counter)
    words: dict[tuple[str, str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    pools: Counter[tuple[str, int]] = field(default_factory=Counter)
    licences: Counter[str] = field(default_factory=Counter)
    licence_urls: set[str] = field(default_factory=set)

    def add_item(self, item: Row) -> None:
        """Count an item, its words and the papers of its cluster."""
        part = (item["variant"], item["split"])
        self.items[part] += 1
        self.pools[item["variant"], len(item["pool"])] += 1
        self.words[part].update({name: len(text.split()) for name, text in _texts(item).items()})

    def add_paper(self, paper: Row) -> None:
        """Count a paper whose text is in the release."""
        if paper["has_text"]:
            self.licences[paper["licence"] or "unknown"] += 1
            self.licence_urls.update({paper["licence_url"]} - {""})

    @property
    def lengths(self) -> list[Row]:
        """Table 3 of the paper, over the release: average words by variant and split."""
        names = dict.fromkeys(name for words in self.words.values() for name in words)
        return [
            {"variant": variant, "split": split, "items": items}
            | {
                name: self.words[variant, split][name] / items if name in self.words[variant, split] else None
                for name in names
            }
            for (variant, split), items in sorted(self.items.items())
        ]


def _texts(item: Row) -> dict[str, str]:
    """The texts of an item whose average length is reported: all questions, then the answers.

    The answer to the first step is left out: it only leads to the later steps.
    """
    steps = {step["name"].replace("_", "-"): step for step in item["steps"]}
    questions = {f"{name} question": step["question"] or "" for name, step in steps.items()}
    answers = {f"{name} answer": step["answer"] or "" for name, step in list(steps.items())[1:]}
    return {**questions, "merged question": item["question"], **answers, "merged answer": item["answer"]}


def write_release(warehouse: Warehouse, settings: Settings, folder: Path) -> list[WrittenFile]:
    """Write the release of a warehouse into `folder`, in place of what is there; returns its files.

    Raises `ReleaseError` when tables do not fit together; then the old files stay.
    """
    name = settings.release.name
    with in_place_of(folder) as (fresh, scratch):
        export = Export.of(warehouse, scratch)
        forms = export.forms()
        tally = Tally()
        with ReleaseFiles(fresh, name, layout.configs(forms)) as files:
            without_text = {row["paper_id"] for row in export.rows("papers") if not row["has_text"]}
            named = _write_items(export, files, tally, without_text, forms)
            _write_single_hop(export, files)
            _write_papers(export, files, tally, named)
            paragraphs = files.table("paragraphs", "corpus")
            for paragraph in export.rows("paragraphs"):
                paragraphs.write(paragraph)
            if settings.necessity.twins_released:
                _write_lines(export.rows("twins"), files.lines(layout.UNANSWERABLE))
            for name, path in _WHERE_THERE_ARE_ANY.items():
                if next(export.rows(name), None):
                    _write_lines(export.rows(name), files.lines(path))
        with ReleaseFiles(fresh, name, layout.configs(forms)) as of_retrieval:
            write_candidates(Release(fresh, {}), of_retrieval)
        written = files.rows | of_retrieval.rows
        sizes = {path: (fresh / path).stat().st_size for path in files_in(fresh)}
        rows, bytes_of = (_by_config(by_path, forms) for by_path in (written, sizes))
        manifest = provenance(settings, export, rows, bytes_of, tally.licences)
        _write_text(fresh / PROVENANCE, manifest_text(manifest))
        release = load(fresh)
        figures = write_baselines(release, export)
        body = card(
            manifest,
            export,
            lengths=tally.lengths,
            pools=tally.pools,
            figures=figures,
            record=next(release.rows(), None),
        )
        _write_text(fresh / layout.CARD, body)
        hashes = {path: sha256_of(fresh / path) for path in files_in(fresh)}
        _write_text(fresh / layout.CROISSANT, croissant(manifest, hashes, sorted(tally.licence_urls)))
        hashes[layout.CROISSANT] = sha256_of(fresh / layout.CROISSANT)
        _write_text(fresh / layout.CHECKSUMS, "".join(f"{hashes[path]}  {path}\n" for path in sorted(hashes)))
        hashes[layout.CHECKSUMS] = sha256_of(fresh / layout.CHECKSUMS)
        return [
            WrittenFile(path, written.get(path), (fresh / path).stat().st_size, hashes[path])
            for path in sorted(hashes)
        ]


def is_as_written(folder: Path, files: Mapping[str, str]) -> bool:
    """Whether a folder holds these files and no others, given as SHA-256 by path."""
    return (
        folder.is_dir()
        and files_in(folder) == sorted(files)
        and all(sha256_of(folder / path) == expected for path, expected in files.items())
    )


def _write_items(
    export: Export, files: ReleaseFiles, tally: Tally, without_text: set[str], forms: Sequence[str]
) -> set[str]:
    """The items in all their forms; a file for each form and split, even where it has no item.

    Returns the papers `without_text` that are in the pool of an item.
    """
    named: set[str] = set()
    queries = files.lines(BEIR_QUERIES)
    parts = [(form, split) for form in forms for split in SPLITS]
    tables = {part: files.table(*part) for part in parts}
    lines = {part: files.lines(layout.json_lines(*part)) for part in parts}
    squads = {part: files.squad(*part) for part in parts}
    qrels = {split: files.lines(beir_qrels(split), head=f"{rows_as.QRELS_HEADER}\n") for split in SPLITS}
    shapes = {form: layout.published(form) for form in forms}
    for item, texts in export.items():
        part = item["form"], item["split"]
        row = shapes[item["form"]].row(item)
        tables[part].write(row)
        lines[part].write(rows_as.json_line(row))
        squads[part].write(rows_as.squad_item(item, texts))
        asked = rows_as.qrels(item)
        for line in asked:
            qrels[item["split"]].write(line)
        if asked:
            queries.write(rows_as.json_line(rows_as.beir_query(item)))
        tally.add_item(item)
        named |= without_text.intersection(item["pool"])
    return named


def _write_single_hop(export: Export, files: ReleaseFiles) -> None:
    tables = {split: files.table("single_hop", split) for split in SPLITS}
    squads = {split: files.squad("single_hop", split) for split in SPLITS}
    for _, of_paragraph in groupby(export.rows("single_hop"), key=itemgetter("paragraph_id")):
        pairs = list(of_paragraph)
        for pair in pairs:
            tables[pair["split"]].write(pair)
        for split in SPLITS:
            if in_split := [pair for pair in pairs if pair["split"] == split]:
                squads[split].write(rows_as.squad_paragraph(in_split))


def _write_papers(export: Export, files: ReleaseFiles, tally: Tally, named: set[str]) -> None:
    """The papers with text, and those without that are `named`."""
    table = files.table("papers", "corpus")
    documents = files.lines(BEIR_CORPUS)
    attribution = files.csv(layout.ATTRIBUTION, rows_as.ATTRIBUTION_HEADER)
    for paper in export.rows("papers"):
        if not (paper["has_text"] or paper["paper_id"] in named):
            continue
        table.write(paper)
        documents.write(rows_as.json_line(rows_as.beir_document(paper)))
        if paper["has_text"]:
            attribution.write(rows_as.attribution(paper))
        tally.add_paper(paper)


def _write_lines(rows: Iterable[Row], lines: LineFile) -> None:
    for row in rows:
        lines.write(rows_as.json_line(row))


def _by_config(by_path: Mapping[str, int], forms: Iterable[str]) -> Counts:
    return {
        config: {split: by_path[path] for split, path in paths.items()}
        for config, (_, paths) in layout.configs(forms).items()
    }


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
