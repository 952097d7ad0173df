-- checks: benchmark.gates
-- Every evaluated item has a verdict from each of the four gates, and all or none from the fifth, necessity.
-- if it fails: the items are newer than the verdicts. Materialize benchmark/gates, or `aimsciqa run`, which
-- does that wherever it is needed.
select queries.item_id, count(gates.gate) as verdicts
from benchmark.queries
left join benchmark.gates on queries.item_id = gates.item_id
where exists (from benchmark.gates)
group by queries.item_id
having count(gates.gate) != (select count(distinct gate) from benchmark.gates)
