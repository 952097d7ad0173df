"""Tables of AirQA's baselines: what was run, every turn of every dialogue, and the answers."""

from typing import Final

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
from aimsciqa_assets.tables.table import Column, Table

BASELINES: Final = (
    *("question_only", "title_abstract", "full_text", "rag", "text2sql"),
    *("agentic_rag", "agentic_text2sql", "agentic_hybrid"),
)
"""The baselines by name; `airqa/baselines/` has what each of them does."""

_RUN: Final = Column("run_id", "VARCHAR", "the run: its baseline, and a hash of its model and its settings")
_REPEAT: Final = Column("repeat", "INTEGER", "which repetition of the run, from 1")
_EXAMPLE: Final = Column("example_id", "VARCHAR", "the example, a row of airqa.examples")
_SECONDS: Final = "seconds, of the model and of actions, as they were when they were first taken"

AIRQA_RUNS = (
    Table(
        "airqa.runs",
        "a baseline with a model and settings that answered examples, once for each repetition",
        (
            _RUN,
            _REPEAT,
            Column("baseline", "VARCHAR", "the baseline", values=BASELINES),
            *ASKED,
            Column("settings", "VARCHAR", "the settings of the baseline, as JSON"),
            Column("system", "VARCHAR", "the system message that opens every dialogue"),
            Column("examples", "INTEGER", "how many examples were to be answered"),
            Column(
                "summaries",
                "INTEGER",
                "summaries and tldr in the store that it could come upon; null for a baseline that sees none",
                null=True,
            ),
        ),
        ("run_id", "repeat"),
        by="run_id",
    ),
    Table(
        "airqa.turns",
        "a turn on the way to an answer: the model's reply, and what came of the action in it",
        (
            _RUN,
            _REPEAT,
            _EXAMPLE,
            TURN,
            Column("reply", "VARCHAR", "the reply as the model gave it, without thinking"),
            Column(
                "thought", "VARCHAR", "what the reply says before its action; null without one", null=True
            ),
            Column("action", "VARCHAR", "the name of the action; null where none could be read", null=True),
            Column(
                "arguments", "VARCHAR", "its arguments, as JSON; null where none could be read", null=True
            ),
            Column(
                "action_text", "VARCHAR", "the turn as later turns show it: thought and action", null=True
            ),
            Column("observation", "VARCHAR", "what the model was told then; null for an answer", null=True),
            ERROR,
            HAS_IMAGE,
            *TOKENS,
            Column("seconds", "DOUBLE", _SECONDS),
        ),
        ("run_id", "repeat", "example_id", "turn"),
        by="run_id",
    ),
    Table(
        "airqa.answers",
        "the answer to an example, or why there is none",
        (
            _RUN,
            _REPEAT,
            _EXAMPLE,
            end("status"),
            ANSWER,
            Column("reason", "VARCHAR", "why it failed, in a word; null when it did not", null=True),
            Column(
                "was_cut", "BOOLEAN", "whether the answer was longer than the settings allow, and was cut"
            ),
            Column("task", "VARCHAR", "the message that gives the task, as the model first got it"),
            TURNS,
            *ALL_TOKENS,
            Column("seconds", "DOUBLE", _SECONDS),
            COST,
        ),
        ("run_id", "repeat", "example_id"),
        by="run_id",
    ),
)
