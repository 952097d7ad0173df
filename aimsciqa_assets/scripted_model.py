"""A model of fixed rules: it lets a pipeline run without a language model, for tests and for a first try.

Its replies have the right form and quote exactly. Its questions are not worth reading.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cache
from hashlib import blake2b
from html import escape
from pathlib import Path
from typing import Any, Final

from aimsciqa_resources.language_model.interface import ModelRefusedError, ModelReply, ModelRequest

from aimsciqa_assets.benchmark.answering import extractive
from aimsciqa_assets.text.sentences import sentence_spans

Told = Mapping[str, Any]

_WORDS: Final = 8
"""Words of a title that describe a paper."""
_STATED: Final = re.compile(
    r"(?P<measure>[A-Za-z][A-Za-z -]{2,60}?)(?: was | were | \| )(?P<value>\d+(?:\.\d+)?)"
    r"(?: ?(?P<unit>%|[^\W\d][^|,;:.()\[\]]*?))?(?=\.?$| in | of |[|,;:.()\[\]])"
)
"""A sentence or a row of a table that gives a measure one value."""
_SHOWN: Final = re.compile(r"^(F\d+) \((\w+)\) (.+?) was ([\d.]+)(?: (.+?))?\. \[", re.MULTILINE)
"""A finding of `_finding` as requests for drafts show it."""


class ScriptedModel:
    """A `LanguageModel` that replies to the tasks of `REPLIES`, each by its rule."""

    @property
    def name(self) -> str:
        """Return "scripted"."""
        return "scripted"

    @property
    def revision(self) -> str:
        """Return a hash of the rules: any change of them makes earlier replies stale."""
        return _hash_of_rules()

    @property
    def sampling(self) -> str:
        """Return nothing: no reply is drawn."""
        return ""

    def replies(self, requests: Iterable[ModelRequest]) -> Iterator[ModelReply]:
        """Yield a reply to each request, in their order; raise `ModelRefusedError` for any other task."""
        for request in requests:
            if request.task not in REPLIES:
                raise ModelRefusedError(
                    f"The scripted model has no rule for the task {request.task}: it needs a model, with "
                    "AIMSCIQA_MODEL_BACKEND=server or vllm, or recorded replies, with "
                    "AIMSCIQA_MODEL_BACKEND=recorded (aimsciqa record)."
                )
            yield ModelReply(request.key, REPLIES[request.task](request.variables))


@cache
def _hash_of_rules() -> str:
    files = (Path(__file__), Path(extractive.__file__))
    return blake2b(b"".join(file.read_bytes() for file in files), digest_size=6).hexdigest()


def _single_hop(told: Told) -> str:
    """Return a pair for the first sentence with a number, which is evidence and answer."""
    text = told["paragraph"]
    sentences = (text[start:end] for start, end in sentence_spans(text))
    sentence = next((sentence for sentence in sentences if re.search(r"\d", sentence)), None)
    if sentence is None:
        return json.dumps({"pairs": []})
    question = f"What is said of {' '.join(sentence.split()[:4])}?"
    pair = {"question": question, "evidence": sentence, "answer": sentence}
    return json.dumps({"pairs": [pair]}, ensure_ascii=False)


def _multi_hop(told: Told) -> str:
    """Return a composition that joins the two core answers."""
    both = f"{told['source_answer']} {told['target_answer']}"
    components = (
        (
            "Find Target Paper",
            f"Which paper answers: {told['retrieval_question']}",
            f"Identified target paper: '{told['target_title']}'.",
        ),
        ("Generate Inter-document QA", f"How do they differ: {told['source_question']}", both),
        ("Merge Complete QA", f"Where, and how do they differ: {told['target_question']}", both),
    )
    written = "".join(
        f'<component type="{kind}"><question>{escape(question, quote=False)}</question>'
        f"<answer>{escape(answer, quote=False)}</answer></component>"
        for kind, question, answer in components
    )
    scores = "".join(_score(criterion, "Accept") for criterion in _CRITERIA)
    return f'<outputs>{written}<component type="QA Validation">{scores}</component></outputs>'


_CRITERIA: Final = (
    "Fluency",
    "Completeness",
    "Cross-reference Necessity",
    "Relational Appropriateness",
    "Decision",
)


def _multi_hop_choice(told: Told) -> str:
    """Return the same for the first core pair and the first retrieval pair."""
    pair, retrieval = told["core_pairs"][0], told["retrieval_pairs"][0]
    shared = {"target_title": told["target_title"], "retrieval_question": retrieval["question"]}
    chosen = {"Core Pair": "1", "Unique QA": "1", "Link": "Contrast"}
    choice = "".join(_score(part, value) for part, value in chosen.items())
    composed = _multi_hop({**pair, **shared}).replace(
        _score("Decision", "Accept"), _score("Identifiability", "Accept") + _score("Decision", "Accept")
    )
    return composed.replace("<outputs>", f'<outputs><component type="Choice">{choice}</component>')


def _score(criterion: str, value: str) -> str:
    return f'<score type="{criterion}">{value}</score>'


def _reading(told: Told) -> str:
    """Return a finding for each sentence and each row of a table that gives a measure one value."""
    findings = list[dict[str, Any]]()
    first: dict[tuple[str, str], int] = {}
    for mark, text in re.findall(
        r"^\[([PT]\d+)\] ((?:(?!\n\[[PTC]\d+\] |\n# ).)*)", told["text"], re.M | re.S
    ):
        for quote in _quotes(mark, text):
            if stated := _STATED.match(quote):
                finding = _finding(told["earlier"] + len(findings) + 1, quote, mark, stated)
                key = (finding["measure"], finding["value"])
                finding["repeats"] = first.get(key, 0)
                first.setdefault(key, finding["number"])
                findings.append(finding)
    words = sorted(set(re.findall(r"\d+|\w{4,}", told["title"].lower())))[:_WORDS]
    card = {"description": f"a paper on {', '.join(words)}"}
    return json.dumps({"card": card, "findings": findings[: told["most"]]}, ensure_ascii=False)


def _quotes(mark: str, text: str) -> list[str]:
    if mark.startswith("T"):
        return [line for line in text.split("\n") if line.strip()]
    return [text[start:end] for start, end in sentence_spans(text)]


def _finding(number: int, quote: str, place: str, stated: re.Match[str]) -> dict[str, Any]:
    measure, value, unit = stated["measure"].strip(), stated["value"], (stated["unit"] or "").strip()
    cited = re.search(r"\[\d+\]", quote)
    return {
        "number": number,
        "statement": f"{measure} was {f'{value} {unit}'.strip()}.",
        "quote": quote,
        "place": place,
        "measure": measure[0].lower() + measure[1:],
        "value": value,
        "unit": unit,
        "cited": cited[0] if cited else "",
    }


def _vocabulary(told: Told) -> str:
    """Return one name for all terms: the existing one if there is one, else that of the first term."""
    named = re.match(r"1\. (.*?) \[(.*?)\]", (told["existing"] or told["terms"])[0])
    name, unit = named.groups() if named else ("measure", "")
    members = [{"term": number} for number in range(1, len(told["terms"]) + 1)]
    measure = {"name": name, "definition": name, "unit": unit, "members": members}
    return json.dumps({"names": [measure | {"existing": 1 if told["existing"] else 0}]}, ensure_ascii=False)


def _drafting(told: Told) -> str:
    """Return a comparison for each group that has a measure with one unit from two papers."""
    cards = dict(re.findall(r"^Paper (\w+): (.+)", "\n".join(told["papers"]), re.MULTILINE))
    drafts = (_draft(number, group, cards) for number, group in enumerate(told["groups"], start=1))
    return json.dumps({"drafts": [draft for draft in drafts if draft]}, ensure_ascii=False)


def _draft(number: int, group: str, cards: Mapping[str, str]) -> dict[str, Any] | None:
    held: dict[tuple[str, str], dict[str, tuple[str, str]]] = {}
    for mark, paper, measure, value, unit in _SHOWN.findall(group):
        of_papers = held.setdefault((measure.lower(), unit), {})
        of_papers.setdefault(paper, (mark, value))
        if len(of_papers) == 2:
            return _comparison(number, measure.lower(), unit, of_papers, cards)
    return None


def _comparison(
    number: int,
    measure: str,
    unit: str,
    of_papers: Mapping[str, tuple[str, str]],
    cards: Mapping[str, str],
) -> dict[str, Any]:
    first, second = (cards[paper] for paper in of_papers)
    values = [value for _, value in of_papers.values()]
    stated = [f"{value} {unit}".strip() for value in values]
    difference = str(Decimal(values[1]) - Decimal(values[0]))
    return {
        "group": number,
        "type": "value_comparison",
        "question": f"How does {measure} compare between {first} and {second}?",
        "answer": f"It was {stated[0]} in {first} and {stated[1]} in {second}, a difference of "
        f"{f'{difference} {unit}'.strip()}.",
        "facts": [
            {"paper": paper, "finding": mark, "statement": f"{measure} was {value}.", "value": value}
            for paper, (mark, value) in of_papers.items()
        ],
        "computations": [{"expression": "f2 - f1", "result": difference, "unit": unit}],
    }


def _constant(**reply: Any) -> Callable[[Told], str]:
    return lambda _told: json.dumps(reply)


REPLIES: Final[Mapping[str, Callable[[Told], str]]] = {
    "single_hop": _single_hop,
    "single_hop_selective": _single_hop,
    "multi_hop": _multi_hop,
    "multi_hop_choice": _multi_hop_choice,
    "answering": extractive.answer_from_papers,
    "airqa_answer": extractive.answer_from_passages,
    "citation_marker": extractive.cited_marker,
    "answer_selection": extractive.selected_answer,
    "findings_reading": _reading,
    "findings_vocabulary": _vocabulary,
    "findings_drafting": _drafting,
    "findings_challenge": _constant(reason="The scripted model keeps all.", action="keep"),
    "findings_strict_reading": _constant(reason="The scripted model keeps all.", failed=[], action="keep"),
}
"""The rule of each task: the text of a reply from the variables of the prompt."""
