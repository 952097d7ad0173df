-- One row: a QA pair that an item rests on.
select item_id, split, 'source core' as role, source.paper_id as paper_id, source.core_qa as qa
from multi_hop
union all
select item_id, split, 'target core', target.paper_id, target.core_qa
from multi_hop
union all
select item_id, split, 'target retrieval', target.paper_id, target.retrieval_qa
from multi_hop
