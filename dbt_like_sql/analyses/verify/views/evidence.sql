-- One row: a quote that an item rests on.
select item_id, split, paper_id, quote.*
from (select item_id, split, paper_id, unnest(quotes) as quote from documents)
