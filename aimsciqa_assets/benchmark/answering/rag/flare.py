"""FLARE (Jiang et al. 2023), with the sentence itself as the query: search where the model is unsure.

The next sentence is drafted without search. If it holds a token that the model gives a low probability, its
surer tokens are searched for, and the sentence is written again from what was found. Only the probabilities
of the tokens that were written are needed.
"""

from math import exp, log
from typing import Final

from aimsciqa_resources.language_model import Dialogue, ModelReply, TokenLogprob

from aimsciqa_assets.benchmark.answering.rag.inquiry import CHARACTERS_PER_TOKEN, Inquiry
from aimsciqa_assets.benchmark.answering.rag.tasks import SENTENCE
from aimsciqa_assets.text.sentences import first_sentence

UNSURE: Final = 0.8
"""A sentence with a token below this probability is searched for (the paper's theta)."""
MASKED: Final = 0.4
"""Tokens below this probability are no part of the query (the paper's beta)."""
LOOK_AHEAD_TOKENS: Final = 64
MOST_SENTENCES: Final = 8
END: Final = "END"


def flare(inquiry: Inquiry) -> Dialogue[str]:
    """The sentences of the answer."""
    sentences: list[str] = []
    while len(sentences) < MOST_SENTENCES and _has_room(inquiry, sentences):
        told = {"answer": " ".join(sentences)}
        wishes = {"logprobs": 0, "reply_tokens": LOOK_AHEAD_TOKENS}
        reply = yield from inquiry.ask("draft", SENTENCE, inquiry.shown(), wishes=wishes, **told)
        tokens = tokens_of_first_sentence(reply)
        lowest = min((exp(token.logprob) for token in tokens), default=0.0)
        inquiry.rate(lowest)
        if _is_end(reply):
            break
        if lowest < UNSURE:
            shown = inquiry.shown(inquiry.search(sure_words(tokens) or inquiry.question))
            wishes = {"reply_tokens": LOOK_AHEAD_TOKENS}
            reply = yield from inquiry.ask("sentence", SENTENCE, shown, wishes=wishes, **told)
            if _is_end(reply):
                break
        sentence = first_sentence(reply.text or "")
        # A model that repeats itself has nothing left to say.
        if sentence in sentences:
            break
        sentences.append(sentence)
    return " ".join(sentences)


def tokens_of_first_sentence(reply: ModelReply) -> list[TokenLogprob]:
    """The tokens in which the first sentence of a reply is written, without thinking before it."""
    tokens, text = reply.logprobs or (), reply.text or ""
    written = "".join(token.token for token in tokens)
    begin = max(written.rfind(text), 0)
    end = begin + len(first_sentence(text))
    found, place = [], 0
    for token in tokens:
        if place < end and place + len(token.token) > begin:
            found.append(token)
        place += len(token.token)
    return found


def sure_words(tokens: list[TokenLogprob]) -> str:
    """The sentence without its least probable tokens."""
    kept = (token.token for token in tokens if token.logprob >= log(MASKED))
    return " ".join("".join(kept).split())


def _is_end(reply: ModelReply) -> bool:
    return (reply.text or "").strip(" .").upper() == END


def _has_room(inquiry: Inquiry, sentences: list[str]) -> bool:
    return len(" ".join(sentences)) < inquiry.limits.output_tokens * CHARACTERS_PER_TOKEN
