"""The items of `tests/data/necessity/planted.toml`: sound ones, and some with a fault to be caught."""

import tomllib
from pathlib import Path
from typing import Any

from aimsciqa.bm25 import Bm25Retriever
from aimsciqa.documents import Documents
from aimsciqa_assets.judging.necessity.items import Item, item_of
from aimsciqa_assets.judging.necessity.reading import Text
from aimsciqa_assets.judging.necessity.rules import queries_of
from aimsciqa_assets.judging.necessity.searching import Nearest, nearest

_PLANTED = tomllib.loads((Path(__file__).parent / "data" / "necessity" / "planted.toml").read_text())


def texts() -> dict[str, Text]:
    return {
        name: Text(name, title, tuple(paragraphs))
        for name, (title, *paragraphs) in _PLANTED["documents"].items()
    }


def faults() -> dict[str, str | None]:
    """What is wrong with each item, by id."""
    return {row["item_id"]: row.get("fault") for row in rows()}


def rows() -> list[dict[str, Any]]:
    """Rows as `necessity/items.sql` gives them."""
    return [_row(number, written) for number, written in enumerate(_PLANTED["items"], start=1)]


def items() -> dict[str, Item]:
    return {row["item_id"]: item_of(row) for row in rows()}


def searched(among: dict[str, Text], of: list[Item], count: int = 12) -> Nearest:
    documents = Documents.of({name: text.passages for name, text in among.items()})
    wanted: dict[str, set[str]] = {}
    for item in of:
        for query in queries_of(item):
            wanted.setdefault(query, set()).update(item.papers)
    return nearest(Bm25Retriever(documents), documents, wanted, count)


def _row(number: int, written: dict[str, Any]) -> dict[str, Any]:
    documents = written["documents"]
    hops = [
        dict(zip(("role", "question", "answer", "bridge"), [*hop, None], strict=False))
        for hop in written["hops"]
    ]
    return {
        "item_id": f"{number:02}",
        "variant": written["kind"],
        "fault": written.get("fault"),
        "question": written["question"],
        "answer": written["answer"],
        "documents": [
            {
                "role": role,
                "paper_id": name,
                "title": _PLANTED["documents"][name][0],
                "in_hand": role == "source",
                "gold": role != "source",
            }
            for role, name in documents.items()
        ],
        "quotes": [
            {
                "role": hop["role"],
                "question": hop["question"],
                "answer": hop["answer"],
                "evidence": _sentence(documents[hop["role"]], hop["answer"]),
            }
            for hop in hops
        ],
        "hops": hops if any(hop["bridge"] for hop in hops) else None,
    }


def _sentence(name: str, answer: str) -> str:
    """The sentence of a document that holds an answer."""
    text = " ".join(_PLANTED["documents"][name][1:])
    sentences = [part if part.endswith(".") else f"{part}." for part in text.split(". ")]
    last = answer.rsplit(maxsplit=1)[-1]
    return next(sentence for sentence in sentences if last in sentence)
