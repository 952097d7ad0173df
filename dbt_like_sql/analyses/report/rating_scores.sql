-- One row: a dimension of the items of a kind, as the judges that count rate it together.
select *
from benchmark.rating_scores
order by variant desc, shown, dimension = 'overall' desc, dimension != 'multi_hop', dimension
