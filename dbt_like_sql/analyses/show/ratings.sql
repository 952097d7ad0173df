-- One row: what people or judges say of an item in one respect: the mean of their scores.
select 'people' as who, rater as by_whom, criterion as dimension, avg(score) as score, max(comment) as comment
from benchmark.audit_ratings
where subject_id = $id
group by all
union all
select 'judge', judge, dimension, avg(score), ''
from benchmark.ratings
where item_id = $id and score is not null
group by all
order by who desc, by_whom, dimension
