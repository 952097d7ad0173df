"""AirQA's baselines as assets: a run is a baseline with a model, and answers every example. Off at first."""

from contextlib import ExitStack

import polars as pl

from aimsciqa_assets.airqa.agent.questions import Question
from aimsciqa_assets.airqa.baselines.methods import TASKS, told_by_code
from aimsciqa_assets.airqa.baselines.rows import ANSWERS, RUNS, TURNS, frames_of, run_rows
from aimsciqa_assets.airqa.baselines.running import dialogues, forget_unused, shared_by
from aimsciqa_assets.asking.task import version_of
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.platform.drawing import drawn
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.platform.steps import Step, StepRun
from aimsciqa_assets.settings.airqa_runs import DETERMINING, OBSERVATION_FORM, TASK


@step_asset(
    Step(
        writes=(ANSWERS, TURNS, RUNS),
        reads=("airqa.examples", "airqa.store"),
        settings=tuple(f"airqa.{name}" for name in DETERMINING),
        encodes=True,
        asks=TASK,
        prompts=tuple(task.name for task in TASKS),
        prompt_version=version_of(*TASKS),
        code=digest({"told": told_by_code(), "observations": OBSERVATION_FORM})[:12],
    )
)
def example_answers(run: StepRun) -> Frames:
    """Has a baseline answer the examples: in one request, or as an agent that acts (AirQA, section 4).

    Every turn is a row. When the turns run out, the agent's last observation is its answer.
    """
    named, chosen = run.agent_run, run.settings.airqa
    questions = _questions(run.read("airqa.examples"), chosen.sample, chosen.seed)
    if not questions:
        return frames_of(named.run_id, ()) | {RUNS: frame_of(RUNS, [])}
    with ExitStack() as stack:
        shared = shared_by(run, named, questions, stack)
        opening = next(next(dialogues(named, questions, shared, chosen)))
        count = chosen.repeats * len(questions)
        asked = dialogues(named, questions, shared, chosen)
        results = stack.enter_context(run.ask(ANSWERS, asked, count, f"answering by {named.baseline}"))
        frames = frames_of(named.run_id, results)
        if shared.environment:
            forget_unused(run, shared.environment)
    rows = run_rows(
        named,
        run.model,
        opening.messages[0].text,
        repeats=chosen.repeats,
        examples=len(questions),
        summaries=int(run.read("airqa.store")["store_summaries"].sum()),
    )
    return frames | {RUNS: frame_of(RUNS, rows)}


def _questions(examples: pl.DataFrame, sample: int, seed: int) -> list[Question]:
    """The examples that are answered: all, or so many drawn at random, in the order of their ids."""
    chosen = set(drawn(examples["example_id"], sample or examples.height, seed))
    return [Question.of(row) for row in examples.iter_rows(named=True) if row["example_id"] in chosen]
