"""The parts of the form: what columns a system's SELECTs may give, and what they mean.

SQL reads them as `item_questions`, `item_documents` and so on (`PARTS`). They are no tables of the warehouse:
`platform/queries.py` puts the SELECTs of all systems in their place.
"""

from typing import Final

from aimsciqa_assets.tables.table import ID, ITEM, Column, Table

FORM: Final = Column("form", "VARCHAR", "whose SELECT gave the row; no SELECT gives it itself")

QUESTIONS: Final = Table(
    "items.questions",
    "an item that may be evaluated, rated and released",
    (
        ITEM,
        Column("variant", "VARCHAR", "its kind"),
        Column("split", "VARCHAR", "dev or test; null while it has none", null=True),
        Column("question", "VARCHAR", "what is asked"),
        Column("answer", "VARCHAR", "the right answer"),
        Column("query", "VARCHAR", "what a search is asked; null: nothing is to be retrieved", null=True),
        Column("evaluator", "VARCHAR", "JSON that says how answers are marked; null: by judges", null=True),
        Column(
            "steps",
            "STRUCT(name VARCHAR, title VARCHAR, question VARCHAR, answer VARCHAR)[]",
            "the questions that it was made of, in order",
            null=True,
        ),
        Column("verdicts", "STRUCT(name VARCHAR, verdict VARCHAR)[]", "what its maker says of it", null=True),
        Column("model", "VARCHAR", "who wrote it"),
        Column("model_revision", "VARCHAR", "the model's version", null=True),
        Column("prompt_version", "VARCHAR", "hash of the prompt", null=True),
    ),
    ("item_id",),
)
DOCUMENTS: Final = Table(
    "items.documents",
    "a document that an item rests on: a row of corpus.papers",
    (
        ITEM,
        Column("position", "INTEGER", "order, from 1"),
        Column("role", "VARCHAR", "what it is to the item: source, target, ...; each role once"),
        Column("paper_id", ID, "the document"),
        Column("in_hand", "BOOLEAN", "the reader has it from the start; it is never retrieved"),
        Column("gold", "BOOLEAN", "it is to be retrieved"),
    ),
    ("item_id", "role"),
)
QUOTES: Final = Table(
    "items.quotes",
    "a stretch of a document that carries the answer, exactly as it stands in its paragraph",
    (
        ITEM,
        Column("position", "INTEGER", "order, from 1; the first of a document is what judges are shown"),
        Column("role", "VARCHAR", "the document"),
        Column("name", "VARCHAR", "what it is for: core, retrieval, ..."),
        Column("quote_id", ID, "its QA pair, where it was made with one", null=True),
        Column("question", "VARCHAR", "the question of that pair", null=True),
        Column("answer", "VARCHAR", "the answer of that pair", null=True),
        Column("paragraph_id", ID, "where it stands"),
        Column("evidence", "VARCHAR", "the quote"),
        Column("evidence_start", "INTEGER", "offset in the paragraph"),
        Column("evidence_end", "INTEGER", "offset behind its last character"),
    ),
    ("item_id", "position"),
)
PASSAGES: Final = Table(
    "items.passages",
    "what the maker of an item took from a document, in its own words; judges may be shown it",
    (
        ITEM,
        Column("role", "VARCHAR", "the document"),
        Column("segment", "VARCHAR", "a passage about it; null: the paragraph of its first quote", null=True),
        Column("fact", "VARCHAR", "the fact that the question needs; null: its quotes", null=True),
    ),
    ("item_id", "role"),
)
HOPS: Final = Table(
    "items.hops",
    "a sub-question that one document answers; without any, the first quote of each document is one",
    (
        ITEM,
        Column("position", "INTEGER", "order, from 1"),
        Column("role", "VARCHAR", "the document"),
        Column("question", "VARCHAR", "the sub-question"),
        Column("answer", "VARCHAR", "its answer"),
        Column(
            "bridge",
            "VARCHAR",
            "what the sub-question takes from an earlier hop, as it is written",
            null=True,
        ),
    ),
    ("item_id", "position"),
)
POOLS: Final = Table(
    "items.pools",
    "a document among which those of an item are looked for; without any, among all",
    (
        ITEM,
        Column("paper_id", ID, "the document"),
        Column("position", "INTEGER", "order in which people see them", null=True),
    ),
    ("item_id", "paper_id"),
)
TEXTS: Final = Table(
    "items.texts",
    "a text outside the corpus that question or answer was made from; it is released under its licence only",
    (
        ITEM,
        Column("position", "INTEGER", "order, from 1"),
        Column("name", "VARCHAR", "what was made from it: question, answer"),
        Column("text_id", ID, "the text, where it came from"),
        Column("licence", "VARCHAR", "its licence, short; null when unknown", null=True),
        Column("readable", "BOOLEAN", "it is still there, and everybody may read it"),
        Column("text_start", "INTEGER", "where in it the quote begins"),
        Column("text_end", "INTEGER", "offset behind its last character"),
    ),
    ("item_id", "position"),
)
STATED_FACTS: Final = Table(
    "items.stated_facts",
    "a fact that the answer of an item states; answers are scored by them",
    (
        ITEM,
        Column("position", "INTEGER", "its number in the item, from 1: f1, f2, ..."),
        Column("paper_id", ID, "the paper that it comes from"),
        Column("statement", "VARCHAR", "the fact in a sentence"),
        Column("value", "DOUBLE", "its value; null: none, or several", null=True),
        Column("value_text", "VARCHAR", "the value as the quote has it; empty: none"),
        Column("unit", "VARCHAR", "its unit"),
        Column("low", "DOUBLE", "lower end of its interval", null=True),
        Column("high", "DOUBLE", "upper end", null=True),
        Column("paragraph_id", ID, "where its quote stands"),
        Column("evidence", "VARCHAR", "the quote"),
        Column("evidence_start", "INTEGER", "offset in the paragraph"),
        Column("evidence_end", "INTEGER", "offset behind its last character"),
    ),
    ("item_id", "position"),
)
COMPUTATIONS: Final = Table(
    "items.computations",
    "a number, an order or a verdict of an answer that follows from its facts",
    (
        ITEM,
        Column("position", "INTEGER", "order, from 1"),
        Column("expression", "VARCHAR", "how it follows: f1 - f2, rank(f1, f2, f3), within(f2, f1)"),
        Column("result", "VARCHAR", "what comes out, as the answer has it"),
        Column("unit", "VARCHAR", "its unit"),
        Column("query", "VARCHAR", "SQL over a table of the facts that gives the result", null=True),
    ),
    ("item_id", "position"),
)
RELABELLINGS: Final = Table(
    "items.relabellings",
    "an item, and whether a model named its papers by their cards alone",
    (
        ITEM,
        Column(
            "agrees", "BOOLEAN", "it named the papers of the item, and no other; null: no reply", null=True
        ),
        Column("reason", "VARCHAR", "what it said"),
    ),
    ("item_id",),
)
PARTS: Final = {
    part.name.split(".")[1]: part
    for part in (
        *(QUESTIONS, DOCUMENTS, QUOTES, PASSAGES, HOPS, POOLS, TEXTS),
        *(STATED_FACTS, COMPUTATIONS, RELABELLINGS),
    )
}
"""By name of the file that gives them: questions.sql, documents.sql, ..."""


def select_of(part: str, selects: dict[str, str]) -> str:
    """One SELECT of a part's rows, from the SELECTs of the systems, by name of their form.

    A column that a system leaves out is null.
    """
    columns = (FORM, *PARTS[part].columns)
    empty = ", ".join(f"null::{column.type} as {column.name}" for column in columns)
    given = [
        f"select '{form}' as {FORM.name}, * from (\n{select.rstrip()}\n)" for form, select in selects.items()
    ]
    rows = "\nunion all by name\n".join([f"select {empty} where false", *given])
    return f"select {', '.join(column.name for column in columns)} from (\n{rows}\n)"
