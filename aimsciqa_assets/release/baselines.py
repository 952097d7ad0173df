"""Writes the baselines of a release: runs of retrievers and answers of models, with the figures of both.

BM25 ranks the texts that are in the release, so that anyone can make the same run. The runs of other
retrievers are those of the benchmark, over the whole corpus, without papers that are not in the release.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from statistics import fmean
from typing import Final

from aimsciqa.answering import ACCURACY, FACT_PRECISION, FACT_RECALL
from aimsciqa.baselines import ANSWERING, INDEX, RETRIEVAL, SCORES, Baseline, figures, index_text
from aimsciqa.release import Release, Setting, Split
from aimsciqa.retrieving import SETTINGS, baseline_run
from aimsciqa.runs import run_lines
from aimsciqa_assets.release.exporting import Export
from aimsciqa_assets.release.forms import json_line
from aimsciqa_assets.release.layout import Row
from aimsciqa_assets.release.provenance import public

BM25: Final = "bm25"
_MOST_SCORES: Final = 5_000_000_000
"""With more pairs of query and paper, a release has no run of BM25 over all papers: it would take an hour."""
_MOST_QUERIES: Final = 10_000
"""With more queries, BM25 ranks for those of test only: memory would grow with all."""
_BY_WORDS: Final = ("exact_match", "token_f1", "rouge_l")
_OTHER: Final = ("bert_score", "found_target")
_UNFIT: Final = re.compile(r"[^\w.+-]+")


def write_baselines(release: Release, export: Export) -> list[Row]:
    """Write the files of `baselines/` into the folder of a release; returns the figures."""
    names = _Names()
    baselines = [*_bm25(release, names), *_runs(release, export, names), *_answers(release, export, names)]
    _write(release.folder / INDEX, [index_text(baselines).removesuffix("\n")])
    rows = list(figures(release))
    _write(release.folder / SCORES, map(json_line, rows))
    return rows


class _Names:
    """Paths of files named after systems whose names may hold any character."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def path(self, folder: str, system: str, setting: str, ending: str) -> str:
        """A path that no other system has."""
        name = _UNFIT.sub("_", system)
        path, number = f"baselines/{folder}/{name}.{setting}.{ending}", 1
        while path.casefold() in self._taken:
            number += 1
            path = f"baselines/{folder}/{name}-{number}.{setting}.{ending}"
        self._taken.add(path.casefold())
        return path


def _bm25(release: Release, names: _Names) -> Iterator[Baseline]:
    split: Split | None = "test" if len(release.queries) > _MOST_QUERIES else None
    queries = sum(split in (None, query.split) for query in release.queries.values())
    for setting in SETTINGS:
        too_many = setting == "full" and queries * len(release.papers) > _MOST_SCORES
        run = {} if too_many else baseline_run(release, setting, split)
        if run:
            yield _run_file(release, names, BM25, setting, run.items())


def _runs(release: Release, export: Export, names: _Names) -> Iterator[Baseline]:
    """The runs of the benchmark, with the candidates that the release has."""
    for (system, setting), rows in groupby(export.rows("runs"), key=itemgetter("retriever", "setting")):
        rankings = ((row["item_id"], _candidates_of(release, setting, row)) for row in rows)
        yield _run_file(release, names, public(system), setting, rankings)


def _candidates_of(release: Release, setting: Setting, row: Row) -> list[str]:
    query = release.queries[row["item_id"]]
    allowed = set(query.cluster) if setting == "cluster" else release.papers.keys() - {*query.in_hand}
    return [paper for paper in row["papers"] if paper in allowed]


def _run_file(
    release: Release, names: _Names, system: str, setting: str, rankings: Iterable[tuple[str, list[str]]]
) -> Baseline:
    path = names.path("runs", system, setting, "trec")
    lines = (line for item, papers in rankings for line in run_lines(item, papers, system))
    _write(release.folder / path, lines)
    return Baseline(RETRIEVAL, system, setting, path)


def _answers(release: Release, export: Export, names: _Names) -> Iterator[Baseline]:
    for (system, setting), rows in groupby(export.rows("answers"), key=itemgetter("answerer", "setting")):
        path = names.path("answers", public(system), setting, "jsonl")
        _write(release.folder / path, (json_line(_answer(row)) for row in rows))
        yield Baseline(ANSWERING, public(system), setting, path)


def _answer(row: Row) -> Row:
    """An answer as its file has it: its text, and the measures that cannot be taken from this text."""
    scores = {name: row[name] for name in _OTHER if row[name] is not None} | _by_judges(row["judgements"])
    scores |= {f"fact_recall ({public(found['judge'])})": found["recall"] for found in row["recalls"]}
    if row["withheld"]:
        scores |= {name: row[name] or 0.0 for name in _BY_WORDS}
        if row[FACT_PRECISION] is not None:
            scores[FACT_PRECISION] = row[FACT_PRECISION]
        return {"item_id": row["item_id"], "answer": None, "withheld": True, "scores": scores}
    scores = {name: score for name, score in scores.items() if name not in (ACCURACY, FACT_RECALL)}
    return {"item_id": row["item_id"], "answer": row["prediction"], "scores": scores}


def _by_judges(judgements: Sequence[Row]) -> dict[str, float]:
    """The accuracy by each judge, and the mean of the models if several judged."""
    found = {f"accuracy ({public(judged['judge'])})": judged["score"] for judged in judgements}
    models = [judged["score"] for judged in judgements if judged["kind"] == "model"]
    return found | ({"accuracy (mean of judges)": fmean(models)} if len(models) > 1 else {})


def _write(path: Path, lines: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)
