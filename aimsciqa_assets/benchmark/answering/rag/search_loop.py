"""A search loop in the manner of Search-o1 (Li et al. 2025): the model reasons, and searches where it likes.

A query stands in tags. What it finds does not go into the reasoning as it is: a step of its own reads the
papers and says what they tell. The number of searches is limited; then the model must answer.
"""

import re
from typing import Any, Final

from aimsciqa_resources.language_model import Dialogue

from aimsciqa_assets.asking.json_replies import MALFORMED
from aimsciqa_assets.benchmark.answering.rag.inquiry import Inquiry, UnansweredError
from aimsciqa_assets.benchmark.answering.rag.tasks import READING, SEARCH

_TAG: Final = re.compile(r"<(search|answer)>\s*(.*?)\s*(?:</\1>|\Z)", re.IGNORECASE | re.DOTALL)


def search_loop(inquiry: Inquiry) -> Dialogue[str]:
    """The answer to which reasoning and searches led.

    A query that was put before is told its finding again, and counts. A reply without tags ends the search.
    """
    turns: list[dict[str, str]] = []
    findings: dict[str, str] = {}
    left = inquiry.limits.searches
    while True:
        told: dict[str, Any] = {"turns": list(turns), "left": left}
        reply = yield from inquiry.ask("reasoning", SEARCH, inquiry.shown(), **told)
        text = reply.text or ""
        tag = _TAG.search(text)
        if tag and tag[1].lower() == "answer":
            return tag[2]
        if not left:
            if tag:
                raise UnansweredError(MALFORMED, reply)
            return text
        if not tag or not tag[2]:
            turns.append({"said": text, "query": "", "finding": ""})
            left = 0
            continue
        said, query = text[: tag.end()], tag[2]
        if query not in findings:
            reasoning = "\n".join([*(turn["said"] for turn in turns), said])
            shown = inquiry.shown(inquiry.search(query))
            reply = yield from inquiry.ask("reading", READING, shown, reasoning=reasoning, query=query)
            findings[query] = reply.text or ""
        turns.append({"said": said, "query": query, "finding": findings[query]})
        left -= 1
