"""Every setting of SciDQA, with its meaning and its default."""

from aimsciqa_resources.section import Section
from pydantic import Field


class ScidqaSettings(Section):
    """Questions of reviewers with the answers of authors (docs/scidqa.md)."""

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
