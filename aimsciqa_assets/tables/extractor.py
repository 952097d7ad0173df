"""Tables of EXTRACTOR: examples that models made, the verdicts of filters on them, and how an actor did."""

from typing import Final

from aimsciqa_assets.tables.airqa import STORE_TABLES
from aimsciqa_assets.tables.dialogues import (
    ALL_TOKENS,
    ANSWER,
    ASKED,
    COST,
    ERROR,
    HAS_IMAGE,
    TOKENS,
    TURN,
    TURNS,
    end,
)
from aimsciqa_assets.tables.table import REASON, Column, Table

KINDS: Final = ("single", "multiple", "retrieval", "comprehensive")
ELEMENTS: Final = ("text", "table", "image", "formula", "sections")
"""What an explorer asks about; `sections` is a pair of them."""
FILTERS: Final = (
    *("evidence_is_exact", "keeps_the_answer", "keeps_the_title", "accepts_its_answer", "rejects_others"),
    *("is_no_duplicate", "not_answerable_alone", "solved_by_tools", "answer_correct"),
)
"""What is looked at, in this order."""

_EXAMPLE: Final = Column("example_id", "VARCHAR", "the example, by its uuid, made of what it was drawn from")
_KIND: Final = Column("kind", "VARCHAR", "the type of its question", values=KINDS)
_BATCH: Final = Column("batch", "VARCHAR", "the paper batch that its paper, or the first of them, came from")
_STATUS: Final = Column("status", "VARCHAR", "whether it is kept", values=("accepted", "rejected"))
_OF_TRAJECTORY: Final = Column(
    "rejection_reason", "VARCHAR", "why the trajectory is rejected; null when it is not", null=True
)


def _element(meaning: str) -> Column:
    return Column("element", "VARCHAR", meaning, null=True, values=ELEMENTS)


