-- One row: the fate of an accepted item, with its number of items: the reason why it is not in the release,
-- `not_considered` where that is not decided on yet, or null where it is in it. `mirrors` is the number of
-- relations that were not asked about, because another one goes the other way on the same core pair.
select
    if(items.item_id is null, 'not_considered', items.rejection_reason) as reason,
    count(*) as rows,
    (
        select count(*)
        from relations.mirrors
        where relation_id not in (select relation_id from multi_hop.items)
    ) as mirrors
from item_questions as questions
left join release.items as items on questions.item_id = items.item_id
group by reason
order by rows desc, reason
