"""Tables of Findings: what papers found, what is comparable among it, drafts and their trials, items."""

from typing import Final

from aimsciqa_assets.tables.table import BATCH, ID, ITEM, MODEL, PAPER, REASON, Column, Table

QUESTION_TYPES: Final = (
    "value_comparison",
    "direction_agreement",
    "explained_conflict",
    "replication",
    "set_comparison",
    "bridge",
    "method_outcome",
    "citation_fidelity",
)
"""What a question asks for; docs/findings.md has an example of each."""
GROUP_KINDS: Final = ("measure", "exposure", "instrument", "site", "citation", "entity", "paper")

_FINDING: Final = Column("finding_id", ID, "the finding")
_DRAFT: Final = Column("draft_id", ID, "the draft")
_GROUP: Final = Column("group_id", ID, "the group")
_TYPE: Final = Column("type", "VARCHAR", "what the question asks for", values=QUESTION_TYPES)
_STATUS: Final = Column("status", "VARCHAR", "kept or rejected", values=("kept", "rejected"))
_QUOTE: Final = (
    Column("paragraph_id", ID, "the paragraph or table in which the quote stands", null=True),
    Column("evidence", "VARCHAR", "the quote, character by character"),
    Column("evidence_start", "INTEGER", "offset of the quote in that paragraph", null=True),
    Column("evidence_end", "INTEGER", "offset after its last character", null=True),
)
_FACTS: Final = (
    Column(
        "facts",
        "STRUCT(paper_id VARCHAR, finding_id VARCHAR, claim VARCHAR, amount VARCHAR, unit VARCHAR, "
        "evidence VARCHAR)[]",
        "the facts that the answer states, as the model gave them",
    ),
    Column(
        "computations",
        "STRUCT(expression VARCHAR, result VARCHAR, unit VARCHAR)[]",
        "how numbers that no quote has follow from the facts f1, f2, ...",
    ),
)
_VECTOR: Final = (
    Column("vector", "DOUBLE[]", "unit-length vector"),
    Column("encoder", "VARCHAR", "the encoder"),
    Column("encoder_revision", "VARCHAR", "its version"),
)
_QUESTION: Final = (
    Column("question", "VARCHAR", "the question as it is after this step"),
    Column("answer", "VARCHAR", "its answer"),
    *_FACTS,
)

