-- One row: what a rule tells of answers of a run of AirQA, with the number of such answers, and of the wrong ones.
with counted as (
    select run_id, sum(answers) as answers, sum(answers - correct) as all_wrong
    from airqa.scores
    where family = 'total'
    group by run_id
)

select
    run_id,
    label,
    count(*)::integer as rows,
    count(*) filter (where not correct)::integer as wrong,
    any_value(all_wrong)::integer as all_wrong
from airqa.labels
join counted using (run_id)
group by run_id, label
order by run_id, wrong desc, label
