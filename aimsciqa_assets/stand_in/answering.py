"""The extractive reader: answers a question with the sentences of the given papers that fit it best.

It knows nothing but what it is given, so that it declines where it is given no paper. From each paper it
takes one sentence: the one that shares most with the part of the question that is about that paper.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from math import fsum, log
from typing import Any, Final

from aimsciqa_assets.stand_in.composition.questions import ASKING
from aimsciqa_assets.stand_in.composition.words import content
from aimsciqa_assets.text.sentences import sentence_spans

DECLINED: Final = "I cannot tell without the papers."
# Of the score of a sentence without a number, where the question asks for one.
WITHOUT_NUMBER: Final = 0.6
# Words of a sentence from which on it is not quoted in full measure: it says too many things.
LONG_SENTENCE: Final = 30
# Stems of words that ask for nothing in particular.
_SAYING_NOTHING: Final = frozenset({"answer", "result", "finding"})

_SOURCE = re.compile(r"\bsource (?:paper|study|article)\b(?: on [^,;?]+)?", re.IGNORECASE)
_SEPARATOR = re.compile(
    r"[,;]\s+(?:and|while|whereas|but)\b"
    r"|\b(?:compare|contrast|relate|differ|agree|conflict)\w*\s+(?:with|to|from)\b",
    re.IGNORECASE,
)
_DESCRIPTION = re.compile(
    rf"^(?:in|considering|according to|for|given)\b.*?,\s+(?={ASKING})", re.IGNORECASE | re.DOTALL
)
_WANTS_A_NUMBER = re.compile(
    r"\b(?:how (?:many|much|long|often|high|low|large|old)|what (?:percentage|proportion|share|number|value)"
    r"|change|rate|ratio|mean|median|level|concentration|dose|yield)\b",
    re.IGNORECASE,
)


def compose(variables: Mapping[str, Any]) -> str:
    """Write the reply to an answering request; raises KeyError when a variable of the prompt is missing."""
    question = variables["question"]
    sources = [paper["text"] for paper in variables["papers"] if paper["name"] == "source_paper"]
    others = [paper["text"] for paper in variables["papers"] if paper["name"] != "source_paper"]
    for_others, for_sources = question_parts(question) if sources and others else (question, question)
    titles = [paper.partition("\n\n")[0] for paper in others]
    openings = [f"The paper in question is '{title}'. It reports:" for title in titles]
    statements = [
        f"{opening} {sentences[place]}"
        for opening, paper, asked in (
            *zip(openings, others, repeat(for_others)),
            *zip(repeat("The source paper reports:"), sources, repeat(for_sources)),
        )
        if (place := _best(sentences := _sentences(paper), asked)) is not None
    ]
    return _reply("answer", " ".join(statements) or DECLINED)


def choose_marker(variables: Mapping[str, str]) -> str:
    """Write the reply to a citation marker request: the marker whose citing sentence fits the question."""
    lines = [line.partition("\t") for line in variables["citing_sentences"].splitlines() if line.strip()]
    sentences = tuple(sentence for _, _, sentence in lines)
    place = _best(sentences, variables["question"])
    return _reply("marker", lines[place][0] if place is not None else "")


def choose_answer(variables: Mapping[str, Any]) -> str:
    """Write the reply to a request to choose: the answer that fits the question best, else the first."""
    answers = variables["answers"]
    place = _best(tuple(answer["text"] for answer in answers), variables["question"])
    return json.dumps({"number": answers[place or 0]["number"]})


def best_sentence(texts: Sequence[str], question: str) -> str | None:
    """The sentence of some texts that fits a question best; None where none shares a word with it."""
    blocks = [block for text in texts for block in text.split("\n\n")]
    sentences = [
        " ".join(block[start:end].split()) for block in blocks for start, end in sentence_spans(block)
    ]
    place = _best(sentences, question)
    return None if place is None else sentences[place]


def question_parts(question: str) -> tuple[str, str]:
    """The parts that ask about the second paper and about the source; the whole where they are not apart.

    The clause that describes the second paper is left out: what it says stands in that paper, too, but is
    not what is asked.
    """
    second = source = question
    if mention := _SOURCE.search(question):
        cuts = list(_SEPARATOR.finditer(question))
        if before := [cut for cut in cuts if cut.end() <= mention.start()]:
            second, source = question[: before[-1].start()], question[before[-1].end() :]
        elif behind := [cut for cut in cuts if cut.start() >= mention.end()]:
            source, second = question[: behind[0].start()], question[behind[0].end() :]
    asked = _DESCRIPTION.sub("", second)
    asked = asked if _asks_something(asked) else second
    source = _SOURCE.sub("", source)
    # "... and how does this compare with the answer in the source paper?" asks both the same.
    return asked, source if _asks_something(source) else asked


def _asks_something(part: str) -> bool:
    return bool(content(part).keys() - _SAYING_NOTHING)


def _best(sentences: Sequence[str], question: str) -> int | None:
    """Where the sentence stands that shares the rarest words with the question; None where none does."""
    stems = [_stems(sentence) for sentence in sentences]
    holding = Counter(stem for found in stems for stem in found)
    asked = content(question).keys()
    wants_a_number = _WANTS_A_NUMBER.search(question) is not None

    def score(found: frozenset[str]) -> float:
        # fsum: a set has another order in every process, and equals must stay equal.
        shared = fsum(log(1 + len(sentences) / holding[stem]) for stem in asked & found)
        lacks_number = wants_a_number and not any(stem[0].isdigit() for stem in found - asked)
        return shared / max(1.0, len(found) / LONG_SENTENCE) * (WITHOUT_NUMBER if lacks_number else 1.0)

    scores = [score(found) for found in stems]
    best = max(scores, default=0.0)
    return scores.index(best) if best else None


@lru_cache(maxsize=512)
def _sentences(paper: str) -> tuple[str, ...]:
    """Sentences of a paper's paragraphs: blocks that are neither its title nor a heading nor a gap."""
    _title_line, *blocks = paper.split("\n\n")
    return tuple(
        block[start:end]
        for block in blocks
        if not block.startswith("# ") and block != "[...]"
        for start, end in sentence_spans(block)
    )


@lru_cache(maxsize=1 << 16)
def _stems(sentence: str) -> frozenset[str]:
    return frozenset(content(sentence))


def _reply(field: str, value: str) -> str:
    return json.dumps({field: value}, ensure_ascii=False)
