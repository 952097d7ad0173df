-- One row: an answering model in a setting, with its means; the judged accuracy with its 95 % interval.
with scored as (
    select
        *,
        format('{:.2f}', value) as mean,
        mean || coalesce(replace(format(' ({:.2f}-{:.2f})', low, high), '0.', '.'), '') as with_interval,
        row_number() over (
            partition by answerer, variant, setting, measure
            order by case judge when 'mean of judges' then 1 when 'lexical' then 3 else 2 end, judge
        ) as place
    from benchmark.answering_scores
)

select
    answerer,
    variant || ' ' || setting as setting,
    max(with_interval) filter (where measure = 'accuracy') as accuracy,
    max(judge) filter (where measure = 'accuracy') as judge,
    max(mean) filter (where measure = 'token_f1') as "token F1",
    max(mean) filter (where measure = 'rouge_l') as "ROUGE-L"
from scored
left join shared_answering_settings as settings on scored.setting like settings.named
where scored.place = 1
group by answerer, variant, scored.setting, settings.place
order by answerer, variant desc, settings.place, scored.setting
