-- One row: the source of an accepted item, which the reader has, or its target, which has to be found.
select item_id, 1 as position, 'source' as role, source_paper_id as paper_id, true as in_hand, false as gold
from multi_hop.items
where status = 'accepted'
union all
select item_id, 2, 'target', target_paper_id, false, true
from multi_hop.items
where status = 'accepted'
