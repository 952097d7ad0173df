-- checks: multi_hop.splits
-- All items of a source paper, and of the same two papers, are in one split, over both variants, and the test
-- split of a variant is no larger than asked for.
-- if it fails: test items would be known from dev. The splits are older than the items, or were made with
-- another multi_hop.test_items or test_fraction: materialize multi_hop/splits with the settings that you
-- want.
with divided as (
    select
        splits.split,
        splits.source_paper_id,
        least(items.source_paper_id, items.target_paper_id)
        || ' and ' || greatest(items.source_paper_id, items.target_paper_id) as papers
    from multi_hop.splits
    inner join multi_hop.items on splits.item_id = items.item_id
)

select source_paper_id as what, count(distinct split) as found
from divided
group by source_paper_id
having count(distinct split) > 1
union all
select papers, count(distinct split)
from divided
group by papers
having count(distinct split) > 1
union all
select variant || ': test items', count(*) filter (where split = 'test')
from multi_hop.splits
group by variant
having count(*) filter (where split = 'test') > least($multi_hop__test_items, count(*) * $multi_hop__test_fraction)
