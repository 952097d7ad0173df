"""The candidates of each query in the forms that BEIR and MTEB read: clusters, and papers that are excluded.

MTEB's loader takes a list of candidates for each query from the config `top_ranked`. BEIR has no such list:
its rerankers take a run, and its loader reads excluded papers as it reads qrels.
"""

from collections.abc import Iterator
from typing import Final

from aimsciqa.release import SPLITS, Query, Release
from aimsciqa.runs import run_lines
from aimsciqa_assets.release import forms, layout
from aimsciqa_assets.release.files import ReleaseFiles
from aimsciqa_assets.release.layout import Row

_MOST_IDS: Final = 10_000_000
"""How many ids the lists of all candidates of a split may have. With more, they are left out: `full` is then
what the excluded papers say."""
_IDS_OF_A_GROUP: Final = 200_000


def write_candidates(release: Release, files: ReleaseFiles) -> None:
    """Write all of these forms of a release whose other files of BEIR are written."""
    for path in beir_paths():
        lines = files.lines(path, beir_head(path))
        for line in beir_lines(release, path):
            lines.write(line)
    for config, split in mteb_parts():
        table = files.table(
            config, split, rows_of_a_group=max(1, _IDS_OF_A_GROUP // (len(release.papers) + 1))
        )
        for row in mteb_rows(release, config, split):
            table.write(row)


def beir_paths() -> list[str]:
    """The files of BEIR that this module knows, besides those of the items."""
    return [path for split in SPLITS for path in (layout.beir_top_ranked(split), layout.beir_excluded(split))]


def beir_head(path: str) -> str:
    """What one of these files opens with."""
    return f"{forms.QRELS_HEADER}\n" if path in map(layout.beir_excluded, SPLITS) else ""


def beir_lines(release: Release, path: str) -> Iterator[str]:
    """The lines of one of these files, without what it opens with."""
    for split in SPLITS:
        for query in _of_split(release, split):
            if path == layout.beir_top_ranked(split):
                yield from run_lines(query.item_id, release.candidates(query, "cluster"), "candidates")
            elif path == layout.beir_excluded(split):
                yield from (f"{query.item_id}\t{paper}\t1" for paper in query.in_hand)


def mteb_parts() -> list[tuple[str, str]]:
    """The configs of MTEB with their splits."""
    return [(config, split) for config, (_, paths) in layout.CANDIDATES.items() for split in paths]


def mteb_rows(release: Release, config: str, split: str) -> Iterator[Row]:
    """The rows of a config of MTEB."""
    if config == "corpus":
        for paper in release.papers.values():
            yield {"_id": paper.paper_id, "title": paper.title, "text": paper.abstract}
    elif config == "queries":
        for query in release.queries.values():
            yield {"_id": query.item_id, "text": query.text}
    elif config == "qrels":
        for query in _of_split(release, split):
            for paper_id in query.gold:
                yield {"query-id": query.item_id, "corpus-id": paper_id, "score": 1}
    elif config == "top_ranked":
        for query in _of_split(release, split):
            if query.cluster:
                yield _candidates(release, query, "cluster")
    elif len(list(_of_split(release, split))) * len(release.papers) <= _MOST_IDS:
        for query in _of_split(release, split):
            yield _candidates(release, query, "full")


def _candidates(release: Release, query: Query, setting: str) -> Row:
    listed = release.candidates(query, "cluster" if setting == "cluster" else "full")
    return {"query-id": query.item_id, "corpus-ids": listed}


def _of_split(release: Release, split: str) -> Iterator[Query]:
    return (query for query in release.queries.values() if query.split == split)
