-- One row: a task whose requests lack a recorded reply, and of whom they were asked.
select
    task,
    model,
    count(distinct fingerprint) as requests
from ops.llm_calls
where outcome = 'not_recorded' and replaced is not true
group by all
order by all
