"""Results in the files of AirQA's authors: answers, trajectories, and the table of scores as text."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from aimsciqa_resources.warehouse import Warehouse

from aimsciqa.files import json_text
from aimsciqa_assets.airqa.examples.example import TAG_FAMILIES, Example
from aimsciqa_assets.airqa.results.inspect_log import InspectLog
from aimsciqa_assets.airqa.results.trajectories import Trajectory, runs_in, trajectories
from aimsciqa_assets.airqa.tally import TOTAL, Scored, TagScore, tag_scores

ANSWERS: Final = "result.jsonl"
TRAJECTORIES: Final = "trajectories"
EVALUATION: Final = "evaluation.txt"
INSPECT: Final = "inspect.json"


def write_runs(warehouse: Warehouse, folder: Path, created: str) -> Iterator[Path]:
    """Write a folder for each repetition of each run; yields their paths. `created` is ISO 8601, UTC."""
    for run in runs_in(warehouse):
        place = folder / quote(run["run_id"], safe="") / str(run["repeat"])
        place.mkdir(parents=True)
        write_run(run, trajectories(warehouse, run), place, created)
        yield place


def write_run(run: dict[str, Any], found: Iterable[Trajectory], place: Path, created: str) -> None:
    """Write the files of one repetition of a run into an empty folder."""
    (place / TRAJECTORIES).mkdir()
    scored: list[Scored] = []
    with ExitStack() as stack:
        answers = stack.enter_context(_new(place / ANSWERS))
        log = stack.enter_context(InspectLog(place / INSPECT, run, created))
        for one in found:
            uuid = one.answer["example_id"]
            answers.write(_line({"uuid": uuid, "answer": one.given}))
            # A uuid is whatever a file of examples says: it must not lead out of the folder.
            with _new(place / TRAJECTORIES / f"{quote(uuid, safe='')}.jsonl") as file:
                file.writelines(map(_line, one.messages))
            log.add(one)
            if one.example is not None and one.answer["score"] is not None:
                scored.append(Scored(_tags_alone(one.example), None, one.answer["score"]))
        rows = tag_scores(scored)
        log.end(rows[-1])
    with _new(place / EVALUATION) as file:
        file.write(table_of(rows))


def table_of(rows: Sequence[TagScore]) -> str:
    """Scores by family and tag as a text: total, correct, score in percent; the average of each family."""
    lines = [("family", "tag", "total", "correct", "score")]
    for family in TAG_FAMILIES:
        of_family = [row for row in rows if row.family == family]
        lines += [
            (family, row.tag, str(row.count), str(row.correct), _percent(row.score)) for row in of_family
        ]
        if of_family:
            shares = [row.score for row in of_family if row.score is not None]
            lines.append((family, "average", "", "", _percent(sum(shares) / len(shares))))
    (total,) = (row for row in rows if row.family == TOTAL)
    lines.append((TOTAL, "", str(total.count), str(total.correct), _percent(total.score)))
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "".join(_padded(line, widths) + "\n" for line in lines)


def _padded(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Names to the left, numbers to the right."""
    padded = [
        cell.ljust(width) if place < 2 else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "  ".join(padded).rstrip()


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.2f}"


def _tags_alone(example: Example) -> Example:
    """The example without what the table does not need, which may be long."""
    evaluator = example.evaluator.model_copy(update={"eval_kwargs": {}})
    return example.model_copy(update={"question": "", "evaluator": evaluator})


def _line(value: dict[str, Any]) -> str:
    return json_text(value) + "\n"


def _new(path: Path) -> Any:
    return path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n")
