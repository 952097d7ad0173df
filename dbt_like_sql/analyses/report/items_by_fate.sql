-- One row: a variant of items with the number of each fate.
select
    variant,
    count(*) as items,
    count(*) filter (where status = 'accepted') as accepted,
    count(*) filter (where status = 'pre_rejected') as pre_rejected,
    count(*) filter (where status = 'rejected') as rejected,
    count(*) filter (where status = 'invalid') as invalid
from (
    select variant, status from multi_hop.items
    union all
    select kind, status from hopweaver.items
)
group by variant
order by variant in ('bridge', 'comparison'), variant desc
