-- One row: an answering model in a setting, with its means and their 95 % intervals.
with scored as (
    select
        answerer,
        variant,
        setting,
        measure,
        judge,
        answers,
        format('{:.2f}', value) || coalesce(format(' [{:.2f}, {:.2f}]', low, high), '') as mean,
        row_number() over (
            partition by answerer, variant, setting, measure
            order by case judge when 'mean of judges' then 1 when 'lexical' then 3 else 2 end, judge
        ) as place
    from benchmark.answering_scores
)

select
    answerer,
    variant,
    setting,
    max(answers) as answers,
    max(mean) filter (where measure = 'accuracy') as accuracy,
    max(judge) filter (where measure = 'accuracy') as judge,
    max(mean) filter (where measure = 'token_f1') as "token F1",
    max(mean) filter (where measure = 'rouge_l') as "ROUGE-L"
from scored
where place = 1
group by answerer, variant, setting
order by
    answerer,
    variant desc,
    list_position(
        ['oracle', 'realistic', 'citation', 'source_only', 'target_only', 'closed_book'], setting
    )
