-- checks: release.items
-- Splits, Table 3 and release count the same items: each accepted item has one split, Table 3 counts the items of
-- each split, and a release that was made of these splits leaves no item out because it leaks.
-- if it fails: one of the three is older than the others. Run `aimsciqa run`; if a `leaks_into_test` stays, the
-- splits let through what the release does not: please report it.
with divided as (
    select variant, split, count(*) as items
    from multi_hop.splits
    group by all
),

-- A run up to the items makes new splits, and no new release.
of_these_splits as (
    select made.table_name
    from ops.materializations as made
    inner join ops.materializations as splits
        on splits.table_name = 'multi_hop.splits' and contains(made.determinants, left(splits.fingerprint, 8))
)

select 'an accepted item without a split, or the other way round' as what, coalesce(items.item_id, splits.item_id) as which
from (select item_id from multi_hop.items where status = 'accepted') as items
full outer join multi_hop.splits on items.item_id = splits.item_id
where items.item_id is null or splits.item_id is null
union all
select 'another number in Table 3', coalesce(divided.variant, counted.variant) || ' ' || coalesce(divided.split, counted.split)
from divided
full outer join multi_hop.statistics as counted
    on divided.variant = counted.variant and divided.split = counted.split
where
    'multi_hop.statistics' in (select table_name from of_these_splits)
    and divided.items is distinct from counted.items
union all
select 'another split in the release, or none', splits.item_id
from multi_hop.splits
left join release.items on splits.item_id = items.item_id
where
    'release.items' in (select table_name from of_these_splits)
    and (items.split is distinct from splits.split or coalesce(items.rejection_reason, '') = 'leaks_into_test')
