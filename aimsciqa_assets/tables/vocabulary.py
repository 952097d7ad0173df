"""The closed sets of words that some columns may hold, as types."""

from typing import Literal

SectionKind = Literal[
    "abstract",
    "introduction",
    "methods",
    "results",
    "results_discussion",
    "discussion",
    "conclusion",
    "case",
    "other",
]
"""What a section of a paper is about."""

Retraction = Literal["retracted", "withdrawn", "expression_of_concern"]
"""What a paper suffered that may not be relied on, or of what it is the notice."""

ArticleStatus = Literal["in", "withdrawn", "licence", "no_xml", "pending"]
"""What became of an article of PubMed Central: it is in the corpus, or why it is not."""

NoteKind = Literal["submission", "review", "response", "comment", "meta_review", "decision", "other"]
"""What a note of a forum is; a response is what the authors write."""

NoteWriter = Literal["authors", "reviewer", "area_chair", "chairs", "public", "unknown"]
"""Who wrote a note."""
