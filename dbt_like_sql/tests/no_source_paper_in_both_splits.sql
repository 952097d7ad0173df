-- checks: multi_hop.splits
-- All items of a source paper are in one split, and the test split is no larger than asked for.
select variant, source_paper_id as what, count(distinct split) as found
from multi_hop.splits
group by variant, source_paper_id
having count(distinct split) > 1
union all
select variant, 'test items', count(*) filter (where split = 'test')
from multi_hop.splits
group by variant
having count(*) filter (where split = 'test') > least($multi_hop__test_items, count(*) * $multi_hop__test_fraction)
