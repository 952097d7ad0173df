-- One row: an item of AIM-SciQA with the QA pairs that its answer rests on: of the source and of the target.
select item_id, [core_source_qa_id, core_target_qa_id] as pairs
from multi_hop.items
where status = 'accepted'
order by item_id
