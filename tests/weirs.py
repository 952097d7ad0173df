"""Made-up documents on weirs, replies about them, and a search that answers by its queries' words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aimsciqa_assets.hopweaver.documents import Document

HOLLIN = Document(
    "d1",
    "Hollin Weir",
    (
        ("d1-p1", "Hollin Weir is a stone weir on the River Tarn at Ostley."),
        ("d1-p2", "The weir was built in 1823 by Edith Marrow for the paper mill and is 41 m long."),
    ),
)
SALTER = Document(
    "d2",
    "Salter's Weir",
    (("d2-p1", "Salter's Weir crosses the Ebb near Quoyle. Work on it ended in 1790, at last."),),
)
QUOYLE = Document("d3", "Quoyle", (("d3-p1", "Quoyle is a village of 900 people on the Ebb."),))
GANTRY = Document("d4", "Gantry Weir", (("d4-p1", "Gantry Weir is a concrete weir. It dates from 1931."),))
BOTH = Document(
    "d5",
    "Weirs of the county",
    (("d5-p1", "Hollin Weir was built in 1823 by Edith Marrow. Salter's Weir was finished in 1790."),),
)
DOCUMENTS = {one.document_id: one for one in (HOLLIN, SALTER, QUOYLE, GANTRY, BOTH)}

SUBJECT = (
    '("subject_entity"<|>"Hollin Weir"<|>"weir") ## ("attribute"<|>"year of construction"<|>"1823") ## '
    '("attribute"<|>"length"<|>"41 m") ## ("attribute"<|>"builder"<|>"Edith Marrow")<|COMPLETE|>'
)
SCORES = (
    '("entity_score"<|>5) ## ("attribute_score"<|>"year of construction"<|>"1823"<|>5) ## '
    '("attribute_score"<|>"length"<|>"41 m"<|>4) ## '
    '("attribute_score"<|>"builder"<|>"Edith Marrow"<|>3)<|COMPLETE|>'
)
QUERIES = '("search_queries"<|>stone weir<|>old dam<|>village river)<|COMPLETE|>'
RECOMMENDATION = '("recall_focused_verify"<|>Salter\'s Weir<|>year of construction<|>stone weir)<|COMPLETE|>'
FIELDS = {
    "entity_a": "Hollin Weir",
    "entity_b": "Salter's Weir",
    "attribute_compared": "year of construction",
    "multi_hop_question": "Which was completed first, Hollin Weir or Salter's Weir?",
    "answer": "Salter's Weir",
    "fact_entity_a": "Hollin Weir was built in 1823.",
    "fact_entity_b": "Salter's Weir was completed in 1790.",
    "quote_a": "The weir was built in 1823 by Edith Marrow",
    "quote_b": "Work on it ended in 1790",
    "relevant_paragraph_a": "Hollin Weir was built in 1823 by Edith Marrow for the paper mill.",
    "relevant_paragraph_b": "Work on Salter's Weir ended in 1790.",
}
FAIL = "FAIL\nDocument B is about a village."


def passed(**changed: str) -> str:
    """The reply of a question builder, with some fields changed."""
    return "PASS\n" + "\n".join(f"{name}: {value}" for name, value in (FIELDS | changed).items())


@dataclass(frozen=True)
class Found:
    """A document that was found; the terms of its score are all the same."""

    document_id: str
    score: float = 0.5
    relevance: float = 0.6
    source: float = 0.1
    redundancy: float = 0.0


class Searching:
    """A search that knows what each query finds, and keeps what it was asked."""

    def __init__(self, found: Mapping[str, Sequence[str]]) -> None:
        self.found = found
        self.asked: list[tuple[str, str | None, int]] = []

    def __call__(self, query: str, excluded: str | None, count: int) -> list[Found]:
        self.asked.append((query, excluded, count))
        return [Found(one) for one in self.found.get(query, ()) if one != excluded][:count]
