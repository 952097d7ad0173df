"""Results of AirQA's runs as assets: verdicts and labels of each run, scores of all, comparisons in pairs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from aimsciqa_assets.airqa.evaluation.judged import JUDGE_TASKS
from aimsciqa_assets.airqa.evaluation.judges import LexicalJudge
from aimsciqa_assets.airqa.examples.example import Example
from aimsciqa_assets.airqa.examples.taking import EXAMPLES, example_of
from aimsciqa_assets.airqa.results.labels import ACTING, LABELS, label_rows, needed_papers
from aimsciqa_assets.airqa.results.scores import COMPARISONS, SCORES, comparison_rows, score_rows
from aimsciqa_assets.airqa.results.verdicts import (
    VERDICTS,
    Row,
    Verdict,
    by_rules,
    by_stand_in,
    judged,
    refused,
)
from aimsciqa_assets.asking.families import same_family
from aimsciqa_assets.asking.task import version_of
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.platform.steps import Step, StepRun

_RUNS = "airqa.runs"
_TURNS = "airqa.turns"
_ANSWERS = "airqa.answers"
_AT_ONCE = 25
"""Examples whose turns are held at a time: observations are long."""
_OF_ANSWER = ["run_id", "repeat", "example_id"]
_TITLES = """
select uuid, any_value(title) as title
from airqa.papers
where uuid is not null and title is not null
group by uuid
"""


@step_asset(
    Step(
        writes=(VERDICTS,),
        reads=(_ANSWERS, _RUNS, EXAMPLES),
        settings=("benchmark.same_family",),
        asks="judge",
        prompts=tuple(task.name for task in JUDGE_TASKS),
        prompt_version=version_of(*JUDGE_TASKS),
    )
)
def answer_verdicts(run: StepRun) -> Frames:
    """Scores every answer by the evaluator of its example (AirQA, section 4.2).

    Where the evaluator asks a judge, the judge model does; where that has no name, a stand-in counts words,
    and the row says so. A judge does not judge its own model family, unless benchmark.same_family lets it. An
    answer that was not given counts as wrong.
    """
    examples = {row["example_id"]: example_of(row) for row in run.read(EXAMPLES).iter_rows(named=True)}
    answers = run.read_part(_ANSWERS, columns="run_id, repeat, example_id, status, answer, reason")
    verdicts: list[Verdict] = []
    asked = []
    for row in answers.iter_rows(named=True):
        verdict = by_rules(row, examples.get(row["example_id"]))
        if verdict is None:
            asked.append(row)
        else:
            verdicts.append(verdict)
    if not run.model_settings.name:
        judge = LexicalJudge()
        verdicts += [by_stand_in(row, examples[row["example_id"]], judge) for row in asked]
    elif asked:
        verdicts += _by_model(run, asked, examples)
    return {VERDICTS: frame_of(VERDICTS, [one.row for one in verdicts]).sort("repeat", "example_id")}


def _by_model(run: StepRun, asked: Sequence[Row], examples: Mapping[str, Example]) -> list[Verdict]:
    """The verdicts of the judge model, which may be of the family of the model that answered."""
    judge = run.model.name
    answerers = run.read_part(_RUNS)["model"].unique()
    own = next((model for model in answerers if same_family(judge, model)), None)
    if own is not None and not run.settings.benchmark.same_family:
        return [refused(row, examples[row["example_id"]], judge, own) for row in asked]
    dialogues = (judged(row, examples[row["example_id"]], judge) for row in asked)
    with run.ask(VERDICTS, dialogues, len(asked), f"judged by {judge}") as given:
        return list(given)


@step_asset(Step(writes=(LABELS,), reads=(_ANSWERS, _TURNS, _RUNS, EXAMPLES, VERDICTS, "airqa.papers")))
def answer_labels(run: StepRun) -> Frames:
    """Tells of each answer what a rule can see of how it came about (AirQA, analysis of section 4.5)."""
    examples = {row["example_id"]: example_of(row) for row in run.read(EXAMPLES).iter_rows(named=True)}
    titles = dict(run.warehouse.read(_TITLES).iter_rows())
    acts = bool(ACTING & {*run.read_part(_RUNS)["baseline"]})
    correct = {
        (row["repeat"], row["example_id"]): row["score"] == 1
        for row in run.read_part(VERDICTS).iter_rows(named=True)
    }
    rows: list[dict[str, Any]] = []
    for answer, turns in _with_turns(run):
        example = examples.get(answer["example_id"])
        needed = needed_papers(example, titles) if example else []
        is_correct = correct.get((answer["repeat"], answer["example_id"]), False)
        rows += label_rows(answer, turns, needed, acts=acts, correct=is_correct)
    return {LABELS: frame_of(LABELS, rows).sort("repeat", "example_id", "label")}


@step_asset(
    Step(
        writes=(SCORES, COMPARISONS),
        reads=(VERDICTS, _ANSWERS, _TURNS, EXAMPLES),
        settings=("benchmark.resampled", "benchmark.resamples", "benchmark.seed"),
        code="2",
    )
)
def run_scores(run: StepRun) -> Frames:
    """Takes the scores of every run by tag, with 95 % intervals and pass^k, and compares runs in pairs, over
    clusters of examples about the same paper.
    """
    verdicts = run.read(VERDICTS, columns="run_id, repeat, example_id, score, judge, stand_in, reason")
    spent = run.read(
        _ANSWERS,
        columns="run_id, repeat, example_id, turns, input_tokens + output_tokens as tokens, seconds, cost",
    )
    joined = verdicts.join(spent, on=_OF_ANSWER).join(_acted(run), on=_OF_ANSWER, how="left")
    tags = dict(run.read(EXAMPLES, columns="example_id, tags").iter_rows())
    chosen = run.settings.benchmark
    clusters = _clusters(run) if chosen.resampled == "facts" else {}
    drawn: dict[str, Any] = {"clusters": clusters, "resamples": chosen.resamples, "seed": chosen.seed}
    return {
        SCORES: frame_of(SCORES, score_rows(joined, tags, **drawn)),
        COMPARISONS: frame_of(COMPARISONS, comparison_rows(joined, tags, **drawn)),
    }


def _clusters(run: StepRun) -> dict[str, str]:
    """The cluster of each example: those whose first paper is the same.

    Chains of shared papers would join nearly all examples about several papers.
    """
    clusters: dict[str, str] = {}
    for row in run.read(EXAMPLES).iter_rows(named=True):
        for paper in needed_papers(example_of(row), {})[:1]:
            clusters[row["example_id"]] = paper.uuid.lower() or paper.title.casefold()
    return clusters


def _acted(run: StepRun) -> pl.DataFrame:
    """How many actions each answer took, and how many of them were wrong.

    What is no action, and no attempt at one, is the turn of a baseline that only reads.
    """
    turns = run.read(
        _TURNS,
        columns="run_id, repeat, example_id, error is not null as wrong_actions, "
        "action is not null or error is not null as actions",
    )
    return turns.group_by(_OF_ANSWER).agg(pl.col("actions", "wrong_actions").sum())


def _with_turns(run: StepRun) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Each answer of the run with its turns, some examples at a time."""
    answers = run.read_part(_ANSWERS, columns="run_id, repeat, example_id, status, reason")
    examples = answers["example_id"].unique().sort()
    for start in range(0, len(examples), _AT_ONCE):
        some = examples[start : start + _AT_ONCE].to_list()
        turns: dict[tuple[int, str], list[dict[str, Any]]] = {}
        read = run.read(
            _TURNS,
            "run_id = $run_id and example_id in (select unnest($some))",
            "repeat, example_id, turn, action, arguments, observation, error",
            run_id=run.part,
            some=some,
        )
        for row in read.iter_rows(named=True):
            turns.setdefault((row["repeat"], row["example_id"]), []).append(row)
        of_some = answers.filter(pl.col("example_id").is_in(some))
        for row in of_some.iter_rows(named=True):
            yield row, turns.get((row["repeat"], row["example_id"]), [])
