-- checks: benchmark.retrieval_scores
-- Hit@1 <= MRR@5 <= Hit@5, MRR@5 <= Hit@1 + (Hit@3 - Hit@1) / 2 + (Hit@5 - Hit@3) / 4, and every interval
-- holds its mean. A missing Hit@k is 1, because there are no more than k papers.
-- if it fails: these measures cannot come from the same rankings, so at least one is wrong: publish none. Run
-- `aimsciqa reset --from benchmark --yes`, then `aimsciqa run`.
with side_by_side as (
    select
        retriever,
        variant,
        setting,
        max(value) filter (where measure = 'Hit@1') as hit_1,
        coalesce(max(value) filter (where measure = 'Hit@3'), 1) as hit_3,
        coalesce(max(value) filter (where measure = 'Hit@5'), 1) as hit_5,
        max(value) filter (where measure = 'MRR@5') as mrr_5
    from benchmark.retrieval_scores
    group by retriever, variant, setting
)

select retriever, variant, setting, 'MRR@5' as measure, mrr_5 as value
from side_by_side
where
    hit_1 > mrr_5 + 1e-9
    or mrr_5 > hit_5 + 1e-9
    or mrr_5 > hit_1 + (hit_3 - hit_1) / 2 + (hit_5 - hit_3) / 4 + 1e-9
union all
select retriever, variant, setting, measure, value
from benchmark.retrieval_scores
where value not between low - 1e-9 and high + 1e-9
