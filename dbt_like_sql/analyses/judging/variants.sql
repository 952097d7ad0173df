-- One row: an item that judges rated, and its kind.
select questions.item_id, questions.variant
from item_questions as questions
semi join benchmark.ratings as ratings on questions.item_id = ratings.item_id
order by questions.item_id
