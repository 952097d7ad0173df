-- checks: benchmark.answering_scores
-- Every mean lies between 0 and 1 (BERTScore, rescaled, may be below 0, BLEURT beyond both ends) and within its
-- interval.
-- if it fails: the table was changed by hand. Run `aimsciqa reset --from benchmark --yes`, then
-- `aimsciqa run`: what the models replied is in the journal.
select answerer, variant, setting, measure, judge, value, low, high
from benchmark.answering_scores
where
    (value > 1.000001 and measure not in ('bleurt', 'scidqa_avg'))
    or (value < 0 and measure not in ('bert_score', 'bleurt', 'scidqa_avg'))
    or not coalesce(value between low - 1e-9 and high + 1e-9, low is null and high is null)
