-- One row: a measure of an answering model in one setting (Tables 7 and 8 of the AIM-SciQA paper).
with lexical as (
    select distinct judge from benchmark.judgements where kind = 'lexical'
)

select scores.*, scores.judge in (from lexical) as lexical
from benchmark.answering_scores as scores
left join shared_answering_settings as settings on scores.setting like settings.named
order by
    variant desc,
    list_position(
        [
            'accuracy',
            'fact_recall',
            'fact_precision',
            'exact_match',
            'token_f1',
            'exact_match_bridge',
            'token_f1_bridge',
            'exact_match_comparison',
            'token_f1_comparison',
            'rouge_l',
            'rouge1_precision',
            'rouge1_recall',
            'rouge1_f1',
            'rouge2_precision',
            'rouge2_recall',
            'rouge2_f1',
            'rouge_l_precision',
            'rouge_l_recall',
            'rouge_l_f1',
            'rouge_mean',
            'bert_score',
            'bleurt',
            'aspects',
            'scidqa_avg',
            'found_target'
        ],
        measure
    ),
    judge,
    settings.place,
    scores.setting,
    value desc,
    answerer
