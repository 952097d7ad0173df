"""The baselines of a release: published runs and answers, and the figures that follow from them.

`baselines/index.json` names the files, `baselines/scores.jsonl` has the figures with all their digits. The
dataset card shows the same figures. Whoever holds the folder can compute them again: `figures`.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final, cast

from aimsciqa.answering import evaluate_answers
from aimsciqa.evaluation import Evaluation
from aimsciqa.files import json_of, json_text, read_lines, read_text
from aimsciqa.release import Release, ReleaseFolderError, Setting
from aimsciqa.retrieving import evaluate_retriever

INDEX: Final = "baselines/index.json"
SCORES: Final = "baselines/scores.jsonl"
RETRIEVAL: Final = "retrieval"
ANSWERING: Final = "answering"


@dataclass(frozen=True, slots=True)
class Baseline:
    """A published run or file of answers: its `task`, who made it, in which setting, and its path."""

    task: str
    system: str
    setting: str
    path: str

    def evaluated(self, release: Release) -> Evaluation:
        """Its evaluation on the items that it has; a baseline may be for a sample or one split."""
        path = release.folder / self.path
        if self.task == RETRIEVAL:
            setting = cast("Setting", self.setting)
            return evaluate_retriever(release, path, setting, only_given=True)
        return evaluate_answers(release, path, only_given=True)


def baselines_of(release: Release) -> list[Baseline]:
    """The baselines that a release names. Raises `ReleaseFolderError`."""
    try:
        rows = json_of(read_text(release.folder / INDEX))
        return [Baseline(**row) for row in rows]
    except (OSError, ValueError, TypeError):
        raise ReleaseFolderError(f"{release.folder / INDEX} is missing or cannot be read.") from None


def index_text(baselines: list[Baseline]) -> str:
    """`baselines/index.json`."""
    return json_text([asdict(baseline) for baseline in baselines], indent=1) + "\n"


def figures(release: Release) -> Iterator[dict[str, Any]]:
    """The figures of all baselines, computed from their files: rows of `baselines/scores.jsonl`."""
    for baseline in baselines_of(release):
        for score in baseline.evaluated(release).scores:
            yield {
                "task": baseline.task,
                "system": baseline.system,
                "setting": baseline.setting,
                **asdict(score),
            }


def published_figures(release: Release) -> list[dict[str, Any]]:
    """The figures that a release states. Raises `ReleaseFolderError`."""
    try:
        return [json_of(line) for _, line in read_lines(release.folder / SCORES)]
    except (OSError, ValueError):
        raise ReleaseFolderError(f"{release.folder / SCORES} is missing or cannot be read.") from None
