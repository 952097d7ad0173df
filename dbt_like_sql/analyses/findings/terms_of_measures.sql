-- One row: a measure with the terms by which papers call it.
select
    measures.measure_id,
    measures.name,
    list(distinct findings.measure) as terms
from findings.measured
join findings.measures on measured.measure_id = measures.measure_id
join findings.findings on measured.quantity_id = findings.finding_id
group by measures.measure_id, measures.name
order by measures.name, measures.measure_id
