"""What the RAG baselines ask a model. All replies are plain text, so that their tokens are the words."""

from typing import Final

from aimsciqa_assets.asking.task import Task


def _plain(name: str) -> Task[str]:
    return Task[str](name, None, lambda text: text)


ANSWER: Final = _plain("rag_answer")
THOUGHT: Final = _plain("rag_thought")
CANDIDATES: Final = _plain("rag_candidates")
SUMMARY: Final = _plain("rag_summary")
VALIDITY: Final = _plain("rag_validity")
RANKING: Final = _plain("rag_ranking")
SENTENCE: Final = _plain("rag_sentence")
SEARCH: Final = _plain("rag_search")
READING: Final = _plain("rag_reading")

TASKS: Final = (ANSWER, THOUGHT, CANDIDATES, SUMMARY, VALIDITY, RANKING, SENTENCE, SEARCH, READING)
