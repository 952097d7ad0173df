"""AirQA on the page: scores of runs, runs compared, error labels, and trajectories to read."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from aimsciqa_assets.release.report.charts import UNIT, bar
from aimsciqa_assets.release.report.evidence import shortened
from aimsciqa_assets.release.report.exhibits import (
    BASELINE,
    Cell,
    Column,
    Exhibit,
    Group,
    Row,
    Section,
    chart_column,
    count,
    grouped,
    interval,
    plain,
    score,
    share,
)

_LABELS: Final = {
    "no_answer": "no answer was given",
    "out_of_turns": "the turns ran out",
    "unparsable_action": "an action could not be read",
    "repetition": "the same call twice or more",
    "lack_of_context": "it answered without any observation",
    "missing_paper": "a paper of the question was never touched",
}
_MOST: Final = 2000


@dataclass(frozen=True, slots=True)
class Step:
    """A turn of a trajectory; `observation` says so itself where it is withheld."""

    number: int
    thought: str
    action: str
    observation: str
    error: str
    withheld: bool


@dataclass(frozen=True, slots=True)
class Way:
    """A trajectory: how a run came to its answer, what was right, and the verdict."""

    anchor: str
    run_id: str
    baseline: bool
    question: str
    tags: str
    answer: str
    right: str
    verdict: str
    correct: bool
    labels: Sequence[str]
    steps: Sequence[Step]


def airqa(rows: Mapping[str, Sequence[Row]]) -> Section:
    """Scores of AirQA's runs; nothing at all where there is none."""
    scores = rows["airqa_scores"]
    if not scores:
        return Section("airqa", "AirQA", "", [])
    lead = (
        "Questions about whole papers, each with its own evaluator. A score is the share of correct answers."
    )
    totals = [row for row in scores if row["family"] == "total"]
    judged = sum(row["stand_in"] for row in totals)
    if judged:
        told = "1 verdict is that" if judged == 1 else f"{judged:,} verdicts are those"
        lead += f" {told} of a stand-in, which only counts shared words: no measurement."
    if refused := sum(row["refused"] for row in totals):
        lead += f" Not counted: {refused:,} answers of models of the judge’s own family."
    if without := [row["run_id"] for row in totals if row["summaries"] == 0]:
        lead += f" The paper store had no summaries to find for {', '.join(without)}."
    exhibits = [_totals(totals), _by_tag(scores), _comparisons(rows["airqa_comparisons"])]
    return Section("airqa", "AirQA", lead, [*exhibits, _labels(rows["airqa_labels"])])


def ways_of(rows: Sequence[Row]) -> list[Way]:
    """The trajectories of `report.airqa_trajectories`, those of an example beside each other."""
    return [_way(number, row) for number, row in enumerate(rows, 1)]


def _totals(rows: Sequence[Row]) -> Exhibit:
    lines: list[list[Cell]] = []
    for row in rows:
        said = f"{row['run_id']}: {score(row['score'])}"
        passes = row["pass_k"]
        lines.append(
            [
                _name(row),
                bar(row["score"], UNIT, said, row["low"], row["high"]),
                score(row["score"]),
                interval(row["low"], row["high"]),
                f"{score(passes[-1])} (k = {len(passes)})" if len(passes) > 1 else None,
                *(count(row[name]) for name in ("count", "answers", "correct", "failed", "judged")),
                *(score(row[name], 1) for name in ("turns", "tokens", "seconds")),
                score(row["cost"], 4),
            ]
        )
    return Exhibit(
        "airqa-scores",
        "Scores of the runs",
        "With 95 % intervals: Wilson’s, or by bootstrap over groups of examples about the same paper, where "
        "there are such, or each was answered several times. pass^k is how likely k answers to an example "
        "are all correct. Answers that were not given count as wrong. Turns, tokens, seconds and cost are "
        "those of an answer on average.",
        [
            Column("Run"),
            chart_column("share correct", UNIT),
            Column("Score", "number"),
            Column("95 %", "number"),
            Column("pass^k", "number"),
            *(Column(name, "number") for name in ("Examples", "Answers", "Correct", "Not given", "Judged")),
            *(Column(name, "number") for name in ("Turns", "Tokens", "Seconds")),
            Column("Cost", "number", none="unknown"),
        ],
        plain(lines),
        "No run has answered examples yet.",
    )


