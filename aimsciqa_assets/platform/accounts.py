"""Asking a language model on behalf of a step: progress, tolerance and the account of every call."""

import time
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from aimsciqa_resources.language_model import Call, Dialogue, LanguageModel, ModelError, converse
from aimsciqa_resources.language_model.by_task import ByTask
from aimsciqa_resources.language_model.dialogue import Ended, advance

from aimsciqa_assets.platform.identity import row_id
from aimsciqa_assets.platform.kept_rows import KeptRows
from aimsciqa_assets.platform.progress import Advance
from aimsciqa_assets.tables import LLM_CALLS


class TooManyFailuresError(ModelError):
    """More requests than the settings allow had no reply; what was answered is in the journal."""


class Result(Protocol):
    """What a dialogue ends with: `failure` says in one word why the model gave no reply; None if it did."""

    @property
    def failure(self) -> str | None:
        """The reason."""


R = TypeVar("R", bound=Result)


@dataclass(slots=True)
class _Heard(Generic[R]):
    """A dialogue's result, and the calls of all its turns, each with its task; they count for the `key`."""

    result: R
    key: str = ""
    calls: list[tuple[str, Call]] = field(default_factory=list)


class Account:
    """Every call that was made for a part of a table, and how the asking goes.

    `total` is how many dialogues there will be, one for each row; with more than `failure_share` of them
    without a reply (one is always allowed, unless the share is 0), or none with one among the first
    `hopeless`, asking on is no use. `calls` are rows of `ops.llm_calls`; those of many calls lie in a file
    in `folder`.
    """

    def __init__(
        self,
        table: str,
        part: str,
        model: LanguageModel,
        total: int,
        folder: Path,
        *,
        failure_share: float,
        hopeless: int = 20,
    ) -> None:
        self.table = table
        self._part = part
        self._model = model
        self._total = total
        self._failure_share = failure_share
        self._hopeless = hopeless
        self._unanswered: set[str] = set()
        self.calls = KeptRows(LLM_CALLS.name, folder)
        self._replies = 0
        self._failures: dict[str, int] = {}
        self._priced_replies: set[str] = set()
        self._detail = ""
        self._tokens = 0
        self._paid = 0.0
        self._worth = 0.0
        self._priced = False
        self._start = time.monotonic()

    @property
    def unanswered(self) -> list[str]:
        """Keys of rows with a call that failed in passing: another run may have its reply."""
        return sorted(self._unanswered)

    def results(self, dialogues: Iterable[Dialogue[R]], advance: Advance) -> Generator[R, None, None]:
        """The result of each dialogue, as they end; raises `TooManyFailuresError`."""
        # Whoever leaves early stops the asking, and does not wait for the garbage collector to do so.
        with closing(converse(self._model, map(_listened_to, dialogues))) as held:
            for heard in held:
                self._note(heard)
                self._check()
                yield heard.result
                advance(1, self.standing())

    def standing(self) -> str:
        """Tokens per second, cost so far and in the end, failures."""
        parts = []
        if self._tokens:
            parts.append(f"{self._tokens / max(time.monotonic() - self._start, 1e-9):,.0f} tokens/s")
        if self._priced:
            in_all = self._paid + (self._total - self._replies) * self._worth / self._replies
            parts.append(f"cost {_amount(self._paid)}, about {_amount(in_all)} in all")
        if self._failures:
            parts.append(f"{sum(self._failures.values()):,} without a reply")
        return ", ".join(parts)

    def _note(self, heard: "_Heard[Any]") -> None:
        self._replies += 1
        if (failure := heard.result.failure) is not None:
            self._failures[failure] = self._failures.get(failure, 0) + 1
            self._detail = heard.calls[-1][1].detail if heard.calls else ""
        if any(call.passing for _, call in heard.calls):
            self._unanswered.add(heard.key)
        for number, (task, call) in enumerate(heard.calls, 1):
            cost = self._cost(call)
            self.calls.add([self._row(heard.key, task, number, call) | {"cost": cost}])
            self._priced = self._priced or cost is not None
            self._worth += cost or 0.0
            if not call.from_journal:
                self._tokens += call.usage.prompt + call.usage.reply
                self._paid += cost or 0.0

    def _cost(self, call: Call) -> float | None:
        """The same question twice in a batch is paid once."""
        if call.cost is None:
            return None
        if call.fingerprint in self._priced_replies:
            return 0.0
        self._priced_replies.add(call.fingerprint)
        return call.cost

    def _check(self) -> None:
        failures = sum(self._failures.values())
        allowed = max(self._failure_share * self._total, 1.0 if self._failure_share else 0.0)
        hopeless = failures == self._replies == self._hopeless and self._failure_share < 1
        if failures > allowed or hopeless:
            reasons = ", ".join(f"{reason} {count:,}" for reason, count in sorted(self._failures.items()))
            said = f" The last one: {self._detail}." if self._detail else ""
            raise TooManyFailuresError(
                f"{failures:,} of {self._replies:,} requests to {self._model.name} had no reply ({reasons})."
                f"{said} Allowed is a share of {self._failure_share:g} of {self._total:,} "
                "(AIMSCIQA_MODEL_FAILURE_SHARE). The others are in the journal and are not paid again; "
                "ops.llm_calls has each failure."
            )

    def _row(self, key: str, task: str, number: int, call: Call) -> dict[str, Any]:
        model = self._model.asked(task) if isinstance(self._model, ByTask) else self._model
        # An answer without text was paid for, and the next run sends and pays the same request again.
        again = [call.answered_at] if call.passing and call.answered_at else []
        return {
            "call_id": row_id(self.table, key, number, call.fingerprint, *again),
            "part": self._part,
            "table_name": self.table,
            "task": task,
            "key": key,
            "number": number,
            "purpose": call.purpose,
            "model": model.name,
            "model_revision": model.revision,
            "sampling": call.sampling or model.sampling,
            "fingerprint": call.fingerprint,
            "from_journal": call.from_journal,
            "outcome": call.outcome,
            "detail": call.detail,
            "passing": call.passing,
            "finish_reason": call.finish_reason,
            "attempts": call.attempts,
            "latency_seconds": call.latency_seconds,
            "prompt_tokens": call.usage.prompt,
            "cached_tokens": call.usage.cached,
            "reply_tokens": call.usage.reply,
            "reasoning_tokens": call.usage.reasoning,
            "answered_at": call.answered_at,
            "replaced": False,
            "server": call.server or None,
        }


def _listened_to(dialogue: Dialogue[R]) -> Dialogue[_Heard[R]]:
    """The same dialogue, with the calls of its turns noted under the key of its first request."""
    key = ""
    calls: list[tuple[str, Call]] = []
    step = advance(dialogue, None, None)
    while not isinstance(step, Ended):
        key = key or step.key
        reply = yield step
        calls += [(step.task, call) for call in reply.calls]
        step = advance(dialogue, step, reply)
    return _Heard(step.result, key, calls)


def _amount(value: float) -> str:
    """Two decimals, or two digits of a fraction of a cent."""
    return f"{value:,.2f}" if value >= 0.01 or value == 0 else f"{value:.2g}"
