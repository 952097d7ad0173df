"""REPLUG (Shi et al. 2024): each document alone before the question, and the answers weighed by its score.

A document's weight is the softmax of the retriever's scores. Two readings, of which the steps say which:

- `candidates`: each document gives an answer, and each answer is scored under all documents, by the
  log-probabilities of its tokens behind that prompt. The answer with the highest weighted probability wins.
- `tokens`: the answer is written token by token, always the one with the highest weighted probability among
  the twenty likeliest under each document. What lies beyond these counts as 0, so this is approximate.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from math import exp, isnan, log
from typing import Any, Final

from aimsciqa_resources.language_model import (
    NO_LOGPROBS,
    Dialogue,
    Message,
    ModelRequest,
    TokenLogprob,
)

from aimsciqa_assets.benchmark.answering.rag.inquiry import Found, Inquiry, Step, UnansweredError
from aimsciqa_assets.benchmark.answering.rag.standard import answer_from
from aimsciqa_assets.benchmark.answering.rag.tasks import ANSWER

ALTERNATIVES: Final = 20
_END: Final = re.compile(r"|<\|[^|]*\|>|</s>|<eos>|<end_of_turn>")


def replug(inquiry: Inquiry) -> Dialogue[str]:
    """The answer on which the documents agree best."""
    found = inquiry.search(inquiry.question)
    if not found:
        return (yield from answer_from(inquiry, found))
    weights = softmax([one.score for one in found])
    inquiry.note(Step("weights", scores=tuple(weights), text=inquiry.limits.replug))
    written = _by_tokens if inquiry.limits.replug == "tokens" else _by_candidates
    return (yield from written(inquiry, found, weights))


def softmax(scores: Sequence[float]) -> list[float]:
    """Weights that sum up to 1; a paper without a score counts like the lowest one."""
    known = [score for score in scores if not isnan(score)]
    filled = [min(known, default=0.0) if isnan(score) else score for score in scores]
    powers = [exp(score - max(filled)) for score in filled]
    return [power / sum(powers) for power in powers]


def weighted(weights: Sequence[float], logprobs: Sequence[float]) -> float:
    """The logarithm of the weighted sum of probabilities."""
    terms = [log(weight) + logprob for weight, logprob in zip(weights, logprobs, strict=True) if weight > 0]
    highest = max(terms)
    return highest + log(sum(exp(term - highest) for term in terms))


def mixed(weights: Sequence[float], tokens: Sequence[TokenLogprob]) -> dict[str, float]:
    """The weighted probability of each next token, by what the documents' likeliest tokens are."""
    shares: dict[str, float] = {}
    for weight, token in zip(weights, tokens, strict=True):
        for text, logprob in token.alternatives:
            shares[text] = shares.get(text, 0.0) + weight * exp(logprob)
    return shares


def _by_candidates(inquiry: Inquiry, found: Sequence[Found], weights: Sequence[float]) -> Dialogue[str]:
    requests = [_request(inquiry, one, reply_tokens=inquiry.limits.output_tokens) for one in found]
    lengths, answers = [], []
    for one, request in zip(found, requests, strict=True):
        reply = yield from inquiry.heard(request)
        inquiry.note(Step("answer", papers=(one.paper_id,), text=reply.text))
        lengths.append(reply.calls[-1].usage.prompt if reply.calls else 0)
        answers.append(reply.text or "")
    candidates = list(dict.fromkeys(answers))
    if len(candidates) == 1:
        return candidates[0]
    if not all(lengths):
        raise UnansweredError(NO_LOGPROBS)
    values = []
    for candidate in candidates:
        logprobs = []
        for request, length in zip(requests, lengths, strict=True):
            said = (*request.messages, Message("assistant", candidate))
            scoring = replace(request, messages=said, reply_tokens=1, scored_from=length)
            reply = yield from inquiry.heard(scoring)
            logprobs.append(sum(token.logprob for token in reply.scored or ()))
        values.append(weighted(weights, logprobs))
        inquiry.note(Step("candidate", scores=tuple(logprobs), text=candidate, number=values[-1]))
    return candidates[values.index(max(values))]


def _by_tokens(inquiry: Inquiry, found: Sequence[Found], weights: Sequence[float]) -> Dialogue[str]:
    requests = [_request(inquiry, one, reply_tokens=1, logprobs=ALTERNATIVES) for one in found]
    inquiry.note(Step("answer", papers=tuple(one.paper_id for one in found)))
    written, ends = "", set[str]()
    for _ in range(inquiry.limits.output_tokens):
        said = (Message("assistant", written),) if written else ()
        tokens = []
        for request in requests:
            reply = yield replace(request, messages=(*request.messages, *said))
            if not reply.logprobs:
                raise UnansweredError(reply.failure or NO_LOGPROBS, reply)
            tokens.append(reply.logprobs[0])
            if reply.calls and reply.calls[-1].finish_reason == "stop":
                ends.add(reply.logprobs[0].token)
        shares = mixed(weights, tokens)
        likeliest = max(shares, key=shares.__getitem__)
        if likeliest in ends or _END.fullmatch(likeliest):
            break
        written += likeliest
        inquiry.note(Step("token", text=likeliest, number=shares[likeliest]))
    return written


def _request(inquiry: Inquiry, found: Found, **wishes: Any) -> ModelRequest:
    """The question behind one document."""
    documents = list(inquiry.shown([found]).documents)
    return inquiry.request(ANSWER, {"question": inquiry.question, "documents": documents}, **wishes)