def _by_tag(rows: Sequence[Row]) -> Exhibit:
    groups = []
    for (family, tag), of_tag in grouped(rows, "family", "tag"):
        if family == "total":
            continue
        lines: list[list[Cell]] = []
        for row in of_tag:
            said = f"{row['run_id']}, {tag}: {score(row['score'])}"
            drawn = bar(row["score"], UNIT, said, row["low"], row["high"])
            numbers = [count(row[name]) for name in ("count", "correct")]
            ends = interval(row["low"], row["high"])
            lines.append([_name(row), drawn, score(row["score"]), ends, *numbers])
        groups.append(Group(f"{family}: {tag}", lines))
    return Exhibit(
        "airqa-tags",
        "Scores by tag",
        "An example may have several elements, and counts for each.",
        [
            Column("Run"),
            chart_column("share correct", UNIT),
            *(Column(name, "number") for name in ("Score", "95 %", "Examples", "Correct")),
        ],
        groups,
        "No example has a tag.",
        folded=True,
    )


def _comparisons(rows: Sequence[Row]) -> Exhibit:
    groups = []
    for (tag,), of_tag in grouped(rows, "tag"):
        lines: list[list[Cell]] = [
            [
                f"{row['run_id']} − {row['other']}",
                score(row["difference"]),
                interval(row["low"], row["high"]),
                score(row["p_value"]),
                score(row["p_adjusted"]),
                *(count(row[name]) for name in ("examples", "better", "worse")),
            ]
            for row in of_tag
        ]
        groups.append(Group("all examples" if tag == "total" else tag, lines))
    return Exhibit(
        "airqa-comparisons",
        "Runs in pairs",
        "Differences on the examples that both runs answered, with 95 % bootstrap intervals and a paired "
        "randomisation test, by Holm over the pairs. Better and worse count examples.",
        [
            Column("Runs"),
            *(
                Column(name, "number")
                for name in ("Difference", "95 %", "p", "p adjusted", "Examples", "Better", "Worse")
            ),
        ],
        groups,
        "There is only one run.",
        folded=True,
    )


def _labels(rows: Sequence[Row]) -> Exhibit:
    groups = [
        Group(
            run_id,
            [
                [
                    _LABELS.get(row["label"], row["label"]),
                    count(row["rows"]),
                    count(row["wrong"]),
                    share(row["wrong"], row["all_wrong"]),
                ]
                for row in of_run
            ],
        )
        for (run_id,), of_run in grouped(rows, "run_id")
    ]
    return Exhibit(
        "airqa-labels",
        "What rules tell of the answers",
        "An answer may have several of these, also a correct one. Overconfidence and wrong reasoning take a "
        "reader: no rule tells them.",
        [
            Column("What was seen"),
            *(Column(name, "number") for name in ("Answers", "Wrong ones", "Of all wrong")),
        ],
        groups,
        "Nothing was seen in any answer.",
    )


def _name(row: Row) -> Cell:
    name = str(row["run_id"])
    return name + BASELINE if row["model"] == "scripted" else name


def _way(number: int, row: Row) -> Way:
    return Way(
        anchor=f"airqa-{number}",
        run_id=row["run_id"],
        baseline=row["model"] == "scripted",
        question=shortened(row["question"], _MOST),
        tags=", ".join(row["tags"]),
        answer=_answer(row),
        right=shortened(_right(row["evaluator"]), _MOST),
        verdict=_verdict(row),
        correct=row["score"] == 1,
        labels=[_LABELS.get(label, label) for label in row["labels"]],
        steps=[_step(turn) for turn in row["turns"]],
    )


def _answer(row: Row) -> str:
    if row["answer"] is None and row["status"] == "out_of_turns":
        return "withheld: the turns ran out, and the last observation stands in"
    if row["answer"] is None:
        return f"none: {row['reason'] or 'no reason is known'}"
    given = json.loads(row["answer"])
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    late = " (the last observation: the turns ran out)" if row["status"] == "out_of_turns" else ""
    return shortened(text, _MOST) + late


def _right(evaluator: str) -> str:
    """What the evaluator was told of the right answer: all but the question."""
    known = json.loads(evaluator)
    told = {name: value for name, value in known["eval_kwargs"].items() if name != "question"}
    return f"{known['eval_func']} {json.dumps(told, ensure_ascii=False)}"


def _verdict(row: Row) -> str:
    if row["no_verdict"] == "same_family":
        return "not scored: the judge is of the model’s own family"
    if row["score"] is None:
        return "not scored yet"
    said = "correct" if row["score"] else "wrong"
    if row["no_verdict"]:
        return f"{said}: {row['no_verdict'].replace('_', ' ')}"
    return f"{said}, says {row['judge']}" if row["judge"] else said


def _step(turn: Mapping[str, Any]) -> Step:
    action = f"{turn['action']} {turn['arguments']}" if turn["action"] else turn["reply"] or ""
    picture = "\n(with a picture)" if turn["has_image"] else ""
    return Step(
        number=turn["turn"],
        thought=shortened(turn["thought"] or "", _MOST),
        action=shortened(action, _MOST),
        observation=shortened(turn["observation"] or "", _MOST) + picture,
        error=(turn["error"] or "").replace("_", " "),
        withheld=turn["withheld"],
    )
