-- One row: what the reviewers of an item decided, as the latest run took it, with the words as they were edited.
select decision, reviewers, accepts, rejects, score, question, answer
from benchmark.review_decisions
where item_id = $id