EXTRACTOR = (
    Table(
        "extractor.examples",
        "a try to make an example from what was drawn of the paper store: the example, or why there is none",
        (
            _EXAMPLE,
            _KIND,
            _element("what it was made from; null: title and abstract, or two singles"),
            _BATCH,
            Column("try_number", "INTEGER", "in which round of its kind and element it was tried, from 1"),
            Column("question", "VARCHAR", "the question; null where there is none", null=True),
            Column("answer", "VARCHAR", "the right answer, as JSON; null where there is none", null=True),
            Column(
                "answer_format",
                "VARCHAR",
                "how the answer is to be given; null where there is none",
                null=True,
            ),
            Column("eval_func", "VARCHAR", "the evaluation function; null where none was chosen", null=True),
            Column("evaluator", "VARCHAR", "its evaluator as a JSON object; null without one", null=True),
            Column("tags", "VARCHAR[]", "its tags: single, table, objective, ..."),
            Column(
                "anchor_pdf",
                "VARCHAR[]",
                "uuids of the papers that the question names: none for retrieval and comprehensive",
            ),
            Column("conference", "VARCHAR[]", "where to search, such as acl2023, when it names no paper"),
            Column(
                "papers", "VARCHAR[]", "uuids of the papers that it was made from; never told to an actor"
            ),
            Column(
                "evidence",
                "VARCHAR",
                "what the answer rests on: a quote, a table as HTML, a caption, a formula; null without one",
                null=True,
            ),
            Column(
                "evidence_table",
                "VARCHAR",
                "the table of the paper store that has the evidence; null where it was not found",
                null=True,
                values=STORE_TABLES,
            ),
            Column("evidence_key", "VARCHAR", "the key of the row in that table", null=True),
            Column("evidence_page", "INTEGER", "the page on which it stands; null when none", null=True),
            Column("parts", "VARCHAR[]", "of a multiple example: the two singles that it was made from"),
            Column("explored", "VARCHAR", "what the explorer said; null without a reply", null=True),
            Column("tracked", "VARCHAR", "what the tracker said; null where it was not asked", null=True),
            Column("explorer", "VARCHAR", "the model that explored; null where none was asked", null=True),
            Column("tracker", "VARCHAR", "the model that tracked; null where none was asked", null=True),
            Column(
                "prompt_version",
                "VARCHAR",
                "hash of the prompts of both; null where none was asked",
                null=True,
            ),
            _STATUS,
            REASON,
            Column("detail", "VARCHAR", "what the reason is about; null when not rejected", null=True),
            Column(
                "shape",
                "VARCHAR",
                "the example as AirQA writes it, as a JSON object; null without one",
                null=True,
            ),
        ),
        ("example_id",),
        by="",
    ),
    Table(
        "extractor.quotas",
        "how many examples were wanted of a kind and element, or of an evaluator, and what became of them",
        (
            Column("kind", "VARCHAR", "the kind of question; all: an evaluator, whatever the kind"),
            Column("element", "VARCHAR", "the element; all: kinds without one, and evaluators"),
            Column("evaluator", "VARCHAR", "the evaluation function; all: a kind and element"),
            Column("wanted", "INTEGER", "examples that were to be made; of an evaluator: at most"),
            Column("seeds", "INTEGER", "what could be drawn of the paper store; null: nothing is", null=True),
            Column("tries", "INTEGER", "how often it was tried"),
            Column("accepted", "INTEGER", "how many were made"),
            Column("merged", "INTEGER", "how many more were made, and became parts of multiple examples"),
            Column("missing", "INTEGER", "how many are missing"),
            Column(
                "why",
                "VARCHAR",
                "why some are missing: the store has no more to draw from, the tries are used up, too few "
                "singles were made, or replies are still to come; null when none is",
                null=True,
                values=("no_seeds", "no_tries", "no_singles", "no_reply"),
            ),
        ),
        ("kind", "element", "evaluator"),
        by="",
    ),
    Table(
        "extractor.trajectories",
        "the way of an actor to an answer to an accepted example",
        (
            _EXAMPLE,
            _KIND,
            _BATCH,
            Column("system", "VARCHAR", "the system message that opens the dialogue"),
            Column("task", "VARCHAR", "the message that gives the task"),
            *ASKED,
            Column("action_format", "VARCHAR", "how it writes an action: markdown, json, xml, yaml, tools"),
            end("ended"),
            TURNS,
            Column("wrong_actions", "INTEGER", "how many of them have an error"),
            ANSWER,
            Column("score", "INTEGER", "1: correct, 0: wrong; null where there is no verdict", null=True),
            Column(
                "alone",
                "VARCHAR",
                "what the model answers from the question alone, as JSON; null where it was not asked",
                null=True,
            ),
            Column("alone_score", "INTEGER", "1: that is correct, 0: it is not", null=True),
            *ALL_TOKENS,
            COST,
            _STATUS,
            _OF_TRAJECTORY,
        ),
        ("example_id",),
    ),
    Table(
        "extractor.turns",
        "a turn of a trajectory: what the actor said, and what it was told then",
        (
            _EXAMPLE,
            _BATCH,
            TURN,
            Column("said", "VARCHAR", "the actor's message as later turns show it: thought and action"),
            Column(
                "action",
                "VARCHAR",
                "the action as a JSON object of action and arguments; null where none could be read",
                null=True,
            ),
            Column("observation", "VARCHAR", "what it was told then; null for an answer", null=True),
            ERROR,
            HAS_IMAGE,
            Column("loss", "BOOLEAN", "whether loss is taken on it in training, by the settings"),
            *TOKENS,
            _STATUS,
            Column(
                "rejection_reason",
                "VARCHAR",
                "why no loss is taken on it: its trajectory's reason, or its error; null when it is",
                null=True,
            ),
        ),
        ("example_id", "turn"),
    ),
    Table(
        "extractor.verdicts",
        "what a filter found of an example; it has no row where the example did not come that far",
        (
            _EXAMPLE,
            _BATCH,
            Column("filter", "VARCHAR", "what was looked at", values=FILTERS),
            Column(
                "verdict",
                "VARCHAR",
                "passed; failed; none: there was nothing to look at, or no answer to that",
                values=("passed", "failed", "none"),
            ),
            Column("detail", "VARCHAR", "what was seen; null where there is nothing to say", null=True),
        ),
        ("example_id", "filter"),
    ),
)
