"""Reads and writes TREC run files: `query Q0 document rank score name` in each line."""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from sys import intern

from aimsciqa.evaluation import EvaluationError, some_of
from aimsciqa.files import NotUtf8Error, json_of, number_of, read_lines, read_text, text_of

_FIELDS = 6


def read_run(path: Path) -> Mapping[str, Sequence[str]]:
    """The ranked papers of each query: by score, then by the rank that the file states, then by id.

    A file with the ending `.json` holds an object of scores by document by query, as `ranx` writes it.
    Raises `EvaluationError` for a line that is none of a run, and for a document that a query has twice.
    """
    try:
        if path.suffix == ".json":
            return _of_json(read_text(path), path)
        ranked = _columns(read_lines(path), path)
    except (OSError, NotUtf8Error) as error:
        raise EvaluationError(f"{path} cannot be read: {error}") from None
    found = {query: columns.best_first() for query, columns in ranked.items()}
    doubled = [
        f"{paper} of {query}"
        for query, papers in found.items()
        if len(set(papers)) < len(papers)
        for paper, times in Counter(papers).items()
        if times > 1
    ]
    if doubled:
        raise EvaluationError(f"{path} ranks {len(doubled):,} documents twice: {some_of(doubled)}.")
    return found


@dataclass(frozen=True, slots=True)
class _Columns:
    """The documents of a query with scores and ranks, in columns: a run may have millions of lines."""

    documents: list[str] = field(default_factory=list)
    scores: "array[float]" = field(default_factory=lambda: array("d"))
    ranks: "array[int]" = field(default_factory=lambda: array("q"))

    def best_first(self) -> list[str]:
        rows = zip(self.scores, self.ranks, self.documents, strict=True)
        return [document for _, _, document in sorted((-score, rank, name) for score, rank, name in rows)]


def _columns(lines: Iterable[tuple[int, bytes]], path: Path) -> dict[str, _Columns]:
    found: dict[str, _Columns] = {}
    for number, line in lines:
        query, document, rank, score = _fields(line, path, number)
        columns = found.setdefault(query, _Columns())
        columns.documents.append(intern(document))  # one object for each id, however often it is named
        columns.scores.append(score)
        columns.ranks.append(rank)
    return found


def run_lines(query: str, papers: Iterable[str], name: str) -> Iterable[str]:
    """A ranking as lines of a TREC run.

    The scores are reciprocal ranks, so that every tool reads the same order: tools break ties differently.
    """
    for rank, paper in enumerate(papers, start=1):
        yield f"{query} Q0 {paper} {rank} {1 / rank:.6f} {name}"


def _fields(line: bytes, path: Path, number: int) -> tuple[str, str, int, float]:
    try:
        fields = text_of(line).split()
        if len(fields) != _FIELDS:
            raise ValueError
        query, _, document, rank, score, _ = fields
        return query, document, int(rank), number_of(score)
    except NotUtf8Error as error:
        raise EvaluationError(f"{path}, line {number:,}: {error}.") from None
    except ValueError:
        raise EvaluationError(
            f"{path}, line {number:,}: this is no line of a TREC run, which is `query Q0 document rank score "
            f"name`: {line.decode()[:80]}"
        ) from None


def _of_json(text: str, path: Path) -> Mapping[str, Sequence[str]]:
    try:
        run = {
            query: {paper: number_of(score) for paper, score in scores.items()}
            for query, scores in json_of(text).items()
        }
    except ValueError as error:
        raise EvaluationError(f"{path} is no run: {error}.") from None
    except (TypeError, AttributeError):
        raise EvaluationError(
            f"{path} is no run: a JSON file holds an object of scores by document id, by query id."
        ) from None
    return {query: sorted(scores, key=lambda paper: (-scores[paper], paper)) for query, scores in run.items()}
