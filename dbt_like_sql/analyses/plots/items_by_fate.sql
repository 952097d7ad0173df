-- plots: multi_hop.items
-- Items of the batch by status, implicit and citation-guided.
select status, count(*) as rows, variant
from multi_hop.items
where batch = $batch
group by status, variant
order by variant desc, list_position(['accepted', 'rejected', 'pre_rejected', 'invalid'], status)
