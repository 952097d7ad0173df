"""One request until it has its reply: a call, a repair of a malformed reply, two calls for a long prompt."""

from dataclasses import dataclass

from aimsciqa_resources.language_model.calling import CUT, Caller
from aimsciqa_resources.language_model.interface import Call, Division, ModelReply, ModelRequest, Purpose


@dataclass(frozen=True, slots=True)
class _Answer:
    """A text or the reason why there is none.

    `truncated`: it was cut at the token limit; `malformed`: it could not be read, even after the repair.
    """

    text: str | None
    failure: str | None = None
    truncated: bool = False
    malformed: bool = False


async def reply_to(request: ModelRequest, caller: Caller) -> ModelReply:
    """The reply with every call that was made for it."""
    calls: list[Call] = []
    answer = await _answer(request, caller, calls, "answer")
    return ModelReply(request.key, answer.text, answer.failure, answer.truncated, tuple(calls))


async def _answer(request: ModelRequest, caller: Caller, calls: list[Call], purpose: Purpose) -> _Answer:
    call, text = await caller.call(request, purpose)
    calls.append(call)
    recourse, division = request.recourse, request.division
    if division is not None and call.outcome == "too_long" and (halves := division.halves(request)):
        return _joined(division, [await _answer(half, caller, calls, "part") for half in halves])
    truncated = call.finish_reason == CUT
    if text is None:
        return _Answer(None, call.outcome, truncated)
    # A reply that was cut off would be cut off again.
    if recourse is not None and not truncated and (again := recourse.repaired(request, text)):
        repair, second = await caller.call(again, "repair")
        calls.append(repair)
        if second is not None and recourse.repaired(request, second) is None:
            return _Answer(second, None, repair.finish_reason == CUT)
        return _Answer(text, malformed=True)
    return _Answer(text, None, truncated)


def _joined(division: Division, parts: list[_Answer]) -> _Answer:
    """The parts' replies as one; a part without one leaves the whole without one, rather than in silence."""
    texts = [part.text for part in parts if part.text is not None]
    if malformed := next((part for part in parts if part.malformed), None):
        return malformed
    if len(texts) < len(parts):
        return _Answer(None, next(part.failure for part in parts if part.text is None))
    return _Answer(division.joined(texts), None, any(part.truncated for part in parts))
