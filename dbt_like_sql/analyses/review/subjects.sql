-- One row: an item that may be reviewed, of those that are asked for, with the words that it has now.
select item_id, question, answer
from item_questions
where item_id in (select unnest($ids::varchar[]))
