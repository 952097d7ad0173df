-- One row: a document of the context of an accepted item of a published set, supporting or a distractor.
select items.item_id, contexts.paper_id, contexts.position
from baseline_sets.items
inner join baseline_sets.contexts on items.item_id = contexts.item_id
where items.status = 'accepted'
