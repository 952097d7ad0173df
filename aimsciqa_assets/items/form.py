"""What a system says about its items: their kinds, what people rate, and in what shape they are published."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    # Only a release needs it, and loading it takes time.
    from aimsciqa_assets.items.published import Published

Row = Mapping[str, Any]

Shown = Literal["paragraphs", "segments", "facts", "documents"]
"""What a judge is shown of each document of an item, beside its title."""
PLAIN_SETTINGS: Final = ("oracle", "alone", "closed_book")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of items: its `name` in the column `variant`, a `title` for people, and how it is answered.

    The settings of the answering benchmark are `oracle` (all documents of the item), `alone` (each document
    by itself, where there are several), `closed_book` (none), `realistic` (the documents in hand, and those
    that a retriever finds in place of the gold ones), `citation` (the document in hand, and the one that a
    citation marker chosen by the model leads to), `title_abstract` (those of all documents), and, of the
    documents in hand, `passages` (those that a retriever finds) and `segments` (the whole text, in segments
    where it is too long for the model). Every kind has `oracle`.

    `shown` is what judges are shown unless the settings say otherwise. `compares` says that the kind sets a
    fact of one document beside a fact of another: judges then have a rule of their own for multi-hop.
    `long_answers` says that the right answers are whole sentences, written by people: answers are then also
    measured by ROUGE-1, -2 and -L, and rated in four aspects where the settings name judges for that.
    `tables` says that models are shown tables and captions of papers as well, because quotes may stand there.
    `is_earlier_version` says that the items stand beside those of another kind, to be compared with them: the
    two are no duplicates.
    """

    name: str
    title: str
    settings: tuple[str, ...] = PLAIN_SETTINGS
    shown: Shown = "paragraphs"
    compares: bool = False
    long_answers: bool = False
    tables: bool = False
    is_earlier_version: bool = False


@dataclass(frozen=True, slots=True)
class Criterion:
    """A criterion: its `name`, what the rater decides, and what each score means, the lowest first."""

    name: str
    decides: str
    scores: Mapping[float, str]

    @property
    def allowed(self) -> str:
        """The scores in words: `0, 0.5 or 1`."""
        *first, last = map(written, self.scores)
        return f"{', '.join(first)} or {last}"

    def read(self, text: str) -> float | None:
        """The score that somebody wrote, `0.5` or `0,5`; None when it is none of the scale."""
        try:
            score = float(text.strip().replace(",", "."))
        except ValueError:
            return None
        return score if score in self.scores else None


def written(score: float) -> str:
    """A score as it is written: `1`, `0.5`."""
    return f"{score:g}"


LIKERT: Final = {1.0: "very poor", 2.0: "poor", 3.0: "fair", 4.0: "good", 5.0: "very good"}


@dataclass(frozen=True, slots=True)
class SheetForm:
    """What people rate on a sheet: what the raters are told `about` it, and the `criteria`.

    `first` are the columns that a rater looks at, ratings among them; none: question, answer, then papers and
    evidence, then the ratings.
    """

    about: str
    criteria: tuple[Criterion, ...]
    first: tuple[str, ...] = ()


PLAIN_SHEET: Final = SheetForm(
    "Each row is a question with its answer, the documents that it was made from, and the quotes that are to "
    "carry the answer.",
    (
        Criterion("fluency", "Is the question correct English, as a person would write it?", LIKERT),
        Criterion("completeness", "Do the documents hold everything that the answer says?", LIKERT),
        Criterion(
            "document_necessity",
            "Are all documents needed? Very poor: one of them alone gives the answer.",
            LIKERT,
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class ItemForm:
    """The items of a system. `name` is that of the folder `dbt_like_sql/items/<name>/` with its SELECTs.

    A release and an audit call the items by this name, too. `sheet` is what people rate. `published` gives
    the shape in which a release holds the items, where it is not the general one. `evaluate` marks a
    prediction by the item's `evaluator`, 0 to 1, where judges do not. `about` is what the card of a release
    says of the items, beside their columns.
    """

    name: str
    kinds: tuple[Kind, ...]
    sheet: SheetForm = PLAIN_SHEET
    published: "Callable[[], Published] | None" = None
    evaluate: Callable[[str, str], float] | None = None
    about: str = ""
    folder: Path | None = field(default=None, compare=False)
    """Where the SELECTs are, if they are not in `dbt_like_sql/items/<name>/`."""


def gold_papers(documents: Sequence[Row]) -> list[str]:
    """The papers that are to be retrieved, of the documents of an item."""
    return [document["paper_id"] for document in documents if document["gold"]]


def papers_in_hand(documents: Sequence[Row]) -> list[str]:
    """The papers that the reader has from the start: they are never retrieved."""
    return [document["paper_id"] for document in documents if document["in_hand"]]


def alone(documents: Sequence[Row]) -> dict[str, str]:
    """The papers that are read by themselves, by role: each of several documents; of one, none."""
    return {document["role"]: document["paper_id"] for document in documents} if len(documents) > 1 else {}


def alone_setting(role: str) -> str:
    """The setting in which the document of a role is read by itself."""
    return f"{role}_only"
