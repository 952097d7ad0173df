-- shows: multi_hop.items
-- Accepted items of this batch, the strongest relations first, each about other facts. `aimsciqa items` lists
-- all, `aimsciqa show ID` tells all about one.
select
    items.item_id as item,
    items.variant as kind,
    items.merged_question as question,
    items.merged_answer as answer
from multi_hop.items
inner join relations.candidate_relations as relations on items.relation_id = relations.relation_id
where items.batch = $batch and items.status = 'accepted'
qualify
    row_number() over (
        partition by
            least(items.core_source_qa_id, items.core_target_qa_id),
            greatest(items.core_source_qa_id, items.core_target_qa_id)
        order by relations.strength desc, items.item_id
    ) = 1
order by relations.strength desc, items.item_id
limit 5
