-- One row: a kind of HopWeaver with its attempts, their success rate, and the documents tried for each question.
select *
from shared_attempts_by_kind
order by kind
