"""SuRe (Kim et al. 2024): answers are proposed, summaries argue for them, and the best argument wins.

The score of a candidate is 1 if its summary is found to support it, plus 1 for each comparison with another
summary that it wins and 0.5 for a tie. Every pair is compared in both orders.
"""

import re
from itertools import permutations
from typing import Final

from aimsciqa_resources.language_model import Dialogue

from aimsciqa_assets.benchmark.answering.rag.inquiry import Inquiry
from aimsciqa_assets.benchmark.answering.rag.tasks import CANDIDATES, RANKING, SUMMARY, VALIDITY

CANDIDATES_ASKED: Final = 2
_BULLET: Final = re.compile(r"^\s*(?:[-*•]|\(?[0-9a-z][.)])\s+", re.IGNORECASE)
_TRUE: Final = re.compile(r"\W*(?:true|yes)\b", re.IGNORECASE)
_DIGIT: Final = re.compile(r"(?<!\d)[012](?!\d)")
_WINS: Final = {"1": (1.0, 0.0), "2": (0.0, 1.0)}
_TIE: Final = (0.5, 0.5)


def sure(inquiry: Inquiry) -> Dialogue[str]:
    """The candidate with the highest score; of equal ones the first."""
    shown = inquiry.shown(inquiry.search(inquiry.question))
    limit = {"reply_tokens": CANDIDATES_ASKED * inquiry.limits.output_tokens}
    reply = yield from inquiry.ask("candidates", CANDIDATES, shown, wishes=limit)
    candidates = candidates_in(reply.text or "")
    if len(candidates) < 2:
        return next(iter(candidates), "")
    summaries, scores = [], []
    for candidate in candidates:
        reply = yield from inquiry.ask("summary", SUMMARY, shown, candidate=candidate)
        summaries.append(reply.text or "")
    for candidate, summary in zip(candidates, summaries, strict=True):
        reply = yield from inquiry.ask("validity", VALIDITY, candidate=candidate, summary=summary)
        scores.append(float(_TRUE.match(reply.text or "") is not None))
        inquiry.rate(scores[-1])
    for first, second in permutations(range(len(candidates)), 2):
        reply = yield from inquiry.ask("ranking", RANKING, first=summaries[first], second=summaries[second])
        digit = _DIGIT.search(reply.text or "")
        wins = _WINS.get(digit[0], _TIE) if digit else _TIE
        inquiry.rate(wins[0])
        scores[first] += wins[0]
        scores[second] += wins[1]
    return candidates[scores.index(max(scores))]


def candidates_in(text: str) -> list[str]:
    """The answers that stand on the lines of a reply, each once."""
    lines = (_BULLET.sub("", line).strip() for line in text.splitlines())
    return list(dict.fromkeys(filter(None, lines)))[:CANDIDATES_ASKED]
