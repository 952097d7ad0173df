"""Every setting of SciDQA, with its meaning and its default."""

from aimsciqa_resources.section import Section
from pydantic import Field


class ScidqaSettings(Section):
    """Review threads (docs/reviews.md) and the questions and answers in them (docs/scidqa.md)."""

    forums_per_batch: int = Field(
        default=500, ge=1, description="forums in a paper batch at most; a forum stays in its batch"
    )
    extraction: bool = Field(
        default=False,
        description="have the model of the section scidqa_model find pairs of question and answer in the "
        "discussions of reviews, and judge and rewrite them; two requests for a discussion",
    )
    perplexity_model: str = Field(
        default="",
        description="folder of a causal language model (the paper: GPT-2) by which the perplexity of pairs "
        "is measured before and after they are rewritten; empty: it is not measured",
    )
