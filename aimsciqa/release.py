"""A release folder as Python objects: items, papers, queries with their candidates.

Only text files are read (JSON lines, TSV), so that no library is needed. Parts are read when they are first
asked for.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from heapq import merge
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from aimsciqa.evaluation import EvaluationError
from aimsciqa.files import json_of, read_lines, read_text, text_of
from aimsciqa.measures.facts import Fact, Sources

if TYPE_CHECKING:
    from aimsciqa.answering import Answers
    from aimsciqa.evaluation import Evaluation
    from aimsciqa.retrieving import Ranking, Retriever, Run

FORMAT: Final = "2"
"""Goes up when the code can no longer read releases of the earlier format."""
SPLITS: Final = ("dev", "test")
PROVENANCE: Final = "PROVENANCE.json"
WITHOUT_TEXT: Final = "without_text.jsonl"
STATED_FACTS: Final = "stated_facts.jsonl"
COMPUTATIONS: Final = "computations.jsonl"
BEIR_CORPUS: Final = "beir/corpus.jsonl"
BEIR_QUERIES: Final = "beir/queries.jsonl"

Split = Literal["dev", "test"]
Setting = Literal["cluster", "full"]


class ReleaseFolderError(ValueError):
    """A folder that cannot be read as a release; the message says what to do."""


class OtherFormatError(ReleaseFolderError):
    """A release of another format than this version reads."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper of the release; `abstract` is empty where the licence allows no text (`has_text`)."""

    paper_id: str
    title: str
    abstract: str
    licence: str
    has_text: bool

    @property
    def text(self) -> str:
        """What retrievers read: title and abstract; never empty."""
        return "\n".join(filter(None, (self.title.strip(), self.abstract.strip()))) or self.paper_id


@dataclass(frozen=True, slots=True)
class Query:
    """The retrieval question of an item.

    `facts` are the quotes that the item sets against each other: items that share one are not independent.
    `gold` are the papers that it asks for, `in_hand` those that the reader has already, which are never
    candidates, and `cluster` the candidates of the setting `cluster`; none if the item has no cluster.
    """

    item_id: str
    text: str
    variant: str
    split: str
    gold: tuple[str, ...]
    in_hand: tuple[str, ...]
    cluster: tuple[str, ...]
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """An item: what is asked, the right answer, its retrieval `query` if it has one, and its whole `row`."""

    item_id: str
    variant: str
    split: str
    question: str
    answer: str
    query: Query | None
    row: Mapping[str, Any]


def load(folder: str | Path) -> "Release":
    """The release in a folder. Raises `ReleaseFolderError`."""
    path = Path(folder)
    if not path.is_dir():
        raise ReleaseFolderError(f"There is no folder {path.absolute()}.")
    try:
        manifest = json_of(read_text(path / PROVENANCE))
        written = manifest["format"]
    except (OSError, ValueError, KeyError, TypeError):
        raise ReleaseFolderError(
            f"{path.absolute()} is no release: its {PROVENANCE} is missing or cannot be read. Give the "
            "folder that holds README.md, data/ and beir/."
        ) from None
    if written != FORMAT:
        raise OtherFormatError(
            f"{path.absolute()} has format {written}, and this version of aimsciqa reads format {FORMAT}. "
            "`aimsciqa run` writes a release of your own anew; for another one, install the version that "
            f"made it ({_version(manifest)})."
        )
    return Release(path, manifest)


def beir_qrels(split: str) -> str:
    """Which paper answers which query."""
    return f"beir/qrels/{split}.tsv"


