-- One row: the evidence of a QA pair that an accepted item was composed from. A pair that is gone leaves nulls.
with used as (
    select
        item_id,
        unnest([1, 2, 3]) as position,
        unnest(['source', 'target', 'target']) as role,
        unnest(['core', 'core', 'retrieval']) as name,
        unnest([core_source_qa_id, core_target_qa_id, retrieval_qa_id]) as quote_id
    from multi_hop.items
    where status = 'accepted'
)

select
    used.*,
    pairs.question,
    pairs.answer,
    pairs.paragraph_id,
    pairs.evidence,
    pairs.evidence_start,
    pairs.evidence_end
from used
left join single_hop.qa_pairs as pairs on used.quote_id = pairs.qa_id
