-- checks: benchmark.answers
-- Every answer of an answerer that has scores is of an item that is evaluated now.
-- if it fails: the items are newer than the answers. Materialize benchmark/answers and what follows for that
-- answerer, or `aimsciqa run`, which does that wherever it is needed.
select answers.answerer, answers.item_id, answers.setting
from benchmark.answers
anti join benchmark.queries on answers.item_id = queries.item_id
where answers.answerer in (select answerer from benchmark.answering_scores)
