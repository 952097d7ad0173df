-- One row: an item with the facts that it sets against each other: the first quote of each document.
with firsts as (
    select item_id, arg_min(coalesce(quote_id, paragraph_id || ':' || evidence_start), position) as fact
    from item_quotes
    group by item_id, role
)

select item_id, list(fact order by fact) as facts
from firsts
where fact is not null
group by item_id
