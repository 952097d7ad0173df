-- One row: an item of one of $kinds that may be rated.
select item_id as subject_id, split
from item_questions
where variant in (select unnest($kinds::varchar[]))
