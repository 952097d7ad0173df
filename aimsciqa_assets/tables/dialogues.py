"""Columns of dialogues in which an agent acts and answers: those of AirQA's runs and of EXTRACTOR."""

from typing import Final

from aimsciqa_assets.tables.table import Column

ASKED: Final = (
    Column("model", "VARCHAR", "the language model"),
    Column("model_revision", "VARCHAR", "the model's version"),
    Column("sampling", "VARCHAR", "how its replies were drawn, as JSON; empty where nothing is drawn"),
    Column("prompt_version", "VARCHAR", "hash of the prompts"),
)
"""Who was asked, and how."""

TURN: Final = Column("turn", "INTEGER", "the number of the turn, from 1")
ERROR: Final = Column(
    "error",
    "VARCHAR",
    "what is wrong with the action, in a word: unparsable, unknown_action, arguments, sql, late, ...; null "
    "when nothing is",
    null=True,
)
HAS_IMAGE: Final = Column("has_image", "BOOLEAN", "whether the model was shown an image then")
TOKENS: Final = (
    Column("input_tokens", "INTEGER", "tokens of the prompt"),
    Column("output_tokens", "INTEGER", "tokens of the reply"),
)
"""The tokens of a turn."""

ANSWER: Final = Column("answer", "VARCHAR", "the answer, as JSON; null when failed", null=True)
TURNS: Final = Column("turns", "INTEGER", "how many turns it took")
ALL_TOKENS: Final = (
    Column("input_tokens", "INTEGER", "tokens of all prompts"),
    Column("output_tokens", "INTEGER", "tokens of all replies"),
)
"""The tokens of a dialogue."""

COST: Final = Column("cost", "DOUBLE", "the price of the replies; null where unknown", null=True)


def end(name: str) -> Column:
    """How a dialogue ended, in a column of this name."""
    return Column(
        name,
        "VARCHAR",
        "answered; out_of_turns: the last observation stands in; failed: there is no answer",
        values=("answered", "out_of_turns", "failed"),
    )
