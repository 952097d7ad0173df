-- One row: a dimension of the items and a score that a judge gave it, with how often.
select judge, dimension, score::double as score, count(*) as rows
from benchmark.ratings
group by all
order by judge, dimension, score nulls last
