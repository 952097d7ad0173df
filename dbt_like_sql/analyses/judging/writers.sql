-- One row: a model that wrote items which judges rated.
select distinct questions.model
from item_questions as questions
semi join benchmark.ratings as ratings on questions.item_id = ratings.item_id
order by questions.model
