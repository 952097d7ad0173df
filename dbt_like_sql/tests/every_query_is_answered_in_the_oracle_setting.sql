-- checks: benchmark.answers
-- Every answerer that has scores has a row for every evaluated item in the oracle setting, with an answer or
-- the reason why there is none.
-- if it fails: the items are newer than the answers. Materialize benchmark/answers and what follows for that
-- answerer, or `aimsciqa run`, which does that wherever it is needed.
select answerers.answerer, queries.item_id
from (select distinct answerer from benchmark.answering_scores) as answerers
cross join benchmark.queries
anti join benchmark.answers as answers
    on
        answerers.answerer = answers.answerer
        and queries.item_id = answers.item_id
        and answers.setting = 'oracle'
