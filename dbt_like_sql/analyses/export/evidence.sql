-- One row: a QA pair that a released item rests on, with the paragraph that it was made from.
with used as (
    select
        release_items.split || '/' || release_items.item_id as key,
        unnest(['source_core', 'target_core', 'target_retrieval']) as role,
        unnest([items.core_source_qa_id, items.core_target_qa_id, items.retrieval_qa_id]) as qa_id
    from release.items as release_items
    inner join multi_hop.items on release_items.item_id = items.item_id
    where release_items.released and key >= $first and key < $before
)

select
    used.key,
    used.role,
    {
        'qa_id': pairs.qa_id,
        'section': sections.title,
        'section_kind': sections.kind,
        'question': pairs.question,
        'answer': pairs.answer,
        'evidence': pairs.evidence,
        'paragraph_id': pairs.paragraph_id,
        'evidence_start': pairs.evidence_start,
        'evidence_end': pairs.evidence_end
    } as qa,
    paragraphs.text
from used
inner join single_hop.qa_pairs as pairs on used.qa_id = pairs.qa_id
inner join corpus.paragraphs on pairs.paragraph_id = paragraphs.paragraph_id
inner join corpus.sections on pairs.section_id = sections.section_id
order by used.key, used.role
