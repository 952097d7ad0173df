-- One row: a criterion of an audit with the agreement of the people who rated it.
select *
from benchmark.audit_agreement
order by sheet, criterion
