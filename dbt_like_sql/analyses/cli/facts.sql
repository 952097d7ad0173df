-- One row: an answering model in a setting, with its fact recall, by models if they judged, and its fact precision.
with scored as (
    select
        *,
        format('{:.2f}', value) as mean,
        mean || coalesce(replace(format(' ({:.2f}-{:.2f})', low, high), '0.', '.'), '') as with_interval,
        row_number() over (
            partition by answerer, variant, setting, measure
            order by case judge when 'mean of judges' then 1 when 'rules' then 3 else 2 end, judge
        ) as place
    from benchmark.answering_scores
    where measure in ('fact_recall', 'fact_precision')
)

select
    answerer,
    variant || ' ' || setting as setting,
    max(with_interval) filter (where measure = 'fact_recall') as recall,
    max(judge) filter (where measure = 'fact_recall') as judge,
    max(unscored) filter (where measure = 'fact_recall') as unscored,
    max(mean) filter (where measure = 'fact_precision') as "precision"
from scored
left join shared_answering_settings as settings on scored.setting like settings.named
where scored.place = 1
group by answerer, variant, scored.setting, settings.place
order by answerer, variant, settings.place, scored.setting
