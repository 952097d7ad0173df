-- One row: the score of a run of AirQA on the examples with a tag, or on all; the best run first.
with run as (
    select
        run_id,
        any_value(baseline) as baseline,
        any_value(model) as model,
        any_value(settings) as settings,
        any_value(sampling) as sampling,
        any_value(summaries) as summaries
    from airqa.runs
    group by run_id
),

total as (
    select run_id, score as total_score from airqa.scores where family = 'total'
),

refused as (
    select run_id, count(*)::integer as refused
    from airqa.verdicts
    where reason = 'same_family'
    group by run_id
)

select
    scores.*,
    run.baseline,
    run.model,
    run.settings,
    run.sampling,
    run.summaries,
    coalesce(refused.refused, 0) as refused
from airqa.scores as scores
join run on scores.run_id = run.run_id
join total on scores.run_id = total.run_id
left join refused on scores.run_id = refused.run_id
order by
    list_position(['total', 'type', 'element', 'evaluation'], scores.family),
    list_position(
        [
            'single', 'multiple', 'retrieval', 'comprehensive',
            'text', 'table', 'image', 'formula', 'metadata',
            'objective', 'subjective'
        ],
        scores.tag
    ),
    total_score desc,
    scores.run_id
