-- One row: an answering model in a setting, with its fact recall, by models if they judged, and its fact precision.
select
    answerer,
    variant || ' ' || setting as setting,
    max(with_interval) filter (where measure = 'fact_recall') as recall,
    max(judge) filter (where measure = 'fact_recall') as judge,
    max(unscored) filter (where measure = 'fact_recall') as unscored,
    max(mean) filter (where measure = 'fact_precision') as "precision"
from shared_shown_scores as scored
left join shared_answering_settings as settings on scored.setting like settings.named
where measure in ('fact_recall', 'fact_precision')
group by answerer, variant, scored.setting, settings.place
order by answerer, variant, settings.place, scored.setting
