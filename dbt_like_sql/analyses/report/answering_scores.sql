-- One row: a measure of an answering model in one setting (Tables 7 and 8 of the AIM-SciQA paper).
with lexical as (
    select distinct judge from benchmark.judgements where kind = 'lexical'
)

select *, judge in (from lexical) as lexical
from benchmark.answering_scores
order by
    variant desc,
    list_position(
        [
            'accuracy',
            'exact_match',
            'token_f1',
            'exact_match_bridge',
            'token_f1_bridge',
            'exact_match_comparison',
            'token_f1_comparison',
            'rouge_l',
            'bert_score',
            'found_target'
        ],
        measure
    ),
    judge,
    list_position(
        ['oracle', 'realistic', 'citation', 'source_only', 'target_only', 'closed_book'], setting
    ),
    setting,
    value desc,
    answerer
