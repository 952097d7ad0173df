-- One row: an answering model in a setting, with its means; the judged accuracy with its 95 % interval.
select
    answerer,
    variant || ' ' || setting as setting,
    max(with_interval) filter (where measure = 'accuracy') as accuracy,
    max(judge) filter (where measure = 'accuracy') as judge,
    max(mean) filter (where measure = 'token_f1') as "token F1",
    max(mean) filter (where measure = 'rouge_l') as "ROUGE-L"
from shared_shown_scores as scored
left join shared_answering_settings as settings on scored.setting like settings.named
group by answerer, variant, scored.setting, settings.place
order by answerer, variant desc, settings.place, scored.setting
