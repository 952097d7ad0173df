-- One row: a measure of an answering model on the items of a kind, without documents (closed_book) and with all of
-- them (oracle), as HopWeaver's authors ask: Q only, and Q + docs. Models that were not asked in both settings are
-- left out.
select
    alone.answerer,
    alone.variant,
    alone.measure,
    alone.judge,
    alone.value as question_only,
    alone.low as question_only_low,
    alone.high as question_only_high,
    whole.value as with_documents,
    whole.low as with_documents_low,
    whole.high as with_documents_high,
    whole.value - alone.value as gain,
    whole.answers
from benchmark.answering_scores as alone
inner join benchmark.answering_scores as whole
    on
        alone.answerer = whole.answerer
        and alone.variant = whole.variant
        and alone.measure = whole.measure
        and alone.judge = whole.judge
where alone.setting = 'closed_book' and whole.setting = 'oracle'
order by alone.answerer, alone.variant, alone.measure, alone.judge
