-- One row: a quality gate with the verdicts of the items before it.
select
    gate,
    count(*) filter (where verdict = 'pass') as passed,
    count(*) filter (where verdict = 'fail') as failed,
    count(*) filter (where verdict = 'unknown') as unknown
from benchmark.gates
group by gate
order by passed / nullif(passed + failed, 0) desc nulls last, gate
