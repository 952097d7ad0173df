"""What a rule can tell of how an answer came about: labels of AirQA's error analysis.

Overconfidence and wrong reasoning over text or pictures take a reader, and are not told here. A label says
what was seen, also of an answer that is correct.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from aimsciqa_assets.airqa.examples.example import Example

LABELS: Final = "airqa.labels"
ACTING: Final = frozenset({"text2sql", "agentic_rag", "agentic_text2sql", "agentic_hybrid"})
"""Baselines that act before they answer: only these can lack context, or miss a paper."""

_ANSWER: Final = "Answer"
_UNUSABLE: Final = frozenset({"unparsable", "unknown_action", "arguments"})
"""Errors of turns without an action that could be carried out."""
_BY_TITLE: Final = "eval_paper_relevance_with_reference_answer"
_SHORTEST_TITLE: Final = 8

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Needed:
    """A paper that a question is about, by its uuid in the store, its title, or both; "" where unknown."""

    uuid: str
    title: str

    def is_in(self, text: str) -> bool:
        """Whether a text, in small letters, names the paper."""
        title = " ".join(self.title.lower().split())
        return (bool(self.uuid) and self.uuid.lower() in text) or (
            len(title) >= _SHORTEST_TITLE and title in text
        )


def needed_papers(example: Example, titles: Mapping[str, str]) -> list[Needed]:
    """The papers that an example is about; of a retrieval question, those whose title is the answer.

    Of several right titles one is enough: they are alternatives. `titles` are those of the paper store by
    uuid.
    """
    papers = dict.fromkeys([*example.anchor_pdf, *example.reference_pdf])
    if papers:
        return [Needed(uuid, titles.get(uuid, "")) for uuid in papers]
    reference = example.evaluator.eval_kwargs.get("reference_answer")
    if example.evaluator.eval_func != _BY_TITLE or not isinstance(reference, str):
        return []
    return [Needed("", reference)]


def label_rows(
    answer: Row, turns: Sequence[Row], needed: Sequence[Needed], *, acts: bool, correct: bool
) -> Iterator[dict[str, Any]]:
    """Rows of `airqa.labels` for a row of `airqa.answers` and its turns, in their order."""
    of = {name: answer[name] for name in ("run_id", "repeat", "example_id")}
    for label, turn, detail in _labels(answer, turns, needed, acts=acts):
        yield {**of, "label": label, "turn": turn, "detail": detail, "correct": correct}


def _labels(
    answer: Row, turns: Sequence[Row], needed: Sequence[Needed], *, acts: bool
) -> Iterator[tuple[str, int | None, str]]:
    if answer["status"] == "failed":
        yield "no_answer", None, answer["reason"] or "no reason is known"
    if answer["status"] == "out_of_turns":
        yield "out_of_turns", None, f"no answer in {len(turns)} turns"
    unusable = [turn for turn in turns if turn["error"] in _UNUSABLE]
    if unusable:
        kinds = Counter(turn["error"] for turn in unusable)
        told = ", ".join(f"{kind} {times} times" if times > 1 else kind for kind, times in kinds.items())
        yield "unparsable_action", unusable[0]["turn"], told
    yield from _repetition(turns)
    if not acts:
        return
    seen = [turn for turn in turns if turn["observation"] is not None and not turn["error"]]
    if not seen:
        if answer["status"] == "answered":
            yield "lack_of_context", None, "it answered without any observation"
        return
    read = "\n".join(_small(turn) for turn in seen)
    if missing := [paper for paper in needed if not paper.is_in(read)]:
        yield "missing_paper", None, "never touched: " + ", ".join(one.uuid or one.title for one in missing)


def _repetition(turns: Sequence[Row]) -> Iterator[tuple[str, int | None, str]]:
    """The call that was made most often, if that is more than once."""
    calls: dict[tuple[str, str], list[int]] = {}
    for turn in turns:
        if turn["action"] and turn["action"] != _ANSWER:
            calls.setdefault((turn["action"], _plain(turn["arguments"])), []).append(turn["turn"])
    (action, _), times = max(calls.items(), key=lambda call: len(call[1]), default=(("", ""), []))
    if len(times) > 1:
        yield "repetition", times[1], f"the same {action} {len(times)} times"


def _plain(arguments: str | None) -> str:
    """Arguments as JSON in which their order does not matter."""
    return json.dumps(json.loads(arguments or "{}"), sort_keys=True)


def _small(turn: Row) -> str:
    """What a turn asked for and was told, in small letters."""
    return " ".join(f"{turn['arguments'] or ''} {turn['observation'] or ''}".lower().split())
