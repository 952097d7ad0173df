-- One row: an accepted item of AIM-SciQA.
select
    items.item_id,
    items.variant,
    splits.split,
    items.merged_question as question,
    items.merged_answer as answer,
    items.retrieval_question as query,
    [
        {
            'name': 'retrieval',
            'title': 'Step 1: find the paper',
            'question': items.retrieval_question,
            'answer': items.retrieval_answer
        },
        {
            'name': 'inter_document',
            'title': 'Step 2: compare',
            'question': items.inter_document_question,
            'answer': items.inter_document_answer
        }
    ] as steps,
    [
        {'name': 'fluency', 'verdict': items.fluency},
        {'name': 'completeness', 'verdict': items.completeness},
        {'name': 'cross_reference_necessity', 'verdict': items.cross_reference_necessity},
        {'name': 'relational_appropriateness', 'verdict': items.relational_appropriateness}
    ] as verdicts,
    items.model,
    items.model_revision,
    items.prompt_version
from multi_hop.items
left join multi_hop.splits on items.item_id = splits.item_id
where items.status = 'accepted'
