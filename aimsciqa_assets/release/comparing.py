"""Checks that the other forms of a release have the rows of its Parquet files, in the same order."""

import csv
import heapq
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from aimsciqa_resources.spreadsheets import as_it_was

from aimsciqa.release import BEIR_CORPUS, BEIR_QUERIES, SPLITS, Release, ReleaseFolderError, beir_qrels
from aimsciqa_assets.release import candidates, forms, layout
from aimsciqa_assets.release.exporting import Following, rows_of
from aimsciqa_assets.release.layout import Row, configs

_LONGEST_EXAMPLE = 120


def differing_forms(folder: Path, name: str, texts: Path, items: Sequence[str]) -> Iterator[str]:
    """A line for each file that differs, with the first row that differs.

    The folder `texts` has the paragraphs of items and pairs, as the queries of `verify/texts/` give them;
    `items` are the forms of items in the release.
    """
    yield from _items(folder, name, texts, items)
    yield from _single_hop(folder, name, texts)
    yield from _papers(folder)
    yield from _candidates(folder)


def _items(folder: Path, name: str, texts: Path, items: Sequence[str]) -> Iterator[str]:
    queries = _Compared(folder, BEIR_QUERIES, _json_lines)
    for split in SPLITS:
        parts = [_Part(folder, form, split, name, texts) for form in items]
        qrels = _Compared(folder, beir_qrels(split), _lines)
        qrels.expect(forms.QRELS_HEADER)
        # One file holds the items of all forms, in the order of their ids.
        for item in heapq.merge(*(part.items() for part in parts), key=itemgetter("item_id")):
            asked = forms.qrels(item)
            for line in asked:
                qrels.expect(line)
            if asked:
                queries.expect(forms.beir_query(item))
        for compared in (*(file for part in parts for file in part.files), qrels):
            yield from compared.problems()
    yield from queries.problems()


class _Part:
    """The items of a form and split, and the comparison of the two files that hold only these."""

    def __init__(self, folder: Path, form: str, split: str, name: str, texts: Path) -> None:
        self._published = layout.published(form)
        self._parquet = folder / layout.configs([form])[form][1][split]
        self._following = Following(_rows_of_all(texts, f"of_items-{form}-{split}"))
        self._lines = _Compared(folder, layout.json_lines(form, split), _json_lines)
        self._squad = _Compared(folder, layout.squad(form, split), _squad_entries(name))
        self.files = (self._lines, self._squad)

    def items(self) -> Iterator[Row]:
        """The items in the general shape."""
        for row in rows_of(self._parquet):
            item = self._published.item(row)
            self._lines.expect(row)
            paragraphs = self._following.take(item["item_id"])
            self._squad.expect(_squad_item(item, {one["paragraph_id"]: one["text"] for one in paragraphs}))
            yield item


def _single_hop(folder: Path, name: str, texts: Path) -> Iterator[str]:
    files = {
        split: _Compared(folder, layout.squad("single_hop", split), _squad_entries(name)) for split in SPLITS
    }
    by_paragraph = groupby(_rows_of_all(texts, "of_pairs"), key=itemgetter("split", "paragraph_id"))
    for (split, _), of_paragraph in by_paragraph:
        if split in files:
            files[split].expect(forms.squad_paragraph(list(of_paragraph)))
    for compared in files.values():
        yield from compared.problems()


def _papers(folder: Path) -> Iterator[str]:
    documents = _Compared(folder, BEIR_CORPUS, _json_lines)
    attribution = _Compared(folder, layout.ATTRIBUTION, _csv_rows)
    attribution.expect(forms.ATTRIBUTION_HEADER)
    for paper in rows_of(folder / configs([])["papers"][1]["corpus"]):
        documents.expect(forms.beir_document(paper))
        if paper["has_text"]:
            attribution.expect(forms.attribution(paper))
    yield from documents.problems()
    yield from attribution.problems()


