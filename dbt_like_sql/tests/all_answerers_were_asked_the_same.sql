-- checks: benchmark.answers
-- Every answerer that has scores has a row for every item and setting that another one of them has, with an
-- answer or the reason why there is none.
-- if it fails: some answers are older than the items or the settings. Materialize benchmark/answers and what
-- follows for that answerer, or `aimsciqa run`, which does that wherever it is needed.
with scored as (
    select answerer, item_id, setting
    from benchmark.answers
    where answerer in (select answerer from benchmark.answering_scores)
)

select answerers.answerer, asked.item_id, asked.setting
from (select distinct answerer from scored) as answerers
cross join (select distinct item_id, setting from scored) as asked
anti join scored
    on
        answerers.answerer = scored.answerer
        and asked.item_id = scored.item_id
        and asked.setting = scored.setting
