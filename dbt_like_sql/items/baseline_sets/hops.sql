-- One row: a sub-question of an accepted item of a published set, where the set has them.
select items.item_id, hops.position, hops.role, hops.question, hops.answer, hops.bridge
from baseline_sets.items
inner join baseline_sets.hops as hops on items.item_id = hops.item_id
where items.status = 'accepted'