def _candidates(folder: Path) -> Iterator[str]:
    """The forms that follow from the files of BEIR."""
    release = Release(folder, {})
    try:
        release.queries  # noqa: B018 read here, so that nothing below can fail
    except ReleaseFolderError as error:
        yield f"the candidates cannot be compared: {error}"
        return
    held = layout.CANDIDATES
    expected: list[tuple[_Compared, Iterable[object]]] = [
        (_Compared(folder, path, _lines), candidates.beir_lines(release, path))
        for path in candidates.beir_paths()
    ]
    expected += [
        (_Compared(folder, held[config][1][split], rows_of), candidates.mteb_rows(release, config, split))
        for config, split in candidates.mteb_parts()
    ]
    for compared, rows in expected:
        if compared.path in map(layout.beir_excluded, SPLITS):
            compared.expect(forms.QRELS_HEADER)
        for row in rows:
            compared.expect(row)
        yield from compared.problems()


def _rows_of_all(folder: Path, name: str) -> Iterator[Row]:
    for file in sorted(folder.glob(f"{name}-*.parquet")):
        yield from rows_of(file)


def _squad_item(item: Row, texts: dict[str, str]) -> Row | None:
    try:
        return forms.squad_item(item, texts)
    except KeyError:
        return None  # a paragraph is missing, or items are not in order; None differs from any entry


class _Compared:
    """A file compared with the rows that it should have."""

    def __init__(self, folder: Path, path: str, read: Callable[[Path], Iterator[Any]]) -> None:
        self.path = path
        self._found = _read_until_broken(folder / path, read)
        self._row = 0
        self._problem = ""

    def expect(self, row: object) -> None:
        """Compare the next row of the file with this one."""
        if self._problem:
            return
        self._row += 1
        found = next(self._found, None)
        if found is None or found != row:
            shown = "nothing" if found is None else json.dumps(found, ensure_ascii=False)[:_LONGEST_EXAMPLE]
            self._problem = f"{self.path} differs from the Parquet files, first in row {self._row:,}: {shown}"

    def problems(self) -> Iterator[str]:
        """What is wrong with the file, once all rows were compared."""
        if not self._problem and next(self._found, None) is not None:
            self._problem = f"{self.path} goes on after row {self._row:,}, the last of the Parquet files"
        if self._problem:
            yield self._problem


def _read_until_broken(path: Path, read: Callable[[Path], Iterator[Any]]) -> Iterator[Any]:
    """The rows of a file. If it cannot be read, the last one is the error as text."""
    try:
        yield from read(path)
    except (OSError, ValueError, csv.Error) as error:
        yield f"cannot be read: {error}"


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            yield line.removesuffix("\n")


def _json_lines(path: Path) -> Iterator[Any]:
    return (json.loads(line) for line in _lines(path))


def _csv_rows(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from ([*map(as_it_was, row)] for row in csv.reader(file))


def _squad_entries(name: str) -> Callable[[Path], Iterator[Any]]:
    """Reads a SQuAD file of a release entry by entry; each entry has its own line."""

    def read(path: Path) -> Iterator[Any]:
        lines = _lines(path)
        if next(lines, "") != forms.squad_head(name):
            raise ValueError("it is not a SQuAD file of this release")
        closed, more = False, True
        for line in lines:
            if line == forms.SQUAD_END:
                closed = True
                break
            if not more:
                raise ValueError("no comma between two entries")
            more = line.endswith(",")
            yield _with_exact_spans(json.loads(line.removesuffix(",")))
        if not closed or next(lines, None) is not None:
            raise ValueError("it does not end where it should")

    return read


def _with_exact_spans(entry: Row) -> Row:
    for paragraph in entry["paragraphs"]:
        context = paragraph["context"]
        for question in paragraph["qas"]:
            spans = [(span["text"], span["start"]) for span in question["evidence"]]
            spans += [(answer["text"], answer["answer_start"]) for answer in question["answers"]]
            for text, start in spans:
                if start != -1 and context[start : start + len(text)] != text:
                    raise ValueError(f"a span of {question['id']} is not in its context: {text}")
    return entry
