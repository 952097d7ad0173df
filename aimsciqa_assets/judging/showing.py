"""What a judge is shown of an item: its question, its answer, and a text of each of its documents."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

import polars as pl

from aimsciqa_assets.items import kind_of
from aimsciqa_assets.items.form import Shown

Row = dict[str, Any]

MOST_DOCUMENTS: Final = 10
"""An item of more documents is shown to no judge (HopWeaver, evaluation)."""


def shown(
    items: pl.DataFrame,
    wanted: Literal["usual"] | Shown = "usual",
    texts: Mapping[str, str] | None = None,
    words: int = 0,
) -> list[Row]:
    """What a judge sees of each item; `items` are rows of `judging/rated.sql`.

    `wanted` is what the settings say, `usual` what each kind has. `texts` are whole documents by paper, of
    which the first `words` words are shown.
    """
    return [
        _shown(item, form_shown(item["variant"], wanted), texts or {}, words) for item in items.to_dicts()
    ]


def form_shown(variant: str, wanted: Literal["usual"] | Shown) -> Shown:
    """What is shown of the documents of a kind."""
    return kind_of(variant).shown if wanted == "usual" else wanted


def papers_of(items: pl.DataFrame, wanted: Literal["usual"] | Shown) -> list[str]:
    """The papers whose whole text is shown."""
    listed: Iterable[Row] = items.to_dicts()
    return sorted(
        {
            document["paper_id"]
            for item in listed
            if form_shown(item["variant"], wanted) == "documents"
            for document in item["documents"]
        }
    )


def _shown(item: Row, form: Shown, texts: Mapping[str, str], words: int) -> Row:
    return {
        "item_id": item["item_id"],
        "written_by": item["model"],
        "shown": form,
        "shown_words": words if form == "documents" else None,
        "told": {
            "question": item["question"],
            "answer": item["answer"],
            "documents": [
                {"title": document["title"], "text": _text(document, form, texts, words)}
                for document in item["documents"]
            ],
            "shown": form,
            "compares": kind_of(item["variant"]).compares,
        },
    }


def _text(document: Row, form: Shown, texts: Mapping[str, str], words: int) -> str:
    if form == "documents":
        return first_words(texts.get(document["paper_id"], ""), words)
    if form == "facts":
        return "\n".join(dict.fromkeys(document["facts"]))
    text: str = document["segment" if form == "segments" else "paragraph"]
    return text


def first_words(text: str, words: int) -> str:
    """The text up to its word of that number, with its line breaks."""
    kept: list[str] = []
    room = words
    for line in text.splitlines():
        of_line = line.split()
        kept.append(line if len(of_line) <= room else " ".join(of_line[:room]))
        room -= len(of_line)
        if room <= 0:
            break
    return "\n".join(kept)
