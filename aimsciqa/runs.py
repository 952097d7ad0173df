"""Reads and writes TREC run files: `query Q0 document rank score name` in each line."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from aimsciqa.evaluation import EvaluationError, some_of

_FIELDS = 6


def read_run(path: Path) -> Mapping[str, Sequence[str]]:
    """The ranked papers of each query: by score, then by the rank that the file states, then by id.

    A file with the ending `.json` holds an object of scores by document by query, as `ranx` writes it.
    Raises `EvaluationError` for a line that is none of a run, and for a document that a query has twice.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise EvaluationError(f"{path} cannot be read: {error}") from None
    if path.suffix == ".json":
        return _of_json(text, path)
    found: dict[str, dict[str, tuple[float, int]]] = {}
    doubled = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        query, document, rank, score = _fields(line, path, number)
        ranked = found.setdefault(query, {})
        if document in ranked:
            doubled.append(f"{document} of {query} in line {number:,}")
        ranked[document] = (-score, rank)
    if doubled:
        raise EvaluationError(f"{path} ranks {len(doubled):,} documents twice: {some_of(doubled)}.")
    return {
        query: sorted(ranked, key=lambda paper: (*ranked[paper], paper)) for query, ranked in found.items()
    }


def run_lines(query: str, papers: Iterable[str], name: str) -> Iterable[str]:
    """A ranking as lines of a TREC run.

    The scores are reciprocal ranks, so that every tool reads the same order: tools break ties differently.
    """
    for rank, paper in enumerate(papers, start=1):
        yield f"{query} Q0 {paper} {rank} {1 / rank:.6f} {name}"


def _fields(line: str, path: Path, number: int) -> tuple[str, str, int, float]:
    fields = line.split()
    try:
        if len(fields) != _FIELDS:
            raise ValueError
        query, _, document, rank, score, _ = fields
        if math.isnan(float(score)):
            raise ValueError
        return query, document, int(rank), float(score)
    except ValueError:
        raise EvaluationError(
            f"{path}, line {number:,}: this is no line of a TREC run, which is `query Q0 document rank score "
            f"name`: {line[:80]}"
        ) from None


def _of_json(text: str, path: Path) -> Mapping[str, Sequence[str]]:
    try:
        run = {
            str(query): {str(paper): float(score) for paper, score in scores.items()}
            for query, scores in json.loads(text).items()
        }
    except (ValueError, TypeError, AttributeError):
        raise EvaluationError(
            f"{path} is no run: a JSON file holds an object of scores by document id, by query id."
        ) from None
    return {query: sorted(scores, key=lambda paper: (-scores[paper], paper)) for query, scores in run.items()}
