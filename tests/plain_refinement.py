"""Settings without the refinements of the preset `demo`.

The sentences of the tests' own papers share no measured attribute, so that ranking would leave no core pairs.
"""

UNREFINED = {
    "AIMSCIQA_RELATIONS_SECTION_PAIRS_PER_DOCUMENT_PAIR": "1",
    "AIMSCIQA_REFINEMENT_RANK_CORE_PAIRS": "false",
    "AIMSCIQA_REFINEMENT_NEAREST_PAPERS": "0",
    "AIMSCIQA_REFINEMENT_MODEL_CHOOSES": "false",
    "AIMSCIQA_REFINEMENT_RETRIEVAL_SPECIFICITY": "0",
}
