-- One row: an item with its questions, its fate, the verdicts of its maker, and who made it.
with composed as (
    select
        item_id,
        variant,
        status,
        rejection_reason,
        merged_question as question,
        merged_answer as answer,
        [
            {'title': 'Step 1: find the paper', 'question': retrieval_question, 'answer': retrieval_answer},
            {'title': 'Step 2: compare', 'question': inter_document_question, 'answer': inter_document_answer}
        ] as steps,
        [
            {'name': 'fluency', 'verdict': fluency},
            {'name': 'completeness', 'verdict': completeness},
            {'name': 'cross_reference_necessity', 'verdict': cross_reference_necessity},
            {'name': 'relational_appropriateness', 'verdict': relational_appropriateness}
        ] as verdicts,
        reply,
        model,
        model_revision,
        prompt_version
    from multi_hop.items
    where item_id = $id
),

of_others as (
    select
        item_id,
        variant,
        'accepted' as status,
        null as rejection_reason,
        question,
        answer,
        list_transform(
            steps, lambda step: {'title': step.title, 'question': step.question, 'answer': step.answer}
        ) as steps,
        verdicts,
        null as reply,
        model,
        model_revision,
        prompt_version
    from item_questions
    where item_id = $id and item_id not in (select item_id from multi_hop.items)
)

select
    found.*,
    (select any_value(split) from item_questions where item_id = $id) as split,
    released.released,
    released.rejection_reason as why_not_released
from (select * from composed union all select * from of_others) as found
left join release.items as released on found.item_id = released.item_id
