-- One row: a core QA pair of an accepted item: what the source says, then what the target says. Neither builds on
-- the other.
with used as (
    select
        item_id,
        unnest([1, 2]) as position,
        unnest(['source', 'target']) as role,
        unnest([core_source_qa_id, core_target_qa_id]) as qa_id
    from multi_hop.items
    where status = 'accepted'
)

select used.item_id, used.position, used.role, pairs.question, pairs.answer
from used
inner join single_hop.qa_pairs as pairs on used.qa_id = pairs.qa_id