FINDINGS: Final = (
    Table(
        "findings.papers",
        "a paper of the batch, and what a reader of it noted about the study as a whole: its card",
        (
            PAPER,
            BATCH,
            Column("design", "VARCHAR", "design of the study"),
            Column("population", "VARCHAR", "population, organism or system"),
            Column("place", "VARCHAR", "where"),
            Column("period", "VARCHAR", "when"),
            Column("sample_size", "VARCHAR", "how many were studied, as written"),
            Column(
                "instruments",
                "STRUCT(instrument VARCHAR, cut_off VARCHAR)[]",
                "instruments with their cut-offs",
            ),
            Column("materials", "VARCHAR[]", "substances, species, strains, devices that it studies"),
            Column(
                "description", "VARCHAR", "a phrase that fits this paper alone, without words of its title"
            ),
            Column("findings", "INTEGER", "findings that the reply has"),
            Column("parts", "INTEGER", "parts in which the paper was read"),
            _STATUS,
            REASON,
            *MODEL,
        ),
        ("paper_id",),
    ),
    Table(
        "findings.findings",
        "a finding: one statement of a paper with its exact quote",
        (
            _FINDING,
            BATCH,
            PAPER,
            Column("number", "INTEGER", "its number in the paper, from 1"),
            Column("statement", "VARCHAR", "the finding in a sentence"),
            Column("measure", "VARCHAR", "what was measured or observed, as the paper calls it"),
            Column("exposure", "VARCHAR", "what it depends on or was compared by; empty: nothing"),
            Column("comparator", "VARCHAR", "what it was compared with; empty: nothing"),
            Column("direction", "VARCHAR", "direction of the effect; empty: none stated"),
            Column("value", "DOUBLE", "the value as a number", null=True),
            Column("value_text", "VARCHAR", "the value as written"),
            Column("unit", "VARCHAR", "its unit"),
            Column("low", "DOUBLE", "lower end of its interval", null=True),
            Column("high", "DOUBLE", "upper end", null=True),
            Column("spread", "VARCHAR", "interval, deviation or p as written"),
            Column("numerator", "DOUBLE", "count", null=True),
            Column("denominator", "DOUBLE", "of how many", null=True),
            Column(
                "conditions",
                "STRUCT(condition VARCHAR, stated VARCHAR)[]",
                "what limits it: population, site, unit of analysis, way of measuring, cut-off, timing, "
                "material, dose, route, control value, adjustment, basis",
            ),
            Column(
                "cited", "VARCHAR", "the reference that it is taken from, as marked; empty: the paper's own"
            ),
            Column(
                "repeats", "INTEGER", "the number of the finding whose quantity it states again", null=True
            ),
            Column("contradicts", "INTEGER", "the number of the finding that it contradicts", null=True),
            *_QUOTE,
            _STATUS,
            REASON,
            Column("flags", "VARCHAR[]", "what is odd about a kept finding"),
        ),
        ("finding_id",),
    ),
    Table(
        "findings.quantities",
        "a kept finding and the quantity that it states; several findings may state one",
        (
            _FINDING,
            BATCH,
            PAPER,
            Column("quantity_id", ID, "the quantity: the id of the first finding that states it"),
            Column("in_conflict", "BOOLEAN", "findings of the paper give this quantity different values"),
        ),
        ("finding_id",),
    ),
    Table(
        "findings.card_vectors",
        "the vector of a paper's card and measures, for its neighbours",
        (PAPER, BATCH, *_VECTOR),
        ("paper_id",),
    ),
    Table(
        "findings.term_vectors",
        "the vector of a term by which papers of the batch call a measure",
        (Column("measure", "VARCHAR", "the term"), BATCH, *_VECTOR),
        ("batch", "measure"),
    ),
    Table(
        "findings.measures",
        "a shared name of a measure",
        (
            Column("measure_id", ID, "hash of the terms that it was made for"),
            Column("name", "VARCHAR", "the name, with one pole"),
            Column("definition", "VARCHAR", "what counts as this measure"),
            Column("unit", "VARCHAR", "the unit that values are converted to"),
            Column("since", "VARCHAR", "the paper batch in which it was named first"),
            Column("model", "VARCHAR", "who named it; empty: it has one term alone", null=True),
        ),
        ("measure_id",),
        by="",
    ),
    Table(
        "findings.measured",
        "a quantity and its measure",
        (
            Column("quantity_id", ID, "the quantity"),
            PAPER,
            Column("batch_of_paper", "VARCHAR", "the paper's batch"),
            Column("measure_id", ID, "its measure"),
            Column("is_reversed", "BOOLEAN", "the paper states the opposite pole"),
            Column("value", "DOUBLE", "the value in the unit of the measure", null=True),
        ),
        ("quantity_id",),
        by="",
    ),
    Table(
        "findings.neighbourhoods",
        "a paper of a neighbourhood: papers that may be compared, opened by a paper of the batch",
        (
            Column("neighbourhood_id", ID, "hash of the paper that opens it and of its batch"),
            BATCH,
            PAPER,
            Column("position", "INTEGER", "order, from 0; the paper that opens it comes first"),
            Column("similarity", "DOUBLE", "likeness to the paper that opens it"),
            Column("reason", "VARCHAR", "why it is here", values=("opens", "near", "cites", "review")),
        ),
        ("neighbourhood_id", "paper_id"),
    ),
    Table(
        "findings.groups",
        "findings of two papers or more that may be asked about together, one of them of the batch",
        (
            _GROUP,
            BATCH,
            Column("neighbourhood_id", ID, "the neighbourhood"),
            Column("kind", "VARCHAR", "what they share", values=GROUP_KINDS),
            Column("label", "VARCHAR", "its name"),
            Column("papers", "INTEGER", "papers"),
        ),
        ("group_id",),
    ),
    Table(
        "findings.group_findings",
        "a finding of a group",
        (
            _GROUP,
            BATCH,
            _FINDING,
            PAPER,
            Column("position", "INTEGER", "order, from 0"),
            Column("measure_id", ID, "its measure when the group was made", null=True),
        ),
        ("group_id", "finding_id"),
    ),
    Table(
        "findings.seeds",
        "a question that a user wants covered",
        (
            Column("seed_id", ID, "hash of the question"),
            Column("question", "VARCHAR", "the question"),
        ),
        ("seed_id",),
        by="",
    ),
    Table(
        "findings.drafts",
        "a question that was drafted for a group, or a group that gave none",
        (
            _DRAFT,
            BATCH,
            _GROUP,
            Column("type", "VARCHAR", "what the question asks for; null without a question", null=True),
            Column("seed", "VARCHAR", "the question of a user that it was drafted for", null=True),
            *_QUESTION,
            _STATUS,
            REASON,
            *MODEL,
        ),
        ("draft_id",),
    ),
    Table(
        "findings.challenges",
        "a search through all papers for what would change an answer",
        (
            _DRAFT,
            BATCH,
            Column("round", "INTEGER", "round, from 1"),
            Column("action", "VARCHAR", "what came of it", values=("keep", "correct", "drop", "error")),
            Column("reason", "VARCHAR", "why"),
            Column("passages", "INTEGER", "passages of other papers that were shown"),
            *_QUESTION,
            *MODEL,
        ),
        ("draft_id", "round"),
    ),
    Table(
        "findings.readings",
        "what a strict reader says of a question",
        (
            _DRAFT,
            BATCH,
            Column("round", "INTEGER", "round, from 1"),
            Column("reader", "INTEGER", "reader of the round, from 1"),
            Column("action", "VARCHAR", "what came of it", values=("keep", "edit", "drop", "error")),
            Column("failed", "INTEGER[]", "the criteria, 1 to 7, that the question as it came does not meet"),
            Column("reason", "VARCHAR", "why"),
            *_QUESTION,
            *MODEL,
        ),
        ("draft_id", "round", "reader"),
    ),
    Table(
        "findings.items",
        "a draft at the end of its trials: accepted, or rejected with the reason",
        (
            ITEM,
            BATCH,
            _DRAFT,
            _TYPE,
            Column("question", "VARCHAR", "the question"),
            Column("answer", "VARCHAR", "its answer"),
            Column("papers", "INTEGER", "papers that it needs"),
            Column("status", "VARCHAR", "its fate", values=("accepted", "rejected")),
            REASON,
            *MODEL,
        ),
        ("item_id",),
    ),
    Table(
        "findings.facts",
        "a fact that the answer of an accepted item states",
        (
            ITEM,
            BATCH,
            Column("position", "INTEGER", "its number in the item, from 1: f1, f2, ..."),
            PAPER,
            Column("role", "VARCHAR", "the paper's place in the item: first, second, ..."),
            Column("finding_id", ID, "the finding; null if it was found later", null=True),
            Column("statement", "VARCHAR", "the fact in a sentence"),
            Column("value", "DOUBLE", "its value", null=True),
            Column("value_text", "VARCHAR", "the value as the quote has it"),
            Column("unit", "VARCHAR", "its unit"),
            Column("low", "DOUBLE", "lower end of its interval", null=True),
            Column("high", "DOUBLE", "upper end", null=True),
            *_QUOTE,
        ),
        ("item_id", "position"),
    ),
    Table(
        "findings.computations",
        "a number, an order or a verdict of an answer that follows from its facts",
        (
            ITEM,
            BATCH,
            Column("position", "INTEGER", "order, from 1"),
            Column("expression", "VARCHAR", "how it follows: f1 - f2, rank(f1, f2, f3), within(f2, f1)"),
            Column("result", "VARCHAR", "what comes out, as the answer has it"),
            Column("unit", "VARCHAR", "its unit"),
            Column("query", "VARCHAR", "of a set: SQL over a table of the facts that gives it", null=True),
        ),
        ("item_id", "position"),
    ),
    Table(
        "findings.relabellings",
        "an accepted item, and the papers that a model thinks it needs by their cards alone",
        (
            ITEM,
            BATCH,
            Column("shown", "VARCHAR[]", "the papers whose cards it saw, those of the item among them"),
            Column("named", "VARCHAR[]", "the papers that it named; null: no usable reply", null=True),
            Column("agrees", "BOOLEAN", "they are the papers of the item", null=True),
            Column("reason", "VARCHAR", "why"),
            *MODEL,
        ),
        ("item_id",),
    ),
    Table(
        "findings.splits",
        "an accepted item and its part of the benchmark",
        (ITEM, Column("split", "VARCHAR", "dev or test", values=("dev", "test"))),
        ("item_id",),
        by="",
    ),
)
