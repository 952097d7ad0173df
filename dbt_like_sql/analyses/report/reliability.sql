-- One row: a dimension of a judge's ratings with the agreement of its runs; `all`: of the judges.
select *
from benchmark.reliability
order by judge != 'all', judge, dimension != 'multi_hop', dimension
