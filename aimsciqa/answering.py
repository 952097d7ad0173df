"""Evaluates answers on a release by measures that need no model.

These are the accuracy by the lexical judge (`measures/lexical.py`), exact match, token F1 and ROUGE-L, and of
items with facts fact recall and precision by rules (`measures/facts.py`).
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from aimsciqa.evaluation import Evaluation, EvaluationError, Part, check_known, scores_of, some_of
from aimsciqa.files import NotJsonError, NotUtf8Error, json_of, number_of, read_lines, read_text
from aimsciqa.measures import lexical
from aimsciqa.measures.answers import declines, exact_match, rouge_l, token_f1
from aimsciqa.measures.facts import Sources, precision, recall, stated
from aimsciqa.release import Release, Split, chosen_by

Answers = Mapping[str, str | None] | str | Path
"""Answers by item id, None where there is none; or the name of a file of them."""

ACCURACY: Final = "accuracy (lexical)"
_BY_WORDS: Final = {"exact_match": exact_match, "token_f1": token_f1, "rouge_l": rouge_l}
MEASURES: Final = (ACCURACY, *_BY_WORDS)
FACT_RECALL: Final = "fact_recall (rules)"
FACT_PRECISION: Final = "fact_precision"


@dataclass(frozen=True, slots=True)
class Given:
    """An answer, None where none was given.

    `scores` are measures that came with it, such as those of a judge. The text of a `withheld` answer is not
    published, and all its measures are among its scores.
    """

    text: str | None
    scores: Mapping[str, float] = field(default_factory=dict)
    withheld: bool = False


@dataclass(frozen=True, slots=True)
class _Asked:
    part: Part
    question: str
    answer: str
    title: str
    sources: Sources | None


def evaluate_answers(
    release: Release,
    answers: Answers,
    split: Split | None = None,
    variant: str | None = None,
    *,
    only_given: bool = False,
) -> Evaluation:
    """See `Release.evaluate_answers`. With `only_given`, items that the answers do not name are left out."""
    given = _given(answers)
    asked, notes = _asked(release, split, variant)
    items = {row["item_id"] for row in release.rows()}
    check_known(given, items, "item", release.name, "`item_id` in data/")
    if only_given:
        asked = [item for item in asked if item.part.item_id in given]
    counted = {item.part.item_id: given.get(item.part.item_id, Given(None)) for item in asked}
    values: dict[str, dict[str, float]] = {name: {} for name in MEASURES}
    for item in asked:
        for name, value in _measured(item, counted[item.part.item_id]).items():
            values.setdefault(name, {})[item.part.item_id] = value
    notes += _without_number(asked)
    notes += _notes(counted, len(given) - len(counted.keys() & given.keys()))
    scores = scores_of([item.part for item in asked], values, release)
    return Evaluation("answering", "", scores, values, tuple(notes))


def read_answers(path: Path) -> dict[str, Given]:
    """The answers of a file by item id.

    A line holds an object with `item_id` (or `id`, `_id`) and `answer` (or `prediction`), and perhaps more
    measures in `scores`. A file with the ending `.json` may hold one object of answers by item id. Raises
    `EvaluationError`.
    """
    try:
        if path.suffix == ".json":
            return _given(_object(read_text(path), path))
        rows = [_row(line, f"{path}, line {number:,}") for number, line in read_lines(path)]
    except (OSError, NotUtf8Error) as error:
        raise EvaluationError(f"{path} cannot be read: {error}") from None
    doubled = [item for item, times in Counter(item for item, _ in rows).items() if times > 1]
    if doubled:
        raise EvaluationError(f"{path} answers {len(doubled):,} items twice: {some_of(doubled)}.")
    return dict(rows)


def _given(answers: Answers) -> dict[str, Given]:
    if isinstance(answers, str | Path):
        return read_answers(Path(answers))
    if wrong := [item for item, text in answers.items() if not isinstance(text, str | None)]:
        raise EvaluationError(f"An answer is a text or null, but these are not: {some_of(wrong)}.")
    return {item: Given(text) for item, text in answers.items()}


def _object(text: str, path: Path) -> dict[str, str | None]:
    try:
        found = json_of(text)
    except NotJsonError as error:
        raise EvaluationError(f"{path} is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise EvaluationError(f"{path} must hold an object of answers by item id, or be named .jsonl.")
    return found


def _row(line: bytes, place: str) -> tuple[str, Given]:
    try:
        row = json_of(line)
        item_id = _first(row, "item_id", "id", "_id")
        if not isinstance(item_id, str):
            raise TypeError
        return item_id, _answer(row)
    except ValueError as error:
        raise EvaluationError(f"{place}: this is no answer: {error}: {_start(line)}") from None
    except (KeyError, TypeError, AttributeError):
        raise EvaluationError(
            f'{place}: this is no answer, which is {{"item_id": "...", "answer": "..."}}: {_start(line)}'
        ) from None


def _start(line: bytes) -> str:
    return line.decode("utf-8", "replace")[:80]


def _answer(row: dict[str, Any]) -> Given:
    withheld = bool(row.get("withheld", False))
    text = None if withheld else _first(row, "answer", "prediction")
    if not isinstance(text, str | None):
        raise TypeError
    return Given(text, {name: number_of(score) for name, score in row.get("scores", {}).items()}, withheld)


def _first(row: dict[str, Any], *names: str) -> Any:
    """The value of the first of these names that the row has. Raises `KeyError`."""
    for name in names[:-1]:
        if name in row:
            return row[name]
    return row[names[-1]]


def _asked(release: Release, split: str | None, variant: str | None) -> tuple[list[_Asked], list[str]]:
    """The items whose answers are measured; those with an evaluator of their own are left out."""
    is_chosen = chosen_by(split, variant, sorted({row["variant"] for row in release.rows()}))
    found, own = [], 0
    for row in release.rows():
        if not is_chosen(row["split"], row["variant"]):
            continue
        if row.get("evaluator") is not None:
            own += 1
            continue
        query = release.queries.get(row["item_id"])
        target = query.gold[0] if query and len(query.gold) == 1 else ""
        title = release.papers[target].title if target in release.papers else ""
        part = Part(row["item_id"], row["split"], row["variant"], tuple(row["facts"]))
        sources = release.sources.get(row["item_id"])
        found.append(_Asked(part, row["question"], row["answer"], title, sources))
    return found, [f"{own:,} items have an evaluator of their own and are left out"] if own else []


def _measured(item: _Asked, given: Given) -> dict[str, float]:
    if given.withheld:
        return dict(given.scores)
    if _is_none(given.text):
        return dict.fromkeys(MEASURES, 0.0) | _by_facts("", item.sources) | dict(given.scores)
    text = given.text or ""
    measured = {ACCURACY: lexical.lexical_score(item.question, item.answer, text, item.title)}
    measured |= {name: measure(item.answer, text) for name, measure in _BY_WORDS.items()}
    measured |= _by_facts(text, item.sources)
    return measured | {name: score for name, score in given.scores.items() if name not in measured}


def _by_facts(text: str, sources: Sources | None) -> dict[str, float]:
    """Fact recall and precision; neither without facts, the first only of facts with a number."""
    if sources is None:
        return {}
    values = {FACT_RECALL: recall(text, sources.facts), FACT_PRECISION: precision(text, sources)}
    return {name: value for name, value in values.items() if value is not None}


def _without_number(asked: list[_Asked]) -> list[str]:
    facts = [fact for item in asked if item.sources for fact in item.sources.facts]
    unscored = sum(stated("", fact) is None for fact in facts)
    note = f"{unscored:,} of {len(facts):,} facts have no number, and no rule scores them"
    return [note] if unscored else []


def _is_none(text: str | None) -> bool:
    return text is None or not text.strip() or declines(text)


def _notes(counted: Mapping[str, Given], others: int) -> list[str]:
    notes = []
    withheld = [item for item, given in counted.items() if given.withheld]
    missing = [item for item, given in counted.items() if not given.withheld and _is_none(given.text)]
    if missing:
        notes.append(f"{len(missing):,} items have no answer and count as 0: {some_of(missing)}")
    if withheld:
        notes.append(
            f"{len(withheld):,} answers are not published; the scores that the file has for them are taken: "
            f"{some_of(withheld)}"
        )
    if others:
        notes.append(f"{others:,} answers are for items that were not chosen and are left out")
    return notes
