-- One row: an answering model in a setting, with the means of what only long answers are measured by. ALS is the mean
-- of the judges in four aspects, with its 95 % interval, or what the only one says.
with scored as (
    select
        *,
        format('{:.2f}', value) as mean,
        mean || coalesce(replace(format(' ({:.2f}-{:.2f})', low, high), '0.', '.'), '') as with_interval
    from benchmark.answering_scores
    where measure in ('rouge1_f1', 'rouge2_f1', 'rouge_l_f1', 'bleurt', 'aspects', 'scidqa_avg')
),

told as (
    select
        answerer,
        variant,
        setting,
        max(mean) filter (where measure = 'rouge1_f1') as "R-1",
        max(mean) filter (where measure = 'rouge2_f1') as "R-2",
        max(mean) filter (where measure = 'rouge_l_f1') as "R-L",
        max(mean) filter (where measure = 'bleurt') as bleurt,
        arg_max(with_interval, (judge = 'mean of judges')::int) filter (where measure = 'aspects') as als,
        string_agg(judge || ' ' || mean, ', ' order by judge)
            filter (where measure = 'aspects' and judge <> 'mean of judges')
            as judges,
        max(mean) filter (where measure = 'scidqa_avg') as "Avg"
    from scored
    group by all
)

select
    told.answerer,
    told.variant || ' ' || told.setting as setting,
    told."R-1",
    told."R-2",
    told."R-L",
    told.bleurt as "BLEURT",
    told.als as "ALS",
    told.judges,
    told."Avg"
from told
left join shared_answering_settings as settings on told.setting like settings.named
where told."R-1" is not null
order by told.answerer, told.variant, settings.place, told.setting
