-- One row: a document that an item rests on.
select item_id, split, document.*
from (select item_id, split, unnest(documents) as document from items)
