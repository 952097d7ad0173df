-- One row: what a model answered to an item in a setting, and what judges say of it.
with judged as (
    select answer_id, list({'judge': judge, 'score': score} order by kind desc, judge) as judged
    from benchmark.judgements
    where item_id = $id
    group by answer_id
),

rated as (
    select
        answer_id,
        list({'judge': judge, 'overall': overall, 'rejection_reason': rejection_reason} order by judge) as rated
    from benchmark.aspect_ratings
    where item_id = $id
    group by answer_id
)

select
    answers.answerer,
    answers.setting,
    answers.prediction,
    answers.rejection_reason,
    answers.found_target,
    answers.token_f1,
    coalesce(judged.judged, []) as judged,
    coalesce(rated.rated, []) as rated
from benchmark.answers
left join judged on answers.answer_id = judged.answer_id
left join rated on answers.answer_id = rated.answer_id
left join shared_answering_settings as settings on answers.setting like settings.named
where answers.item_id = $id
order by
    answers.answerer,
    settings.place,
    answers.setting
