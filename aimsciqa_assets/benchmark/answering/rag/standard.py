"""Standard RAG: search once with the question, read, answer."""

from collections.abc import Iterable

from aimsciqa_resources.language_model import Dialogue

from aimsciqa_assets.benchmark.answering.rag.inquiry import Found, Inquiry
from aimsciqa_assets.benchmark.answering.rag.tasks import ANSWER


def standard(inquiry: Inquiry) -> Dialogue[str]:
    """The answer from the papers that the question finds."""
    return (yield from answer_from(inquiry, inquiry.search(inquiry.question)))


def answer_from(inquiry: Inquiry, found: Iterable[Found]) -> Dialogue[str]:
    """The answer from these papers."""
    limit = {"reply_tokens": inquiry.limits.output_tokens}
    reply = yield from inquiry.ask("answer", ANSWER, inquiry.shown(found), wishes=limit)
    return reply.text or ""
