-- One row: an evaluated item with the facts that it sets against each other: the first quote of each document.
with firsts as (
    select item_id, arg_min(coalesce(quote_id, paragraph_id || ':' || evidence_start), position) as fact
    from item_quotes
    group by item_id, role
)

select queries.item_id, list(firsts.fact order by firsts.fact) as facts
from benchmark.queries
inner join firsts on queries.item_id = firsts.item_id
group by queries.item_id
order by queries.item_id
