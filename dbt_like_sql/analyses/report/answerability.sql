-- One row: a measure of an answering model without documents and with them, on the items of a kind.
select *
from benchmark.answerability
where
    measure not in ('bert_score', 'bleurt', 'scidqa_avg')
    and not starts_with(measure, 'rouge')
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
            'aspects'
        ],
        measure
    ),
    judge,
    answerer
