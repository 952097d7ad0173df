"""The actor: an agent's way to the answer of an example, and before that an answer without any tool."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from aimsciqa_resources.language_model import Dialogue, LanguageModel

from aimsciqa_assets.airqa.actions import Format
from aimsciqa_assets.airqa.agent.carrying_out import Keeping
from aimsciqa_assets.airqa.agent.loop import Rules, agent
from aimsciqa_assets.airqa.agent.questions import Question
from aimsciqa_assets.airqa.agent.turns import Answered, Turn, total_cost
from aimsciqa_assets.airqa.baselines.reading import read_once
from aimsciqa_assets.airqa.evaluation.judged import NoReplyError
from aimsciqa_assets.airqa.evaluation.scoring import PASSES, scored
from aimsciqa_assets.airqa.extractor.rows import ACCEPTED, REJECTED

TRAJECTORIES: Final = "extractor.trajectories"
TURNS: Final = "extractor.turns"
ALONE: Final = "not_answerable_alone"
SOLVED: Final = "solved_by_tools"
CORRECT: Final = "answer_correct"
_REASONS: Final = {ALONE: "answerable_alone", SOLVED: "not_solved_by_tools", CORRECT: "wrong_answer"}
_REPEAT: Final = 1

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Acted:
    """What an actor did about an example, and what the model answers without tools; None: not asked.

    A score is None where there is no verdict. `failure` says why the actor gave no reply.
    """

    example: Mapping[str, Any]
    answered: Answered
    score: int | None = None
    alone: Answered | None = None
    alone_score: int | None = None

    @property
    def failure(self) -> str | None:
        """Why the model gave no reply."""
        return self.answered.failure

    @property
    def verdicts(self) -> dict[str, bool | None]:
        """What the filters of trajectories find; None where they cannot tell."""
        return {
            ALONE: None if self.alone_score is None else not self.alone_score,
            SOLVED: None
            if None in (self.score, self.alone_score)
            else (self.score or 0) > (self.alone_score or 0),
            CORRECT: None if self.score is None else bool(self.score),
        }

    def reason(self, filters: Sequence[str]) -> str | None:
        """Why the trajectory is rejected: it has no answer, or one of these filters fails."""
        if self.answered.status == "failed":
            return self.answered.failure or "no_answer"
        failed = (_REASONS[name] for name in filters if self.verdicts[name] is False)
        return next(failed, None)


def acting(
    example: Mapping[str, Any],
    environment: Keeping,
    rules: Rules,
    shown: Mapping[str, Any] | None,
) -> Dialogue[Acted]:
    """Let the actor answer an example; `shown` is what it sees without tools, None: it is not asked that."""
    question = Question.of(example)
    key = question.example_id
    alone = None
    if shown is not None:
        alone = yield from read_once(key, question, shown, _REPEAT, rules.answer_tokens)
    answered = yield from agent(key, question, environment, rules, _REPEAT)
    acted = Acted(example, answered, alone=alone)
    evaluator = json.loads(example["evaluator"])
    return replace(
        acted,
        score=(yield from _score(evaluator, answered, key)),
        alone_score=(yield from _score(evaluator, alone, key)) if alone else None,
    )


def _score(evaluator: Mapping[str, Any], answered: Answered, key: str) -> Dialogue[int | None]:
    """The score of an answer; None where there is none, or no verdict on it."""
    if answered.status == "failed":
        return None
    try:
        return int((yield from scored(evaluator, answered.answer, key)) >= PASSES)
    except NoReplyError:
        return None


def trajectory_row(acted: Acted, model: LanguageModel, version: str, form: Format, reason: str | None) -> Row:
    """The row of a trajectory."""
    answered, alone = acted.answered, acted.alone
    turns = answered.turns
    return {
        "example_id": acted.example["example_id"],
        "kind": acted.example["kind"],
        "batch": acted.example["batch"],
        "system": answered.system or "",
        "task": answered.task,
        "model": model.name,
        "model_revision": model.revision,
        "sampling": model.sampling,
        "prompt_version": version,
        "action_format": form,
        "ended": answered.status,
        "turns": len(turns),
        "wrong_actions": sum(turn.error is not None for turn in turns),
        "answer": None if answered.status == "failed" else _json(answered.answer),
        "score": acted.score,
        "alone": None if alone is None or alone.status == "failed" else _json(alone.answer),
        "alone_score": acted.alone_score,
        "input_tokens": sum(turn.input_tokens for turn in turns),
        "output_tokens": sum(turn.output_tokens for turn in turns),
        "cost": total_cost(turns),
        "status": REJECTED if reason else ACCEPTED,
        "rejection_reason": reason,
    }


def turn_rows(acted: Acted, reason: str | None, *, errors_removed: bool) -> Iterator[Row]:
    """A row for each turn; `reason` is why the trajectory is rejected."""
    for turn in acted.answered.turns:
        why = reason or (turn.error if errors_removed else None)
        yield {
            "example_id": acted.example["example_id"],
            "batch": acted.example["batch"],
            "turn": turn.number,
            "said": turn.said or turn.reply,
            "action": _action(turn),
            "observation": turn.observation,
            "error": turn.error,
            "has_image": turn.image is not None,
            "loss": why is None,
            "input_tokens": turn.input_tokens,
            "output_tokens": turn.output_tokens,
            "status": REJECTED if why else ACCEPTED,
            "rejection_reason": why,
        }


def _action(turn: Turn) -> str | None:
    called = turn.call
    return _json({"action": called.action, "arguments": dict(called.arguments)}) if called else None


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
