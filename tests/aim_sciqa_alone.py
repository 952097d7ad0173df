"""Settings of homes in which AIM-SciQA alone makes items, of one section pair for two papers."""

AIM_SCIQA = {
    "AIMSCIQA_SYSTEMS": "aim-sciqa",
    "AIMSCIQA_RELATIONS_SECTION_PAIRS_PER_DOCUMENT_PAIR": "1",
}
