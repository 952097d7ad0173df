"""The judges that rate long answers in four aspects, as an asset."""

from aimsciqa_resources.warehouse import tables_in

from aimsciqa_assets.benchmark.answering.judging import judged_answers
from aimsciqa_assets.benchmark.aspects.ratings import (
    Row,
    may_judge,
    rating_dialogues,
    rating_rows,
    refused_rows,
)
from aimsciqa_assets.benchmark.aspects.task import ASPECT_JUDGE
from aimsciqa_assets.items import long_answer_kinds
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.platform.progress import progress
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.platform.steps import Step, StepRun

_RATINGS = "benchmark.aspect_ratings"
_EVALUATED = query_of("benchmark.evaluated")


@step_asset(
    Step(
        writes=(_RATINGS,),
        reads=("benchmark.answers", *tables_in(_EVALUATED.text)),
        settings=("benchmark.aspect_judges", "benchmark.models", "judge_model"),
        asks="judge",
        asks_if=lambda settings: bool(settings.aspect_judge_names),
        prompts=(ASPECT_JUDGE.name,),
        recorded=lambda settings: settings.recorded_aspect_judges,
        prompt_version=ASPECT_JUDGE.version,
        code=digest({"items": _EVALUATED.version, "kinds": long_answer_kinds()})[:12],
    )
)
def aspect_ratings(run: StepRun) -> Frames:
    """Has the judges that the settings name rate long answers in four aspects (SciDQA).

    Without such judges there are no rows. A judge never rates the answers of its own model family: its rows
    have the reason `same_family`, and nothing is asked.
    """
    answers = run.read(
        "benchmark.answers",
        "answerer = $answerer and variant in (select unnest($kinds))",
        answerer=run.part,
        kinds=[*long_answer_kinds()],
    )
    items = run.warehouse.read(_EVALUATED.text).to_dicts()
    given = judged_answers(answers.to_dicts(), items, {})
    judges = run.settings.aspect_judge_names
    if given and not judges:
        with progress("rating answers in four aspects", 0) as advance:
            advance(0, "none: AIMSCIQA_BENCHMARK_ASPECT_JUDGES names no judge")
    rows: list[Row] = []
    count = sum(row["prediction"] is not None for row in given)
    for judge in judges:
        if not may_judge(run.settings.benchmark.called(judge), run.settings.benchmark.called(run.part)):
            rows += refused_rows(given, judge)
            continue
        model = run.settings.named_model("judge", judge)
        dialogues = rating_dialogues(given, judge)
        with run.ask(_RATINGS, dialogues, count, f"rated by {judge}", model=model) as outcomes:
            rows += rating_rows(outcomes, given, judge)
    rows.sort(key=lambda row: (row["answer_id"], row["judge"]))
    return {_RATINGS: frame_of(_RATINGS, rows)}
