"""Every setting of SciDQA, with its meaning and its default."""

from aimsciqa_resources.section import Section
from pydantic import Field


class ScidqaSettings(Section):
    """Review threads and what is made of them (docs/reviews.md)."""

    forums_per_batch: int = Field(
        default=500, ge=1, description="forums in a paper batch at most; a forum stays in its batch"
    )
