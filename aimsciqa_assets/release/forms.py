"""The other forms of a release's rows: JSON lines, BEIR, SQuAD. Writing and verifying both go by these.

SQuAD wants answers that stand in the context. An answer here is written, not cut out: where it happens to
stand in its evidence as it is, `answer_start` says where, else it is -1. `evidence` always holds spans of the
context.
"""

import json
import re
from collections.abc import Mapping, Sequence

from aimsciqa_assets.release.layout import FORMAT, Row

QRELS_HEADER = "query-id\tcorpus-id\tscore"
_BETWEEN_PARAGRAPHS = "\n\n"


def json_line(row: Row) -> str:
    """A row as one line of JSON, non-ASCII kept."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def beir_document(paper: Row) -> Row:
    """A paper as BEIR's `corpus.jsonl` has it; one without text has its title alone."""
    return {
        "_id": paper["paper_id"],
        "title": paper["title"],
        "text": paper["abstract"] or "",
        "metadata": {"licence": paper["licence"], "has_text": paper["has_text"]},
    }


def beir_query(item: Row) -> Row:
    """An item's retrieval question as BEIR's `queries.jsonl` has it."""
    return {
        "_id": item["item_id"],
        "text": item["find_target_paper"]["question"],
        "metadata": {
            "variant": item["variant"],
            "split": item["split"],
            "source_paper_id": item["source"]["paper_id"],
            "cluster": item["cluster"],
        },
    }


def qrel(item: Row) -> str:
    """An item's target as a line of BEIR's qrels."""
    return f"{item['item_id']}\t{item['target']['paper_id']}\t1"


def squad_head(name: str) -> str:
    """What a SQuAD file opens with; an entry a line follows."""
    return f'{{"version": {json.dumps(f"{name} {FORMAT}")}, "data": ['


SQUAD_END = "]}"


def squad_item(item: Row, texts: Mapping[str, str]) -> Row:
    """An item as an entry of a SQuAD file; its context are the paragraphs of its evidence, once each."""
    pairs = [item["source"]["core_qa"], item["target"]["core_qa"], item["target"]["retrieval_qa"]]
    starts: dict[str, int] = {}
    context = ""
    for paragraph in dict.fromkeys(pair["paragraph_id"] for pair in pairs):
        context += _BETWEEN_PARAGRAPHS if context else ""
        starts[paragraph] = len(context)
        context += texts[paragraph]
    spans = [(starts[pair["paragraph_id"]] + pair["evidence_start"], pair["evidence"]) for pair in pairs]
    title = f"{item['source']['title']} / {item['target']['title']}"
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
    """Where the answer stands in the evidence, as whole words; -1 when it does not."""
    whole = re.compile(rf"(?<!\w){re.escape(answer)}(?!\w)")
    for start, text in spans:
        if answer and (found := whole.search(text)):
            return start + found.start()
    return -1
