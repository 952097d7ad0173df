-- One row: what a rule tells of answers of a run of AirQA, with the number of such answers, and of the wrong ones.
with counted as (
    select run_id, sum(answers) as answers, sum(answers - correct) as all_wrong
    from airqa.scores
    where family = 'total'
    group by run_id
)

select
    labels.run_id,
    labels.label,
    count(*)::integer as rows,
    count(*) filter (where not labels.correct)::integer as wrong,
    any_value(counted.all_wrong)::integer as all_wrong
from airqa.labels as labels
join counted on labels.run_id = counted.run_id
group by labels.run_id, labels.label
order by labels.run_id, wrong desc, labels.label
