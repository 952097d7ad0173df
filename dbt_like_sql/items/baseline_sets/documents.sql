-- One row: a document that an accepted item of a published set rests on. All are to be retrieved.
select distinct
    items.item_id,
    evidence.document as position,
    evidence.role,
    evidence.paper_id,
    false as in_hand,
    true as gold
from baseline_sets.items
inner join baseline_sets.evidence on items.item_id = evidence.item_id
where items.status = 'accepted'
