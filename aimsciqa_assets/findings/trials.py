"""The trial of a draft: a search for what would change its answer, then strict readers, round by round.

A wording that was corrected or edited is challenged and read again. A draft passes if all readers of a round
call the same wording good on every criterion.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from aimsciqa_resources.language_model import Dialogue

from aimsciqa_assets.asking.task import Outcome, Task, json_task
from aimsciqa_assets.findings.marked_text import Block, MarkedPaper
from aimsciqa_assets.findings.replies import Challenge, Computation, StrictReading
from aimsciqa_assets.findings.rules import form_fault
from aimsciqa_assets.findings.wording import DraftFact, Shown, Wording, wording_of
from aimsciqa_assets.platform.identity import row_id

Row = dict[str, Any]

CHALLENGE: Final = json_task("findings_challenge", Challenge)
STRICT_READING: Final = json_task("findings_strict_reading", StrictReading)


class Library(Protocol):
    """The papers of a corpus, as a trial looks into them."""

    def paper(self, paper_id: str) -> MarkedPaper:
        """Return a paper with its whole text."""

    def shown_blocks(self, paper_id: str, wording: Wording) -> Sequence[Block] | None:
        """Return the passages of a paper that bear on a wording; None: the paper is shown whole."""

    def passages(self, wording: Wording) -> Sequence[tuple[str, Block]]:
        """Return passages of other papers that bear on a wording, the best first, with their papers."""

    def findings(self, paper_ids: Sequence[str]) -> Sequence[Row]:
        """Return the kept findings of papers."""

    def reference(self, citing: str, cited: str) -> str:
        """Return the reference by which a paper cites another; empty if it does not."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a challenger or a reader said: the action, why, and the wording after it.

    `reader` is 0 for a challenge. `failed` are the criteria that the wording before it does not meet.
    """

    round: int
    reader: int
    action: str
    reason: str
    wording: Wording
    failed: tuple[int, ...] = ()
    passages: int = 0


@dataclass(frozen=True, slots=True)
class Trial:
    """A draft with all turns of its trial. `rejection` is None if it passed."""

    draft_id: str
    turns: tuple[Turn, ...]
    wording: Wording
    rejection: str | None
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """How a trial goes: its rounds, the readers of a round, and the words of a question, each at most."""

    rounds: int
    readers: int
    words: int


@dataclass(frozen=True, slots=True)
class _Answer:
    """A turn, or why there is none."""

    turn: Turn | None
    failure: str | None = None


def tried(draft_id: str, draft: Wording, library: Library, rules: Rules) -> Dialogue[Trial]:
    """Challenge and read a draft until all readers of a round call it good, or it is dropped."""
    wording, turns = draft, list[Turn]()
    for number in range(1, rules.rounds + 1):
        # Reader 0 is the challenger.
        for reader in range(rules.readers + 1):
            answer = yield from _asked(draft_id, wording, library, number, reader)
            if answer.turn is None:
                return Trial(draft_id, tuple(turns), wording, "no_reply", answer.failure)
            turn = answer.turn
            rejection = _rejection(turn, rules.words)
            turns.append(turn)
            if rejection:
                return Trial(draft_id, tuple(turns), wording, rejection)
            wording = turn.wording
            if turn.action == "edit":
                break
        else:
            return Trial(draft_id, tuple(turns), wording, None)
    return Trial(draft_id, tuple(turns), wording, "rounds_exhausted")


def _rejection(turn: Turn, words: int) -> str | None:
    """Return why a turn ends the trial; None if it goes on."""
    if turn.action == "error":
        return turn.reason
    if turn.action == "drop":
        return "dropped_by_reader" if turn.reader else "dropped_by_challenge"
    if turn.action == "keep" and turn.failed:
        return "criterion_failed"
    if turn.action in ("correct", "edit"):
        fault = form_fault(turn.wording.question, turn.wording.answer, words)
        return fault or ("one_paper" if len(turn.wording.papers) < 2 else None)
    return None


def _asked(draft_id: str, wording: Wording, library: Library, number: int, reader: int) -> Dialogue[_Answer]:
    task: Task[Any] = STRICT_READING if reader else CHALLENGE
    passages = library.passages(wording)
    others = [paper for paper, _ in passages if paper not in wording.papers]
    papers = [*sorted(wording.papers), *dict.fromkeys(others)]
    # The texts come first and in the order of their ids: requests about the same papers share their prefix.
    texts = {paper: library.paper(paper) for paper in papers}
    shown = Shown.of(papers, library.findings(sorted(wording.papers)))
    outcome: Outcome[Challenge | StrictReading] = yield from task.ask(
        row_id(draft_id, number, reader),
        run=max(1, reader),
        texts=[
            _paper_text(
                shown.letters[paper],
                texts[paper],
                library.shown_blocks(paper, wording),
                {letter: library.reference(paper, cited) for cited, letter in shown.letters.items()},
            )
            for paper in sorted(wording.papers)
        ],
        passages=[
            f"[{shown.letters[paper]} {block.mark}] {texts[paper].title}, {block.section}: {block.text}"
            for paper, block in passages
        ],
        type=wording.type,
        question=wording.question,
        answer=wording.answer,
        facts=[
            _fact_text(number, fact, shown, texts[fact.paper_id])
            for number, fact in enumerate(wording.facts, start=1)
        ],
        computations=list(map(_computation_text, wording.computations)),
    )
    if outcome.value is None:
        if outcome.failure:
            return _Answer(None, outcome.failure)
        return _Answer(Turn(number, reader, "error", outcome.reason or "unreadable", wording))
    turn = _turn(outcome.value, wording, shown, texts)
    return _Answer(replace(turn, round=number, reader=reader, passages=len(passages)))


def _turn(
    reply: Challenge | StrictReading, wording: Wording, shown: Shown, texts: Mapping[str, MarkedPaper]
) -> Turn:
    failed = tuple(reply.failed) if isinstance(reply, StrictReading) else ()
    if reply.action in ("keep", "drop"):
        return Turn(0, 0, reply.action, reply.reason, wording, failed)
    changed = wording_of(wording.type, reply, shown, texts)
    if changed is None:
        return Turn(0, 0, "error", "unknown_fact", wording, failed)
    return Turn(0, 0, reply.action, reply.reason, changed, failed)


def _paper_text(
    letter: str, paper: MarkedPaper, blocks: Sequence[Block] | None, references: Mapping[str, str]
) -> str:
    part = " (passages)" if blocks is not None else ""
    cited = [f"[It cites paper {cited} as {name}.]" for cited, name in references.items() if name]
    return "\n".join([f"Paper {letter}{part}: {paper.title}", *cited, paper.text(blocks)])


def _fact_text(number: int, fact: DraftFact, shown: Shown, paper: MarkedPaper) -> str:
    mark = shown.marks.get(fact.finding_id or "", "")
    finding = f"finding {mark}" if mark else ""
    parts = filter(None, (f"paper {shown.letters[fact.paper_id]}", paper.mark_of(fact.evidence), finding))
    stated = f" [{' '.join(filter(None, (fact.amount, fact.unit)))}]" if fact.amount else ""
    return f'f{number} ({", ".join(parts)}): {fact.claim}{stated} "{fact.evidence}"'


def _computation_text(computation: Computation) -> str:
    return f"{computation.expression} = {computation.result} {computation.unit}".strip()
