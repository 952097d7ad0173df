"""The other forms of a release's rows: JSON lines, BEIR, SQuAD, attribution. Writing and verifying both use
these functions. Items are in the general shape (`items/published.py`).

SQuAD expects answers that are spans of the context. Answers here are written by models: if one happens to be
a span of its evidence, `answer_start` says where, else it is -1. `evidence` always holds spans of the
context.
"""

import json
from collections.abc import Mapping, Sequence

from aimsciqa.files import json_text
from aimsciqa.release import FORMAT
from aimsciqa_assets.items.form import gold_papers, papers_in_hand
from aimsciqa_assets.release.layout import Row

QRELS_HEADER = "query-id\tcorpus-id\tscore"
_BETWEEN_PARAGRAPHS = "\n\n"
_ATTRIBUTED = (
    "paper_id",
    "title",
    "first_author",
    "journal",
    "year",
    "doi",
    "pmcid",
    "licence",
    "licence_url",
)
_CHANGES = "text extracted from the article, divided into paragraphs; questions and answers written about it"
ATTRIBUTION_HEADER = [*_ATTRIBUTED, "changes"]


def json_line(row: Row) -> str:
    """A row as one line of JSON, non-ASCII kept."""
    return json_text(row, separators=(",", ":"))


def beir_document(paper: Row) -> Row:
    """A paper as BEIR's `corpus.jsonl` has it; one without text has its title alone."""
    return {
        "_id": paper["paper_id"],
        "title": paper["title"],
        "text": paper["abstract"] or "",
        "metadata": {"licence": paper["licence"], "has_text": paper["has_text"]},
    }


def beir_query(item: Row) -> Row:
    """What is asked for an item's papers, as BEIR's `queries.jsonl` has it."""
    return {
        "_id": item["item_id"],
        "text": item["query"],
        "metadata": {
            "variant": item["variant"],
            "split": item["split"],
            "in_hand": papers_in_hand(item["documents"]),
            "cluster": item["pool"],
            "facts": item["facts"],
        },
    }


def qrels(item: Row) -> list[str]:
    """An item's gold papers as lines of BEIR's qrels; none if it has no query."""
    gold = gold_papers(item["documents"]) if item["query"] is not None else []
    return [f"{item['item_id']}\t{paper}\t1" for paper in gold]


def attribution(paper: Row) -> list[str]:
    """A paper whose text is in the release as a row of `ATTRIBUTION.csv`."""
    return [*("" if paper[name] is None else str(paper[name]) for name in _ATTRIBUTED), _CHANGES]


def squad_head(name: str) -> str:
    """The first line of a SQuAD file; one entry per line follows."""
    return f'{{"version": {json.dumps(f"{name} {FORMAT}")}, "data": ['


SQUAD_END = "]}"


def squad_item(item: Row, texts: Mapping[str, str]) -> Row:
    """An item as an entry of a SQuAD file; its context are the paragraphs of its evidence, once each."""
    quotes = [quote for document in item["documents"] for quote in document["quotes"]]
    starts: dict[str, int] = {}
    context = ""
    for paragraph in dict.fromkeys(quote["paragraph_id"] for quote in quotes):
        context += _BETWEEN_PARAGRAPHS if context else ""
        starts[paragraph] = len(context)
        context += texts[paragraph]
    spans = [(starts[quote["paragraph_id"]] + quote["evidence_start"], quote["evidence"]) for quote in quotes]
    title = " / ".join(document["title"] for document in item["documents"])
    return _entry(title, context, [_question(item["item_id"], item["question"], item["answer"], spans)])


def squad_paragraph(pairs: Sequence[Row]) -> Row:
    """The QA pairs of a paragraph, each with its `text`, as an entry of a SQuAD file."""
    questions = [
        _question(
            pair["qa_id"], pair["question"], pair["answer"], [(pair["evidence_start"], pair["evidence"])]
        )
        for pair in pairs
    ]
    return _entry(pairs[0]["title"], pairs[0]["text"], questions)


def _entry(title: str, context: str, questions: list[Row]) -> Row:
    return {"title": title, "paragraphs": [{"context": context, "qas": questions}]}


def _question(identifier: str, question: str, answer: str, spans: Sequence[tuple[int, str]]) -> Row:
    return {
        "id": identifier,
        "question": question,
        "answers": [{"text": answer, "answer_start": _answer_start(answer, spans)}],
        "evidence": [{"text": text, "start": start} for start, text in spans],
    }


def _answer_start(answer: str, spans: Sequence[tuple[int, str]]) -> int:
    """Where the answer first occurs in the evidence, if as whole words; else -1."""
    for start, text in spans:
        found = text.find(answer) if answer else -1
        if found >= 0 and _is_whole(text, found, found + len(answer)):
            return start + found
    return -1


def _is_whole(text: str, start: int, end: int) -> bool:
    return not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum())