class Release:
    """A release: its parts, and evaluation on them. `load` makes one."""

    def __init__(self, folder: Path, manifest: Mapping[str, Any]) -> None:
        self.folder = folder
        self.manifest = manifest

    @property
    def name(self) -> str:
        """The name under which it was published."""
        return str(self.manifest["name"])

    @cached_property
    def items(self) -> list[Item]:
        """All items by id, those of dev first."""
        return [
            Item(
                row["item_id"],
                row["variant"],
                row["split"],
                row["question"],
                row["answer"],
                self.queries.get(row["item_id"]),
                row,
            )
            for row in self.rows()
        ]

    @cached_property
    def without_text(self) -> list[dict[str, Any]]:
        """Items that a release may only name: `item_id`, `variant`, `split`, the `reason`, and `texts`,
        `documents` and `quotes` with their ids, offsets and licences; question and answer are not there.
        """
        return self._lines_if_there(WITHOUT_TEXT)

    @cached_property
    def stated_facts(self) -> dict[str, list[dict[str, Any]]]:
        """Return the facts that answers state, with value, unit and quote, by item id; f1 comes first.

        Items of systems that give no facts are not there.
        """
        return self._by_item(STATED_FACTS)

    @cached_property
    def computations(self) -> dict[str, list[dict[str, Any]]]:
        """Return what answers compute from their facts, by item id: expression, result, unit, query."""
        return self._by_item(COMPUTATIONS)

    @cached_property
    def sources(self) -> dict[str, Sources]:
        """Return what answers can take their numbers from, by id of the items with facts."""
        with _told(self.folder / STATED_FACTS):
            return {
                row["item_id"]: Sources(
                    row["question"],
                    [
                        Fact(fact["value_text"], fact["unit"], fact["evidence"])
                        for fact in self.stated_facts[row["item_id"]]
                    ],
                    [
                        f"{part['result']} {part['unit']}"
                        for part in self.computations.get(row["item_id"], [])
                    ],
                )
                for row in self.rows()
                if row["item_id"] in self.stated_facts
            }

    @cached_property
    def papers(self) -> dict[str, Paper]:
        """The papers by id, in the order of their ids."""
        with _told(self.folder / BEIR_CORPUS) as path:
            papers = [
                Paper(
                    row["_id"],
                    row["title"],
                    row["text"],
                    row["metadata"]["licence"] or "",
                    row["metadata"]["has_text"],
                )
                for row in _json_lines(path)
            ]
        return {paper.paper_id: paper for paper in sorted(papers, key=lambda paper: paper.paper_id)}

    @cached_property
    def documents(self) -> dict[str, str]:
        """What retrievers read: the title and abstract of each paper, by paper id."""
        return {paper.paper_id: paper.text for paper in self.papers.values()}

    @cached_property
    def queries(self) -> dict[str, Query]:
        """The retrieval questions by item id, in the order of these; an item may have none."""
        gold = self._gold()
        known = {paper: paper for paper in self.papers}  # one object for each id, however often it is named
        found = {}
        with _told(self.folder / BEIR_QUERIES) as path:
            for row in _json_lines(path):
                about = row["metadata"]
                found[row["_id"]] = Query(
                    row["_id"],
                    row["text"],
                    about["variant"],
                    about["split"],
                    gold.get(row["_id"], ()),
                    tuple(about["in_hand"]),
                    tuple(known.get(paper, paper) for paper in about["cluster"]),
                    tuple(about["facts"]),
                )
        return dict(sorted(found.items()))

    @property
    def clusters(self) -> dict[str, tuple[str, ...]]:
        """The candidates of the setting `cluster` by item id."""
        return {query.item_id: query.cluster for query in self.queries.values() if query.cluster}

    @property
    def qrels(self) -> dict[str, dict[str, int]]:
        """The gold papers by item id, as `ir_measures`, `ranx` and BEIR take them."""
        return {query.item_id: dict.fromkeys(query.gold, 1) for query in self.queries.values()}

    def candidates(self, query: Query, setting: Setting) -> list[str]:
        """The papers among which a retriever looks for the gold papers, in the order of their ids.

        `cluster`: those of the item's cluster. `full`: all papers but those in hand.
        """
        if setting == "cluster":
            return sorted(query.cluster)
        return [paper for paper in self.papers if paper not in query.in_hand]

    def paragraphs(self, paper_id: str | None = None) -> list[dict[str, Any]]:
        """The paragraphs of all papers, or of one, in reading order. Needs the package `pyarrow`."""
        try:
            import pyarrow.parquet as pq
        except ImportError:
            raise ReleaseFolderError("Paragraphs are in Parquet: install the package pyarrow.") from None
        filters = None if paper_id is None else [("paper_id", "=", paper_id)]
        table = pq.read_table(self.folder / "data" / "papers" / "paragraphs.parquet", filters=filters)
        rows: list[dict[str, Any]] = table.to_pylist()
        return rows

    def evaluate_retriever(
        self,
        retriever: "Retriever | Callable[[str, Mapping[str, str]], Ranking] | Run | str | Path",
        setting: Setting = "cluster",
        split: Split | None = None,
        variant: str | None = None,
    ) -> "Evaluation":
        """The measures of a retriever with 95 % intervals, by split and variant.

        `retriever` is one of these:

        - a function of a query and the texts of its candidates by paper id; it gives scores by paper id, or
          scores in the order of the candidates, or paper ids with the best first;
        - an object with `index(documents)` and `search(queries, candidates)` (`Retriever`);
        - a run: scores or ranked papers by item id, or the name of a TREC run file.

        A query without a ranking counts as 0. Raises `EvaluationError`.
        """
        from aimsciqa.retrieving import evaluate_retriever

        return evaluate_retriever(self, retriever, setting, split, variant)

    def evaluate_answers(
        self, answers: "Answers", split: Split | None = None, variant: str | None = None
    ) -> "Evaluation":
        """The measures of answers that need no model, with 95 % intervals, by split and variant.

        `answers` are texts by item id, or the name of a file of JSON lines with `item_id` and `answer`. An
        item without an answer counts as 0. Raises `EvaluationError`.
        """
        from aimsciqa.answering import evaluate_answers

        return evaluate_answers(self, answers, split, variant)

    def rows(self) -> Iterator[dict[str, Any]]:
        """The items as their files have them, one after the other, those of dev first."""
        for split in SPLITS:
            with _told(self.folder / "data"):
                files = sorted(self.folder.glob(f"data/*/{split}.jsonl"))
                yield from merge(*map(_json_lines, files), key=itemgetter("item_id"))

    def _by_item(self, name: str) -> dict[str, list[dict[str, Any]]]:
        found: dict[str, list[dict[str, Any]]] = {}
        for row in self._lines_if_there(name):
            found.setdefault(row["item_id"], []).append(row)
        return found

    def _lines_if_there(self, name: str) -> list[dict[str, Any]]:
        if not (self.folder / name).exists():
            return []
        with _told(self.folder / name) as path:
            return list(_json_lines(path))

    def _gold(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for split in SPLITS:
            with _told(self.folder / beir_qrels(split)) as path:
                for _, line in islice(read_lines(path), 1, None):
                    item, paper, _ = text_of(line).split("\t")
                    found[item] = (*found.get(item, ()), paper)
        return found


def chosen_by(split: str | None, variant: str | None, known: Sequence[str]) -> Callable[[str, str], bool]:
    """Whether an item of a split and variant is chosen; raises `EvaluationError` for an unknown one."""
    if split not in (None, *SPLITS):
        raise EvaluationError(f"There is no split {split!r}: choose one of {', '.join(SPLITS)}.")
    if variant not in (None, *known):
        raise EvaluationError(f"There is no variant {variant!r}: choose one of {', '.join(known)}.")
    return lambda of_item, kind: split in (None, of_item) and variant in (None, kind)


@contextmanager
def _told(path: Path) -> Iterator[Path]:
    """Turns what goes wrong with a file of the release into `ReleaseFolderError`."""
    try:
        yield path
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise ReleaseFolderError(
            f"{path} is missing or damaged ({error}): get the release again. `sha256sum --check SHA256SUMS` "
            "names all such files."
        ) from None


def _json_lines(path: Path) -> Iterator[dict[str, Any]]:
    return (json_of(line) for _, line in read_lines(path))


def _version(manifest: Mapping[str, Any]) -> str:
    return str(manifest.get("versions", {}).get("aimsciqa", "unknown"))
