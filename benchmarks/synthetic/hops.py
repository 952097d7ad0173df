"""A model that makes bridge and comparison questions of the made-up documents, from the text of a prompt.

A synthesis takes seven or eight calls, the polisher's included: the first two or three candidates of a
comparison, and the first three or four of a bridge question, are declined. The next one is taken, whoever
planned its weir.
"""

import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from tests.model_server.steps import text_of

_LENGTH = re.compile(r"\S+ Weir is (\d+) m long\.")
_PLANS = re.compile(r"(\S+ \S+) drew the plans of (\S+ Weir) for a fee of (\d+) shillings\.")


class Hops:
    """Replies to requests of the OpenAI protocol; to the same one always the same.

    It knows which candidates it was shown of a source, in their order.
    """

    def __init__(self) -> None:
        self._shown: defaultdict[str, list[str]] = defaultdict(list)

    def __call__(self, body: Mapping[str, Any]) -> str:
        """The reply to the last message."""
        system, user = map(text_of, (body["messages"][0], body["messages"][-1]))
        if user.startswith("Title: "):
            return _subject(user) if "comparison" in system[:100] else _bridge_entity(user)
        for beginning, reply in self._replies.items():
            if user.startswith(beginning):
                return reply(self, user)
        return "OK"

    def _question(self, user: str) -> str:
        if "Document A: " not in user:
            return _queries(user)
        first, second = re.findall(r"^Document [AB]: (.+)$", user, re.M)
        lengths = [int(one) for one in _LENGTH.findall(user)]
        if self._is_early(first, second, 2):
            return "FAIL\nDocument B is of no use."
        quotes = [
            f"{name} is {length} m long." for name, length in zip((first, second), lengths, strict=True)
        ]
        longer = first if lengths[0] > lengths[1] else second
        return "\n".join(
            (
                "PASS",
                f"entity_a: {first}",
                f"entity_b: {second}",
                "attribute_compared: length",
                f"multi_hop_question: Which is longer, {first} or {second}?",
                f"answer: {longer}",
                *(f"fact_entity_{side}: {quote}" for side, quote in zip("ab", quotes, strict=True)),
                *(f"quote_{side}: {quote}" for side, quote in zip("ab", quotes, strict=True)),
                *(f"relevant_paragraph_{side}: {quote}" for side, quote in zip("ab", quotes, strict=True)),
            )
        )

    def _sub_questions(self, user: str) -> str:
        segment = _line(user, "Segment of document A: ")
        plans = _PLANS.search(user, user.index("Document B: "))
        if self._is_early(segment, _line(user, "Document B: "), 3) or plans is None:
            return "INVALID_BRIDGE_CONNECTION\nDocument B is of no use."
        engineer = _line(user, "Entity: ").removesuffix(" (engineer)")
        _, weir, fee = plans.groups()
        return (
            "ANALYSIS:\nBridge connection: the same engineer\n"
            f"Document A segments: {segment}\n"
            f"Document B segments: {weir} was planned by {engineer} as well, who was paid for it. For the "
            f"plans of {weir} the engineer {engineer} was given a fee of {fee} shillings in all.\n"
            f"Document B quote: {plans[0]}\n"
            f"Reasoning path: The weir leads to {engineer}, and from there to the fee.\n\n"
            "SUB-QUESTIONS:\n"
            f"Sub-question 1: Who drew the plans of {_weir_of(segment)}?\nAnswer 1: {engineer}\n"
            f"Sub-question 2: For which fee did {engineer} draw plans?\n"
            f"Answer 2: {fee} shillings"
        )

    def _is_early(self, source: str, candidate: str, most: int) -> bool:
        """Whether a candidate is among the first of a source; every second source is shown one more."""
        shown = self._shown[source]
        if candidate not in shown:
            shown.append(candidate)
        return shown.index(candidate) < most + zlib.crc32(source.encode()) % 2

    _replies: ClassVar[dict[str, Callable[["Hops", str], str]]] = {
        "Entity A: ": _question,
        "Entity: ": _sub_questions,
        "Bridge: ": lambda _self, user: _fusion(user),
        "Subject: ": lambda _self, user: _scores(user),
        "Question: ": lambda _self, _user: "[PASS]",
    }


def _bridge_entity(user: str) -> str:
    plans = _PLANS.search(user)
    if plans is None:
        return "NO_BRIDGE_ENTITY\nnobody drew plans"
    engineer, weir, _ = plans.groups()
    segment = (
        f"{weir} was planned by {engineer}, an engineer of the county who is known for works on the water, "
        f"and who drew all the plans of {weir} alone and in one winter."
    )
    return (
        f'("bridge_entity"<|>"{engineer}"<|>"engineer") ## '
        f'("relevant_segments"<|>"{engineer}"<|>"{segment}") ## '
        f'("quote"<|>"{engineer}"<|>"{plans[0]}") ## '
        f'("query"<|>"{engineer}"<|>"{engineer} engineer, plans and fees of other weirs, instead of {weir}")'
        "<|COMPLETE|>"
    )


def _fusion(user: str) -> str:
    first, answer = _line(user, "Sub-question 1: ").rpartition(" of ")[2], _line(user, "Answer 2: ")
    return (
        f"MULTI-HOP QUESTION: For which fee did the engineer of {first.rstrip('?')} draw plans?\n"
        f"ANSWER: {answer}\nREASONING PATH: from the first weir to the engineer, then to the fee\n"
        "SOURCES: Document A, Document B"
    )


def _subject(user: str) -> str:
    title, length = _line(user, "Title: "), _LENGTH.search(user)
    if length is None:
        return '("ambiguous_subject"<|>"it has no length")<|COMPLETE|>'
    return (
        f'("subject_entity"<|>"{title}"<|>"weir") ## ("attribute"<|>"length"<|>"{length[1]} m") ## '
        '("attribute"<|>"look"<|>"old")<|COMPLETE|>'
    )


def _scores(user: str) -> str:
    scored = (
        f'("attribute_score"<|>"{name}"<|>"{value}"<|>{5 if name == "length" else 1})'
        for name, value in re.findall(r"^Attribute: (.+) = (.+)$", user, re.M)
    )
    return " ## ".join(('("entity_score"<|>5)', *scored)) + "<|COMPLETE|>"


def _queries(user: str) -> str:
    title = _line(user, "Document: ")
    river = re.search(r"on the river (\S+)\.", user)
    queries = (
        f"weirs on the river {river[1] if river else ''} and how long they are",
        f"length in metres of a weir like {title}",
        f"old weir whose length is known, on a river near that of {title}",
    )
    return f'("search_queries"<|>{"<|>".join(queries)})<|COMPLETE|>'


def _weir_of(segment: str) -> str:
    return segment.partition(" was planned")[0]


def _line(text: str, label: str) -> str:
    """What stands behind a label."""
    found = re.search(rf"^{re.escape(label)}(.*)$", text, re.M)
    return found[1] if found else ""
