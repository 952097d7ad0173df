-- One row: an item of which quotes are named `core`, with the QA pairs that they are of: its answer rests on these.
select item_id, list(quote_id order by quote_id) as pairs
from item_quotes
where name = 'core'
group by item_id
order by item_id
