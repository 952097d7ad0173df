-- checks: multi_hop.splits
-- All items of a source paper are in one split, and the test split is no larger than asked for.
-- if it fails: test items would be known from dev. The splits are older than the items, or were made with
-- another multi_hop.test_items or test_fraction: materialize multi_hop/splits with the settings that you
-- want.
select variant, source_paper_id as what, count(distinct split) as found
from multi_hop.splits
group by variant, source_paper_id
having count(distinct split) > 1
union all
select variant, 'test items', count(*) filter (where split = 'test')
from multi_hop.splits
group by variant
having count(*) filter (where split = 'test') > least($multi_hop__test_items, count(*) * $multi_hop__test_fraction)
