"""A made-up discussion of a paper on a sampler."""

from aimsciqa_assets.scidqa.pairs.discussions import Discussion, Turn

REVIEW = """Interesting work on a sampler. How many seeds were used? It is unclear whether [1] is faster.
Please fix the typo in Eq. 2.

References
[1] Reed, A. 2019. A sampler of willows."""
REPLY = """> How many seeds were used?
We used five seeds for each setting. [A] is slower than ours by half, see the updated Table 2.

[A] Reed, A. 2019. A sampler of willows."""
FOLLOW_UP = "Thanks. Why only five seeds?"

DISCUSSION = Discussion(
    "F1",
    "Willow sampling",
    Turn("R1", "reviewer", REVIEW),
    (Turn("A1", "authors", REPLY), Turn("R2", "reviewer", FOLLOW_UP)),
)
