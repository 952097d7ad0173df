-- One row: an item that judges may be asked to rate.
select item_id
from item_questions
